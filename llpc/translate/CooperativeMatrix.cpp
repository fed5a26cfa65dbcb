//===- CooperativeMatrix.cpp - SPV_KHR_cooperative_matrix ------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A cooperative matrix is a vector of the components that a lane has of it
/// (lgc/CooperativeMatrix.h says which). So arithmetic on its components, variables, selections and
/// phis need nothing of their own; loads and stores compute where the lane's components are in
/// memory.
#include "llpc/translate/CooperativeMatrix.h"
#include "lgc/Shader.h"
#include "llpc/translate/Accessor.h"
#include "llpc/translate/ValueHelpers.h"
#include "pal_shim/abi/Try.h"
#include "llvm/Analysis/VectorUtils.h"

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

/// Rows or columns of tiles in \p components. Error: they are not as many as fill tiles.
Expected<MatrixExtent> extentOf(Translator &t, const Inst &inst, uint32_t components) {
  if (!components || components % lgc::matrixSide || components > lgc::maxMatrixSide)
    return t.unsupportedOp(inst, "a matrix of " + Twine(components) + " rows or columns");
  return MatrixExtent{components / lgc::matrixSide};
}

/// Everything of the type \p inst but its components.
Expected<MatrixType> matrixShape(Translator &t, const Inst &inst) {
  MatrixType type{};
  const auto scope = static_cast<spv::Scope>(KILN_TRY(t.readConstant32(inst[1])));
  if (scope != spv::Scope::Subgroup && scope != spv::Scope::Workgroup)
    return t.unsupportedOp(inst, "scope " + Twine(static_cast<uint32_t>(scope)) + " of a matrix");
  type.rows = KILN_TRY(extentOf(t, inst, KILN_TRY(t.readConstant32(inst[2]))));
  type.columns = KILN_TRY(extentOf(t, inst, KILN_TRY(t.readConstant32(inst[3]))));
  const auto use = KILN_TRY(t.readConstant32(inst[4]));
  if (use > static_cast<uint32_t>(lgc::MatrixUse::Accumulator))
    return t.invalid(inst, "use " + Twine(use) + " of a matrix");
  type.use = static_cast<lgc::MatrixUse>(use);
  type.layout = lgc::matrixLayout(*t.internals().pipeline, type.use);
  type.isWorkgroup = scope == spv::Scope::Workgroup;
  if (type.isWorkgroup) {
    const WaveGrid grid(t);
    if (type.use != lgc::MatrixUse::B)
      type.rows.waves = grid.waves() / grid.columns();
    if (type.use != lgc::MatrixUse::A)
      type.columns.waves = grid.columns();
  }
  return type;
}

} // namespace

