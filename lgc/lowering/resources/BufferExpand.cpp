//===- BufferExpand.cpp - buffer operations that hardware does not have ---===//
// SPDX-License-Identifier: MIT
#include "lgc/lowering/resources/BufferExpand.h"
#include "lgc/Ops.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"
#include "llvm/Transforms/Utils/LowerMemIntrinsics.h"

using namespace llvm;

namespace lgc {
namespace {

bool isBufferPointer(const Value *value) {
  return value->getType()->isPointerTy() &&
         value->getType()->getPointerAddressSpace() == AddrSpace::Buffer;
}

/// The dword (or the 64-bit word) that compare-exchange works on, and where the value sits in it.
struct Word {
  Type *type;
  Value *pointer;
  Value *shift = nullptr; ///< null when the value is the whole word
  Value *mask = nullptr;  ///< ones where the value is
};

Word wordAround(IRBuilder<> &b, Value *pointer, unsigned bits) {
  if (bits >= 32)
    return {b.getIntNTy(bits), pointer};
  // Buffers begin at dword boundaries, so the offset (the low half of the pointer) decides.
  Value *offset = b.CreatePtrToInt(pointer, b.getInt32Ty());
  Value *inDword = b.CreateAnd(offset, b.getInt32(3));
  Word word{b.getInt32Ty(), b.CreateGEP(b.getInt8Ty(), pointer, b.CreateNeg(inDword))};
  word.shift = b.CreateShl(inDword, 3);
  word.mask = b.CreateShl(b.getInt32((1u << bits) - 1), word.shift);
  return word;
}

Value *extractValue(IRBuilder<> &b, const Word &word, Value *whole, Type *type) {
  if (word.shift)
    whole = b.CreateTrunc(b.CreateLShr(whole, word.shift),
                          b.getIntNTy(static_cast<unsigned>(type->getPrimitiveSizeInBits())));
  return b.CreateBitCast(whole, type);
}

Value *insertValue(IRBuilder<> &b, const Word &word, Value *whole, Value *value) {
  auto bits = static_cast<unsigned>(value->getType()->getPrimitiveSizeInBits());
  value = b.CreateBitCast(value, b.getIntNTy(bits));
  if (!word.shift)
    return value;
  Value *placed = b.CreateShl(b.CreateZExt(value, word.type), word.shift);
  return b.CreateOr(b.CreateAnd(whole, b.CreateNot(word.mask)), placed);
}

///   before: %r = atomicrmw fadd ptr addrspace(7) %p, float %v monotonic
///   after:  %old0 = load atomic
///     loop: %old = phi [%old0], [%seen]; new = %old + %v; {%seen, %ok} = cmpxchg %p, %old, new
///           br %ok, done, loop
void expandToLoop(AtomicRMWInst &rmw) {
  Type *type = rmw.getType();
  auto bits = static_cast<unsigned>(type->getPrimitiveSizeInBits());
  BasicBlock *before = rmw.getParent();
  BasicBlock *after = before->splitBasicBlock(rmw.getIterator(), "atomic.done");
  BasicBlock *loop =
      BasicBlock::Create(rmw.getContext(), "atomic.loop", before->getParent(), after);
  before->getTerminator()->eraseFromParent();

  IRBuilder<> b(before);
  b.SetCurrentDebugLocation(rmw.getDebugLoc());
  Word word = wordAround(b, rmw.getPointerOperand(), bits);
  Align align(bits == 64 ? 8 : 4);
  LoadInst *first = b.CreateAlignedLoad(word.type, word.pointer, align);
  first->setAtomic(AtomicOrdering::Monotonic, rmw.getSyncScopeID());
  b.CreateBr(loop);

  b.SetInsertPoint(loop);
  PHINode *old = b.CreatePHI(word.type, 2);
  old->addIncoming(first, before);
  Value *value = extractValue(b, word, old, type);
  Value *changed = buildAtomicRMWValue(rmw.getOperation(), b, value, rmw.getValOperand());
  auto *exchange = b.CreateAtomicCmpXchg(
      word.pointer, old, insertValue(b, word, old, changed), align, rmw.getOrdering(),
      AtomicCmpXchgInst::getStrongestFailureOrdering(rmw.getOrdering()), rmw.getSyncScopeID());
  exchange->setVolatile(rmw.isVolatile());
  exchange->copyMetadata(rmw, {LLVMContext::MD_mmra});
  old->addIncoming(b.CreateExtractValue(exchange, 0), loop);
  b.CreateCondBr(b.CreateExtractValue(exchange, 1), after, loop);

  b.SetInsertPoint(&rmw);
  // On success the compared value is what memory held.
  rmw.replaceAllUsesWith(extractValue(b, word, old, type));
  rmw.eraseFromParent();
}

bool expandMemIntrinsic(MemIntrinsic &intrinsic, const TargetTransformInfo &tti) {
  if (auto *set = dyn_cast<MemSetInst>(&intrinsic)) {
    expandMemSetAsLoop(set);
  } else if (auto *copy = dyn_cast<MemCpyInst>(&intrinsic)) {
    expandMemCpyAsLoop(copy, tti);
  } else if (auto *move = dyn_cast<MemMoveInst>(&intrinsic)) {
    if (!expandMemMoveAsLoop(move, tti))
      return false;
  } else {
    return false;
  }
  intrinsic.eraseFromParent();
  return true;
}

} // namespace

bool hasBufferAtomic(unsigned gfxMajor, const AtomicRMWInst &rmw) {
  Type *type = rmw.getType();
  auto bits = static_cast<unsigned>(type->getPrimitiveSizeInBits());
  switch (rmw.getOperation()) {
  case AtomicRMWInst::Xchg:
    return bits == 32 || bits == 64;
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
  case AtomicRMWInst::And:
  case AtomicRMWInst::Or:
  case AtomicRMWInst::Xor:
  case AtomicRMWInst::Max:
  case AtomicRMWInst::Min:
  case AtomicRMWInst::UMax:
  case AtomicRMWInst::UMin:
  case AtomicRMWInst::UIncWrap:
  case AtomicRMWInst::UDecWrap:
    return type->isIntegerTy() && (bits == 32 || bits == 64);
  case AtomicRMWInst::FAdd:
    if (type->isFloatTy())
      return gfxMajor >= 11;
    return gfxMajor >= 12 && isa<FixedVectorType>(type) && bits == 32; // <2 x half>, <2 x bfloat>
  case AtomicRMWInst::FMax:
  case AtomicRMWInst::FMin:
    return type->isFloatTy() || (type->isDoubleTy() && gfxMajor == 10);
  default:
    return false;
  }
}

bool expandBufferOperations(Function &function, unsigned gfxMajor, const TargetTransformInfo &tti) {
  SmallVector<AtomicRMWInst *, 8> atomics;
  SmallVector<MemIntrinsic *, 4> memIntrinsics;
  for (Instruction &inst : instructions(function)) {
    if (auto *rmw = dyn_cast<AtomicRMWInst>(&inst)) {
      auto bits = static_cast<unsigned>(rmw->getType()->getPrimitiveSizeInBits());
      if (isBufferPointer(rmw->getPointerOperand()) && !hasBufferAtomic(gfxMajor, *rmw) &&
          (bits == 8 || bits == 16 || bits == 32 || bits == 64))
        atomics.push_back(rmw);
    } else if (auto *mem = dyn_cast<MemIntrinsic>(&inst)) {
      auto *transfer = dyn_cast<MemTransferInst>(mem);
      if (isBufferPointer(mem->getRawDest()) ||
          (transfer && isBufferPointer(transfer->getRawSource())))
        memIntrinsics.push_back(mem);
    }
  }
  for (AtomicRMWInst *rmw : atomics)
    expandToLoop(*rmw);
  bool changed = !atomics.empty();
  for (MemIntrinsic *mem : memIntrinsics)
    changed |= expandMemIntrinsic(*mem, tti);
  return changed;
}

} // namespace lgc
