//===- Flow.cpp - blocks in memory order, and where lanes wait ------------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/Flow.h"
#include "lgc/direct/shader/Dominators.h"
#include "lgc/direct/shader/FlowGraph.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace lgc::direct {

namespace {
constexpr uint32_t none = ~0u;
}

// --- The order

bool Flow::build(const Function &function, std::string &refusal) {
  FlowGraph graph;
  std::vector<uint32_t> order;
  if (!graph.build(function, refusal) || !graph.order(order, refusal))
    return false;
  std::vector<uint32_t> place(graph.nodes.size(), none);
  for (uint32_t i = 0; i < order.size(); ++i)
    place[order[i]] = i;
  all.resize(order.size());
  for (uint32_t i = 0; i < order.size(); ++i) {
    FlowNode &node = graph.nodes[order[i]];
    FlowBlock &block = all[i];
    block.ir = node.ir;
    block.loop = node.loop;
    block.copiesAtEnd = std::move(node.copiesAtEnd);
    block.copiesAtStart = std::move(node.copiesAtStart);
    for (uint32_t to : node.successors)
      block.successors.push_back(place[to]);
    for (uint32_t from : node.predecessors)
      block.predecessors.push_back(place[from]);
    if (block.ir)
      places[block.ir] = i;
    for (const auto &edge : block.copiesAtEnd)
      copyPlaces[edge] = i;
    for (const auto &edge : block.copiesAtStart)
      copyPlaces[edge] = i;
  }
  for (const FlowGraphLoop &loop : graph.loops) {
    allLoops.push_back({place[loop.header], place[loop.latch], loop.parent});
    all[place[loop.header]].isHeader = true;
  }
  for (FlowLoop &loop : allLoops)
    for (uint32_t parent = loop.parent; parent != none; parent = allLoops[parent].parent)
      ++loop.depth;
  findDominated();
  findPostDominators();
  return true;
}

void Flow::findDominated() {
  const auto count = static_cast<uint32_t>(all.size());
  const std::vector<uint32_t> idoms =
      findDominators(count, [&](uint32_t i, auto visit) { for_each(all[i].predecessors, visit); });
  for (uint32_t i = count; i-- > 0;) {
    all[i].idom = idoms[i];
    uint32_t end = i;
    while (end + 1 < count && idoms[end + 1] >= i)
      end = all[end + 1].dominatedEnd;
    all[i].dominatedEnd = end;
  }
}

/// On the graph turned round, with a node in front of all blocks that end the shader. What never
/// gets there has none.
void Flow::findPostDominators() {
  const auto exit = static_cast<uint32_t>(all.size());
  SmallVector<uint32_t, 4> ends;
  for (uint32_t i = 0; i < exit; ++i)
    if (all[i].successors.empty())
      ends.push_back(i);
  const std::vector<uint32_t> order = reversePostOrder(exit, exit + 1, [&](uint32_t node) {
    return node == exit ? ArrayRef(ends) : ArrayRef(all[node].predecessors);
  });
  std::vector<uint32_t> place(exit + 1, none);
  for (uint32_t i = 0; i < order.size(); ++i)
    place[order[i]] = i;
  const std::vector<uint32_t> idoms =
      findDominators(static_cast<uint32_t>(order.size()), [&](uint32_t node, auto visit) {
        const FlowBlock &block = all[order[node]];
        if (block.successors.empty())
          visit(0);
        for (uint32_t to : block.successors)
          if (place[to] != none)
            visit(place[to]);
      });
  // A node comes behind the one that it is below of: sizes from the leaves, numbers from the root.
  std::vector<uint32_t> size(order.size(), 1), next(order.size(), 1);
  for (size_t i = order.size(); i-- > 1;)
    size[idoms[i]] += size[i];
  arrivals.assign(exit, {0, 0});
  for (uint32_t i = 1; i < order.size(); ++i) {
    const uint32_t number = next[idoms[i]];
    next[idoms[i]] += size[i];
    next[i] = number + 1;
    arrivals[order[i]] = {number, number + size[i]};
  }
}

// --- Edges and masks

