//===- LowerSubgroup.h - parts of lgc-lower-subgroup ----------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/OpEnums.h"
#include "lgc/lowering/Passes.h"
#include "lgc/lowering/subgroup/LaneBuilder.h"
#include "llvm/Analysis/LoopInfo.h"

namespace lgc {

/// Builds the replacement of one call; an error leaves the call to be replaced by poison.
using LaneLowering = llvm::Expected<llvm::Value *> (*)(LaneBuilder &lanes, llvm::CallInst &call);

/// Puts what \p lower builds in the place of \p call. Errors are reported.
void replaceLaneOp(llvm::CallInst &call, const StateAnalysis::Result &state, LaneLowering lower);

/// Of operations that read other lanes by number or distance, as LowerShuffles.cpp lists them.
llvm::Expected<llvm::Value *> lowerShuffle(LaneBuilder &lanes, llvm::CallInst &call);

/// Which shuffles wait until loops are unrolled. Asked by a pass that changes no control flow.
class ShuffleWaits {
public:
  explicit ShuffleWaits(const PipelineState &state)
      : state(state), isPossible(unrollsLoops(state)) {}
  bool waits(llvm::CallInst &call);

private:
  const PipelineState &state;
  const bool isPossible;
  const llvm::Function *analyzed = nullptr;
  llvm::LoopInfo loops; ///< of `analyzed`
};

/// lgc.subgroup.arith on one scalar or vector. \p clusterSize is a power of two, or 0 for the wave.
llvm::Value *lowerSubgroupArith(LaneBuilder &lanes, GroupArith arith, GroupScan scan,
                                llvm::Value *value, unsigned clusterSize);

} // namespace lgc
