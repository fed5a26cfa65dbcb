//===- Flow.h - blocks in memory order, and where lanes wait --------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The blocks of a function in the order in which a wave executes them: forward edges go forward,
/// loops are contiguous and have one jump back, at their end. Nothing is structurized. Where lanes
/// part, the wave executes one block after the other; lanes that do not take part in the next ones
/// wait in the mask of the block where they go on (docs/direct-tier.md#flow).
///
/// How an edge is taken:
///   Direct  all lanes go, by a jump or by falling through
///   Narrow  some lanes go to the next block, by falling through
///   Masked  the lanes are put into the mask of the block, and something else is executed first
///
/// How a block gets its mask:
///   Saved       all lanes that were active at the end of a block in front of it: all of them
///   arrive Set         by the one edge that comes with a mask Accumulated by several edges, from a
///   mask that is empty in the beginning
#pragma once

#include "lgc/direct/shader/FirstBelow.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <string>
#include <utility>
#include <vector>

namespace llvm {
class BasicBlock;
class Function;
} // namespace llvm

namespace lgc::direct {

enum class EdgeKind : uint8_t { Direct, Narrow, Masked };
enum class MaskKind : uint8_t { None, Saved, Set, Accumulated };

struct FlowLoop {
  uint32_t first = 0, last = 0; ///< blocks
  uint32_t parent = ~0u;
  unsigned depth = 1;
  bool hasMaskedExit = false; ///< lanes wait outside while others go round again
};

struct FlowBlock {
  const llvm::BasicBlock *ir = nullptr; ///< null: it stands on an edge, or ends a loop
  llvm::SmallVector<uint32_t, 2> successors, predecessors;
  llvm::SmallVector<EdgeKind, 2> kinds; ///< of the edges to the successors
  /// The edges of the IR, from and to, whose phis are assigned at the block's end or beginning.
  llvm::SmallVector<std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>, 1> copiesAtEnd,
      copiesAtStart;
  uint32_t loop = ~0u;       ///< the innermost one
  uint32_t idom = 0;         ///< the first block's is itself
  uint32_t dominatedEnd = 0; ///< this block and those behind it up to here are dominated by it
  MaskKind mask = MaskKind::None;
  uint32_t savedAt = 0;            ///< of Saved
  uint32_t firstContributor = ~0u; ///< the first block with a masked edge to this one
  bool isHeader = false;
  bool hasDirectEntry = false; ///< lanes may come with EXEC as it is, besides those of the mask
  bool mayBeEmpty = false;     ///< EXEC must be looked at when the block is entered
};

class Flow {
public:
  /// Of the blocks that can be reached. False: \p refusal says why not.
  bool build(const llvm::Function &function, std::string &refusal);
  /// Decides all edges and masks. \p isDivergent: whether the lanes of a block can part at its end.
  void decide(llvm::function_ref<bool(uint32_t)> isDivergent);

  llvm::ArrayRef<FlowBlock> blocks() const { return all; }
  llvm::ArrayRef<FlowLoop> loops() const { return allLoops; }
  uint32_t blockOf(const llvm::BasicBlock *block) const { return places.lookup(block); }
  bool isReached(const llvm::BasicBlock *block) const { return places.contains(block); }
  bool isInLoop(uint32_t block, uint32_t loop) const {
    return block >= allLoops[loop].first && block <= allLoops[loop].last;
  }
  /// The loop in which the entry of a block stands: a header's stands outside its loop.
  uint32_t entryLoop(uint32_t block) const {
    return all[block].isHeader ? allLoops[all[block].loop].parent : all[block].loop;
  }
  /// Where a phi's operand from \p from is read.
  uint32_t copyBlock(const llvm::BasicBlock *from, const llvm::BasicBlock *to) const {
    return copyPlaces.lookup({from, to});
  }
  /// The first block behind \p block where lanes may wait when it has been executed; all blocks:
  /// none.
  uint32_t resume(uint32_t block) const { return waitingBehind(block, block + 1); }
  /// The same when no lane has entered \p block.
  uint32_t skip(uint32_t block) const { return waitingBehind(block, block); }

private:
  void findDominated();
  void findPostDominators();
  /// Whether all lanes of \p from get to \p block.
  bool arrives(uint32_t from, uint32_t block) const {
    return arrivals[block].first <= arrivals[from].first &&
           arrivals[from].first < arrivals[block].second;
  }
  uint32_t waitingBehind(uint32_t block, uint32_t contributorsEnd) const;
  bool decideEdges(llvm::function_ref<bool(uint32_t)> isDivergent);
  void noteContributors();
  void chooseMask(uint32_t block);
  void noteEntries();

  std::vector<FlowBlock> all;
  std::vector<FlowLoop> allLoops;
  /// By block: its number in a walk through the tree of post-dominators, and the end of those below
  /// it; both 0 where there are none.
  std::vector<std::pair<uint32_t, uint32_t>> arrivals;
  FirstBelow contributors; ///< FlowBlock::firstContributor of all
  llvm::DenseMap<const llvm::BasicBlock *, uint32_t> places;
  llvm::DenseMap<std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>, uint32_t>
      copyPlaces;
};

} // namespace lgc::direct
