//===- LowerResourceWords.cpp - buffer resources between blocks -----------===//
// SPDX-License-Identifier: MIT
/// \file
/// No register class holds an i128, so instruction selection hands a buffer resource from block to
/// block in two registers, and puts four words together anew in each block that uses it: five
/// machine instructions, which later passes take away again, in time that grows with the square of
/// their number where one resource is used in thousands of blocks. A vector of four words stays one
/// register. So resources cross blocks as vectors, and each block makes its own pointer. Runs last:
/// any pass that looks for equal values would take the pointers together again.
///   before: %i = load i128, ptr addrspace(4) %table
///           %p = inttoptr i128 %i to ptr addrspace(8)
///         other:
///           call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 %x, ptr addrspace(8) %p, ...)
///   after:  %w = load <4 x i32>, ptr addrspace(4) %table
///         other:
///           %i = bitcast <4 x i32> %w to i128
///           %p = inttoptr i128 %i to ptr addrspace(8)
///           call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 %x, ptr addrspace(8) %p, ...)
#include "lgc/lowering/Passes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace lgc {
namespace {

constexpr unsigned resourceSpace = 8;

bool isResourceCast(const Instruction &inst) {
  return isa<IntToPtrInst>(inst) && inst.getType()->isPointerTy() &&
         inst.getType()->getPointerAddressSpace() == resourceSpace &&
         inst.getOperand(0)->getType()->isIntegerTy(128);
}

/// The uses of `inst` in other blocks than its own, by block. A PHI uses its operand elsewhere and
/// is left out.
MapVector<BasicBlock *, SmallVector<Use *, 4>> usesElsewhere(Instruction &inst) {
  MapVector<BasicBlock *, SmallVector<Use *, 4>> uses;
  for (Use &use : inst.uses())
    if (auto *user = cast<Instruction>(use.getUser());
        user->getParent() != inst.getParent() && !isa<PHINode>(user))
      uses[user->getParent()].push_back(&use);
  return uses;
}

/// The four words of the integer `value`, or null where they would have to be made of it.
Value *wordsOf(Value *value) {
  IRBuilder<> b(value->getContext());
  auto *type = FixedVectorType::get(b.getInt32Ty(), 4);
  if (auto *cast = dyn_cast<BitCastInst>(value))
    return cast->getSrcTy() == type ? cast->getOperand(0) : nullptr;
  auto *load = dyn_cast<LoadInst>(value);
  if (!load || !load->isSimple())
    return nullptr;
  b.SetInsertPoint(load);
  LoadInst *words = b.CreateAlignedLoad(type, load->getPointerOperand(), load->getAlign());
  words->copyMetadata(*load);
  words->takeName(load);
  load->replaceAllUsesWith(b.CreateBitCast(words, load->getType()));
  load->eraseFromParent();
  return words;
}

bool spread(Instruction &pointer) {
  auto uses = usesElsewhere(pointer);
  if (uses.empty())
    return false;
  Value *words = wordsOf(pointer.getOperand(0));
  if (!words)
    return false;
  for (auto &[block, inBlock] : uses) {
    IRBuilder<> b(block, block->getFirstInsertionPt());
    Value *own = b.CreateIntToPtr(b.CreateBitCast(words, b.getInt128Ty()), pointer.getType());
    for (Use *use : inBlock)
      use->set(own);
  }
  return true;
}

} // namespace

PreservedAnalyses LowerResourceWordsPass::run(Function &function, FunctionAnalysisManager &) {
  SmallVector<Instruction *, 8> pointers;
  for (Instruction &inst : instructions(function))
    if (isResourceCast(inst))
      pointers.push_back(&inst);
  bool changed = false;
  for (Instruction *pointer : pointers)
    changed |= spread(*pointer);
  if (!changed)
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace lgc
