//===- LowerShuffles.cpp - shuffles become moves between lanes ------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Lowers what reads other lanes by number or distance. lgc-lower-subgroup does the same with those
/// that need not wait; what this pass finds are shuffles in loops, whose lanes may be constants
/// once the loop is unrolled: then they are DPP, permutes or lane reads (LanePattern.cpp), else
/// ds_bpermute. Runs behind the unroller, and before the clean-up that follows it.
///   before: %r = call i32 @lgc.subgroup.shuffle.xor__i32_i32_i32(i32 %x, i32 2)
///   after:  %r = call i32 @llvm.amdgcn.update.dpp.i32(..., i32 %x, quad_perm [2,3,0,1], ...)
#include "lgc/Ops.h"
#include "lgc/Shader.h"
#include "lgc/lowering/Passes.h"
#include "lgc/lowering/subgroup/LanePattern.h"
#include "lgc/lowering/subgroup/LowerSubgroup.h"
#include "pal_shim/abi/TargetInfo.h"
#include "pal_shim/abi/Try.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace lgc {
namespace {

/// Words of \p value from the lanes that the operation names. \p sameHalf: always of the reader's
/// half of the wave.
Value *shuffleValue(LaneBuilder &lanes, Value *value, Value *lane, bool sameHalf) {
  const std::optional<LanePattern> pattern = lanePatternOf(*lane, lanes.waveSize);
  Value *result = lanes.mapWords(value, [&](Value *word) {
    return pattern ? moveByPattern(lanes, word, lane, *pattern)
                   : lanes.shuffle(word, lane, sameHalf);
  });
  if (pattern)
    RecursivelyDeleteTriviallyDeadInstructions(lane);
  return result;
}

/// The lane to read is \p lane in every lane.
using SourceLane = Expected<Value *> (*)(LaneBuilder &lanes, CallInst &call);

Expected<Value *> namedLane(LaneBuilder &, CallInst &call) { return call.getArgOperand(1); }

Expected<Value *> flippedLane(LaneBuilder &lanes, CallInst &call) {
  return lanes.b.CreateXor(lanes.laneId(), call.getArgOperand(1));
}

Expected<Value *> lowerLane(LaneBuilder &lanes, CallInst &call) {
  return lanes.b.CreateSub(lanes.laneId(), call.getArgOperand(1));
}

Expected<Value *> higherLane(LaneBuilder &lanes, CallInst &call) {
  return lanes.b.CreateAdd(lanes.laneId(), call.getArgOperand(1));
}

/// Lanes of a cluster; 0 for the whole wave.
uint32_t clusterSizeOf(const LaneBuilder &lanes, const CallInst &call) {
  const auto size = static_cast<uint32_t>(cast<ConstantInt>(call.getArgOperand(2))->getZExtValue());
  return size == 0 || size > lanes.waveSize ? lanes.waveSize : size;
}

/// lane ^ ((lane ^ (lane + delta)) & (size - 1)): the low bits move, the cluster stays.
Expected<Value *> rotatedLane(LaneBuilder &lanes, CallInst &call) {
  IRBuilder<> &b = lanes.b;
  const uint32_t size = clusterSizeOf(lanes, call);
  if (!isPowerOf2_32(size))
    return internalError("lgc.subgroup.rotate: cluster size " + Twine(size) +
                         " is no power of two");
  Value *lane = lanes.laneId();
  Value *moved = b.CreateXor(lane, b.CreateAdd(lane, call.getArgOperand(1)));
  return b.CreateXor(lane, b.CreateAnd(moved, lanes.word(size - 1)));
}

Expected<Value *> laneOfQuad(LaneBuilder &lanes, CallInst &call) {
  IRBuilder<> &b = lanes.b;
  Value *first = b.CreateAnd(lanes.laneId(), lanes.word(~3u));
  return b.CreateOr(first, b.CreateAnd(call.getArgOperand(1), lanes.word(3)));
}

struct Row {
  OpId id;
  SourceLane sourceLane;
};

constexpr Row table[] = {
    {OpId::SubgroupShuffleOp, namedLane},   {OpId::SubgroupShuffleXorOp, flippedLane},
    {OpId::SubgroupShuffleUpOp, lowerLane}, {OpId::SubgroupShuffleDownOp, higherLane},
    {OpId::SubgroupRotateOp, rotatedLane},  {OpId::SubgroupQuadBroadcastOp, laneOfQuad},
};

} // namespace

bool ShuffleWaits::waits(CallInst &call) {
  const Value &operand = *call.getArgOperand(1);
  Function &function = *call.getFunction();
  if (!isPossible || isa<ConstantInt>(operand) || function.size() == 1 ||
      !mayBecomePattern(operand))
    return false;
  // Each crossing of the halves takes 64 lane reads there: one in a loop is shorter than many. A
  // counter names a lane, of which all are read by one.
  const pal::abi::GpuTarget *target = pal::abi::findTarget(state.target);
  if (target && target->major < 11 && waveSizeOf(function, state) == 64 &&
      !(opIdOf(call) == OpId::SubgroupShuffleOp && isa<PHINode>(operand)))
    return false;
  if (analyzed != &function) {
    DominatorTree tree(function);
    loops = LoopInfo(tree);
    analyzed = &function;
  }
  return loops.getLoopFor(call.getParent()) != nullptr;
}

Expected<Value *> lowerShuffle(LaneBuilder &lanes, CallInst &call) {
  const OpId id = opIdOf(call);
  const Row *row = find_if(table, [&](const Row &row) { return row.id == id; });
  Value *lane = KILN_TRY(row->sourceLane(lanes, call));
  const bool isQuad = id == OpId::SubgroupQuadBroadcastOp;
  const bool sameHalf =
      isQuad || (id == OpId::SubgroupRotateOp && clusterSizeOf(lanes, call) <= 32);
  Value *result = shuffleValue(lanes, call.getArgOperand(0), lane, sameHalf);
  return isQuad ? lanes.withHelpers(result) : result;
}

PreservedAnalyses LowerShufflesPass::run(Module &module, ModuleAnalysisManager &mam) {
  const auto &state = mam.getResult<StateAnalysis>(module);
  bool changed = false;
  for (const Row &row : table)
    forEachOp(module, row.id, [&](CallInst &call) {
      changed = true;
      replaceLaneOp(call, state, lowerShuffle);
    });
  if (!changed)
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace lgc