uint32_t Flow::waitingBehind(uint32_t block, uint32_t contributorsEnd) const {
  const auto count = static_cast<uint32_t>(all.size());
  uint32_t begin = block + 1, end = contributorsEnd;
  for (uint32_t loop = all[block].loop;; loop = allLoops[loop].parent) {
    const uint32_t regionEnd = loop == none ? count : allLoops[loop].last + 1;
    const uint32_t found = contributors.find(begin, regionEnd, end);
    if (found < regionEnd || loop == none)
      return found;
    begin = regionEnd;
    // Lanes may have left the loop when it was gone through before.
    end = std::max(end, regionEnd);
  }
}

/// Whether an edge became a masked one.
bool Flow::decideEdges(function_ref<bool(uint32_t)> isDivergent) {
  bool isChanged = false;
  for (uint32_t i = 0; i < all.size(); ++i) {
    FlowBlock &block = all[i];
    if (block.successors.empty() || block.successors.front() <= i)
      continue; // the jump back of a loop
    bool areMasked = block.successors.size() > 1 && isDivergent(i);
    for (unsigned s = 0; s < block.successors.size(); ++s)
      areMasked |= block.kinds[s] != EdgeKind::Direct || resume(i) < block.successors[s];
    for (unsigned s = 0; areMasked && s < block.successors.size(); ++s) {
      const bool isNext = block.successors[s] == i + 1;
      const EdgeKind kind = isNext ? EdgeKind::Narrow : EdgeKind::Masked;
      isChanged |= block.kinds[s] != kind;
      block.kinds[s] = kind;
    }
  }
  return isChanged;
}

void Flow::noteContributors() {
  for (FlowBlock &block : all)
    block.firstContributor = none;
  for (uint32_t i = 0; i < all.size(); ++i)
    for (unsigned s = 0; s < all[i].successors.size(); ++s)
      if (all[i].kinds[s] == EdgeKind::Masked) {
        uint32_t &first = all[all[i].successors[s]].firstContributor;
        first = std::min(first, i);
      }
  contributors.assign(all.size(), [&](size_t i) { return all[i].firstContributor; });
}

void Flow::chooseMask(uint32_t index) {
  FlowBlock &block = all[index];
  block.mask = MaskKind::None;
  if (block.firstContributor == none)
    return;
  block.mask = MaskKind::Accumulated;
  // All lanes of a block in front arrive here.
  const uint32_t loop = entryLoop(index);
  uint32_t from = block.idom;
  while (from && all[from].loop != loop && arrives(from, index))
    from = all[from].idom;
  if (all[from].loop == loop && arrives(from, index) && all[from].dominatedEnd >= index) {
    block.mask = MaskKind::Saved;
    block.savedAt = from;
    return;
  }
  unsigned edges = 0;
  for (uint32_t predecessor : block.predecessors) {
    const FlowBlock &other = all[predecessor];
    for (unsigned s = 0; s < other.successors.size(); ++s)
      edges += other.successors[s] == index && other.kinds[s] == EdgeKind::Masked;
  }
  const FlowBlock &first = all[block.firstContributor];
  if (edges == 1 && first.loop == loop && first.dominatedEnd >= index)
    block.mask = MaskKind::Set;
}

void Flow::noteEntries() {
  for (FlowBlock &block : all)
    block.hasDirectEntry = block.mayBeEmpty = false;
  for (FlowLoop &loop : allLoops)
    loop.hasMaskedExit = false;
  for (uint32_t i = 0; i < all.size(); ++i) {
    const FlowBlock &block = all[i];
    for (unsigned s = 0; s < block.successors.size(); ++s) {
      const uint32_t to = block.successors[s];
      if (to <= i)
        continue;
      FlowBlock &target = all[to];
      target.hasDirectEntry |= block.kinds[s] != EdgeKind::Masked;
      target.mayBeEmpty |= block.kinds[s] != EdgeKind::Direct;
      for (uint32_t loop = block.loop; loop != none && !isInLoop(to, loop);
           loop = allLoops[loop].parent)
        allLoops[loop].hasMaskedExit |= block.kinds[s] != EdgeKind::Direct;
    }
  }
  for (uint32_t i = 0; i < all.size(); ++i) {
    chooseMask(i);
    if (all[i].mask == MaskKind::Saved)
      all[i].mayBeEmpty = false;
  }
}

void Flow::decide(function_ref<bool(uint32_t)> isDivergent) {
  for (FlowBlock &block : all)
    block.kinds.resize(block.successors.size(), EdgeKind::Direct);
  // Masks make lanes wait, and lanes that wait make masks.
  do
    noteContributors();
  while (decideEdges(isDivergent));
  noteEntries();
}

} // namespace lgc::direct
