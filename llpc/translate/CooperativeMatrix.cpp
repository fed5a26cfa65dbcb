//===- CooperativeMatrix.cpp - SPV_KHR_cooperative_matrix ------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A cooperative matrix is a vector of the components that a lane has of it
/// (lgc/CooperativeMatrix.h says which). So arithmetic on its components, variables, selections and
/// phis need nothing of their own; loads and stores compute where the lane's components are in
/// memory.
#include "llpc/translate/CooperativeMatrix.h"
#include "llpc/translate/Accessor.h"
#include "llpc/translate/ValueHelpers.h"
#include "pal_shim/abi/Try.h"

using namespace llvm;

namespace llpc {
namespace {

/// What a lane of \p lane adds to where its components are.
Value *firstOuter(IRBuilder<> &b, Value *lane, lgc::MatrixLayout::First first) {
  switch (first) {
  case lgc::MatrixLayout::First::Zero:
    return b.getInt32(0);
  case lgc::MatrixLayout::First::Group:
    return b.CreateLShr(lane, 4);
  case lgc::MatrixLayout::First::Block:
    Value *low = b.CreateLShr(b.CreateAnd(lane, 16), 1);
    Value *high = b.CreateLShr(b.CreateAnd(lane, 32), 3);
    return b.CreateOr(low, high);
  }
  KILN_ICE("unknown place of a matrix's components");
}

} // namespace

Expected<MatrixType> matrixType(Translator &t, const Inst &place, Id typeId) {
  const Inst *inst = t.spv.definition(typeId);
  if (!inst || inst->opcode != spv::Op::OpTypeCooperativeMatrixKHR)
    return t.invalid(place, "%" + Twine(typeId) + " is no cooperative matrix type");
  auto *value = cast<FixedVectorType>(KILN_TRY(t.type(typeId)));
  const auto use = static_cast<lgc::MatrixUse>(KILN_TRY(t.readConstant32((*inst)[4])));
  return MatrixType{value, use, lgc::matrixLayout(*t.internals().pipeline, use),
                    smallFloatOf(t, typeId)};
}

LanePlace lanePlace(Translator &t, const lgc::MatrixLayout &layout) {
  IRBuilder<> &b = t.b;
  Value *lane = t.op(lgc::OpId::BuiltinOp, b.getInt32Ty(),
                     {t.i32(static_cast<uint32_t>(lgc::BuiltIn::SubgroupLocalInvocationId))});
  Value *inner = lane;
  if (layout.rotates)
    inner = b.CreateAdd(inner, firstOuter(b, lane, lgc::MatrixLayout::First::Block));
  return {b.CreateAnd(inner, lgc::matrixSide - 1), firstOuter(b, lane, layout.first)};
}

namespace {

/// The places of a lane's components in memory.
struct Places {
  Value *first;            ///< of component 0
  Value *step = nullptr;   ///< bytes from one component to the next; null: they are contiguous
  uint64_t alignBytes = 1; ///< of `first`, and of contiguous components together
};

struct Access {
  Translator &t;
  const Inst &inst;
  MatrixType type;
  Translator::Place memory;
  bool rowMajor = false;
  Value *strideBytes = nullptr; ///< as wide as offsets are

