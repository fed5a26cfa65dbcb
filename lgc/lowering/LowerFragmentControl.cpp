//===- LowerFragmentControl.cpp - kill, demote, helpers, interlock --------===//
// SPDX-License-Identifier: MIT
/// \file
/// Lowers what changes the set of a fragment shader's living invocations, and the critical section
/// of fragment shader interlock. Runs before lgc-lower-fragment-outputs, which finds the one end of
/// the shader that is left.
///   before: br i1 %c, label %discard, label %rest
///           discard: call void @lgc.kill()  unreachable
///   after:  %keep = xor i1 %c, true
///           call void @llvm.amdgcn.kill(i1 %keep)
///           br label %rest
///
/// A kill that does not stand alone behind a condition is followed by `ret`: no lane gets there,
/// but control flow has one exit. So is one that is the only way out of a loop: without the branch
/// a wave whose other invocations wait outside would never leave it.
///
/// Helper invocations run for the sake of derivatives (LLVM's whole quad mode) and must not write
/// memory. LLVM sees to that for buffer and image instructions; stores and atomics through 64-bit
/// addresses are put behind a condition here (docs/hw-notes.md#fragment). So are all atomics of a
/// shader that demotes: LLVM's atomic optimiser lets one lane add for all that lived at the start.
#include "lgc/Interface.h"
#include "lgc/Ops.h"
#include "lgc/Shader.h"
#include "lgc/lowering/AttributeSlots.h"
#include "lgc/lowering/FragmentControl.h"
#include "lgc/lowering/Passes.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace lgc {

ReturnInst *uniteReturns(Function &function) {
  SmallVector<ReturnInst *, 4> returns;
  for (BasicBlock &block : function)
    if (auto *end = dyn_cast<ReturnInst>(block.getTerminator()))
      returns.push_back(end);
  if (returns.size() <= 1)
    return returns.empty() ? nullptr : returns[0];
  BasicBlock *common = BasicBlock::Create(function.getContext(), "end", &function);
  IRBuilder<> b(common);
  ReturnInst *end = b.CreateRetVoid();
  for (ReturnInst *old : returns) {
    b.SetInsertPoint(old);
    b.CreateBr(common);
    old->eraseFromParent();
  }
  return end;
}

namespace {

/// The conditional branch that alone leads to a block, and the way around it.
struct Condition {
  BranchInst *branch;
  bool whenTrue; ///< the block is taken when the condition holds
  BasicBlock *other;
};

using CommonBlocks = SmallPtrSet<BasicBlock *, 8>; ///< looked up only

/// Does an instruction of \p function use what neighbours in the quad have, who may be helpers?
bool readsNeighbours(Function &function) {
  constexpr OpId readers[] = {OpId::DerivativeOp,
                              OpId::ImageSampleOp,
                              OpId::ImageGatherOp,
                              OpId::ImageQueryLodOp,
                              OpId::SubgroupQuadAllOp,
                              OpId::SubgroupQuadAnyOp,
                              OpId::SubgroupQuadBroadcastOp,
                              OpId::SubgroupQuadSwapOp,
                              OpId::SubgroupSwizzleQuadOp};
  return any_of(instructions(function), [&](Instruction &instruction) {
    auto *call = dyn_cast<CallInst>(&instruction);
    return call && is_contained(readers, opIdOf(*call));
  });
}

/// Does a kill end \p block?
bool isKilling(BasicBlock &block) {
  return any_of(block, [](Instruction &instruction) {
    auto *call = dyn_cast<CallInst>(&instruction);
    return call && opIdOf(*call) == OpId::KillOp;
  });
}

/// The blocks from which a way leads to the end without a kill.
using SurvivingBlocks = df_iterator_default_set<BasicBlock *, 16>;
SurvivingBlocks survivingBlocks(Function &function) {
  SurvivingBlocks surviving;
  for (BasicBlock &block : function)
    if (isa<ReturnInst>(block.getTerminator()) && !isKilling(block))
      for (BasicBlock *before : inverse_depth_first_ext(&block, surviving))
        (void)before;
  return surviving;
}

/// The blocks outside of loops through which every invocation comes that has not been killed. All
/// that live are active there, and only there a kill may have a condition: LLVM takes the lanes of
/// the condition away without asking whether they are active, bits of a mask that was made before a
/// branch, or all of them for a uniform condition. And code that goes on with no lane, while others
/// wait, may never end: a loop that counts in vector registers.
CommonBlocks commonBlocks(Function &function) {
  const SurvivingBlocks surviving = survivingBlocks(function);
  std::vector<std::vector<BasicBlock *>> order;
  for (auto scc = scc_begin(&function); !scc.isAtEnd(); ++scc)
    if (surviving.contains(scc->front()))
      order.push_back(*scc);
  CommonBlocks common;
  DenseMap<BasicBlock *, size_t> numbers;
  for (auto [number, blocks] : enumerate(order))
    for (BasicBlock *block : blocks)
      numbers[block] = number;
  std::vector<size_t> edgesInto(order.size());
  size_t open = 0; // edges from blocks that have been seen to ones that have not
  for (size_t number = order.size(); number-- > 0;) {
    bool isLoop = order[number].size() > 1;
    const bool isCommon = open == edgesInto[number];
    open -= edgesInto[number];
    for (BasicBlock *block : order[number])
      for (BasicBlock *next : successors(block)) {
        auto to = numbers.find(next);
        if (to == numbers.end())
          continue;
        isLoop |= to->second == number;
        edgesInto[to->second] += to->second != number;
        open += to->second != number;
      }
    if (isCommon && !isLoop)
      common.insert(order[number].front());
  }
  return common;
}

class ControlLowering {
public:
  ControlLowering(Function &function, const PipelineState &state) : function(function) {
    const pal::abi::GpuTarget *target = pal::abi::findTarget(state.target);
    gfxMajor = target ? target->major : 11;
    // HW(gfx11+): with two blend sources a pixel that is not exported still carries a source of its
    // neighbour, so killed invocations go on as helpers.
    const GraphicsState &graphics = state.graphics;
    bool dualSource = state.part.separateColorExport
                          ? is_contained(storedSlots(function), Slot::ColorIndex1)
                          : graphics.dualSourceBlend || graphics.dualSourceBlendDynamic;
    killsDemote = gfxMajor >= 11 && dualSource;
  }
  void run();

private:
  std::optional<Condition> killCondition(CallInst &call) const;
  void lowerKill(CallInst &call);
  void lowerDemote(CallInst &call);
  void end(IRBuilder<> &b, Value *keep, bool demote);
  void splitEnd();
  void killAtEnd();
  void guardWrites(bool demotes);
  void guard(Instruction &write);
  void lowerInterlocks(ArrayRef<CallInst *> calls);
  void beginInterlock(Instruction &before);
  void waitForOverlapped(Instruction &before);
  void endInterlock(Instruction &before);

