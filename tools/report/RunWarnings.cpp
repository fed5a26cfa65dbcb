//===- RunWarnings.cpp - what executions show, in words -------------------===//
// SPDX-License-Identifier: MIT
#include "tools/report/LoopLanes.h"
#include "tools/report/Warnings.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using pal::device::InstructionProfile;

namespace report {

namespace {

/// "16", "12.5".
std::string rounded(double number) {
  return llvm::formatv(number == std::floor(number) ? "{0:F0}" : "{0:F1}", number).str();
}

uint64_t runsOf(llvm::ArrayRef<InstructionProfile> profile) {
  uint64_t runs = 0;
  for (const InstructionProfile &each : profile)
    runs += each.runs;
  return runs;
}

/// Vector instructions of a loop, of the blocks that are in no inner one.
struct LoopWork {
  uint64_t runs = 0; ///< without rounds in which nobody is active
  uint64_t lanes = 0;
  uint32_t first = nowhere;
  bool writesExec = false; ///< else all lanes that enter stay until all leave
};

LoopWork workOf(const MachineCode &code, const ControlFlow &flow, uint32_t loop,
                llvm::ArrayRef<InstructionProfile> profile) {
  LoopWork result;
  const uint64_t maskedRounds = profile[flow.blocks[flow.loops[loop].header].begin].masked;
  for (const uint32_t b : flow.loops[loop].blocks) {
    for (uint32_t i = flow.blocks[b].begin; i < flow.blocks[b].end; ++i) {
      result.writesExec |= writesExec(code.code[i]);
      const Effects &effects = code.code[i].effects;
      if (flow.blocks[b].loop != loop || (!effects.isValu() && !effects.isVectorMemory()))
        continue;
      result.runs += profile[i].runs - std::min(profile[i].masked, maskedRounds);
      result.lanes += profile[i].lanes;
      result.first = std::min(result.first, i);
    }
  }
  return result;
}

void findDivergence(const MachineCode &code, const ControlFlow &flow,
                    llvm::ArrayRef<InstructionProfile> profile,
                    llvm::ArrayRef<std::string> loopNames, std::vector<Warning> &found) {
  const uint64_t all = runsOf(profile);
  const std::vector<std::optional<LaneCounts>> entering = lanesEntering(code, flow, profile);
  // Loops that matter: a twentieth of what was executed.
  constexpr uint64_t share = 20;
  for (uint32_t l = 0; l < flow.loops.size(); ++l) {
    const LoopWork work = workOf(code, flow, l, profile);
    if (!work.runs || !work.writesExec || work.runs * share < all)
      continue;
    const double active = double(work.lanes) / double(work.runs);
    const double entered = entering[l] ? entering[l]->average() : code.waveSize;
    // A quarter of the work for lanes that are not there.
    if (4 * active > 3 * entered)
      continue;
    const std::string those =
        entering[l] ? llvm::formatv("the {0} lanes that enter it", rounded(entered)).str()
                    : llvm::formatv("{0} lanes", code.waveSize).str();
    found.push_back({"divergence",
                     llvm::formatv("In {0}, {1:F1} of {2} are active on average: the others have "
                                   "left it, or wait for a branch in it.",
                                   loopNames[l], active, those)
                         .str(),
                     {work.first},
                     l});
  }
}

/// A block that nothing is behind but the end, without work of its own.
bool isEnd(const MachineCode &code, const Block &block) {
  if (!code.code[block.end - 1].endsFlow() || !block.successors.empty())
    return false;
  for (uint32_t i = block.begin; i < block.end; ++i)
    if (code.code[i].effects.isValu() || code.code[i].effects.isVectorMemory())
      return false;
  return true;
}

/// A branch around the rest of the code, that most lanes have no part in. Less than a quarter of
/// what was executed is the end of the work, such as a store of one lane.
void findEarlyEnds(const MachineCode &code, const ControlFlow &flow,
                   llvm::ArrayRef<InstructionProfile> profile, std::vector<Warning> &found) {
  for (const uint32_t b : flow.order) {
    const Block &block = flow.blocks[b];
    const Instruction &last = code.code[block.end - 1];
    if (block.loop != nowhere || last.mnemonic != "s_cbranch_execz" || last.target == nowhere ||
        !isEnd(code, flow.blocks[flow.blockOf[last.target]]))
      continue;
    const uint64_t here = profile[block.begin].lanes, stay = profile[block.end - 1].lanes;
    if (stay < here && 2 * stay <= here &&
        4 * runsOf(profile.drop_front(block.end)) >= runsOf(profile))
      found.push_back({"early-end",
                       llvm::formatv("{0} of {1} lanes end here, with the inputs that were "
                                     "generated: figures of what follows are those of the others.",
                                     here - stay, here)
                           .str(),
                       {block.end - 1}});
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
                                     llvm::ArrayRef<InstructionProfile> profile,
                                     llvm::ArrayRef<std::string> loopNames) {
  std::vector<Warning> found;
  findEarlyEnds(code, flow, profile, found);
  findDivergence(code, flow, profile, loopNames, found);
  findScatter(code, profile, found);
  findConflicts(profile, found);
  return found;
}

} // namespace report
