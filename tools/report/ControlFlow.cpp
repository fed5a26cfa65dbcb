//===- ControlFlow.cpp - blocks and loops of machine code -----------------===//
// SPDX-License-Identifier: MIT
#include "tools/report/ControlFlow.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

namespace report {

namespace {

class Finder {
public:
  explicit Finder(const MachineCode &code) : code(code) {}
  ControlFlow run();

private:
  void findBlocks();
  void addEdge(uint32_t from, uint32_t instruction);
  void findOrder();
  void findDominators();
  uint32_t common(uint32_t a, uint32_t b) const;
  bool dominates(uint32_t a, uint32_t b) const;
  void findLoops();
  void nestLoops();

  const MachineCode &code;
  ControlFlow flow;
  std::vector<uint32_t> dominator; ///< by block
};

void Finder::addEdge(uint32_t from, uint32_t instruction) {
  if (instruction >= code.code.size())
    return;
  const uint32_t to = flow.blockOf[instruction];
  if (llvm::is_contained(flow.blocks[from].successors, to))
    return;
  flow.blocks[from].successors.push_back(to);
  flow.blocks[to].predecessors.push_back(from);
}

void Finder::findBlocks() {
  const auto count = uint32_t(code.code.size());
  std::set<uint32_t> starts = {0};
  for (uint32_t i = 0; i < count; ++i) {
    const Instruction &instr = code.code[i];
    if (instr.isBranch())
      starts.insert(instr.target);
    if (instr.isBranch() || instr.endsFlow())
      starts.insert(i + 1);
  }
  flow.blockOf.resize(count);
  for (auto it = starts.begin(); it != starts.end() && *it < count; ++it) {
    const auto next = std::next(it);
    Block block;
    block.begin = *it;
    block.end = next == starts.end() ? count : std::min(*next, count);
    std::fill(flow.blockOf.begin() + block.begin, flow.blockOf.begin() + block.end,
              uint32_t(flow.blocks.size()));
    flow.blocks.push_back(block);
  }
  for (uint32_t b = 0; b < flow.blocks.size(); ++b) {
    const Instruction &last = code.code[flow.blocks[b].end - 1];
    if (last.isBranch())
      addEdge(b, last.target);
    if (!last.endsFlow())
      addEdge(b, flow.blocks[b].end);
  }
}

/// Depth first without recursion: code may be long.
void Finder::findOrder() {
  flow.rank.assign(flow.blocks.size(), nowhere);
  if (flow.blocks.empty())
    return;
  struct Step {
    uint32_t block;
    size_t next = 0;
  };
  std::vector<Step> stack = {{0}};
  flow.blocks[0].isReached = true;
  while (!stack.empty()) {
    Step &step = stack.back();
    const Block &block = flow.blocks[step.block];
    if (step.next == block.successors.size()) {
      flow.order.push_back(step.block);
      stack.pop_back();
      continue;
    }
    const uint32_t to = block.successors[step.next++];
    if (!flow.blocks[to].isReached) {
      flow.blocks[to].isReached = true;
      stack.push_back({to});
    }
  }
  std::reverse(flow.order.begin(), flow.order.end());
  for (uint32_t i = 0; i < flow.order.size(); ++i)
    flow.rank[flow.order[i]] = i;
}

uint32_t Finder::common(uint32_t a, uint32_t b) const {
  while (a != b) {
    uint32_t &later = flow.rank[a] > flow.rank[b] ? a : b;
    later = dominator[later];
  }
  return a;
}

/// Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm.
void Finder::findDominators() {
  dominator.assign(flow.blocks.size(), nowhere);
  if (flow.order.empty())
    return;
  dominator[0] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (const uint32_t b : llvm::drop_begin(flow.order)) {
      uint32_t now = nowhere;
      for (const uint32_t p : flow.blocks[b].predecessors)
        if (flow.blocks[p].isReached && dominator[p] != nowhere)
          now = now == nowhere ? p : common(p, now);
      changed |= dominator[b] != now;
      dominator[b] = now;
    }
  }
}

bool Finder::dominates(uint32_t a, uint32_t b) const {
  while (flow.rank[b] > flow.rank[a])
    b = dominator[b];
  return a == b;
}

void Finder::findLoops() {
  std::map<uint32_t, std::set<uint32_t>> bodies; ///< by rank of the header
  for (const uint32_t from : flow.order)
    for (const uint32_t header : flow.blocks[from].successors) {
      if (!flow.isRetreating(from, header))
        continue;
      if (!dominates(header, from)) {
        flow.isIrreducible = true;
        continue;
      }
      std::set<uint32_t> &body = bodies[flow.rank[header]];
      body.insert(header);
      std::vector<uint32_t> pending = {from};
      while (!pending.empty()) {
        const uint32_t b = pending.back();
        pending.pop_back();
        if (!body.insert(b).second)
          continue;
        for (const uint32_t p : flow.blocks[b].predecessors)
          if (flow.blocks[p].isReached)
            pending.push_back(p);
      }
    }
  for (const auto &[rank, body] : bodies)
    flow.loops.push_back({flow.order[rank], nowhere, {body.begin(), body.end()}});
}

/// Headers come in reverse postorder, so that outer loops come before those in them.
void Finder::nestLoops() {
  for (uint32_t l = 0; l < flow.loops.size(); ++l) {
    Loop &loop = flow.loops[l];
    loop.parent = flow.blocks[loop.header].loop;
    for (const uint32_t b : loop.blocks) {
      flow.blocks[b].loop = l;
      ++flow.blocks[b].depth;
    }
  }
}

ControlFlow Finder::run() {
  findBlocks();
  findOrder();
  findDominators();
  findLoops();
  nestLoops();
  return std::move(flow);
}

} // namespace

bool ControlFlow::isInLoop(uint32_t block, uint32_t loop) const {
  uint32_t l = blocks[block].loop;
  while (l != nowhere && l != loop)
    l = loops[l].parent;
  return l == loop && l != nowhere;
}

uint32_t ControlFlow::loopOfBackEdge(uint32_t from, uint32_t to) const {
  for (uint32_t l = blocks[to].loop; l != nowhere; l = loops[l].parent)
    if (loops[l].header == to && isInLoop(from, l))
      return l;
  return nowhere;
}

ControlFlow findControlFlow(const MachineCode &code) { return Finder(code).run(); }

} // namespace report
