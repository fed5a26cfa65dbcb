//===- RunWarnings.cpp - what executions show, in words -------------------===//
// SPDX-License-Identifier: MIT
#include "tools/report/Warnings.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using pal::device::InstructionProfile;

namespace report {

namespace {

/// Vector instructions of a loop, of the blocks that are in no inner one.
struct LoopLanes {
  uint64_t runs = 0, lanes = 0;
  uint32_t first = nowhere;
};

LoopLanes lanesOf(const MachineCode &code, const ControlFlow &flow, uint32_t loop,
                  llvm::ArrayRef<InstructionProfile> profile) {
  LoopLanes result;
  for (const uint32_t b : flow.loops[loop].blocks) {
    if (flow.blocks[b].loop != loop)
      continue;
    for (uint32_t i = flow.blocks[b].begin; i < flow.blocks[b].end; ++i) {
      const Effects &effects = code.code[i].effects;
      if (!effects.isValu() && !effects.isVectorMemory())
        continue;
      result.runs += profile[i].runs;
      result.lanes += profile[i].lanes;
      result.first = std::min(result.first, i);
    }
  }
  return result;
}

void findDivergence(const MachineCode &code, const ControlFlow &flow,
                    llvm::ArrayRef<InstructionProfile> profile, std::vector<Warning> &found) {
  uint64_t all = 0;
  for (const InstructionProfile &each : profile)
    all += each.runs;
  // Loops that matter: a twentieth of what was executed.
  constexpr uint64_t share = 20;
  for (uint32_t l = 0; l < flow.loops.size(); ++l) {
    const LoopLanes loop = lanesOf(code, flow, l, profile);
    if (!loop.runs || loop.runs * share < all || 2 * loop.lanes > loop.runs * code.waveSize)
      continue;
    found.push_back(
        {"divergence",
         llvm::formatv("In a loop {0:F1} of {1} lanes are active on average: the others "
                       "have left it, or wait for a branch in it.",
                       double(loop.lanes) / double(loop.runs), code.waveSize)
             .str(),
         {loop.first}});
  }
}

std::string count(size_t number, llvm::StringRef one, llvm::StringRef several) {
  return (llvm::Twine(number) + " " + (number == 1 ? one : several)).str();
}

/// As many lines as the lanes would fill if they lay side by side, four dwords each, are no news.
void findScatter(const MachineCode &code, llvm::ArrayRef<InstructionProfile> profile,
                 std::vector<Warning> &found) {
  constexpr uint64_t lineBytes = 128, bytesOfLane = 16;
  std::vector<uint32_t> scattered;
  double most = 0;
  for (uint32_t i = 0; i < profile.size(); ++i) {
    const InstructionProfile &each = profile[i];
    if (!each.runs || !code.code[i].effects.isVectorMemory() ||
        each.lines * lineBytes <= each.lanes * bytesOfLane + each.runs * lineBytes)
      continue;
    scattered.push_back(i);
    most = std::max(most, double(each.lines) / double(each.runs));
  }
  if (!scattered.empty())
    found.push_back(
        {"scatter",
         count(scattered.size(), "memory instruction touches", "memory instructions touch") +
             llvm::formatv(" up to {0:F1} cache lines each time: lanes beside each "
                           "other use places far apart.",
                           most)
                 .str(),
         scattered});
}

void findConflicts(llvm::ArrayRef<InstructionProfile> profile, std::vector<Warning> &found) {
  std::vector<uint32_t> slow;
  double most = 0;
  for (uint32_t i = 0; i < profile.size(); ++i) {
    const InstructionProfile &each = profile[i];
    if (!each.ldsPasses || each.ldsPasses < 2 * each.ldsPassesWithoutConflicts)
      continue;
    slow.push_back(i);
    most = std::max(most, double(each.ldsPasses) / double(each.ldsPassesWithoutConflicts));
  }
  if (!slow.empty())
    found.push_back({"lds-conflicts",
                     count(slow.size(), "LDS instruction takes", "LDS instructions take") +
                         llvm::formatv(" up to {0:F1} times as long as without conflicts: lanes "
                                       "use different dwords of one bank.",
                                       most)
                             .str(),
                     slow});
}

} // namespace

std::vector<Warning> findRunWarnings(const MachineCode &code, const ControlFlow &flow,
                                     llvm::ArrayRef<InstructionProfile> profile) {
  std::vector<Warning> found;
  findDivergence(code, flow, profile, found);
  findScatter(code, profile, found);
  findConflicts(profile, found);
  return found;
}

} // namespace report