  Function &function;
  unsigned gfxMajor;
  bool killsDemote;
  CommonBlocks common; ///< of what is left to lower
  /// At the one end of the shader: false for those who come from kills. Null: there are no kills.
  PHINode *survives = nullptr;
};

// --- Kill and demote

void ControlLowering::end(IRBuilder<> &b, Value *keep, bool demote) {
  b.CreateIntrinsic(demote ? Intrinsic::amdgcn_wqm_demote : Intrinsic::amdgcn_kill, {keep});
}

std::optional<Condition> conditionOf(BasicBlock &block) {
  BasicBlock *before = block.getSinglePredecessor();
  auto *branch = before ? dyn_cast<BranchInst>(before->getTerminator()) : nullptr;
  if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1))
    return std::nullopt;
  bool whenTrue = branch->getSuccessor(0) == &block;
  return Condition{branch, whenTrue, branch->getSuccessor(whenTrue ? 1 : 0)};
}

Value *keepCondition(IRBuilder<> &b, const Condition &condition) {
  Value *value = condition.branch->getCondition();
  return condition.whenTrue ? b.CreateNot(value) : value;
}

/// Invocations that are killed where others may wait go to the end, and are ended there: LLVM takes
/// ended lanes away at once and does not put them back where ways meet, so that code could go on
/// with no lane at all.
void ControlLowering::splitEnd() {
  ReturnInst *last = uniteReturns(function);
  LLVMContext &context = function.getContext();
  BasicBlock *end = BasicBlock::Create(context, "end", &function);
  survives = PHINode::Create(Type::getInt1Ty(context), 2, "survives", end);
  if (last) {
    BasicBlock *before = last->getParent();
    last->moveBefore(*end, end->end());
    BranchInst::Create(end, before);
    survives->addIncoming(ConstantInt::getTrue(context), before);
  } else {
    ReturnInst::Create(context, end);
  }
}

void ControlLowering::killAtEnd() {
  BasicBlock &block = *survives->getParent();
  if (pred_empty(&block)) // nothing ends
    return DeleteDeadBlock(&block);
  if (Value *always = survives->hasConstantValue(); always && cast<ConstantInt>(always)->isOne()) {
    survives->eraseFromParent();
    return;
  }
  IRBuilder<> b(&block, block.getFirstInsertionPt());
  end(b, survives, killsDemote);
}

