//===- BuildSizes.h - the memory of acceleration structures ---------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace icd {

/// Numbers of a build that its memory follows from.
struct BuildShape {
  uint32_t kind = 0;      ///< lgc::accel::kindXxx
  uint32_t leafCount = 0; ///< of all geometries
  bool isWide = false;    ///< gfx12's

  /// Box nodes but the root that any tree over the leaves may have.
  uint32_t boxCapacity() const;
  /// Granules of all nodes and the header.
  uint64_t granules() const;
  /// Bytes of the structure, with its links.
  uint64_t bytes() const;
  uint64_t buildScratchBytes() const;
  uint64_t updateScratchBytes() const;
};

} // namespace icd
