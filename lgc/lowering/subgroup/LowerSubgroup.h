//===- LowerSubgroup.h - parts of lgc-lower-subgroup ----------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/OpEnums.h"
#include "lgc/lowering/subgroup/LaneBuilder.h"

namespace lgc {

/// lgc.subgroup.arith on one scalar or vector. \p clusterSize is a power of two, or 0 for the wave.
llvm::Value *lowerSubgroupArith(LaneBuilder &lanes, GroupArith arith, GroupScan scan,
                                llvm::Value *value, unsigned clusterSize);

} // namespace lgc
