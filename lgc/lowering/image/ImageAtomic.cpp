//===- ImageAtomic.cpp - lgc.image.atomic ---------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Image atomics and texel buffer atomics. Float operations that a generation lacks become a loop
/// around compare-and-swap:
///   old = load texel
///   do { expected = old; old = cmpswap(op(expected, value), expected) } while (old != expected)
#include "lgc/lowering/image/ImageLowering.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace lgc {
namespace {

struct AtomicNames {
  AtomicKind kind;
  StringLiteral image;
  StringLiteral gfx12Image;
  Intrinsic::ID buffer;
};

/// In the order of AtomicKind. Inc and Dec add and subtract 1 (SPIR-V's meaning); the hardware's
/// inc and dec wrap at their operand.
constexpr AtomicNames names[] = {
    {AtomicKind::Exchange, "swap", "swap", Intrinsic::amdgcn_struct_ptr_buffer_atomic_swap},
    {AtomicKind::CompareExchange, "cmpswap", "cmpswap",
     Intrinsic::amdgcn_struct_ptr_buffer_atomic_cmpswap},
    {AtomicKind::Add, "add", "add", Intrinsic::amdgcn_struct_ptr_buffer_atomic_add},
    {AtomicKind::Sub, "sub", "sub", Intrinsic::amdgcn_struct_ptr_buffer_atomic_sub},
    {AtomicKind::SMin, "smin", "smin", Intrinsic::amdgcn_struct_ptr_buffer_atomic_smin},
    {AtomicKind::UMin, "umin", "umin", Intrinsic::amdgcn_struct_ptr_buffer_atomic_umin},
    {AtomicKind::SMax, "smax", "smax", Intrinsic::amdgcn_struct_ptr_buffer_atomic_smax},
    {AtomicKind::UMax, "umax", "umax", Intrinsic::amdgcn_struct_ptr_buffer_atomic_umax},
    {AtomicKind::And, "and", "and", Intrinsic::amdgcn_struct_ptr_buffer_atomic_and},
    {AtomicKind::Or, "or", "or", Intrinsic::amdgcn_struct_ptr_buffer_atomic_or},
    {AtomicKind::Xor, "xor", "xor", Intrinsic::amdgcn_struct_ptr_buffer_atomic_xor},
    {AtomicKind::Inc, "add", "add", Intrinsic::amdgcn_struct_ptr_buffer_atomic_add},
    {AtomicKind::Dec, "sub", "sub", Intrinsic::amdgcn_struct_ptr_buffer_atomic_sub},
    {AtomicKind::FAdd, "", "add.flt", Intrinsic::amdgcn_struct_ptr_buffer_atomic_fadd},
    {AtomicKind::FMin, "fmin", "min.flt", Intrinsic::amdgcn_struct_ptr_buffer_atomic_fmin},
    {AtomicKind::FMax, "fmax", "max.flt", Intrinsic::amdgcn_struct_ptr_buffer_atomic_fmax},
};

constexpr bool inOrder() {
  for (size_t i = 0; i < std::size(names); ++i)
    if (static_cast<size_t>(names[i].kind) != i)
      return false;
  return true;
}
static_assert(inOrder());

bool isFloatKind(AtomicKind kind) { return kind >= AtomicKind::FAdd; }

} // namespace

bool ImageLowering::isNativeAtomic(AtomicKind kind, Type *type, bool buffer) const {
  if (!isFloatKind(kind))
    return true;
  if (!type->isFloatTy())
    return false;
  if (kind == AtomicKind::FAdd)
    return buffer ? target.major >= 11 : target.major >= 12;
  return buffer || target.major != 11;
}

/// The plain instruction for `kind` with data of `value`'s type.
Value *ImageLowering::emitAtomic(CallInst &call, AtomicKind kind, Value *value, Value *comparator) {
  const auto &op = cast<ImageAtomicOp>(call);
  const auto dim = static_cast<ImageDim>(op.constArg(1));
  const AtomicNames &name = names[static_cast<size_t>(kind)];
  SmallVector<Value *, 5> coords =
      texelCoords(call, dim, call.getArgOperand(4), call.getArgOperand(5));
  if (coords.empty())
    return nullptr;
  SmallVector<Value *, 12> args = {value};
  if (kind == AtomicKind::CompareExchange)
    args.push_back(comparator);
  const bool buffer = dim == ImageDim::Buffer;
  Value *policy = b.getInt32(cacheBits(op.constArg(2), AccessKind::ReadModifyWrite, buffer));
  if (buffer) {
    args.append({bufferResource(call.getArgOperand(0)), b.CreateZExt(coords[0], b.getInt32Ty()),
                 b.getInt32(0), b.getInt32(0), policy});
    return callIntrinsic(name.buffer, value->getType(), args);
  }
  args.append(coords.begin(), coords.end());
  args.append({call.getArgOperand(0), b.getInt32(0), policy});
  return imageIntrinsic("atomic." + (target.major >= 12 ? name.gfx12Image : name.image), dim,
                        value->getType(), args);
}

