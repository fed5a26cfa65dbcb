//===- RangeAllocator.h - pieces of a linear range ------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// First fit over a sorted list of free ranges; used for sets inside a descriptor pool. Not thread
/// safe: pools are externally synchronised.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace icd {

class RangeAllocator {
public:
  explicit RangeAllocator(uint64_t size = 0) { reset(size); }
  /// Everything is free again.
  void reset(uint64_t size);
  /// Offset of a free piece of \p size units; nothing when no gap is large enough. A piece of size
  /// 0 is at offset 0 and takes nothing.
  std::optional<uint64_t> allocate(uint64_t size);
  /// Gives back what allocate() gave out.
  void free(uint64_t offset, uint64_t size);
  /// Sum of all gaps: tells a full range from a fragmented one.
  uint64_t freeUnits() const { return freeTotal; }

private:
  std::map<uint64_t, uint64_t> gaps; ///< offset -> size, never adjacent
  uint64_t freeTotal = 0;
};

} // namespace icd
