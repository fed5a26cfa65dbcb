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
///
/// LLVM's demotion ends a wave of which nobody lives, and its code goes on with no lane where only
/// demoted ones are. It is used where all that live are active and none needs to get to the end.
/// Else demoted invocations run on and remember it: they write nothing, and the end takes them
/// away.
#include "lgc/Interface.h"
#include "lgc/Ops.h"
#include "lgc/Shader.h"
#include "lgc/lowering/Passes.h"
#include "lgc/lowering/fragment/CommonBlocks.h"
#include "lgc/lowering/fragment/FragmentControl.h"
#include "lgc/lowering/fragment/FragmentInterlock.h"
#include "lgc/lowering/interface/AttributeSlots.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

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

// Why metadata: names may be discarded.
static constexpr StringRef demotedKind = "lgc.demoted";

AllocaInst *demotedVariable(Function &function) {
  for (Instruction &instruction : function.getEntryBlock())
    if (auto *variable = dyn_cast<AllocaInst>(&instruction))
      if (variable->getMetadata(demotedKind))
        return variable;
  return nullptr;
}

void promoteDemoted(Function &function) {
  if (AllocaInst *variable = demotedVariable(function)) {
    DominatorTree tree(function);
    PromoteMemToReg(variable, tree);
  }
}

namespace {

/// The conditional branch that alone leads to a block, and the way around it.
struct Condition {
  BranchInst *branch;
  bool whenTrue; ///< the block is taken when the condition holds
  BasicBlock *other;
};

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

class ControlLowering {
public:
  ControlLowering(Function &function, const PipelineState &state) : function(function) {
    const pal::abi::GpuTarget *target = pal::abi::findTarget(state.target);
    gfxMajor = target ? target->major : 11;
    // HW(gfx11+): with two blend sources a pixel that is not exported still carries a source of its
    // neighbour, so killed invocations go on as helpers.
    const GraphicsState &graphics = state.graphics;
    bool dualSource =
        state.part.separateColorExport
            ? is_contained(storedSlots(function), Slot::ColorIndex1)
            : graphics.cbState.dualSourceBlendEnable || graphics.cbState.dualSourceBlendDynamic;
    killsDemote = gfxMajor >= 11 && dualSource;
  }
  void run();

private:
  std::optional<Condition> killCondition(CallInst &call) const;
  void lowerKill(CallInst &call);
  std::optional<Condition> demoteCondition(CallInst &call) const;
  void lowerDemote(CallInst &call);
  void rememberDemotes();
  void end(IRBuilder<> &b, Value *keep, bool demote);
  void splitEnd();
  void killAtEnd();
  void guardWrites(bool demotes);
  void guard(Instruction &write);
  void lowerHelpers();
  void collect();
  bool endsAtEnd();
  void lowerInterlocks();

