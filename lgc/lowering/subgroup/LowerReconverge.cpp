//===- LowerReconverge.cpp - loops that code generation must keep ---------===//
// SPDX-License-Identifier: MIT
/// \file
/// lgc.reconverge.true closes loops that SPIR-V wants kept as they are. It becomes a comparison of
/// the program counter with a number that it never has, another one for each: behind a branch on a
/// condition LLVM knows it, and would open the next loop. Runs after everything that could fold the
/// condition or move code out of the loop; until then the operation itself is the better opaque
/// value.
///   before: %t = call i1 @lgc.reconverge.true__i1()
///           %u = call i1 @lgc.reconverge.true__i1()
///   after:  %pc = call i64 @llvm.amdgcn.s.getpc()
///           %t = icmp ne i64 %pc, 0
///           %pc2 = call i64 @llvm.amdgcn.s.getpc()
///           %u = icmp ne i64 %pc2, 1
///
/// A loop with lane operations also gets one back edge, from a block that code generation cannot
/// drop. Why: code generation takes a loop with two back edges for two nested loops, and the lanes
/// that take one of them would wait until all others have left the inner loop.
///   before: br label %header ; twice
///   after:  br label %latch ; twice
///   latch:  call void @llvm.amdgcn.wave.barrier() ; no instruction
///           br label %header
#include "lgc/Ops.h"
#include "lgc/lowering/Passes.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace lgc {

namespace {

/// Does the result depend on which lanes run together?
bool comparesLanes(const Instruction &inst) {
  const auto *call = dyn_cast<IntrinsicInst>(&inst);
  return call && call->isConvergent() && !call->getType()->isVoidTy();
}

bool comparesLanes(const Loop &loop) {
  return any_of(loop.blocks(), [](const BasicBlock *block) {
    return any_of(*block, [](const Instruction &inst) { return comparesLanes(inst); });
  });
}

/// The block of the loop's only back edge; null when it has one that stays by itself.
BasicBlock *makeLatch(Loop &loop) {
  BasicBlock *header = loop.getHeader();
  if (BasicBlock *latch = loop.getLoopLatch())
    return latch != header && latch->getFirstNonPHIIt() == latch->getTerminator()->getIterator() &&
                   latch->getSingleSuccessor()
               ? latch
               : nullptr;
  SmallVector<BasicBlock *, 4> latches;
  loop.getLoopLatches(latches);
  return SplitBlockPredecessors(header, latches, ".lanes");
}

bool keepLatches(Function &function, LoopInfo &loops) {
  SmallVector<BasicBlock *, 4> latches;
  for (Loop *loop : loops.getLoopsInPreorder())
    if (comparesLanes(*loop))
      if (BasicBlock *latch = makeLatch(*loop))
        latches.push_back(latch);
  for (BasicBlock *latch : latches)
    IRBuilder<>(latch->getTerminator()).CreateIntrinsic(Intrinsic::amdgcn_wave_barrier, {});
  return !latches.empty();
}

} // namespace

PreservedAnalyses LowerReconvergePass::run(Module &module, ModuleAnalysisManager &mam) {
  auto &fam = mam.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  bool changed = false;
  for (Function &function : module)
    if (!function.isDeclaration())
      changed |= keepLatches(function, fam.getResult<LoopAnalysis>(function));
  if (changed)
    fam.clear(); // loops and dominators are stale
  if (!hasOp(module, OpId::ReconvergeTrueOp))
    return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  uint64_t number = 0;
  forEachOp(module, OpId::ReconvergeTrueOp, [&](CallInst &call) {
    IRBuilder<> b(&call);
    Value *counter = b.CreateIntrinsic(b.getInt64Ty(), Intrinsic::amdgcn_s_getpc, {});
    call.replaceAllUsesWith(b.CreateICmpNE(counter, b.getInt64(number++)));
    call.eraseFromParent();
  });
  return PreservedAnalyses::none();
}

} // namespace lgc
