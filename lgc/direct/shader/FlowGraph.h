//===- FlowGraph.h - a control flow graph that can be changed -------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <string>
#include <utility>
#include <vector>

namespace llvm {
class BasicBlock;
class Function;
} // namespace llvm

namespace lgc::direct {

/// A node without a block stands on an edge or in front of a loop's beginning.
struct FlowNode {
  const llvm::BasicBlock *ir = nullptr;
  llvm::SmallVector<uint32_t, 2> successors, predecessors;
  llvm::SmallVector<std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>, 1> copiesAtEnd,
      copiesAtStart;
  uint32_t loop = ~0u;
};

struct FlowGraphLoop {
  uint32_t header, latch;
  uint32_t parent = ~0u;
  std::vector<uint32_t> nodes; ///< the header first; those of inner loops as well
};

/// The blocks of a function that can be reached, with one jump back for every loop, which is all
/// that its node does, and nodes on edges whose phis have to be assigned there.
class FlowGraph {
public:
  bool build(const llvm::Function &function, std::string &refusal);
  /// Nodes in the order of Flow.
  bool order(std::vector<uint32_t> &result, std::string &refusal) const;

  std::vector<FlowNode> nodes; ///< the entry first
  std::vector<FlowGraphLoop> loops;

private:
  void addBlocks(const llvm::Function &function);
  bool makeLoops(std::string &refusal);
  void joinJumpsBack(uint32_t header, llvm::ArrayRef<uint32_t> sources);
  void addLoop(uint32_t header, uint32_t latch);
  void nestLoops();
  void splitEdges();
  uint32_t split(uint32_t from, uint32_t to);
  uint32_t loopInside(uint32_t loop, uint32_t region) const;
  bool orderRegion(uint32_t loop, unsigned depth, std::vector<uint32_t> &result) const;
  void findPredecessors();

  llvm::DenseMap<const llvm::BasicBlock *, uint32_t> numbers;
};

} // namespace lgc::direct