  Function &function;
  unsigned gfxMajor;
  bool killsDemote;
  std::vector<CallInst *> demotes, helpers, interlocks;
  std::vector<WeakTrackingVH> kills;
  CriticalSection section; ///< when there are interlocks
  CommonBlocks common;     ///< of what is left to lower
  /// At the one end of the shader: false for those who come from kills. Null: there are no kills.
  PHINode *survives = nullptr;
  AllocaInst *demoted = nullptr; ///< i1, of invocations that run on after a demotion
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
  // Behind the message that ends a critical section: the wave may end here.
  IRBuilder<> b(block.getTerminator());
  Value *keep = survives;
  if (Value *always = survives->hasConstantValue(); always && cast<ConstantInt>(always)->isOne()) {
    survives->eraseFromParent();
    keep = nullptr;
  }
  if (demoted) {
    Value *runs = b.CreateNot(b.CreateLoad(b.getInt1Ty(), demoted));
    keep = keep ? b.CreateAnd(keep, runs) : runs;
  }
  if (keep)
    end(b, keep, killsDemote);
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

/// The condition that a demotion may have instead of a branch.
std::optional<Condition> ControlLowering::demoteCondition(CallInst &call) const {
  BasicBlock *block = call.getParent();
  auto *jump = dyn_cast<BranchInst>(block->getTerminator());
  std::optional<Condition> condition;
  if (&block->front() == &call && call.getNextNode() == jump && jump && jump->isUnconditional())
    condition = conditionOf(*block);
  // Phis would need a select; rare.
  if (condition && common.contains(condition->branch->getParent()) &&
      condition->other == jump->getSuccessor(0) && !isa<PHINode>(condition->other->front()))
    return condition;
  return std::nullopt;
}

void ControlLowering::lowerDemote(CallInst &call) {
  BasicBlock *block = call.getParent();
  if (std::optional<Condition> condition = demoteCondition(call)) {
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

void ControlLowering::rememberDemotes() {
  IRBuilder<> entry(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  demoted = entry.CreateAlloca(entry.getInt1Ty(), AddrSpace::Private, nullptr, "demoted");
  demoted->setMetadata(demotedKind, MDNode::get(function.getContext(), {}));
  entry.CreateStore(entry.getFalse(), demoted);
  for (CallInst *call : demotes) {
    IRBuilder<> b(call);
    b.CreateStore(b.getTrue(), demoted);
    call->eraseFromParent();
  }
}

void ControlLowering::lowerHelpers() {
  for (CallInst *call : helpers) {
    IRBuilder<> b(call);
    Value *helps = b.CreateNot(b.CreateIntrinsic(Intrinsic::amdgcn_live_mask, {}));
    if (demoted)
      helps = b.CreateOr(helps, b.CreateLoad(b.getInt1Ty(), demoted));
    call->replaceAllUsesWith(helps);
    call->eraseFromParent();
  }
}

// --- Writes of helpers

void ControlLowering::guard(Instruction &write) {
  IRBuilder<> b(&write);
  Value *live = b.CreateIntrinsic(Intrinsic::amdgcn_live_mask, {});
  if (demoted)
    live = b.CreateAnd(live, b.CreateNot(b.CreateLoad(b.getInt1Ty(), demoted)));
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
    // LLVM knows its own helpers only.
    const bool isUnknown =
        demoted && (space == AddrSpace::Buffer || isa<ImageStoreOp>(instruction));
    if (isGlobal(space) || isUnknown || (demotes && isAtomic(instruction)))
      writes.push_back(&instruction);
  }
  for (Instruction *write : writes)
    guard(*write);
}

// --- All

void ControlLowering::collect() {
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
}

/// Must no kill or demotion have its effect where it stands? Who goes to the end lives until then,
/// so that conditions could leave none but them. And a wave that ends in its critical section would
/// not leave it, or before its writes are there.
bool ControlLowering::endsAtEnd() {
  if (!interlocks.empty()) {
    uniteReturns(function);
    SmallVector<CallInst *, 4> ending;
    for (const WeakTrackingVH &call : kills)
      ending.push_back(cast<CallInst>(call));
    section = findCriticalSection(function, interlocks, ending);
    // What stands there may be lowered before the section is.
    if (!isa<InterlockOp>(section.begin)) {
      IRBuilder<> b(section.begin);
      section.begin = createOp(b, OpId::InterlockOp, b.getVoidTy(), {b.getInt32(/*begin*/ 1)});
      interlocks.push_back(cast<CallInst>(section.begin));
    }
    ending.append(demotes.begin(), demotes.end());
    if (any_of(ending, [&](CallInst *call) { return isInSection(section, *call); }))
      return true;
  }
  return any_of(kills, [&](const WeakTrackingVH &call) {
    return !killCondition(*cast<CallInst>(call)).has_value();
  });
}

void ControlLowering::lowerInterlocks() {
  Instruction *finish = section.finish;
  if (!finish)
    finish = survives ? survives->getParent()->getTerminator() : uniteReturns(function);
  // A shader without an end never leaves; the end of the wave is what others wait for.
  if (finish)
    endCriticalSection(*finish, gfxMajor);
  beginCriticalSection(*section.begin, gfxMajor);
  for (CallInst *call : interlocks)
    call->eraseFromParent();
}

void ControlLowering::run() {
  collect();
  common = commonBlocks(function);
  const bool hasDemotes = !demotes.empty();
  // Nobody sees helpers then.
  if (!readsNeighbours(function)) {
    kills.insert(kills.end(), demotes.begin(), demotes.end());
    demotes.clear();
  }
  bool atEnd = endsAtEnd();
  if (!demotes.empty() && (atEnd || !all_of(demotes, [&](CallInst *call) {
                             return common.contains(call->getParent()) ||
                                    demoteCondition(*call).has_value();
                           })))
    rememberDemotes();
  lowerHelpers();
  if (!demoted)
    for (CallInst *call : demotes)
      lowerDemote(*call);
  if (!kills.empty() || demoted)
    splitEnd();
  // Interlocks first: a kill takes what stands behind it away.
  if (!interlocks.empty())
    lowerInterlocks();
  common = commonBlocks(function);
  atEnd |= any_of(kills, [&](const WeakTrackingVH &call) {
    return !killCondition(*cast<CallInst>(call)).has_value();
  });
  if (atEnd)
    common.clear();
  for (const WeakTrackingVH &call : kills)
    if (call) // not gone with what stood behind another one
      lowerKill(*cast<CallInst>(call));
  if (survives)
    killAtEnd();
  guardWrites(hasDemotes || (killsDemote && !kills.empty()));
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
