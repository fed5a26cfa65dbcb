//===- FlowGraph.cpp - a control flow graph that can be changed -----------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/FlowGraph.h"
#include "lgc/direct/shader/Dominators.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace lgc::direct {

namespace {

constexpr unsigned nodesMax = 1u << 16, depthMax = 32;
constexpr uint32_t none = ~0u;
constexpr char nestedTooDeep[] = "loops that are nested too deep";

} // namespace

void FlowGraph::addBlocks(const Function &function) {
  std::vector<const BasicBlock *> open = {&function.getEntryBlock()};
  auto number = [&](const BasicBlock *block) {
    auto [found, isNew] = numbers.try_emplace(block, static_cast<uint32_t>(nodes.size()));
    if (isNew) {
      nodes.push_back({});
      nodes.back().ir = block;
      open.push_back(block);
    }
    return found->second;
  };
  numbers[open.front()] = 0;
  nodes.push_back({});
  nodes.back().ir = open.front();
  while (!open.empty()) {
    const BasicBlock *block = open.back();
    open.pop_back();
    const uint32_t from = numbers.lookup(block);
    for (const BasicBlock *successor : successors(block)) {
      const uint32_t to = number(successor);
      if (!is_contained(nodes[from].successors, to))
        nodes[from].successors.push_back(to);
    }
  }
  findPredecessors();
}

void FlowGraph::findPredecessors() {
  for (FlowNode &node : nodes)
    node.predecessors.clear();
  for (uint32_t i = 0; i < nodes.size(); ++i)
    for (uint32_t to : nodes[i].successors)
      nodes[to].predecessors.push_back(i);
}

/// A node on the edge.
uint32_t FlowGraph::split(uint32_t from, uint32_t to) {
  const auto between = static_cast<uint32_t>(nodes.size());
  FlowNode node;
  node.successors = {to};
  node.predecessors = {from};
  node.loop = none;
  nodes.push_back(node);
  llvm::replace(nodes[from].successors, to, between);
  llvm::replace(nodes[to].predecessors, from, between);
  return between;
}

/// Phis are assigned at the end of blocks with one successor. Those with several get a node on the
/// edge, unless the other block can only be reached from here: it begins with the assignments.
void FlowGraph::splitEdges() {
  for (uint32_t from = 0, count = static_cast<uint32_t>(nodes.size()); from < count; ++from) {
    const SmallVector<uint32_t, 2> successors = nodes[from].successors;
    for (uint32_t to : successors) {
      if (!isa<PHINode>(nodes[to].ir->front()))
        continue;
      const std::pair edge(nodes[from].ir, nodes[to].ir);
      if (successors.size() == 1)
        nodes[from].copiesAtEnd.push_back(edge);
      else if (nodes[to].predecessors.size() == 1)
        nodes[to].copiesAtStart.push_back(edge);
      else
        nodes[split(from, to)].copiesAtEnd.push_back(edge);
    }
  }
}

/// A single jump back, by a node that does nothing else.
void FlowGraph::joinJumpsBack(uint32_t header, ArrayRef<uint32_t> sources) {
  uint32_t latch = sources.front();
  if (sources.size() > 1 || nodes[latch].successors.size() > 1) {
    latch = split(sources.front(), header);
    for (uint32_t source : sources.drop_front()) {
      llvm::replace(nodes[source].successors, header, latch);
      llvm::erase(nodes[header].predecessors, source);
      nodes[latch].predecessors.push_back(source);
    }
  }
  addLoop(header, latch);
}

void FlowGraph::addLoop(uint32_t header, uint32_t latch) {
  FlowGraphLoop loop = {header, latch, none, {header}};
  DenseSet<uint32_t> seen = {header};
  std::vector<uint32_t> open = {latch};
  while (!open.empty()) {
    const uint32_t node = open.back();
    open.pop_back();
    if (!seen.insert(node).second)
      continue;
    loop.nodes.push_back(node);
    append_range(open, nodes[node].predecessors);
  }
  loops.push_back(std::move(loop));
}

/// A loop is inside the smallest other one that has its header.
void FlowGraph::nestLoops() {
  std::vector<uint32_t> bySize(loops.size());
  for (uint32_t i = 0; i < loops.size(); ++i)
    bySize[i] = i;
  llvm::sort(bySize, [&](uint32_t a, uint32_t b) {
    return std::pair(loops[b].nodes.size(), a) < std::pair(loops[a].nodes.size(), b);
  });
  for (uint32_t index : bySize) {
    loops[index].parent = nodes[loops[index].header].loop;
    for (uint32_t node : loops[index].nodes)
      nodes[node].loop = index;
  }
}

