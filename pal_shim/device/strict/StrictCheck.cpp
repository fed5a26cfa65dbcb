//===- StrictCheck.cpp - code that leaves too much to the hardware --------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/strict/StrictCheck.h"
#include "pal_shim/abi/AbiError.h"
#include "pal_shim/abi/Try.h"
#include "pal_shim/device/core/Decoder.h"
#include "pal_shim/device/core/ProgramData.h"
#include <map>
#include <set>

using namespace llvm;

namespace pal::device::strict {

namespace {

/// Problems listed in one message.
constexpr size_t maxListed = 5;
/// Visits of one instruction, on average, after which paths are too many. Loops need a few each.
constexpr size_t maxVisits = 256;

/// Walks blocks until no state changes any more. States only grow, so that this ends.
class PathWalk {
public:
  PathWalk(const StrictProgram &strict, const ProgramData &program)
      : strict(strict), program(program) {}
  Expected<std::vector<StrictProblem>> run();

private:
  bool isJoin(uint32_t index) const { return joins.contains(index); }
  void findJoins();
  void enter(uint32_t index, const StrictState &state);
  void walk(uint32_t index);
  void start(uint32_t index);

  const StrictProgram &strict;
  const ProgramData &program;
  std::set<uint32_t> joins;           ///< first instructions of blocks
  std::map<uint32_t, StrictState> in; ///< by first instruction
  std::set<uint32_t> pending;
  std::vector<bool> visited;
  size_t visits = 0;
  std::map<uint32_t, std::string> problems;
};

void PathWalk::findJoins() {
  for (uint32_t i = 0; i < strict.effects.size(); ++i)
    if (strict.effects[i].isBranch) {
      joins.insert(program.code[i].target);
      joins.insert(i + 1);
    }
}

void PathWalk::enter(uint32_t index, const StrictState &state) {
  auto [place, isNew] = in.try_emplace(index, state);
  if (isNew || place->second.join(state))
    pending.insert(index);
}

void PathWalk::walk(uint32_t index) {
  StrictState state = in.at(index);
  for (uint32_t first = index; index < strict.effects.size(); ++index) {
    if (index != first && isJoin(index))
      return enter(index, state);
    const Effects &effects = strict.effects[index];
    visited[index] = true;
    ++visits;
    if (std::string problem = state.step(strict, effects); !problem.empty())
      problems.try_emplace(index, std::move(problem));
    if (effects.isBranch)
      enter(program.code[index].target, state);
    if (effects.endsFlow)
      return;
    // Functions wait for everything before they do anything, and before they return. Waves are
    // followed into them.
    if (effects.isCall)
      state = {};
  }
}

void PathWalk::start(uint32_t index) {
  enter(index, {});
  while (!pending.empty() && visits <= maxVisits * strict.effects.size())
    walk(pending.extract(pending.begin()).value());
}

Expected<std::vector<StrictProblem>> PathWalk::run() {
  findJoins();
  visited.resize(strict.effects.size());
  start(program.entry);
  for (uint32_t i = 0; i < visited.size(); ++i)
    if (!visited[i]) {
      joins.insert(i);
      start(i);
    }
  if (!pending.empty())
    return abi::notSupported("control flow that has too many paths to check");
  std::vector<StrictProblem> result;
  for (auto &[index, message] : problems)
    result.push_back({index, std::move(message)});
  return result;
}

class StrictWaveWatch : public WaveWatch {
public:
  explicit StrictWaveWatch(const StrictProgram &program) : program(program) {}
  std::string step(uint32_t index) override { return state.step(program, program.effects[index]); }

private:
  const StrictProgram &program;
  StrictState state;
};

class StrictWatch : public ProgramWatch {
public:
  explicit StrictWatch(StrictProgram program) : program(std::move(program)) {}
  std::unique_ptr<WaveWatch> startWave() const override {
    return std::make_unique<StrictWaveWatch>(program);
  }

private:
  StrictProgram program;
};

} // namespace

std::string StrictState::step(const StrictProgram &program, const Effects &effects) {
  std::string problem = pending.step(effects);
  std::string hazard = stepHazards(hazards, effects, program.generation, program.waveSize);
  return problem.empty() ? hazard : problem;
}

bool StrictState::join(const StrictState &other) {
  const bool pendingChanged = pending.join(other.pending);
  return hazards.join(other.hazards) || pendingChanged;
}

Expected<StrictProgram> readEffects(Decoder &decoder, ArrayRef<uint8_t> code,
                                    const ProgramData &program) {
  StrictProgram strict;
  strict.generation = program.generation;
  strict.waveSize = program.launch.waveSize;
  strict.effects.reserve(program.code.size());
  MachineInstr machine;
  for (const Instr &instr : program.code) {
    KILN_TRY(decoder.decode(code, instr.pc, machine));
    strict.effects.push_back(effectsOf(machine, instr));
  }
  return strict;
}

Expected<std::vector<StrictProblem>> checkAllPaths(const StrictProgram &strict,
                                                   const ProgramData &program) {
  return PathWalk(strict, program).run();
}

Expected<std::shared_ptr<const ProgramWatch>>
makeStrictWatch(Decoder &decoder, ArrayRef<uint8_t> code, const ProgramData &program) {
  StrictProgram strict = KILN_TRY(readEffects(decoder, code, program));
  const std::vector<StrictProblem> problems = KILN_TRY(checkAllPaths(strict, program));
  if (problems.empty())
    return std::make_shared<StrictWatch>(std::move(strict));
  std::string text;
  for (const StrictProblem &problem : ArrayRef(problems).take_front(maxListed)) {
    const uint32_t pc = program.code[problem.index].pc;
    text += (text.empty() ? "" : "; ") + ("pc " + abi::hex(pc)) + " '" + decoder.text(code, pc) +
            "': " + problem.message;
  }
  if (problems.size() > maxListed)
    text += "; and " + std::to_string(problems.size() - maxListed) + " more";
  return abi::malformed("code that hardware would not execute as it is written: " + text);
}

} // namespace pal::device::strict
