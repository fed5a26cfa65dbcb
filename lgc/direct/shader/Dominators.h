//===- Dominators.h - immediate dominators of numbered nodes --------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The algorithm of Cooper, Harvey and Kennedy ("A simple, fast dominance algorithm"), on nodes
/// that are numbered in reverse post order.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>
#include <vector>

namespace lgc::direct {

inline constexpr uint32_t noDominator = ~0u;

/// The nodes that can be reached, in reverse post order. Of two successors the first one comes
/// first where the edges leave a choice. \p count: of all nodes.
std::vector<uint32_t>
reversePostOrder(uint32_t entry, size_t count,
                 llvm::function_ref<llvm::ArrayRef<uint32_t>(uint32_t)> successors);

/// Immediate dominators; the entry's, node 0, is itself. \p predecessors calls a function with the
/// numbers of a node's predecessors.
std::vector<uint32_t>
findDominators(uint32_t count,
               llvm::function_ref<void(uint32_t, llvm::function_ref<void(uint32_t)>)> predecessors);

inline bool dominates(const std::vector<uint32_t> &idoms, uint32_t node, uint32_t other) {
  while (other > node)
    other = idoms[other];
  return other == node;
}

} // namespace lgc::direct