bool FlowGraph::makeLoops(std::string &refusal) {
  const std::vector<uint32_t> rpo = reversePostOrder(
      0, nodes.size(), [&](uint32_t node) { return ArrayRef(nodes[node].successors); });
  std::vector<uint32_t> place(nodes.size());
  for (uint32_t i = 0; i < rpo.size(); ++i)
    place[rpo[i]] = i;
  const std::vector<uint32_t> idoms =
      findDominators(static_cast<uint32_t>(rpo.size()), [&](uint32_t i, auto visit) {
        for (uint32_t from : nodes[rpo[i]].predecessors)
          visit(place[from]);
      });
  // Headers from the inside out: a loop has all nodes of those in it.
  size_t nodesOfLoops = 0;
  for (uint32_t i = static_cast<uint32_t>(rpo.size()); i-- > 0;) {
    SmallVector<uint32_t, 2> sources;
    for (uint32_t from : nodes[rpo[i]].predecessors) {
      if (from >= place.size() || place[from] < i)
        continue;
      if (!dominates(idoms, i, place[from])) {
        refusal = "irreducible control flow";
        return false;
      }
      sources.push_back(from);
    }
    if (sources.empty())
      continue;
    joinJumpsBack(rpo[i], sources);
    // Before loops that are nested without end have taken all memory.
    nodesOfLoops += loops.back().nodes.size();
    if (nodesOfLoops > size_t(depthMax) * nodes.size()) {
      refusal = nestedTooDeep;
      return false;
    }
  }
  nestLoops();
  return true;
}

bool FlowGraph::build(const Function &function, std::string &refusal) {
  addBlocks(function);
  splitEdges();
  if (nodes.size() <= nodesMax)
    return makeLoops(refusal);
  refusal = "too many blocks";
  return false;
}

/// Appends the nodes of a loop, or of what is outside of all; inner loops are like one node there.
bool FlowGraph::orderRegion(uint32_t loop, unsigned depth, std::vector<uint32_t> &result) const {
  if (depth > depthMax)
    return false;
  // The node or the header of the loop that stands for a node in this region; none: outside.
  auto standsFor = [&](uint32_t node) {
    uint32_t inner = nodes[node].loop, last = none;
    for (; inner != loop && inner != none; inner = loops[inner].parent)
      last = inner;
    if (inner != loop)
      return none;
    return last == none ? node : loops[last].header;
  };
  const uint32_t entry = loop == none ? 0 : loops[loop].header;
  // Those of this region are numbered anew: what is done with them takes time for them alone.
  std::vector<uint32_t> here;
  DenseMap<uint32_t, uint32_t> numbersHere;
  std::vector<SmallVector<uint32_t, 2>> successors;
  auto numberOf = [&](uint32_t node) {
    const auto [found, isNew] = numbersHere.try_emplace(node, static_cast<uint32_t>(here.size()));
    if (isNew) {
      here.push_back(node);
      successors.push_back({});
    }
    return found->second;
  };
  numberOf(standsFor(entry));
  auto addEdges = [&](uint32_t node) {
    const uint32_t from = standsFor(node);
    for (uint32_t next : nodes[node].successors) {
      const uint32_t to = standsFor(next);
      if (to == none || to == from || to == entry)
        continue;
      const uint32_t number = numberOf(to);
      SmallVector<uint32_t, 2> &all = successors[numberOf(from)];
      if (!is_contained(all, number))
        all.push_back(number);
    }
  };
  if (loop == none) {
    for (uint32_t i = 0; i < nodes.size(); ++i)
      addEdges(i);
  } else {
    for_each(loops[loop].nodes, addEdges);
  }
  const std::vector<uint32_t> order = reversePostOrder(
      0, here.size(), [&](uint32_t number) { return ArrayRef(successors[number]); });
  for (uint32_t number : order) {
    const uint32_t node = here[number];
    if (nodes[node].loop == loop)
      result.push_back(node);
    else if (!orderRegion(loopInside(nodes[node].loop, loop), depth + 1, result))
      return false;
  }
  return true;
}

uint32_t FlowGraph::loopInside(uint32_t loop, uint32_t region) const {
  while (loops[loop].parent != region)
    loop = loops[loop].parent;
  return loop;
}

bool FlowGraph::order(std::vector<uint32_t> &result, std::string &refusal) const {
  if (orderRegion(none, 0, result))
    return true;
  refusal = nestedTooDeep;
  return false;
}

} // namespace lgc::direct
