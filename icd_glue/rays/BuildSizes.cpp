//===- BuildSizes.cpp - the memory of acceleration structures -------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/rays/BuildSizes.h"
#include "icd_glue/rays/Kernels.h"
#include "lgc/AccelerationStructure.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

namespace icd {

using namespace lgc::accel;

uint32_t BuildShape::boxCapacity() const {
  // A node with a box among its children has four of them or more (kernels/collapse.glsl), one with
  // leaves only has two or more. With a nodes of the first kind and b of the second there are n >=
  // 3a + b + 1 leaves, and b <= 3a + 1: a + b is at most (2n - 1) / 3.
  const uint64_t nodes = leafCount ? (2 * uint64_t(leafCount) - 1) / 3 : 0;
  return static_cast<uint32_t>(std::max<uint64_t>(nodes, 1) - 1);
}

uint64_t BuildShape::granules() const {
  uint64_t leaf = kind == kindInstances ? instanceBytes : leafBytes, start = leavesOffset;
  if (isWide) {
    leaf = kind == kindInstances ? wideInstanceBytes : wideNodeBytes;
    start = llvm::alignTo(widePlaces + uint64_t(leafCount) * sizeof(uint32_t), wideNodeBytes);
  }
  return (start + leafCount * leaf + uint64_t(boxCapacity()) * boxBytes) / nodeGranule;
}

uint64_t BuildShape::bytes() const {
  return llvm::alignTo(granules() * (nodeGranule + sizeof(uint32_t)), structureAlignment);
}

uint64_t BuildShape::buildScratchBytes() const {
  const uint64_t blocks = llvm::divideCeil(uint64_t(leafCount), scratch::sortBlock);
  return scratch::stateBytes + uint64_t(scratch::placeCounts) * leafCount +
         blocks * scratch::digits * sizeof(uint32_t);
}

uint64_t BuildShape::updateScratchBytes() const {
  if (kind == kindInstances) // built anew
    return buildScratchBytes();
  // A counter for each node, of wide structures also bounds.
  const uint64_t node = sizeof(uint32_t) + (isWide ? 6 * sizeof(float) : 0);
  return scratch::stateBytes + uint64_t(scratch::placePairs) * leafCount +
         (granules() / 2 + 1) * node;
}

} // namespace icd
