//===- ImageAtomic.cpp - atomics on texels --------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// OpImageTexelPointer makes no value: texel pointers may only be operands of atomics, which read
/// the pointer instruction's operands here. Loads and stores are texel accesses that bypass
/// non-coherent caches; all other atomics become lgc.image.atomic. Memory semantics become fences,
/// as for atomics on buffers.
#include "llpc/translate/Barrier.h"
#include "llpc/translate/ImageUtils.h"
#include "llpc/translate/ValueHelpers.h"
#include "pal_shim/abi/Try.h"

using namespace llvm;

namespace llpc {

namespace {

struct TexelAccess {
  Value *image = nullptr;
  lgc::ImageDim dim = lgc::ImageDim::Dim2D;
  Value *coord = nullptr;
  Value *sample = nullptr;
  Type *type = nullptr; ///< of the texel
  uint32_t flags = lgc::ImageFlags::Coherent;
  const char *scopeName = "";
  MemorySemantics semantics;
};

/// Loads the image descriptor behind OpImageTexelPointer's Image operand, a pointer to an image.
Error loadImage(Translator &t, const Inst &inst, const Inst &pointer, TexelAccess &access) {
  const Id imagePointer = pointer[0];
  const Inst *pointerType = t.spv.definition(t.typeIdOf(imagePointer));
  const Inst *imageType = pointerType && pointerType->opcode == spv::Op::OpTypePointer
                              ? t.spv.definition((*pointerType)[1])
                              : nullptr;
  if (!imageType || imageType->opcode != spv::Op::OpTypeImage)
    return t.invalid(pointer, "operand %" + Twine(imagePointer) + " is not a pointer to an image");
  auto dim = KILN_TRY(imageDim(t, inst, *imageType));
  access.dim = dim;
  auto handle = KILN_TRY(t.value(imagePointer));
  if (!handle->getType()->isPointerTy() ||
      handle->getType()->getPointerAddressSpace() != lgc::AddrSpace::Constant)
    return t.unsupportedOp(pointer, "image that is not a resource");
  const bool buffer = dim == lgc::ImageDim::Buffer;
  uint32_t flags = lgc::ResourceFlags::StorageImage;
  const PointerInfo info = t.pointerInfo(imagePointer);
  if (info.nonUniform || t.hasDecoration(imagePointer, spv::Decoration::NonUniform) ||
      t.hasDecoration(pointer.resultId, spv::Decoration::NonUniform))
    flags |= lgc::ResourceFlags::NonUniform;
  const auto kind = buffer ? lgc::DescKind::TexelBuffer : lgc::DescKind::Image;
  access.image = t.op(lgc::OpId::LoadDescOp, FixedVectorType::get(t.b.getInt32Ty(), buffer ? 4 : 8),
                      {handle, t.i32(static_cast<uint32_t>(kind)), t.i32(flags)});
  return Error::success();
}

Expected<TexelAccess> texelAccess(Translator &t, const Inst &inst) {
  const Inst &pointer = *t.spv.definition(inst[0]);
  TexelAccess access;
  KILN_TRY(loadImage(t, inst, pointer, access));
  auto coord = KILN_TRY(intCoordinates(t, pointer, pointer[1], texelCoordinates(access.dim)));
  auto sample = KILN_TRY(intCoordinates(t, pointer, pointer[2], 1));
  access.coord = coord;
  const bool multisample =
      access.dim == lgc::ImageDim::Dim2DMs || access.dim == lgc::ImageDim::Dim2DMsArray;
  access.sample = multisample ? t.b.CreateZExt(sample, t.b.getInt32Ty()) : t.absent();
  const Inst *type = t.spv.definition(pointer.typeId);
  if (!type || type->opcode != spv::Op::OpTypePointer)
    return t.invalid(pointer, "result is not a pointer");
  auto texel = KILN_TRY(t.type((*type)[1]));
  if (!texel->isIntegerTy(32) && !texel->isIntegerTy(64) && !texel->isFloatTy())
    return t.invalid(pointer, "atomic access to a texel of type " + typeText(texel));
  access.type = texel;
  auto scope = KILN_TRY(t.readConstant(inst[1]));
  auto scopeName = KILN_TRY(t.syncScopeName(inst, scope));
  auto semantics = KILN_TRY(memorySemantics(t, inst[2]));
  access.scopeName = scopeName;
  access.semantics = semantics;
  if (semantics.isVolatile)
    access.flags |= lgc::ImageFlags::Volatile;
  return access;
}

Error translateAtomicTexelLoad(Translator &t, const Inst &inst, const TexelAccess &access) {
  Value *texel = t.op(lgc::OpId::ImageLoadOp, FixedVectorType::get(access.type, 4),
                      {access.image, dimOperand(t, access.dim), t.i32(access.flags), access.coord,
                       t.absent(), access.sample});
  Value *value = t.b.CreateExtractElement(texel, uint64_t(0));
  createFence(t, access.semantics, AtomicOrdering::Acquire, access.scopeName);
  return t.setValue(inst, value);
}

Error translateAtomicTexelStore(Translator &t, const Inst &inst, const TexelAccess &access) {
  auto value = KILN_TRY(t.value(inst[3]));
  if (value->getType() != access.type)
    return t.invalid(inst, "value has another type than the pointee");
  createFence(t, access.semantics, AtomicOrdering::Release, access.scopeName);
  t.op(lgc::OpId::ImageStoreOp, t.b.getVoidTy(),
       {value, access.image, dimOperand(t, access.dim), t.i32(access.flags), access.coord,
        t.absent(), access.sample});
  return Error::success();
}

struct AtomicRow {
  spv::Op opcode;
  lgc::AtomicKind kind;
  int8_t valueOperand; ///< -1: the value is 1
  enum : uint8_t { Int, Float, Either } types;
};
constexpr AtomicRow rows[] = {
    {spv::Op::OpAtomicExchange, lgc::AtomicKind::Exchange, 3, AtomicRow::Either},
    {spv::Op::OpAtomicCompareExchange, lgc::AtomicKind::CompareExchange, 4, AtomicRow::Int},
    {spv::Op::OpAtomicIIncrement, lgc::AtomicKind::Add, -1, AtomicRow::Int},
    {spv::Op::OpAtomicIDecrement, lgc::AtomicKind::Sub, -1, AtomicRow::Int},
    {spv::Op::OpAtomicIAdd, lgc::AtomicKind::Add, 3, AtomicRow::Int},
    {spv::Op::OpAtomicISub, lgc::AtomicKind::Sub, 3, AtomicRow::Int},
    {spv::Op::OpAtomicSMin, lgc::AtomicKind::SMin, 3, AtomicRow::Int},
    {spv::Op::OpAtomicUMin, lgc::AtomicKind::UMin, 3, AtomicRow::Int},
    {spv::Op::OpAtomicSMax, lgc::AtomicKind::SMax, 3, AtomicRow::Int},
    {spv::Op::OpAtomicUMax, lgc::AtomicKind::UMax, 3, AtomicRow::Int},
    {spv::Op::OpAtomicAnd, lgc::AtomicKind::And, 3, AtomicRow::Int},
    {spv::Op::OpAtomicOr, lgc::AtomicKind::Or, 3, AtomicRow::Int},
    {spv::Op::OpAtomicXor, lgc::AtomicKind::Xor, 3, AtomicRow::Int},
    {spv::Op::OpAtomicFAddEXT, lgc::AtomicKind::FAdd, 3, AtomicRow::Float},
    {spv::Op::OpAtomicFMinEXT, lgc::AtomicKind::FMin, 3, AtomicRow::Float},
    {spv::Op::OpAtomicFMaxEXT, lgc::AtomicKind::FMax, 3, AtomicRow::Float},
};

/// Operands: pointer, scope, semantics, [semantics if unequal,] value[, comparator].
Error translateAtomicTexelUpdate(Translator &t, const Inst &inst, TexelAccess &access,
                                 const AtomicRow &row) {
  const bool isFloat = access.type->isFloatingPointTy();
  if ((row.types == AtomicRow::Int && isFloat) || (row.types == AtomicRow::Float && !isFloat))
    return t.invalid(inst, "atomic operation on a texel of type " + typeText(access.type));
  Value *value = row.valueOperand < 0 ? ConstantInt::get(access.type, 1) : nullptr;
  if (!value) {
    auto operand = KILN_TRY(t.value(inst[row.valueOperand]));
    value = operand;
  }
  Value *comparator = t.absent();
  if (row.kind == lgc::AtomicKind::CompareExchange) {
    auto unequal = KILN_TRY(memorySemantics(t, inst[3]));
    access.semantics.acquire |= unequal.acquire;
    access.semantics.release |= unequal.release;
    access.semantics.workgroupMemory |= unequal.workgroupMemory;
    access.semantics.globalMemory |= unequal.globalMemory;
    auto operand = KILN_TRY(t.value(inst[5]));
    comparator = operand;
    if (comparator->getType() != access.type)
      return t.invalid(inst, "comparator has another type than the pointee");
  }
  auto type = KILN_TRY(t.type(inst.typeId));
  if (value->getType() != access.type || type != access.type)
    return t.invalid(inst, "value or result has another type than the pointee");
  createFence(t, access.semantics, AtomicOrdering::Release, access.scopeName);
  Value *old = t.op(lgc::OpId::ImageAtomicOp, access.type,
                    {access.image, dimOperand(t, access.dim), t.i32(access.flags),
                     t.i32(static_cast<uint32_t>(row.kind)), access.coord, access.sample, value,
                     comparator});
  createFence(t, access.semantics, AtomicOrdering::Acquire, access.scopeName);
  return t.setValue(inst, old);
}

} // namespace

bool isTexelPointer(const Translator &t, Id id) {
  const Inst *inst = t.spv.definition(id);
  return inst && inst->opcode == spv::Op::OpImageTexelPointer;
}

Error translateImageTexelPointer(Translator &, const Inst &) { return Error::success(); }

Error translateImageAtomic(Translator &t, const Inst &inst) {
  auto access = KILN_TRY(texelAccess(t, inst));
  if (inst.opcode == spv::Op::OpAtomicLoad)
    return translateAtomicTexelLoad(t, inst, access);
  if (inst.opcode == spv::Op::OpAtomicStore)
    return translateAtomicTexelStore(t, inst, access);
  for (const AtomicRow &row : rows)
    if (row.opcode == inst.opcode)
      return translateAtomicTexelUpdate(t, inst, access, row);
  return t.unsupportedOp(inst, "this atomic operation on a texel");
}

} // namespace llpc