/// The condition that a kill may have instead of a branch.
std::optional<Condition> ControlLowering::killCondition(CallInst &call) const {
  BasicBlock &block = *call.getParent();
  if (&block.front() != &call)
    return std::nullopt;
  std::optional<Condition> condition = conditionOf(block);
  return condition && common.contains(condition->branch->getParent()) ? condition : std::nullopt;
}

void ControlLowering::lowerKill(CallInst &call) {
  BasicBlock *block = call.getParent();
  const std::optional<Condition> condition = killCondition(call);
  // What the front end put behind it is never reached.
  while (&block->back() != &call) {
    Instruction &last = block->back();
    if (last.isTerminator())
      for (BasicBlock *next : successors(block))
        next->removePredecessor(block, /*KeepOneInputPHIs=*/true);
    if (!last.use_empty())
      last.replaceAllUsesWith(PoisonValue::get(last.getType()));
    last.eraseFromParent();
  }
  if (!condition) {
    IRBuilder<> b(&call);
    b.CreateBr(survives->getParent());
    survives->addIncoming(b.getFalse(), block);
    call.eraseFromParent();
    return;
  }
  IRBuilder<> b(condition->branch);
  end(b, keepCondition(b, *condition), killsDemote);
  b.CreateBr(condition->other);
  condition->branch->eraseFromParent();
  block->eraseFromParent();
}

void ControlLowering::lowerDemote(CallInst &call) {
  BasicBlock *block = call.getParent();
  auto *jump = dyn_cast<BranchInst>(block->getTerminator());
  std::optional<Condition> condition;
  if (&block->front() == &call && call.getNextNode() == jump && jump && jump->isUnconditional())
    condition = conditionOf(*block);
  // Phis would need a select; rare.
  if (condition && common.contains(condition->branch->getParent()) &&
      condition->other == jump->getSuccessor(0) && !isa<PHINode>(condition->other->front())) {
    IRBuilder<> b(condition->branch);
    end(b, keepCondition(b, *condition), true);
    b.CreateBr(condition->other);
    condition->branch->eraseFromParent();
    block->eraseFromParent();
    return;
  }
  IRBuilder<> b(&call);
  end(b, b.getFalse(), true);
  call.eraseFromParent();
}

// --- Writes of helpers

void ControlLowering::guard(Instruction &write) {
  IRBuilder<> b(&write);
  Value *live = b.CreateIntrinsic(Intrinsic::amdgcn_live_mask, {});
  Instruction *then = SplitBlockAndInsertIfThen(live, &write, /*Unreachable=*/false);
  BasicBlock *before = then->getParent()->getSinglePredecessor();
  BasicBlock *after = write.getParent();
  write.moveBefore(then->getIterator());
  if (write.use_empty())
    return;
  PHINode *result = PHINode::Create(write.getType(), 2, "", after->begin());
  write.replaceAllUsesWith(result);
  result->addIncoming(&write, then->getParent());
  result->addIncoming(PoisonValue::get(write.getType()), before);
}

void ControlLowering::guardWrites(bool demotes) {
  auto isGlobal = [](unsigned space) {
    return space == AddrSpace::Global || space == AddrSpace::Flat;
  };
  auto isAtomic = [](const Instruction &instruction) {
    if (const auto *atomic = dyn_cast<AtomicRMWInst>(&instruction))
      return atomic->getPointerAddressSpace() == AddrSpace::Buffer;
    return isa<ImageAtomicOp>(instruction);
  };
  std::vector<Instruction *> writes;
  for (Instruction &instruction : instructions(function)) {
    unsigned space = AddrSpace::Private;
    if (auto *store = dyn_cast<StoreInst>(&instruction))
      space = store->getPointerAddressSpace();
    else if (auto *atomic = dyn_cast<AtomicRMWInst>(&instruction))
      space = atomic->getPointerAddressSpace();
    else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
      space = exchange->getPointerAddressSpace();
    else if (auto *copy = dyn_cast<MemIntrinsic>(&instruction))
      space = copy->getDestAddressSpace();
    if (isGlobal(space) || (demotes && isAtomic(instruction)))
      writes.push_back(&instruction);
  }
  for (Instruction *write : writes)
    guard(*write);
}

// --- Interlock

