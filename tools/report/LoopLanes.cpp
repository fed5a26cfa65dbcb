//===- LoopLanes.cpp - lanes that enter loops, and that stay in them ------===//
// SPDX-License-Identifier: MIT
#include "tools/report/LoopLanes.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using pal::device::InstructionProfile;

namespace report {

namespace {

LaneCounts &operator-=(LaneCounts &a, const LaneCounts &b) {
  a.runs -= b.runs;
  a.masked -= b.masked;
  a.lanes -= b.lanes;
  return a;
}

/// What comes into a block comes over its edges, and what leaves it does: an equation that lacks
/// one edge says what that edge is.
class EdgeFinder {
public:
  EdgeFinder(const MachineCode &code, const ControlFlow &flow,
             llvm::ArrayRef<InstructionProfile> profile)
      : code(code), flow(flow), profile(profile) {}
  std::vector<std::optional<LaneCounts>> run();

private:
  using Edge = std::pair<uint32_t, uint32_t>;
  LaneCounts before(uint32_t i) const {
    return {int64_t(profile[i].runs), int64_t(profile[i].masked), int64_t(profile[i].lanes)};
  }
  bool solve(LaneCounts sum, llvm::ArrayRef<Edge> edges);
  bool solveBlock(uint32_t block);
  std::optional<LaneCounts> entering(const Loop &loop) const;

  const MachineCode &code;
  const ControlFlow &flow;
  llvm::ArrayRef<InstructionProfile> profile;
  std::map<Edge, LaneCounts> known;
};

bool EdgeFinder::solve(LaneCounts sum, llvm::ArrayRef<Edge> edges) {
  const Edge *missing = nullptr;
  for (const Edge &edge : edges) {
    const auto found = known.find(edge);
    if (found != known.end())
      sum -= found->second;
    else if (missing)
      return false;
    else
      missing = &edge;
  }
  if (missing)
    known[*missing] = sum;
  return missing;
}

bool EdgeFinder::solveBlock(uint32_t block) {
  const Block &b = flow.blocks[block];
  std::vector<Edge> in, out;
  for (const uint32_t from : b.predecessors)
    if (flow.blocks[from].isReached)
      in.push_back({from, block});
  for (const uint32_t to : b.successors)
    out.push_back({block, to});
  // Waves start at block 0, over no edge; EXEC behind an instruction is only known if that leaves
  // it alone.
  const bool isNew = block != 0 && solve(before(b.begin), in);
  const Instruction &last = code.code[b.end - 1];
  return (!writesExec(last) && solve(before(b.end - 1), out)) || isNew;
}

std::optional<LaneCounts> EdgeFinder::entering(const Loop &loop) const {
  LaneCounts sum;
  for (const uint32_t from : flow.blocks[loop.header].predecessors) {
    if (llvm::is_contained(loop.blocks, from) || !flow.blocks[from].isReached)
      continue;
    const auto found = known.find({from, loop.header});
    if (found == known.end())
      return std::nullopt;
    sum.runs += found->second.runs;
    sum.masked += found->second.masked;
    sum.lanes += found->second.lanes;
  }
  // Negative: waves ended in the middle of blocks, by a fault.
  if (sum.masked < 0 || sum.lanes <= 0 || sum.runs <= sum.masked ||
      sum.lanes > (sum.runs - sum.masked) * int64_t(code.waveSize))
    return std::nullopt;
  return sum;
}

std::vector<std::optional<LaneCounts>> EdgeFinder::run() {
  for (bool isNew = true; isNew;) {
    isNew = false;
    for (const uint32_t b : flow.order)
      isNew |= solveBlock(b);
  }
  std::vector<std::optional<LaneCounts>> result;
  for (const Loop &loop : flow.loops)
    result.push_back(entering(loop));
  return result;
}

} // namespace

std::vector<std::optional<LaneCounts>> lanesEntering(const MachineCode &code,
                                                     const ControlFlow &flow,
                                                     llvm::ArrayRef<InstructionProfile> profile) {
  return EdgeFinder(code, flow, profile).run();
}

bool writesExec(const Instruction &instr) {
  using namespace pal::device;
  return strict::contains(instr.effects.writes, strict::firstSgpr + sreg::execLo) ||
         strict::contains(instr.effects.writes, strict::firstSgpr + sreg::execHi);
}

} // namespace report
