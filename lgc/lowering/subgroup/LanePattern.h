//===- LanePattern.h - which lane each lane reads -------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Shuffles whose lanes are known while compiling: what a lane's number is computed of is followed
/// back to the lane's own number and constants, computed for every lane, and the cheapest move that
/// does the same is built.
#pragma once

#include "lgc/lowering/subgroup/LaneBuilder.h"
#include <optional>

namespace lgc {

/// The lane that each lane reads; `anyLane` where the source does not matter, because the wave has
/// no such lane.
using LanePattern = std::array<int8_t, 64>;
constexpr int8_t anyLane = -1;

/// The values (i32) of \p lane, where they are known while compiling.
std::optional<LanePattern> lanePatternOf(const llvm::Value &lane, unsigned waveSize);

/// Would it be known, if the phis that it is computed of were constants?
bool mayBecomePattern(const llvm::Value &lane);

/// A word of the lane that \p pattern says. \p lane is what the pattern was read from.
llvm::Value *moveByPattern(LaneBuilder &lanes, llvm::Value *source, llvm::Value *lane,
                           const LanePattern &pattern);

} // namespace lgc
