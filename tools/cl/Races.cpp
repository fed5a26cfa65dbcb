//===- Races.cpp - data races of kernels -----------------------------------===//
// SPDX-License-Identifier: MIT
#include "tools/cl/Races.h"
#include "lgc/DebugNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"

using pal::device::MemoryAccess;
using pal::device::StoppedWave;

namespace kiln_cl {

namespace {

bool conflict(const RaceAccess &a, const RaceAccess &b) {
  using Kind = MemoryAccess::Kind;
  if (a.kind == b.kind && a.kind != Kind::Store)
    return false;
  return a.kind != b.kind || a.value != b.value;
}

/// Keeps \p access if there are less than two of its kind, and of each owner the latest.
void keep(llvm::SmallVectorImpl<RaceAccess> &accesses, const RaceAccess &access,
          uint32_t RaceAccess::*owner) {
  unsigned sameKind = 0;
  for (RaceAccess &old : accesses) {
    if (old.kind != access.kind)
      continue;
    ++sameKind;
    if (old.*owner == access.*owner) {
      old = access;
      return;
    }
  }
  if (sameKind < 2)
    accesses.push_back(access);
}

} // namespace

bool RaceDetector::stopsAt(pal::abi::HardwareStage, uint32_t pc, llvm::StringRef mnemonic) {
  if (mnemonic != "s_ttracedata_imm" || uint64_t(pc) + 4 > text.size())
    return false;
  mark = llvm::support::endian::read16le(text.data() + pc);
  return (mark & lgc::markSynchronization) != 0;
}

RaceDetector::WaveState &RaceDetector::stateOf(const StoppedWave &wave) {
  const std::array<uint32_t, 3> id = wave.group();
  const uint32_t number = id[0] + groupCount[0] * (id[1] + groupCount[1] * id[2]);
  if (number != group) {
    group = number;
    waves.clear();
    local.clear();
  }
  if (waves.size() <= wave.index())
    waves.resize(wave.index() + 1);
  return waves[wave.index()];
}

bool RaceDetector::stopped(const StoppedWave &wave) {
  WaveState &state = stateOf(wave);
  state.localPhase += (mark & lgc::markLocalBarrier) != 0;
  state.globalPhase += (mark & lgc::markGlobalBarrier) != 0;
  state.isNextAtomic |= (mark & lgc::markAtomic) != 0;
  return true;
}

void RaceDetector::compare(llvm::ArrayRef<RaceAccess> before, const RaceAccess &access,
                           bool byGroup, bool isLocal, uint64_t address) {
  for (const RaceAccess &old : before) {
    const bool isOther = byGroup ? old.group != access.group : old.item != access.item;
    if (!isOther || !conflict(old, access))
      continue;
    // Either may come first.
    const auto [low, high] = std::minmax(old.pc, access.pc);
    if (reported.insert({low, high, isLocal}).second)
      races.push_back({isLocal, address, old, access});
  }
}

void RaceDetector::add(Byte &byte, const RaceAccess &access, uint32_t phase, bool isLocal,
                       uint64_t address) {
  if (byte.group != access.group || byte.phase != phase) {
    byte.group = access.group;
    byte.phase = phase;
    byte.current.clear();
  }
  compare(byte.current, access, /*byGroup=*/false, isLocal, address);
  keep(byte.current, access, &RaceAccess::item);
  if (isLocal)
    return;
  compare(byte.groups, access, /*byGroup=*/true, isLocal, address);
  keep(byte.groups, access, &RaceAccess::group);
}

void RaceDetector::accessed(const StoppedWave &wave, llvm::ArrayRef<MemoryAccess> accesses) {
  WaveState &state = stateOf(wave);
  bool isMarked = false;
  for (const MemoryAccess &access : accesses) {
    RaceAccess side;
    side.kind = access.kind;
    side.group = group;
    side.pc = wave.pc();
    if (state.isNextAtomic && access.lane >= 0) {
      side.kind = MemoryAccess::Kind::Atomic;
      isMarked = true;
    }
    // Of what all lanes read two stand for all.
    uint64_t lanes = access.lane >= 0 ? uint64_t(1) << access.lane : wave.exec();
    for (unsigned taken = 0; lanes && taken < 2; lanes &= lanes - 1, ++taken) {
      side.item = wave.index() * wave.lanes() + unsigned(llvm::countr_zero(lanes));
      for (uint32_t i = 0; i < access.bytes; ++i) {
        side.value = i < access.stored.size() ? access.stored[i] : 0;
        const uint64_t address = access.address + i;
        add((access.isLds ? local : global)[address], side,
            access.isLds ? state.localPhase : state.globalPhase, access.isLds, address);
      }
    }
  }
  if (isMarked)
    state.isNextAtomic = false;
}

} // namespace kiln_cl