  uint64_t componentBytes() const { return type.value->getScalarSizeInBits() / 8; }
  Accessor accessor() { return {t, memory.storage, memory.access, inst}; }
  Value *offset(uint64_t value) { return ConstantInt::get(strideBytes->getType(), value); }
  Places places();
  Value *load();
  void store(Value *value);
};

Places Access::places() {
  IRBuilder<> &b = t.b;
  const lgc::MatrixLayout &layout = type.layout;
  const bool isA = type.use == lgc::MatrixUse::A;
  const auto [inner, outer] = lanePlace(t, layout);
  // `outer` runs along rows of A in memory, else along columns.
  const bool isContiguous = isA == rowMajor;
  Value *major = b.CreateZExt(isContiguous ? inner : outer, strideBytes->getType());
  Value *minor = b.CreateZExt(isContiguous ? outer : inner, strideBytes->getType());
  minor = b.CreateMul(minor, offset(componentBytes()));
  Accessor a = accessor();
  Places result;
  result.first =
      a.elementPointer(memory.pointer, b.CreateAdd(b.CreateMul(major, strideBytes), minor), 1);
  const uint64_t bytes = componentBytes() * layout.components;
  if (isContiguous && layout.step == 1)
    // The pointer and the stride are aligned to 16 bytes, or a row or column if that is less.
    result.alignBytes = std::min<uint64_t>(bytes, 16);
  else
    result.step =
        b.CreateMul(isContiguous ? offset(componentBytes()) : strideBytes, offset(layout.step));
  return result;
}

/// Contiguous components as integers of 32 bits, at most four at a time.
FixedVectorType *chunkType(Translator &t, uint64_t alignBytes) {
  return FixedVectorType::get(t.b.getInt32Ty(), std::max<unsigned>(alignBytes / 4, 1));
}

Value *Access::load() {
  const Places at = places();
  Accessor a = accessor();
  Value *result = PoisonValue::get(type.value);
  const unsigned count = type.value->getNumElements();
  if (at.step) {
    for (unsigned i = 0; i < count; ++i) {
      Value *pointer = a.elementPointer(at.first, t.b.CreateMul(at.step, offset(i)), 1);
      result = t.b.CreateInsertElement(
          result, a.loadLeaf(type.value->getElementType(), pointer, componentBytes()), i);
    }
    return result;
  }
  auto *chunk = chunkType(t, at.alignBytes);
  const unsigned perChunk = at.alignBytes / componentBytes();
  auto *part = FixedVectorType::get(type.value->getElementType(), perChunk);
  for (unsigned i = 0; i < count; i += perChunk) {
    Value *pointer = a.offsetPointer(at.first, i * componentBytes());
    Value *loaded = t.b.CreateBitCast(a.loadLeaf(chunk, pointer, at.alignBytes), part);
    for (unsigned j = 0; j < perChunk; ++j) {
      Value *component = t.b.CreateExtractElement(loaded, j);
      result = t.b.CreateInsertElement(result, component, i + j);
    }
  }
  return result;
}

void Access::store(Value *value) {
  const Places at = places();
  Accessor a = accessor();
  const unsigned count = type.value->getNumElements();
  if (at.step) {
    for (unsigned i = 0; i < count; ++i) {
      Value *pointer = a.elementPointer(at.first, t.b.CreateMul(at.step, offset(i)), 1);
      a.storeLeaf(t.b.CreateExtractElement(value, i), pointer, componentBytes());
    }
    return;
  }
  auto *chunk = chunkType(t, at.alignBytes);
  const unsigned perChunk = at.alignBytes / componentBytes();
  for (unsigned i = 0; i < count; i += perChunk) {
    SmallVector<int, 16> mask;
    for (unsigned j = 0; j < perChunk; ++j)
      mask.push_back(static_cast<int>(i + j));
    Value *part = t.b.CreateBitCast(t.b.CreateShuffleVector(value, mask), chunk);
    a.storeLeaf(part, a.offsetPointer(at.first, i * componentBytes()), at.alignBytes);
  }
}

/// Bytes that the stride of a load or store counts: those of what its pointer points to, and of an
/// untyped pointer single ones.
Expected<uint64_t> strideUnit(Translator &t, const Inst &inst, const TypedPointer &pointer) {
  if (t.spv.isUntypedPointer(inst[0])) {
    if (!isExplicitLayout(t, pointer.storage))
      return t.unsupportedOp(inst, "untyped access to memory without explicit layout");
    return 1;
  }
  auto type = KILN_TRY(t.type(pointer.pointeeId));
  if (type->isAggregateType() || type->isPtrOrPtrVectorTy() || isBoolShape(type))
    return t.invalid(inst, "the pointer points to no numbers");
  return type->getPrimitiveSizeInBits().getFixedValue() / 8;
}

/// Operands from \p index on are the layout, the stride and memory operands.
Expected<Access> matrixAccess(Translator &t, const Inst &inst, Id typeId, size_t index,
                              bool isStore) {
  Access access{t, inst, KILN_TRY(matrixType(t, inst, typeId)), {}};
  const auto pointer = KILN_TRY(pointerTypeOf(t, inst, inst[0]));
  switch (pointer.storage) {
  case spv::StorageClass::StorageBuffer:
  case spv::StorageClass::Uniform:
  case spv::StorageClass::PhysicalStorageBuffer:
  case spv::StorageClass::Workgroup:
    break;
  default:
    return t.invalid(inst, "storage class of the pointer");
  }
  const uint64_t bytes = KILN_TRY(strideUnit(t, inst, pointer));
  const PointerInfo info = t.pointerInfo(inst[0]);
  if (info.isHandle)
    return t.invalid(inst, "access to an array of blocks");
  const auto layout =
      static_cast<spv::CooperativeMatrixLayout>(KILN_TRY(t.readConstant32(inst[index++])));
  if (layout != spv::CooperativeMatrixLayout::RowMajorKHR &&
      layout != spv::CooperativeMatrixLayout::ColumnMajorKHR)
    return t.unsupportedOp(inst, "matrix layout " + Twine(static_cast<uint32_t>(layout)));
  if (index >= inst.size())
    return t.invalid(inst, "no stride");
  auto stride = KILN_TRY(t.value(inst[index++]));
  if (!isIntShape(stride->getType()) || stride->getType()->isVectorTy())
    return t.invalid(inst, "the stride is no integer");
  access.rowMajor = layout == spv::CooperativeMatrixLayout::RowMajorKHR;
  Type *offsetType = pointer.storage == spv::StorageClass::PhysicalStorageBuffer ? t.b.getInt64Ty()
                                                                                 : t.b.getInt32Ty();
  access.strideBytes =
      t.b.CreateMul(t.b.CreateZExtOrTrunc(stride, offsetType), ConstantInt::get(offsetType, bytes));
  access.memory = {KILN_TRY(t.value(inst[0])), pointer.storage,
                   KILN_TRY(memoryOperands(t, inst, index, info, isStore))};
  return access;
}

Error translateLoad(Translator &t, const Inst &inst) {
  auto access = KILN_TRY(matrixAccess(t, inst, inst.typeId, 1, /*isStore=*/false));
  return t.setValue(inst, access.load());
}

Error translateStore(Translator &t, const Inst &inst) {
  auto access = KILN_TRY(matrixAccess(t, inst, t.typeIdOf(inst[1]), 2, /*isStore=*/true));
  access.store(KILN_TRY(t.value(inst[1])));
  return Error::success();
}

Error translateLength(Translator &t, const Inst &inst) {
  auto type = KILN_TRY(matrixType(t, inst, inst[0]));
  return t.setValue(inst, t.i32(type.layout.components));
}

/// Products that lgc.matrix.muladd has.
bool isProduct(const MatrixType &a, const MatrixType &b, const MatrixType &c) {
  constexpr auto brain = lgc::SmallFloat::BF16;
  if (a.isHalf())
    return b.isHalf() && (c.isFloat() || c.isHalf());
  if (a.is(brain))
    return b.is(brain) && (c.isFloat() || c.is(brain));
  if (a.isFloat8())
    return b.isFloat8() && c.isFloat();
  return a.isInteger(8) && b.isInteger(8) && c.isInteger(32);
}

/// "bf16", or what LLVM calls it.
std::string componentText(const MatrixType &type) {
  if (!type.small)
    return typeText(type.value->getElementType());
  switch (*type.small) {
  case lgc::SmallFloat::BF16:
    return "bf16";
  case lgc::SmallFloat::E4M3:
    return "e4m3";
  case lgc::SmallFloat::E5M2:
    return "e5m2";
  }
  KILN_ICE("unknown small float");
}

Error translateMulAdd(Translator &t, const Inst &inst) {
  const MatrixType a = KILN_TRY(matrixType(t, inst, t.typeIdOf(inst[0]))),
                   b = KILN_TRY(matrixType(t, inst, t.typeIdOf(inst[1]))),
                   c = KILN_TRY(matrixType(t, inst, t.typeIdOf(inst[2]))),
                   result = KILN_TRY(matrixType(t, inst, inst.typeId));
  using lgc::MatrixUse;
  if (a.use != MatrixUse::A || b.use != MatrixUse::B || c.use != MatrixUse::Accumulator ||
      result.use != MatrixUse::Accumulator)
    return t.invalid(inst, "operands are not of the uses A, B and accumulator");
  if (c.value != result.value || c.small != result.small || !isProduct(a, b, c))
    return t.unsupportedOp(inst, "product of " + componentText(a) + " and " + componentText(b) +
                                     ", added to " + componentText(c) + ", as " +
                                     componentText(result));
  uint32_t flags = inst.size() > 3 ? inst[3] & lgc::MatrixFlags::Spirv : 0;
  if (a.is(lgc::SmallFloat::E5M2))
    flags |= lgc::MatrixFlags::E5M2A;
  if (b.is(lgc::SmallFloat::E5M2))
    flags |= lgc::MatrixFlags::E5M2B;
  auto first = KILN_TRY(t.value(inst[0]));
  auto second = KILN_TRY(t.value(inst[1]));
  auto sum = KILN_TRY(t.value(inst[2]));
  const bool saturates = flags & lgc::MatrixFlags::Saturate,
             isSigned = flags & lgc::MatrixFlags::SignedC;
  if (saturates && !result.isInteger(32))
    return t.unsupportedOp(inst, "saturation of floats");
  if (saturates && !isSigned)
    return t.unsupportedOp(inst, "saturation of unsigned sums");
  // No instruction rounds sums of bfloat16 to the nearest.
  const bool isBrain = c.is(lgc::SmallFloat::BF16);
  Type *type = result.value;
  if (isBrain) {
    type = FixedVectorType::get(t.b.getFloatTy(), result.value->getNumElements());
    sum = lgc::extendSmallFloat(t.b, lgc::SmallFloat::BF16, sum, type);
  }
  Value *product = t.op(lgc::OpId::MatrixMulAddOp, type, {t.i32(flags), first, second, sum});
  if (isBrain)
    product =
        lgc::narrowToSmallFloat(t.b, lgc::SmallFloat::BF16, product, lgc::SmallOverflow::Special);
  return t.setValue(inst, product);
}

constexpr OpEntry table[] = {
    instOp(spv::Op::OpCooperativeMatrixLoadKHR, translateLoad),
    instOp(spv::Op::OpCooperativeMatrixStoreKHR, translateStore),
    instOp(spv::Op::OpCooperativeMatrixLengthKHR, translateLength),
    instOp(spv::Op::OpCooperativeMatrixMulAddKHR, translateMulAdd),
};

} // namespace

ArrayRef<OpEntry> cooperativeMatrixOps() { return table; }

Expected<Type *> cooperativeMatrixType(Translator &t, const Inst &inst, Type *component) {
  if (!t.isStage(lgc::ShaderStage::Compute))
    return t.unsupportedOp(inst, "a cooperative matrix in this stage");
  if (!t.internals().hasWorkgroupSize)
    return t.unsupportedOp(inst, "a matrix that decides the workgroup's size");
  if (!isIntShape(component) && !isFloatShape(component))
    return t.invalid(inst, "components are no numbers");
  const auto scope = KILN_TRY(t.readConstant32(inst[1]));
  const auto rows = KILN_TRY(t.readConstant32(inst[2])),
             columns = KILN_TRY(t.readConstant32(inst[3])),
             use = KILN_TRY(t.readConstant32(inst[4]));
  if (static_cast<spv::Scope>(scope) != spv::Scope::Subgroup)
    return t.unsupportedOp(inst, "scope " + Twine(scope) + " of a matrix");
  if (rows != lgc::matrixSide || columns != lgc::matrixSide)
    return t.unsupportedOp(inst,
                           "a matrix of " + Twine(rows) + " x " + Twine(columns) + " components");
  if (use > static_cast<uint32_t>(lgc::MatrixUse::Accumulator))
    return t.invalid(inst, "use " + Twine(use) + " of a matrix");
  const auto layout = lgc::matrixLayout(*t.internals().pipeline, static_cast<lgc::MatrixUse>(use));
  return FixedVectorType::get(component, layout.components);
}

bool isCooperativeMatrix(const Translator &t, Id typeId) {
  const Inst *type = t.spv.definition(typeId);
  return type && type->opcode == spv::Op::OpTypeCooperativeMatrixKHR;
}

} // namespace llpc
