//===- Launch.cpp - registers of a compute wave at its start ---------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/core/Launch.h"
#include "pal_shim/abi/Scratch.h"
#include "pal_shim/abi/Try.h"
#include "pal_shim/device/core/UserData.h"
#include <algorithm>

using namespace llvm;

namespace pal::device {

namespace {

/// gfx10: x, y, z in v0, v1, v2 as far as enabled; later: x[9:0] y[19:10] z[29:20] in v0. Lanes
/// beyond the last thread repeat its id.
void computeLocalIds(const ProgramData &program, LaunchState &state) {
  const WaveLaunch &launch = program.launch;
  bool isPacked = !isGfx10(program.generation);
  unsigned threads = threadCount(launch);
  unsigned waves = (threads + launch.waveSize - 1) / launch.waveSize;
  state.localIdRows = isPacked ? 1 : launch.localIdComponents;
  state.localIds.resize(size_t(waves) * state.localIdRows);
  for (unsigned i = 0; i < waves * launch.waveSize; ++i) {
    unsigned thread = std::min(i, threads - 1);
    uint32_t id[3] = {thread % launch.threads[0], thread / launch.threads[0] % launch.threads[1],
                      thread / launch.threads[0] / launch.threads[1]};
    Row *rows = &state.localIds[i / launch.waveSize * state.localIdRows];
    unsigned lane = i % launch.waveSize;
    // HW(gfx11, gfx12): hw-notes.md#cs-inputs: zeros where a component is not asked for.
    if (isPacked)
      rows[0].lane[lane] = id[0] | (launch.localIdComponents > 1 ? id[1] << 10 : 0) |
                           (launch.localIdComponents > 2 ? id[2] << 20 : 0);
    else
      for (unsigned component = 0; component < state.localIdRows; ++component)
        rows[component].lane[lane] = id[component];
  }
}

/// The SGPR that tg_size_en adds: waves of the group, this wave's number in it. Where the number is
/// and since when: Mesa's ACO, which reads it at [11:6] before gfx10.3 and at [24:20] since.
uint32_t groupSizeWord(const Wave &wave, uint32_t waveCount) {
  uint32_t word = waveCount | wave.index << 6;
  return wave.generation == Generation::Gfx101 ? word : word | wave.index << 20;
}

void initSystemSgprs(Wave &wave, const Group &group, const WaveLaunch &launch, unsigned next) {
  if (isGfx12(wave.generation)) {
    // LLVM reads the ids there (llvm.amdgcn.workgroup.id, llvm.amdgcn.wave.id).
    wave.s[sreg::ttmp0 + 9] = group.id[0];
    wave.s[sreg::ttmp0 + 7] = (group.id[1] & 0xFFFF) | group.id[2] << 16;
    wave.s[sreg::ttmp0 + 8] = wave.index << 25;
    return;
  }
  for (unsigned i = 0; i < 3; ++i)
    if (launch.groupIdEnabled[i])
      wave.s[next++] = group.id[i];
  if (launch.groupSizeEnabled)
    wave.s[next++] = groupSizeWord(wave, group.waveCount);
  if (launch.scratchOffsetEnabled)
    wave.s[next++] = 0;
}

} // namespace

unsigned threadCount(const WaveLaunch &launch) {
  return launch.threads[0] * launch.threads[1] * launch.threads[2];
}

Expected<LaunchState> prepareLaunch(const abi::GpuTarget &target, const ProgramData &program,
                                    const DispatchInfo &info) {
  UserDataValues values;
  values.entries = info.userData;
  values.groups = info.groups;
  values.spillThreshold = program.launch.spillThreshold;
  if (info.scratchBytes > alignTo(abi::maxScratchBytes(target, program.launch.waveSize), 16))
    return make_error<DeviceFault>(DeviceFault::Kind::BadLaunch,
                                   "scratch of " + std::to_string(info.scratchBytes) + " bytes");
  std::vector<uint32_t> sgprs = KILN_TRY(resolveUserData(program, values));
  LaunchState state =
      makeLaunchState(program, std::move(sgprs), makeTables(target, values), info.borderColors);
  if (state.scratchBytes)
    state.scratchBytes = std::max(state.scratchBytes, info.scratchBytes);
  return state;
}

LaunchState makeLaunchState(const ProgramData &program, std::vector<uint32_t> userSgprs,
                            std::shared_ptr<const Region> tables, GpuAddress borderColors) {
  LaunchState state;
  state.userSgprs = std::move(userSgprs);
  state.tables = std::move(tables);
  state.borderColors = borderColors;
  state.scratchBytes = program.launch.scratchBytes;
  computeLocalIds(program, state);
  return state;
}

void resetWave(Wave &wave, Group &group, unsigned index, const ProgramData &program) {
  const WaveLaunch &launch = program.launch;
  uint32_t undefined = group.options->poison ? poisonPattern : 0;
  std::fill(std::begin(wave.s), std::end(wave.s), undefined);
  for (unsigned i = 0; i < std::min(launch.vgprs + 4, 256u); ++i)
    std::fill_n(wave.v[i].lane, launch.waveSize, undefined);
  wave.scc = group.options->poison;
  wave.lanes = launch.waveSize;
  wave.ip = program.entry;
  wave.modeBits = launch.modeBits;
  wave.state = WaveState::Running;
  wave.generation = program.generation;
  wave.hostFloat = FloatKind::None;
  wave.index = index;
  wave.executed = 0;
  wave.barrierPhase = 0;
  wave.group = &group;
  wave.program = &program;
  wave.setS64(sreg::execLo, wave.laneMask());
}

void initWave(Wave &wave, Group &group, unsigned index, const ProgramData &program,
              const LaunchState &state) {
  const WaveLaunch &launch = program.launch;
  resetWave(wave, group, index, program);
  unsigned live = std::min(threadCount(launch) - index * wave.lanes, wave.lanes);
  uint64_t exec = live == 64 ? ~0ull : (1ull << live) - 1;
  wave.setS64(sreg::execLo, exec);
  std::copy(state.userSgprs.begin(), state.userSgprs.end(), wave.s);
  initSystemSgprs(wave, group, launch, unsigned(state.userSgprs.size()));
  for (unsigned i = 0; i < state.localIdRows; ++i)
    wave.v[i] = state.localIds[index * state.localIdRows + i];
}

} // namespace pal::device
