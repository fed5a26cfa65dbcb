//===- Types.cpp - SPIR-V type ids -> LLVM types --------------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/RayQuery.h"
#include "llpc/spirv/Grammar.h"
#include "llpc/spirv/KernelDialect.h"
#include "llpc/translate/TranslatorState.h"
#include "llpc/translate/ValueHelpers.h"
#include "pal_shim/abi/Try.h"

using namespace llvm;

namespace llpc {

bool isBlockStruct(const spirv::Module &spv, Id typeId) {
  const Inst *type = spv.definition(typeId);
  return type && type->opcode == spv::Op::OpTypeStruct &&
         (spv.hasDecoration(typeId, spv::Decoration::Block) ||
          spv.hasDecoration(typeId, spv::Decoration::BufferBlock));
}

static bool isArrayType(const Inst *type) {
  return type &&
         (type->opcode == spv::Op::OpTypeArray || type->opcode == spv::Op::OpTypeRuntimeArray);
}

bool isHandlePointee(const spirv::Module &spv, Id pointeeId, spv::StorageClass storage) {
  if (storage == spv::StorageClass::UniformConstant)
    return !spirv::isKernelModule(spv); // there it is memory
  if (storage != spv::StorageClass::Uniform && storage != spv::StorageClass::StorageBuffer)
    return false;
  const Inst *type = spv.definition(pointeeId);
  if (!isArrayType(type))
    return false;
  while (isArrayType(type)) {
    pointeeId = type->operands[0];
    type = spv.definition(pointeeId);
  }
  return isBlockStruct(spv, pointeeId);
}

bool isExplicitLayout(const Translator &t, spv::StorageClass storage) {
  switch (storage) {
  case spv::StorageClass::Uniform:
  case spv::StorageClass::StorageBuffer:
  case spv::StorageClass::PushConstant:
  case spv::StorageClass::PhysicalStorageBuffer:
  case spv::StorageClass::ShaderRecordBufferKHR:
    return true;
  case spv::StorageClass::Workgroup:
    return t.internals().workgroupExplicitLayout;
  default:
    return false;
  }
}

unsigned pointerAddrSpace(const Translator &t, spv::StorageClass storage, Id pointeeId) {
  switch (storage) {
  case spv::StorageClass::Uniform:
  case spv::StorageClass::StorageBuffer:
    return isHandlePointee(t.spv, pointeeId, storage) ? lgc::AddrSpace::Constant
                                                      : lgc::AddrSpace::Buffer;
  case spv::StorageClass::UniformConstant:
  case spv::StorageClass::PushConstant:
    return lgc::AddrSpace::Constant;
  case spv::StorageClass::PhysicalStorageBuffer:
  case spv::StorageClass::CrossWorkgroup:
  case spv::StorageClass::ShaderRecordBufferKHR:
    return lgc::AddrSpace::Global;
  case spv::StorageClass::Generic:
    return lgc::AddrSpace::Flat;
  case spv::StorageClass::Workgroup:
    return lgc::AddrSpace::Local;
  case spv::StorageClass::TaskPayloadWorkgroupEXT:
    return lgc::AddrSpace::Buffer;
  default:
    return lgc::AddrSpace::Private;
  }
}

uint32_t arrayStride(const spirv::Module &spv, Id typeId) {
  const spirv::Decoration *d = spv.findDecoration(typeId, spv::Decoration::ArrayStride);
  return d && !d->operands.empty() ? d->operands[0] : 0;
}

Expected<const Inst *> Translator::typeInst(Id typeId) const {
  const Inst *inst = spv.definition(typeId);
  if (!inst || !spirv::findOp(static_cast<uint32_t>(inst->opcode))->isType)
    return lgc::invalidInput("%" + Twine(typeId) + " is not a type");
  return inst;
}

Id Translator::typeIdOf(Id valueId) const {
  const Inst *inst = spv.definition(valueId);
  return inst ? inst->typeId : 0;
}

Id Translator::elementTypeId(Id typeId) const {
  const Inst *inst = spv.definition(typeId);
  if (!inst)
    return 0;
  switch (inst->opcode) {
  case spv::Op::OpTypeVector:
  case spv::Op::OpTypeMatrix:
  case spv::Op::OpTypeArray:
  case spv::Op::OpTypeRuntimeArray:
  case spv::Op::OpTypeCooperativeMatrixKHR:
    return inst->operands[0];
  case spv::Op::OpTypePointer:
    return inst->operands[1];
  default:
    return 0;
  }
}

bool Translator::isSignedInt(Id typeId) const {
  const Inst *inst = spv.definition(typeId);
  if (inst && inst->opcode == spv::Op::OpTypeVector)
    inst = spv.definition(inst->operands[0]);
  return inst && inst->opcode == spv::Op::OpTypeInt && inst->operands[1] != 0;
}

std::optional<lgc::SmallFloat> smallFloatOf(const Translator &t, Id typeId) {
  const Inst *type = t.spv.definition(typeId);
  if (type && (type->opcode == spv::Op::OpTypeVector ||
               type->opcode == spv::Op::OpTypeCooperativeMatrixKHR))
    type = t.spv.definition(type->operands[0]);
  if (!type || type->opcode != spv::Op::OpTypeFloat || type->size() < 2)
    return std::nullopt;
  switch (static_cast<spv::FPEncoding>((*type)[1])) {
  case spirv::newer::BFloat16KHR:
    return lgc::SmallFloat::BF16;
  case spirv::newer::Float8E4M3EXT:
    return lgc::SmallFloat::E4M3;
  case spirv::newer::Float8E5M2EXT:
    return lgc::SmallFloat::E5M2;
  default:
    return std::nullopt;
  }
}

namespace {

Expected<Type *> scalarType(Translator &t, const Inst &inst) {
  const uint32_t width = inst[0];
  if (inst.opcode == spv::Op::OpTypeInt) {
    if (width != 8 && width != 16 && width != 32 && width != 64)
      return t.unsupportedOp(inst, "integer width " + Twine(width));
    return IntegerType::get(t.context, width);
  }
  if (inst.size() > 1) {
    const auto small = smallFloatOf(t, inst.resultId);
    if (!small)
      return t.unsupportedOp(inst, "floating-point encoding " + Twine(inst[1]));
    if (width != (*small == lgc::SmallFloat::BF16 ? 16 : 8))
      return t.invalid(inst, "width " + Twine(width) + " of encoding " + Twine(inst[1]));
    t.internals().hasSmallFloats = true;
    return IntegerType::get(t.context, width);
  }
  switch (width) {
  case 16:
    return Type::getHalfTy(t.context);
  case 32:
    return Type::getFloatTy(t.context);
  case 64:
    return Type::getDoubleTy(t.context);
  default:
    return t.unsupportedOp(inst, "floating-point width " + Twine(width));
  }
}

Expected<Type *> arrayType(Translator &t, const Inst &inst, Type *element) {
  uint64_t length = 0;
  const Inst *lengthOf = inst.opcode == spv::Op::OpTypeArray ? t.spv.definition(inst[1]) : nullptr;
  if (lengthOf && isLinkedConstant(t, *lengthOf)) {
    // Of a variable that linking places. Nobody asks how large it is.
  } else if (inst.opcode == spv::Op::OpTypeArray) {
    auto count = KILN_TRY(t.readConstant(inst[1]));
    if (count == 0)
      return t.invalid(inst, "array length is 0");
    length = count;
  }
  const uint64_t bytes = t.module->getDataLayout().getTypeAllocSize(element).getFixedValue();
  if (bytes && length > limits::maxTypeBytes / bytes)
    return lgc::limitExceeded(spirv::place(inst) + ": array of " + Twine(length) + " elements of " +
                              Twine(bytes) + " bytes exceeds the limit of " +
                              Twine(limits::maxTypeBytes) + " bytes");
  return ArrayType::get(element, length);
}

Expected<Type *> structType(Translator &t, const Inst &inst, bool memory) {
  SmallVector<Type *, 8> members;
  uint64_t bytes = 0;
  for (Id member : inst.operands) {
    auto type = KILN_TRY(memory ? t.memoryType(member) : t.type(member));
    bytes += t.module->getDataLayout().getTypeAllocSize(type).getFixedValue();
    if (bytes > limits::maxTypeBytes)
      return lgc::limitExceeded(spirv::place(inst) + ": structure exceeds the limit of " +
                                Twine(limits::maxTypeBytes) + " bytes");
    members.push_back(type);
  }
  return StructType::get(t.context, members,
                         t.hasDecoration(inst.resultId, spv::Decoration::CPacked));
}

Expected<Type *> imageType(Translator &t, const Inst &inst) {
  const bool buffer = inst[1] == static_cast<uint32_t>(spv::Dim::Buffer);
  return FixedVectorType::get(Type::getInt32Ty(t.context), buffer ? 4 : 8);
}

Expected<Type *> makeType(Translator &t, const Inst &inst, bool memory);

Expected<Type *> makeCompositeType(Translator &t, const Inst &inst, bool memory) {
  if (inst.opcode == spv::Op::OpTypeStruct)
    return structType(t, inst, memory);
  auto element = KILN_TRY(memory ? t.memoryType(inst[0]) : t.type(inst[0]));
  switch (inst.opcode) {
  case spv::Op::OpTypeVector:
    if (!FixedVectorType::isValidElementType(element) || element->isPointerTy() || inst[1] < 2 ||
        (inst[1] > 4 && !spirv::isKernelModule(t.spv)))
      return t.unsupportedOp(inst,
                             "vector of this element type or of " + Twine(inst[1]) + " components");
    return FixedVectorType::get(element, inst[1]);
  case spv::Op::OpTypeMatrix:
    if (!element->isVectorTy() || inst[1] < 2 || inst[1] > 4)
      return t.invalid(inst, "matrix columns must be 2 to 4 vectors");
    return ArrayType::get(element, inst[1]);
  default:
    return arrayType(t, inst, element);
  }
}

Expected<Type *> makeType(Translator &t, const Inst &inst, bool memory) {
  switch (inst.opcode) {
  case spv::Op::OpTypeVoid:
    return Type::getVoidTy(t.context);
  case spv::Op::OpTypeBool:
    return memory ? Type::getInt32Ty(t.context) : Type::getInt1Ty(t.context);
  case spv::Op::OpTypeInt:
  case spv::Op::OpTypeFloat:
    return scalarType(t, inst);
  case spv::Op::OpTypeVector:
  case spv::Op::OpTypeMatrix:
  case spv::Op::OpTypeArray:
  case spv::Op::OpTypeRuntimeArray:
  case spv::Op::OpTypeStruct:
    return makeCompositeType(t, inst, memory);
  case spv::Op::OpTypeCooperativeMatrixKHR:
    return cooperativeMatrixType(t, inst, KILN_TRY(t.type(inst[0])));
  case spv::Op::OpTypeTensorLayoutNV:
  case spv::Op::OpTypeTensorViewNV:
    return tensorType(t, inst);
  case spv::Op::OpTypeImage:
    return imageType(t, inst);
  case spv::Op::OpTypeEvent: // nobody asks what is in it (AsyncCopies.cpp)
    return Type::getInt32Ty(t.context);
  case spv::Op::OpTypeSampler:
    return FixedVectorType::get(Type::getInt32Ty(t.context), 4);
  case spv::Op::OpTypeSampledImage: {
    auto image = KILN_TRY(t.type(inst[0]));
    return StructType::get(t.context,
                           {image, FixedVectorType::get(Type::getInt32Ty(t.context), 4)});
  }
  case spv::Op::OpTypeAccelerationStructureKHR:
    return Type::getInt64Ty(t.context);
  case spv::Op::OpTypeRayQueryKHR: // a value is a copy of the state
    return ArrayType::get(Type::getInt32Ty(t.context), lgc::rayQueryDwords);
  case spv::Op::OpTypeUntypedPointerKHR: // an address, never a handle
    return PointerType::get(t.context,
                            pointerAddrSpace(t, static_cast<spv::StorageClass>(inst[0]), 0));
  case spv::Op::OpTypePointer:
    return PointerType::get(t.context,
                            pointerAddrSpace(t, static_cast<spv::StorageClass>(inst[0]), inst[1]));
  default:
    return t.unsupportedOp(inst, "this type");
  }
}

} // namespace

Expected<Type *> Translator::type(Id typeId) {
  if (typeId < state->types.size() && state->types[typeId])
    return state->types[typeId];
  auto inst = KILN_TRY(typeInst(typeId));
  auto result = KILN_TRY(makeType(*this, *inst, /*memory=*/false));
  state->types[typeId] = result;
  return result;
}

Expected<Type *> Translator::memoryType(Id typeId) {
  if (typeId < state->memoryTypes.size() && state->memoryTypes[typeId])
    return state->memoryTypes[typeId];
  auto inst = KILN_TRY(typeInst(typeId));
  auto result = KILN_TRY(makeType(*this, *inst, /*memory=*/true));
  if (result->isVoidTy())
    return invalid(*inst, "void has no memory representation");
  state->memoryTypes[typeId] = result;
  return result;
}

} // namespace llpc
