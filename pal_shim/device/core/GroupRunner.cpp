//===- GroupRunner.cpp - runs the waves of one group -----------------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/core/GroupRunner.h"
#include "pal_shim/abi/AbiError.h"
#include "pal_shim/device/core/Barrier.h"
#include "pal_shim/device/core/Trace.h"
#include "llvm/ADT/ScopeExit.h"
#include <bit>
#include <immintrin.h>
#include <numeric>
#include <random>

namespace pal::device {

namespace {

/// Instructions after which a wave lets the others of its workgroup run, so that one that polls
/// memory for another one's store makes progress.
constexpr uint64_t turnLength = 8192;

/// Mixes a workgroup's id into a seed, so that its order does not depend on the thread.
uint64_t groupSeed(uint64_t seed, const uint32_t (&id)[3]) {
  for (uint32_t part : id)
    seed = (seed ^ part) * 0x9E3779B97F4A7C15 + 1;
  return seed;
}

/// Contents are undefined at the start; a fixed value makes runs repeatable.
void fillUndefined(std::vector<uint8_t> &bytes, bool poison) {
  if (!poison)
    std::fill(bytes.begin(), bytes.end(), uint8_t(0));
  else
    for (size_t i = 0; i < bytes.size(); ++i)
      bytes[i] = uint8_t(poisonPattern >> (i % 4 * 8));
}

/// What a debugger sees of a wave.
class WaveView : public StoppedWave {
public:
  using Describe = decltype(StageLaunch::describe);
  WaveView(const Wave &wave, const ProgramData &program, uint32_t pc, Describe describe)
      : wave(wave), program(program), at(pc), describe(describe) {}
  abi::HardwareStage stage() const override { return program.stage; }
  uint32_t pc() const override { return at; }
  std::array<uint32_t, 3> group() const override {
    return {wave.group->id[0], wave.group->id[1], wave.group->id[2]};
  }
  unsigned index() const override { return wave.index; }
  unsigned lanes() const override { return wave.lanes; }
  uint64_t exec() const override { return wave.exec(); }
  uint32_t sgpr(unsigned number) const override {
    return number < sreg::count ? wave.s[number] : 0;
  }
  uint32_t vgpr(unsigned number, unsigned lane) const override {
    return number < 256 && lane < wave.lanes ? wave.v[number].lane[lane] : 0;
  }
  llvm::ArrayRef<uint8_t> scratch(unsigned lane) const override {
    if (lane >= wave.lanes)
      return {};
    return {wave.scratch + size_t(lane) * wave.scratchBytes, wave.scratchBytes};
  }
  llvm::ArrayRef<uint8_t> lds() const override { return wave.group->lds; }
  llvm::ArrayRef<uint8_t> memory(GpuAddress address, uint64_t bytes) const override {
    const uint8_t *host = wave.group->memory->find(address, bytes);
    return {host, host ? size_t(bytes) : 0};
  }
  DrawInvocation invocation(unsigned lane) const override {
    return describe && lane < wave.lanes ? describe(wave.index, lane) : DrawInvocation();
  }

private:
  const Wave &wave;
  const ProgramData &program;
  uint32_t at;
  Describe describe;
};

} // namespace

StoppedWave::~StoppedWave() = default;
Debugger::~Debugger() = default;

void GroupRunner::prepareGroup(const ProgramData &newProgram, DispatchContext &newContext,
                               MemoryView &memory, GpuAddress borderColors) {
  program = &newProgram;
  context = &newContext;
  hits.assign(program->code.size(), 0);
  profile.assign(program->profile ? program->code.size() : 0, {});
  fault.reset();
  current = nullptr;
  group.memory = &memory;
  group.options = &context->options;
  group.borderColors = borderColors;
  group.port = nullptr;
}

void GroupRunner::reserveWaves(unsigned count) {
  waveCount = count;
  if (waveCount > waveCapacity) {
    waves.reset(new Wave[waveCount]);
    waveCapacity = waveCount;
  }
  order.resize(waveCount);
  scratch.resize(size_t(waveCount) * program->launch.waveSize * laneScratch());
}

void GroupRunner::prepare(const ProgramData &newProgram, const LaunchState &newState,
                          DispatchContext &newContext, MemoryView &memory) {
  prepareGroup(newProgram, newContext, memory, newState.borderColors);
  state = &newState;
  const WaveLaunch &launch = program->launch;
  reserveWaves((threadCount(launch) + launch.waveSize - 1) / launch.waveSize);
  group.lds.resize(launch.ldsBytes);
}

void GroupRunner::prepareStage(const ProgramData &newProgram, DispatchContext &newContext,
                               MemoryView &memory, GpuAddress borderColors) {
  prepareGroup(newProgram, newContext, memory, borderColors);
  state = nullptr;
}

void GroupRunner::orderWaves(bool newestFirst) {
  std::iota(order.begin(), order.end(), 0u);
  if (newestFirst)
    std::reverse(order.begin(), order.end());
  if (uint64_t seed = context->options.seed) {
    std::mt19937_64 random(groupSeed(seed, group.id));
    for (size_t i = order.size(); i > 1; --i)
      std::swap(order[i - 1], order[random() % i]);
  }
}

void GroupRunner::startGroup(const std::array<uint32_t, 3> &id, bool newestFirst) {
  std::copy(id.begin(), id.end(), group.id);
  group.waveCount = group.liveWaves = waveCount;
  group.barrierArrived = 0;
  group.barrierPhase = 0;
  group.fault.reset();
  fillUndefined(group.lds, context->options.poison);
  fillUndefined(scratch, context->options.poison);
  orderWaves(newestFirst);
  watches.clear();
  for (unsigned i = 0; program->watch && i < waveCount; ++i)
    watches.push_back(program->watch->startWave());
}

void GroupRunner::giveScratch() {
  const WaveLaunch &launch = program->launch;
  size_t perWave = size_t(launch.waveSize) * laneScratch();
  for (unsigned i = 0; i < waveCount; ++i) {
    waves[i].scratch = scratch.data() + i * perWave;
    waves[i].scratchBytes = laneScratch();
  }
}

template <bool isObserved> void GroupRunner::runWave(Wave &wave, uint64_t limit) {
  const Instr *code = program->code.data();
  uint64_t *counts = hits.data();
  const Instr *instr = nullptr;
  uint64_t done = 0;
  std::unique_ptr<TraceStep> step;
  WaveWatch *watch = nullptr;
  if constexpr (isObserved) {
    if (isTraced(wave))
      step = std::make_unique<TraceStep>(context->options.trace);
    watch = watches.empty() ? nullptr : watches[wave.index].get();
  }
  while (done < limit && wave.state == WaveState::Running) {
    uint32_t index = wave.ip++;
    instr = &code[index];
    // What no lane takes part in proves nothing of a vector operation.
    counts[index] += wave.exec() != 0;
    ++done;
    if constexpr (isObserved) {
      if (watch)
        if (std::string problem = watch->step(index); !problem.empty()) {
          wave.fault(DeviceFault::Kind::Hazard, problem);
          break;
        }
      if (context->debugger && !stop(wave, *instr))
        break;
      if (step)
        step->before(wave);
    }
    [[maybe_unused]] const uint64_t active = wave.exec();
    instr->run(wave, *instr);
    if constexpr (isObserved) {
      if (!profile.empty())
        count(*instr, profile[index], active);
      reportAccesses(wave, *instr);
      if (step)
        context->log(step->after(wave, *instr));
    }
  }
  wave.executed += done;
  if (instr)
    current = instr;
}

/// \p exec: before it ran.
void GroupRunner::count(const Instr &instr, InstructionProfile &sums, uint64_t exec) {
  constexpr uint64_t scalarLine = 64, vectorLine = 128;
  ++sums.runs;
  sums.masked += exec == 0;
  sums.lanes += uint64_t(std::popcount(exec));
  if (!accesses.memory.empty())
    sums.lines += linesTouched(accesses.memory,
                               Encoding(instr.variant) == Encoding::Smem ? scalarLine : vectorLine);
  if (!accesses.lds.empty()) {
    const LdsPasses lds = ldsPasses(accesses.lds);
    sums.ldsPasses += lds.passes;
    sums.ldsPassesWithoutConflicts += lds.without;
  }
}

void GroupRunner::reportAccesses(const Wave &wave, const Instr &instr) {
  if (!accesses.lanes.empty() && wave.state != WaveState::Faulted)
    context->debugger->accessed(WaveView(wave, *program, instr.pc, describe), accesses.lanes);
  accesses.clear();
}

/// Lets the debugger look, if it wants to. False: what runs is to end.
bool GroupRunner::stop(Wave &wave, const Instr &instr) {
  Debugger &debugger = *context->debugger;
  if (!debugger.stopsAt(program->stage, instr.pc, instr.op->names) ||
      debugger.stopped(WaveView(wave, *program, instr.pc, describe)))
    return true;
  wave.fault(DeviceFault::Kind::InstructionLimit, "the debugger has ended it");
  return false;
}

bool GroupRunner::isTraced(const Wave &wave) const {
  const TraceOptions &trace = context->options.trace;
  return trace.enabled && wave.index == trace.wave &&
         std::equal(trace.workgroup.begin(), trace.workgroup.end(), group.id);
}

bool GroupRunner::runTurns(uint64_t usualTurn) {
  // What the hardware around the waves accesses through the same view is nobody's.
  accesses.clear();
  accesses.takesLanes = isDebuggerWatching();
  const bool isLogged = !profile.empty() || accesses.takesLanes;
  if (isLogged)
    group.memory->setLog(&accesses);
  llvm::scope_exit unlog([&] {
    if (isLogged)
      group.memory->setLog(nullptr);
  });
  uint64_t instructionLimit = context->options.instructionLimit;
  while (group.liveWaves) {
    bool progress = false;
    for (unsigned index : order) {
      Wave &wave = waves[index];
      if (wave.state == WaveState::AtBarrier && barrierIsOpen(wave))
        wave.state = WaveState::Running;
      if (wave.state != WaveState::Running)
        continue;
      progress = true;
      uint64_t turn = usualTurn ? usualTurn : turnLength;
      if (instructionLimit)
        turn = std::min(turn, instructionLimit - wave.executed);
      if (!turn) {
        current = &program->code[wave.ip]; // what another wave did last is of no interest
        reportFault(wave, {DeviceFault::Kind::InstructionLimit,
                           "the wave executed " + std::to_string(instructionLimit) +
                               " instructions, the limit, without coming to its end"});
        return false;
      }
      wave.invalidateFloatMode(); // the thread's mode is that of another wave
      if (isTraced(wave) || !watches.empty() || !profile.empty() || context->debugger)
        runWave<true>(wave, turn);
      else
        runWave<false>(wave, turn);
      if (wave.state == WaveState::Faulted) {
        reportFault(wave, *group.fault);
        return false;
      }
    }
    if (!progress) {
      reportDeadlock();
      return false;
    }
  }
  return true;
}

bool GroupRunner::run(const std::array<uint32_t, 3> &id) {
  startGroup(id);
  for (unsigned i = 0; i < waveCount; ++i)
    initWave(waves[i], group, i, *program, *state);
  giveScratch();
  return runTurns(0);
}

bool GroupRunner::runStage(const StageLaunch &launch) {
  reserveWaves(launch.waves);
  group.lds.resize(launch.ldsBytes);
  group.port = launch.port;
  startGroup({launch.number, 0, 0}, launch.newestFirst);
  describe = launch.describe;
  for (unsigned i = 0; i < waveCount; ++i) {
    resetWave(waves[i], group, i, *program);
    launch.fill(waves[i], i);
  }
  giveScratch();
  unsigned hostMode = _mm_getcsr();
  bool done = runTurns(launch.turn);
  _mm_setcsr(hostMode);
  group.port = nullptr;
  describe = nullptr;
  return done;
}

void GroupRunner::account(OpcodeCounters &counters) {
  std::vector<uint32_t> slots;
  std::vector<uint64_t> counts;
  uint64_t total = 0;
  for (size_t i = 0; i < hits.size(); ++i) {
    uint64_t count = std::exchange(hits[i], 0);
    if (!count)
      continue;
    total += count;
    const Instr &instr = program->code[i];
    slots.push_back(instr.counter);
    counts.push_back(count);
    if (instr.dual != ~0u) {
      slots.push_back(program->dualHalves[instr.dual].counter);
      counts.push_back(count);
    }
  }
  counters.add(slots, counts);
  if (!profile.empty()) {
    for (size_t i = 0; i < profile.size(); ++i)
      profile[i].pc = program->code[i].pc;
    program->profile->add(profile);
    std::fill(profile.begin(), profile.end(), InstructionProfile());
  }
  context->instructions += total;
}

/// "workgroup (1, 2, 3), wave 0", "hardware stage .gs, group 7, wave 0".
std::string GroupRunner::placeOf(const Wave &wave) const {
  std::string wavePart = ", wave " + std::to_string(wave.index);
  if (group.port || program->stage != abi::HardwareStage::Cs)
    return "hardware stage " + abi::hardwareStageKey(program->stage).str() + ", group " +
           std::to_string(group.id[0]) + wavePart;
  return "workgroup (" + std::to_string(group.id[0]) + ", " + std::to_string(group.id[1]) + ", " +
         std::to_string(group.id[2]) + ")" + wavePart;
}

void GroupRunner::reportFault(const Wave &wave, const FaultRecord &record) {
  std::string text = "kernel '" + program->name + "'";
  if (current)
    text += ", pc " + abi::hex(current->pc) + " '" + program->textOf(current->pc) + "'";
  text += ", " + placeOf(wave);
  if (record.lane >= 0)
    text += ", lane " + std::to_string(record.lane);
  fault.emplace(record.kind, text + ": " + record.message);
}

void GroupRunner::reportDeadlock() {
  std::string waiting;
  for (unsigned i = 0; i < waveCount; ++i)
    if (waves[i].state == WaveState::AtBarrier)
      waiting += (waiting.empty() ? "" : ", ") + std::to_string(i);
  Wave &first = *std::find_if(waves.get(), waves.get() + waveCount,
                              [](const Wave &wave) { return wave.state == WaveState::AtBarrier; });
  current = &program->code[first.ip - 1];
  reportFault(first, {DeviceFault::Kind::Deadlock,
                      "waves " + waiting + " wait at a barrier that cannot complete: " +
                          std::to_string(group.barrierArrived) + " of " +
                          std::to_string(group.liveWaves) + " waves have signalled"});
}

} // namespace pal::device
