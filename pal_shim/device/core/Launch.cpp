//===- Launch.cpp - registers of a compute wave at its start ---------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/core/Launch.h"
#include "pal_shim/abi/AbiNames.h"
#include "pal_shim/device/core/Scratch.h"
#include <algorithm>

namespace pal::device {

namespace {

/// The tables of a dispatch, one after the other: PAL's global table (the scratch V# of compute is
/// its second entry), the three group counts, the spill table.
constexpr unsigned globalTableDwords = 64, computeScratchDword = 4;
constexpr unsigned countsOffset = globalTableDwords * 4, spillOffset = countsOffset + 16;
constexpr unsigned tablesBytes = spillOffset + abi::userdata::maxEntries * 4;

uint32_t userSgpr(uint32_t value, const std::vector<uint32_t> &entries) {
  using namespace abi::userdata;
  if (isApiEntry(value))
    return entries[value];
  if (value == globalTable)
    return uint32_t(dispatchTablesAddress);
  // Entry i is at byte 4 * i from the pointer, whatever the threshold is.
  if (value == spillTable)
    return uint32_t(dispatchTablesAddress + spillOffset);
  if (value == workgroup)
    return uint32_t(dispatchTablesAddress + countsOffset);
  return 0;
}

/// gfx10: x, y, z in v0, v1, v2 as far as enabled; later: x[9:0] y[19:10] z[29:20] in v0. Lanes
/// beyond the last thread repeat its id.
void computeLocalIds(const ProgramData &program, LaunchState &state) {
  const ComputeLaunch &launch = program.launch;
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
    if (isPacked)
      rows[0].lane[lane] = id[0] | id[1] << 10 | id[2] << 20;
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

void initSystemSgprs(Wave &wave, const Group &group, const ComputeLaunch &launch, unsigned next) {
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

unsigned threadCount(const ComputeLaunch &launch) {
  return launch.threads[0] * launch.threads[1] * launch.threads[2];
}

LaunchState prepareLaunch(const ProgramData &program, const std::array<uint32_t, 3> &groups,
                          llvm::ArrayRef<uint32_t> userData) {
  const ComputeLaunch &launch = program.launch;
  std::vector<uint32_t> entries(abi::userdata::maxEntries);
  std::copy_n(userData.begin(), std::min<size_t>(userData.size(), entries.size()), entries.begin());
  auto tables = std::make_shared<std::vector<uint32_t>>(tablesBytes / 4);
  std::array<uint32_t, 4> scratch = scratchDescriptor();
  std::copy(scratch.begin(), scratch.end(), tables->begin() + computeScratchDword);
  std::copy(groups.begin(), groups.end(), tables->begin() + countsOffset / 4);
  if (launch.spillThreshold < entries.size())
    std::copy(entries.begin() + launch.spillThreshold, entries.end(),
              tables->begin() + spillOffset / 4 + launch.spillThreshold);

  LaunchState state;
  const std::vector<uint32_t> &map = launch.userDataRegMap;
  for (size_t i = 0; i < map.size(); ++i) {
    state.userSgprs.push_back(userSgpr(map[i], entries));
    if (map[i] == abi::userdata::workgroup) {
      state.userSgprs.push_back(uint32_t(dispatchTablesAddress >> 32));
      ++i;
    }
  }
  auto region = std::make_shared<Region>();
  region->address = dispatchTablesAddress;
  region->size = tablesBytes;
  region->host = reinterpret_cast<uint8_t *>(tables->data());
  region->name = "tables of the dispatch";
  region->storage = std::move(tables);
  state.tables = std::move(region);
  computeLocalIds(program, state);
  return state;
}

void initWave(Wave &wave, Group &group, unsigned index, const ProgramData &program,
              const LaunchState &state) {
  const ComputeLaunch &launch = program.launch;
  uint32_t undefined = group.options->poison ? poisonPattern : 0;
  std::fill(std::begin(wave.s), std::end(wave.s), undefined);
  for (unsigned i = 0; i < std::min(launch.vgprs + 4, 256u); ++i)
    std::fill_n(wave.v[i].lane, launch.waveSize, undefined);
  wave.scc = 0;
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

  unsigned live = std::min(threadCount(launch) - index * wave.lanes, wave.lanes);
  uint64_t exec = live == 64 ? ~0ull : (1ull << live) - 1;
  wave.setS64(sreg::execLo, exec);
  std::copy(state.userSgprs.begin(), state.userSgprs.end(), wave.s);
  initSystemSgprs(wave, group, launch, unsigned(state.userSgprs.size()));
  for (unsigned i = 0; i < state.localIdRows; ++i)
    wave.v[i] = state.localIds[index * state.localIdRows + i];
}

} // namespace pal::device
