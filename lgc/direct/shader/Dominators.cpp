//===- Dominators.cpp - immediate dominators of numbered nodes ------------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/Dominators.h"
#include <algorithm>

using namespace llvm;

namespace lgc::direct {

std::vector<uint32_t> reversePostOrder(uint32_t entry, size_t count,
                                       function_ref<ArrayRef<uint32_t>(uint32_t)> successors) {
  std::vector<uint32_t> result;
  std::vector<bool> seen(count);
  std::vector<std::pair<uint32_t, size_t>> stack = {{entry, successors(entry).size()}};
  seen[entry] = true;
  while (!stack.empty()) {
    auto &[node, left] = stack.back();
    if (!left) {
      result.push_back(node);
      stack.pop_back();
      continue;
    }
    const uint32_t next = successors(node)[--left];
    if (!seen[next]) {
      seen[next] = true;
      stack.push_back({next, successors(next).size()});
    }
  }
  std::reverse(result.begin(), result.end());
  return result;
}

std::vector<uint32_t>
findDominators(uint32_t count,
               function_ref<void(uint32_t, function_ref<void(uint32_t)>)> predecessors) {
  std::vector<uint32_t> idoms(count, noDominator);
  idoms[0] = 0;
  auto common = [&](uint32_t a, uint32_t b) {
    while (a != b) {
      while (a > b)
        a = idoms[a];
      while (b > a)
        b = idoms[b];
    }
    return a;
  };
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (uint32_t node = 1; node < count; ++node) {
      uint32_t idom = noDominator;
      predecessors(node, [&](uint32_t from) {
        if (idoms[from] != noDominator)
          idom = idom == noDominator ? from : common(idom, from);
      });
      isChanged |= idoms[node] != idom;
      idoms[node] = idom;
    }
  }
  return idoms;
}

} // namespace lgc::direct
