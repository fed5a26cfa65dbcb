//===- ControlFlow.h - blocks and loops of machine code -------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "tools/report/MachineCode.h"

namespace report {

struct Block {
  uint32_t begin = 0, end = 0; ///< indices of instructions
  llvm::SmallVector<uint32_t, 2> successors;
  llvm::SmallVector<uint32_t, 2> predecessors;
  uint32_t loop = nowhere; ///< the innermost one
  unsigned depth = 0;      ///< loops around it
  bool isReached = false;
};

/// A natural loop: the blocks that reach `header` again without leaving it by its front.
struct Loop {
  uint32_t header = 0;
  uint32_t parent = nowhere;
  std::vector<uint32_t> blocks; ///< ascending, those of inner loops, too
};

struct ControlFlow {
  std::vector<Block> blocks;     ///< in the order of memory
  std::vector<uint32_t> blockOf; ///< by instruction
  std::vector<Loop> loops;       ///< outer ones first
  std::vector<uint32_t> order;   ///< of reached blocks: reverse postorder
  /// Some cycle has two entries, so that it is in no loop.
  bool isIrreducible = false;

  bool isInLoop(uint32_t block, uint32_t loop) const;
  /// The loop whose header an edge goes back to; nowhere: it does not go back.
  uint32_t loopOfBackEdge(uint32_t from, uint32_t to) const;
  /// Goes to a block that is not behind its source in `order`.
  bool isRetreating(uint32_t from, uint32_t to) const { return rank[to] <= rank[from]; }

  std::vector<uint32_t> rank; ///< place in `order`, by block
};

ControlFlow findControlFlow(const MachineCode &code);

} // namespace report