/// A float operation as a loop. `call` moves into the block behind it.
Value *ImageLowering::expandAtomic(CallInst &call, AtomicKind kind) {
  const auto &op = cast<ImageAtomicOp>(call);
  Type *type = call.getType();
  Type *bits = b.getIntNTy(type->getScalarSizeInBits());
  Value *value = call.getArgOperand(6);

  // The first guess may be stale; the loop corrects it.
  Value *sample = call.getArgOperand(5), *none = absent(module.getContext());
  Type *texel = FixedVectorType::get(bits, 4);
  CallInst *load = createOp(b, OpId::ImageLoadOp, texel,
                            {call.getArgOperand(0), call.getArgOperand(1),
                             b.getInt32(op.constArg(2) | ImageFlags::Coherent),
                             call.getArgOperand(4), none, sample});
  Value *initial = b.CreateExtractElement(load, uint64_t(0));
  b.SetInsertPoint(load);
  Value *loaded = lowerLoad(*load);
  load->replaceAllUsesWith(loaded ? loaded : PoisonValue::get(texel));
  load->eraseFromParent();

  BasicBlock *head = call.getParent();
  BasicBlock *tail = SplitBlock(head, call.getIterator());
  BasicBlock *loop =
      BasicBlock::Create(module.getContext(), "image.atomic", head->getParent(), tail);
  head->getTerminator()->setSuccessor(0, loop);
  b.SetInsertPoint(loop);
  PHINode *expected = b.CreatePHI(bits, 2);
  expected->addIncoming(initial, head);
  Value *current = b.CreateBitCast(expected, type);
  Value *next = kind == AtomicKind::FAdd ? b.CreateFAdd(current, value)
                : kind == AtomicKind::FMin
                    ? b.CreateBinaryIntrinsic(Intrinsic::minnum, current, value)
                    : b.CreateBinaryIntrinsic(Intrinsic::maxnum, current, value);
  Value *old = emitAtomic(call, AtomicKind::CompareExchange, b.CreateBitCast(next, bits), expected);
  if (!old)
    old = PoisonValue::get(bits);
  expected->addIncoming(old, loop);
  b.CreateCondBr(b.CreateICmpEQ(old, expected), tail, loop);
  b.SetInsertPoint(&call);
  return b.CreateBitCast(old, type);
}

Value *ImageLowering::lowerAtomic(CallInst &call) {
  const auto &op = cast<ImageAtomicOp>(call);
  const auto dim = static_cast<ImageDim>(op.constArg(1));
  if (op.constArg(3) >= std::size(names))
    return fail(call, internalError("unknown atomic operation"));
  const auto kind = static_cast<AtomicKind>(op.constArg(3));
  Type *type = call.getType();
  const unsigned size = type->isVectorTy() ? 0 : type->getScalarSizeInBits();
  if ((size != 32 && size != 64) ||
      (isFloatKind(kind) != type->isFloatingPointTy() && kind != AtomicKind::Exchange))
    return fail(call, unsupported("atomic of this type"));
  if (!isNativeAtomic(kind, type, dim == ImageDim::Buffer))
    return expandAtomic(call, kind);
  Value *value = call.getArgOperand(6);
  if (kind == AtomicKind::Inc || kind == AtomicKind::Dec)
    value = ConstantInt::get(type, 1);
  // Swaps are integers to the hardware.
  Type *bits = b.getIntNTy(size);
  if (!isFloatKind(kind))
    value = b.CreateBitCast(value, bits);
  Value *comparator = call.getArgOperand(7);
  if (kind == AtomicKind::CompareExchange && comparator->getType() != bits)
    return fail(call, internalError("the comparator has another type than the value"));
  Value *old = emitAtomic(call, kind, value, comparator);
  return old ? b.CreateBitCast(old, type) : nullptr;
}

} // namespace lgc
