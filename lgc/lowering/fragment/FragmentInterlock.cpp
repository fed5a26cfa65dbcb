//===- FragmentInterlock.cpp - the critical section of a wave -------------===//
// SPDX-License-Identifier: MIT
#include "lgc/lowering/fragment/FragmentInterlock.h"
#include "lgc/Interface.h"
#include "lgc/Ops.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/CycleInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace lgc {
namespace {

/// HW(gfx10): the register says whether older waves overlap this one, and the number of the newest
/// of them; numbers wrap at 10 bits, so they are compared by how far they are ahead of this wave's.
///   [31] overlapped  [29:28] packer  [25:16] newest overlapped wave  [9:0] this wave
void waitForOverlapped(Instruction &before) {
  Function &function = *before.getFunction();
  IRBuilder<> entry(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  Value *info = createOp(entry, OpId::HwValueOp, entry.getInt32Ty(),
                         {entry.getInt32(static_cast<uint32_t>(HwValue::CollisionWaveId))},
                         hwValueName(HwValue::CollisionWaveId));
  BasicBlock *start = before.getParent();
  BasicBlock *rest = SplitBlock(start, before.getIterator());
  LLVMContext &context = function.getContext();
  BasicBlock *overlapped = BasicBlock::Create(context, "interlock.overlapped", &function, rest);
  BasicBlock *check = BasicBlock::Create(context, "interlock.check", &function, rest);
  BasicBlock *sleep = BasicBlock::Create(context, "interlock.sleep", &function, rest);
  IRBuilder<> b(start->getTerminator());
  b.CreateCondBr(b.CreateICmpSLT(info, b.getInt32(0)), overlapped, rest);
  start->getTerminator()->eraseFromParent();

  b.SetInsertPoint(overlapped);
  Value *packer = b.CreateAnd(b.CreateLShr(info, 28), 3);
  Value *setting = b.CreateOr(b.CreateShl(packer, 1), 1);
  constexpr unsigned popsPacker = 25 | (3 - 1) << 11; // register 25, 3 bits from bit 0
  b.CreateIntrinsic(Intrinsic::amdgcn_s_setreg, {b.getInt32(popsPacker), setting});
  Value *shift = b.CreateNot(b.CreateAnd(info, 0x3FF)); // - (this wave + 1)
  Value *newest = b.CreateAdd(b.CreateAnd(b.CreateLShr(info, 16), 0x3FF), shift);
  b.CreateBr(check);

  b.SetInsertPoint(check);
  Value *exiting = b.CreateIntrinsic(Intrinsic::amdgcn_pops_exiting_wave_id, {});
  Value *isWaiting = b.CreateICmpULE(b.CreateAdd(exiting, shift), newest);
  b.CreateCondBr(isWaiting, sleep, rest);

  b.SetInsertPoint(sleep);
  b.CreateIntrinsic(Intrinsic::amdgcn_s_sleep, {b.getInt32(0xFFFF)});
  b.CreateBr(check);
}

} // namespace

CriticalSection findCriticalSection(Function &function, ArrayRef<CallInst *> calls,
                                    ArrayRef<CallInst *> ending) {
  SmallVector<CallInst *, 2> begins, ends;
  DominatorTree dominators(function);
  for (CallInst *call : calls)
    if (dominators.isReachableFromEntry(call->getParent()))
      (cast<InterlockOp>(call)->constArg(0) ? begins : ends).push_back(call);
  CycleInfo cycles;
  cycles.compute(function);
  CriticalSection section;
  Instruction *&begin = section.begin;
  for (CallInst *call : begins)
    begin = begin ? dominators.findNearestCommonDominator(begin, call) : call;
  while (begin && cycles.getCycle(begin->getParent())) {
    const DomTreeNode *node = dominators.getNode(begin->getParent())->getIDom();
    begin = node ? node->getBlock()->getTerminator() : nullptr;
  }
  if (!begin) // no begin at all: the whole shader
    begin = &*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
  PostDominatorTree postDominators(function);
  if (ends.size() == 1 && !cycles.getCycle(ends[0]->getParent()) &&
      postDominators.dominates(ends[0]->getParent(), &function.getEntryBlock()) &&
      dominators.dominates(begin, ends[0]))
    section.finish = ends[0];
  // They will go to the end, and not by that one.
  if (any_of(ending, [&](CallInst *call) { return isInSection(section, *call); }))
    section.finish = nullptr;
  return section;
}

bool isInSection(const CriticalSection &section, const CallInst &call) {
  Function &function = *section.begin->getFunction();
  DominatorTree dominators(function);
  return isPotentiallyReachable(section.begin, &call, nullptr, &dominators) &&
         !(section.finish && dominators.dominates(section.finish, &call));
}

void beginCriticalSection(Instruction &before, unsigned gfxMajor) {
  if (gfxMajor < 11) {
    waitForOverlapped(before);
  } else {
    IRBuilder<> b(&before);
    // Why: the scheduler would move the wait up and make the critical section longer.
    b.CreateIntrinsic(Intrinsic::amdgcn_sched_barrier, {b.getInt32(0)});
    b.CreateIntrinsic(Intrinsic::amdgcn_s_wait_event_export_ready, {});
  }
  IRBuilder<> b(&before);
  b.CreateFence(AtomicOrdering::Acquire, b.getContext().getOrInsertSyncScopeID("agent"));
}

void endCriticalSection(Instruction &before, unsigned gfxMajor) {
  IRBuilder<> b(&before);
  b.CreateFence(AtomicOrdering::Release, b.getContext().getOrInsertSyncScopeID("agent"));
  if (gfxMajor >= 11)
    return; // the section ends with the wave's last export
  constexpr unsigned orderedPsDone = 7;
  IRBuilder<> entry(&*before.getFunction()->getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  Value *primMask = createOp(entry, OpId::HwValueOp, entry.getInt32Ty(),
                             {entry.getInt32(static_cast<uint32_t>(HwValue::PrimMask))},
                             hwValueName(HwValue::PrimMask));
  b.CreateIntrinsic(Intrinsic::amdgcn_s_sendmsg, {b.getInt32(orderedPsDone), primMask});
}

} // namespace lgc