/// HW(gfx10): the register says whether older waves overlap this one, and the number of the newest
/// of them; numbers wrap at 10 bits, so they are compared by how far they are ahead of this wave's.
///   [31] overlapped  [29:28] packer  [25:16] newest overlapped wave  [9:0] this wave
void ControlLowering::waitForOverlapped(Instruction &before) {
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

void ControlLowering::beginInterlock(Instruction &before) {
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

void ControlLowering::endInterlock(Instruction &before) {
  IRBuilder<> b(&before);
  b.CreateFence(AtomicOrdering::Release, b.getContext().getOrInsertSyncScopeID("agent"));
  if (gfxMajor >= 11)
    return; // the section ends with the wave's last export
  constexpr unsigned orderedPsDone = 7;
  IRBuilder<> entry(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  Value *primMask = createOp(entry, OpId::HwValueOp, entry.getInt32Ty(),
                             {entry.getInt32(static_cast<uint32_t>(HwValue::PrimMask))},
                             hwValueName(HwValue::PrimMask));
  b.CreateIntrinsic(Intrinsic::amdgcn_s_sendmsg, {b.getInt32(orderedPsDone), primMask});
}

/// HW: a wave enters and leaves the critical section once. It begins at the nearest place that
/// dominates all begins and stands in no loop. It ends at the only end when every invocation passes
/// it once, else at the end of the shader.
void ControlLowering::lowerInterlocks(ArrayRef<CallInst *> calls) {
  SmallVector<CallInst *, 2> begins, ends;
  ReturnInst *last = uniteReturns(function);
  DominatorTree dominators(function);
  for (CallInst *call : calls)
    if (dominators.isReachableFromEntry(call->getParent()))
      (cast<InterlockOp>(call)->constArg(0) ? begins : ends).push_back(call);
  CycleInfo cycles;
  cycles.compute(function);
  Instruction *begin = nullptr;
  for (CallInst *call : begins)
    begin = begin ? dominators.findNearestCommonDominator(begin, call) : call;
  while (begin && cycles.getCycle(begin->getParent())) {
    const DomTreeNode *node = dominators.getNode(begin->getParent())->getIDom();
    begin = node ? node->getBlock()->getTerminator() : nullptr;
  }
  if (!begin) // no begin at all: the whole shader
    begin = &*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
  PostDominatorTree postDominators(function);
  Instruction *finish = last;
  if (ends.size() == 1 && !cycles.getCycle(ends[0]->getParent()) &&
      postDominators.dominates(ends[0]->getParent(), &function.getEntryBlock()) &&
      dominators.dominates(begin, ends[0]))
    finish = ends[0];
  // A shader without an end never leaves; the end of the wave is what others wait for.
  if (finish)
    endInterlock(*finish);
  beginInterlock(*begin);
  for (CallInst *call : calls)
    call->eraseFromParent();
}

void ControlLowering::run() {
  std::vector<CallInst *> demotes, helpers, interlocks;
  std::vector<WeakTrackingVH> kills;
  for (Instruction &instruction : instructions(function)) {
    auto *call = dyn_cast<CallInst>(&instruction);
    if (!call)
      continue;
    switch (opIdOf(*call)) {
    case OpId::KillOp:
      kills.emplace_back(call);
      break;
    case OpId::DemoteOp:
      demotes.push_back(call);
      break;
    case OpId::IsHelperOp:
      helpers.push_back(call);
      break;
    case OpId::InterlockOp:
      interlocks.push_back(call);
      break;
    default:
      break;
    }
  }
  for (CallInst *call : helpers) {
    IRBuilder<> b(call);
    call->replaceAllUsesWith(b.CreateNot(b.CreateIntrinsic(Intrinsic::amdgcn_live_mask, {})));
    call->eraseFromParent();
  }
  common = commonBlocks(function);
  // Nobody sees helpers then.
  const bool demotesKill = !readsNeighbours(function);
  for (CallInst *call : demotes)
    if (demotesKill)
      kills.emplace_back(call);
    else
      lowerDemote(*call);
  if (!kills.empty())
    splitEnd();
  // Interlocks first: a kill takes what stands behind it away.
  if (!interlocks.empty())
    lowerInterlocks(interlocks);
  common = commonBlocks(function);
  // Who goes to the end lives until then, so that conditions could leave none but them.
  if (!all_of(kills, [&](const WeakTrackingVH &call) {
        return killCondition(*cast<CallInst>(call)).has_value();
      }))
    common.clear();
  for (const WeakTrackingVH &call : kills)
    if (call) // not gone with what stood behind another one
      lowerKill(*cast<CallInst>(call));
  if (survives)
    killAtEnd();
  guardWrites(!demotes.empty() || (killsDemote && !kills.empty()));
}

} // namespace

PreservedAnalyses LowerFragmentControlPass::run(Module &module, ModuleAnalysisManager &mam) {
  Function *shader = findShader(module, ShaderStage::Fragment);
  if (!shader)
    return PreservedAnalyses::all();
  ControlLowering(*shader, mam.getResult<StateAnalysis>(module).state).run();
  return PreservedAnalyses::none();
}

} // namespace lgc
