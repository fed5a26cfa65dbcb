//===- FirstBelow.h - the first of many numbers that is small enough ------===//
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lgc::direct {

/// Minima of numbers, of pairs of them, of fours and so on: a search takes as many steps as there
/// are such levels.
class FirstBelow {
public:
  template <typename Value> void assign(size_t count, Value valueOf) {
    leaves = std::bit_ceil(std::max<size_t>(count, 1));
    minima.assign(2 * leaves, ~0u);
    for (size_t i = 0; i < count; ++i)
      minima[leaves + i] = valueOf(i);
    for (size_t i = leaves; i-- > 1;)
      minima[i] = std::min(minima[2 * i], minima[2 * i + 1]);
  }

  /// The first place from \p begin on, in front of \p end, whose number is below \p limit; \p end:
  /// there is none.
  uint32_t find(uint32_t begin, uint32_t end, uint32_t limit) const {
    if (begin >= end)
      return end;
    size_t node = leaves + begin;
    while (minima[node] >= limit) {
      while (node & 1) // the right one of two: on behind both
        node >>= 1;
      if (!node)
        return end;
      ++node;
    }
    while (node < leaves)
      node = 2 * node + (minima[2 * node] >= limit);
    return std::min(static_cast<uint32_t>(node - leaves), end);
  }

private:
  size_t leaves = 0;
  std::vector<uint32_t> minima; ///< the root is number 1, below n are 2 n and 2 n + 1
};

} // namespace lgc::direct
