//===- RangeAllocator.cpp - pieces of a linear range ----------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/descriptor/RangeAllocator.h"

namespace icd {

void RangeAllocator::reset(uint64_t size) {
  gaps.clear();
  freeTotal = size;
  if (size)
    gaps[0] = size;
}

std::optional<uint64_t> RangeAllocator::allocate(uint64_t size) {
  if (size == 0)
    return 0;
  for (auto gap = gaps.begin(); gap != gaps.end(); ++gap) {
    auto [offset, available] = *gap;
    if (available < size)
      continue;
    gaps.erase(gap);
    if (available > size)
      gaps[offset + size] = available - size;
    freeTotal -= size;
    return offset;
  }
  return std::nullopt;
}

void RangeAllocator::free(uint64_t offset, uint64_t size) {
  if (size == 0)
    return;
  freeTotal += size;
  auto next = gaps.lower_bound(offset);
  if (next != gaps.end() && next->first == offset + size) {
    size += next->second;
    next = gaps.erase(next);
  }
  if (next != gaps.begin()) {
    auto previous = std::prev(next);
    if (previous->first + previous->second == offset) {
      previous->second += size;
      return;
    }
  }
  gaps[offset] = size;
}

} // namespace icd