Expected<MatrixType> matrixType(Translator &t, const Inst &place, Id typeId) {
  const Inst *inst = t.spv.definition(typeId);
  if (!inst || inst->opcode != spv::Op::OpTypeCooperativeMatrixKHR)
    return t.invalid(place, "%" + Twine(typeId) + " is no cooperative matrix type");
  auto *value = cast<FixedVectorType>(KILN_TRY(t.type(typeId)));
  MatrixType type = KILN_TRY(matrixShape(t, *inst));
  type.value = value;
  type.small = smallFloatOf(t, typeId);
  return type;
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

Value *tileOf(Translator &t, Value *matrix, const MatrixType &type, TileIndex index) {
  if (type.tileCount() == 1)
    return matrix;
  const unsigned count = type.layout.components,
                 first = (index.row * type.columns.count() + index.column) * count;
  return t.b.CreateShuffleVector(matrix, createSequentialMask(first, count, 0));
}

Value *withTile(Translator &t, Value *matrix, const MatrixType &type, TileIndex index,
                Value *tile) {
  if (type.tileCount() == 1)
    return tile;
  const unsigned count = type.layout.components,
                 first = (index.row * type.columns.count() + index.column) * count;
  for (unsigned i = 0; i < count; ++i)
    matrix = t.b.CreateInsertElement(matrix, t.b.CreateExtractElement(tile, i), first + i);
  return matrix;
}

// --- Waves

uint32_t WaveGrid::waves() const {
  const lgc::PipelineState &state = *t.internals().pipeline;
  uint64_t invocations = 1;
  for (uint32_t size : state.shader(lgc::ShaderStage::Compute).workgroupSize)
    invocations *= size;
  return static_cast<uint32_t>(
      divideCeil(invocations, lgc::chooseWaveSize(state, pal::abi::HardwareStage::Cs)));
}

uint32_t WaveGrid::columns() const {
  uint32_t columns = 1;
  for (uint32_t i = 2; i * i <= waves(); ++i)
    if (waves() % i == 0)
      columns = i;
  return columns;
}

Value *WaveGrid::wave() {
  IRBuilder<> &b = t.b;
  Value *id = t.op(lgc::OpId::BuiltinOp, b.getInt32Ty(),
                   {t.i32(static_cast<uint32_t>(lgc::BuiltIn::SubgroupId))});
  return t.op(lgc::OpId::SubgroupBroadcastFirstOp, b.getInt32Ty(), {id});
}

Value *WaveGrid::row() { return t.b.CreateUDiv(wave(), t.i32(columns())); }
Value *WaveGrid::column() { return t.b.CreateURem(wave(), t.i32(columns())); }

Value *WaveGrid::dealt(const MatrixExtent &extent, Value *wave, uint32_t index) {
  if (extent.waves == 1)
    return t.i32(index);
  Value *first = t.b.CreateMul(wave, t.i32(extent.count()));
  Value *number = t.b.CreateAdd(first, t.i32(index));
  if (extent.all % extent.waves == 0)
    return number;
  return t.b.CreateBinaryIntrinsic(Intrinsic::umin, number, t.i32(extent.all - 1));
}

Value *WaveGrid::rowOfTile(const MatrixType &type, uint32_t index) {
  return dealt(type.rows, type.rows.waves == 1 ? nullptr : row(), index);
}

Value *WaveGrid::columnOfTile(const MatrixType &type, uint32_t index) {
  return dealt(type.columns, type.columns.waves == 1 ? nullptr : column(), index);
}

TilePlace::TilePlace(Translator &t, const MatrixType &type, TileIndex index) : t(t), type(type) {
  WaveGrid grid(t);
  const auto [inner, outer] = lanePlace(t, type.layout);
  const bool isA = type.use == lgc::MatrixUse::A;
  auto first = [&](Value *tile, Value *inTile) {
    return t.b.CreateAdd(t.b.CreateMul(tile, t.i32(lgc::matrixSide)), inTile);
  };
  firstRow = first(grid.rowOfTile(type, index.row), isA ? inner : outer);
  firstColumn = first(grid.columnOfTile(type, index.column), isA ? outer : inner);
}

Value *TilePlace::further(Value *place, unsigned component) const {
  return t.b.CreateAdd(place, t.i32(component * type.layout.step));
}
Value *TilePlace::row(unsigned component) const {
  return type.use == lgc::MatrixUse::A ? firstRow : further(firstRow, component);
}
Value *TilePlace::column(unsigned component) const {
  return type.use == lgc::MatrixUse::A ? further(firstColumn, component) : firstColumn;
}

Error checkMatrixStorage(Translator &t, const Inst &inst, spv::StorageClass storage) {
  switch (storage) {
  case spv::StorageClass::StorageBuffer:
  case spv::StorageClass::Uniform:
  case spv::StorageClass::PhysicalStorageBuffer:
  case spv::StorageClass::Workgroup:
    return Error::success();
  default:
    return t.invalid(inst, "storage class of the pointer");
  }
}

namespace {

struct Access {
  Translator &t;
  const Inst &inst;
  MatrixType type;
  Translator::Place memory; ///< of the matrix
  bool rowMajor = false;
  Value *strideBytes = nullptr; ///< as wide as offsets are

  TileMemory tile(TileIndex index);
  Value *load();
  void store(Value *value);
};

TileMemory Access::tile(TileIndex index) {
  IRBuilder<> &b = t.b;
  Type *offsetType = strideBytes->getType();
  WaveGrid grid(t);
  auto first = [&](Value *tile) {
    return b.CreateZExt(b.CreateMul(tile, t.i32(lgc::matrixSide)), offsetType);
  };
  Value *row = first(grid.rowOfTile(type, index.row)),
        *column = first(grid.columnOfTile(type, index.column));
  Value *major = b.CreateMul(rowMajor ? row : column, strideBytes);
  Value *minor = b.CreateMul(rowMajor ? column : row,
                             ConstantInt::get(offsetType, type.value->getScalarSizeInBits() / 8));
  Translator::Place place = memory;
  place.pointer = Accessor{t, memory.storage, memory.access, inst}.elementPointer(
      memory.pointer, b.CreateAdd(major, minor), 1);
  return {t, inst, type, place, rowMajor, strideBytes};
}

Value *Access::load() {
  Value *result = PoisonValue::get(type.value);
  forEachTile(type, [&](TileIndex index) {
    result = withTile(t, result, type, index, tile(index).load());
  });
  return result;
}

void Access::store(Value *value) {
  forEachTile(type, [&](TileIndex index) { tile(index).store(tileOf(t, value, type, index)); });
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
  KILN_TRY(checkMatrixStorage(t, inst, pointer.storage));
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
  return t.setValue(inst, t.i32(type.value->getNumElements()));
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

struct Product {
  Translator &t;
  uint32_t flags; ///< lgc::MatrixFlags
  const MatrixType &a, &b, &sum;
};

/// Of a matrix of tiles, each of which is a row of tiles of \p a times a column of \p b.
Value *tileProducts(const Product &p, Value *a, Value *b, Value *sum) {
  forEachTile(p.sum, [&](TileIndex at) {
    Value *tile = tileOf(p.t, sum, p.sum, at);
    for (uint32_t i = 0; i < p.a.columns.count(); ++i) {
      Value *left = tileOf(p.t, a, p.a, {at.row, i});
      Value *right = tileOf(p.t, b, p.b, {i, at.column});
      tile =
          p.t.op(lgc::OpId::MatrixMulAddOp, tile->getType(), {p.t.i32(p.flags), left, right, tile});
    }
    sum = withTile(p.t, sum, p.sum, at, tile);
  });
  return sum;
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
  if (a.columns.all != b.rows.all || a.rows.all != c.rows.all || b.columns.all != c.columns.all ||
      a.isWorkgroup != c.isWorkgroup || b.isWorkgroup != c.isWorkgroup)
    return t.invalid(inst, "sizes or scopes of the operands do not fit");
  if (inst.typeId != t.typeIdOf(inst[2]) && !isSameShape(c, result))
    return t.invalid(inst, "the result is not as large as the sum");
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
  if (saturates && a.columns.all > 1) // a sum saturates once, and not on the way
    return t.unsupportedOp(inst, "saturation of sums of more than 16 products");
  // No instruction rounds sums of bfloat16 to the nearest.
  const bool isBrain = c.is(lgc::SmallFloat::BF16);
  Type *type = result.value;
  if (isBrain) {
    type = FixedVectorType::get(t.b.getFloatTy(), result.value->getNumElements());
    sum = lgc::extendSmallFloat(t.b, lgc::SmallFloat::BF16, sum, type);
  }
  Value *product = tileProducts({t, flags, a, b, c}, first, second, sum);
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
  const MatrixType shape = KILN_TRY(matrixShape(t, inst));
  // More than fill the registers of a lane with 16 bits each: code would be all spills, and take
  // minutes to compile.
  constexpr uint32_t mostComponents = 512;
  const uint32_t components = shape.layout.components * shape.tileCount();
  if (components > mostComponents)
    return t.unsupportedOp(inst, "a matrix of " + Twine(components) + " components in each lane");
  return FixedVectorType::get(component, components);
}

bool isCooperativeMatrix(const Translator &t, Id typeId) {
  const Inst *type = t.spv.definition(typeId);
  return type && type->opcode == spv::Op::OpTypeCooperativeMatrixKHR;
}

} // namespace llpc
