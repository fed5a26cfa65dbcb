//===- Flat.cpp - addresses of flat, global and scratch instructions -------===//
// SPDX-License-Identifier: MIT
/// \file
/// From the addresses of each lane to host pointers (RDNA ISA manuals, "Flat memory instructions").
/// Flat addresses whose upper half is that of an aperture mean LDS or scratch (core/Scratch.h).
#include "pal_shim/device/core/Scratch.h"
#include "pal_shim/device/memory/FlatOps.h"
#include "pal_shim/device/memory/LaneOffsets.h"
#include <cstring>

namespace pal::device {

namespace {

void globalAddresses(Wave &wave, const Instr &instr, GpuAddress *addresses) {
  const uint32_t *low = wave.v[instr.src[0].reg].lane;
  const uint32_t *high = wave.v[instr.src[0].reg + 1].lane;
  int64_t offset = instr.mem.offset;
  if (instr.src[3].kind == Src::Kind::Sgpr) {
    GpuAddress base = wave.s64(instr.src[3].reg) + uint64_t(offset);
    for (unsigned lane = 0; lane < wave.lanes; ++lane)
      addresses[lane] = base + low[lane];
    return;
  }
  for (unsigned lane = 0; lane < wave.lanes; ++lane)
    addresses[lane] = (uint64_t(high[lane]) << 32 | low[lane]) + uint64_t(offset);
}

void runAddresses(Wave &wave, const Instr &instr, uint64_t exec, const GpuAddress *addresses) {
  const MemOp &op = memOp(instr);
  LanePointers lanes(exec);
  // Fast when the upper halves agree.
  uint32_t offset[maxLanes] = {};
  GpuAddress base = addresses[std::countr_zero(exec)] & ~0xFFFFFFFFull;
  uint64_t different = 0;
  for (unsigned lane = 0; lane < wave.lanes; ++lane) {
    offset[lane] = uint32_t(addresses[lane]);
    different |= exec >> lane & 1 ? addresses[lane] ^ base : 0;
  }
  if (!(different >> 32) && applyGlobal(wave, instr, op.bytes, base, offset, lanes))
    return;
  if (!resolveGlobal(wave, op, op.bytes, addresses, lanes))
    return;
  logLanes(wave, instr, addresses, exec);
  op.apply(wave, instr, lanes);
}

} // namespace

void runGlobal(Wave &wave, const Instr &instr) {
  uint64_t exec = wave.exec();
  if (!exec)
    return;
  if (instr.src[3].kind == Src::Kind::Sgpr) {
    LanePointers lanes(exec);
    GpuAddress base = wave.s64(instr.src[3].reg) + uint64_t(int64_t(instr.mem.offset));
    uint32_t offset[maxLanes] = {};
    std::memcpy(offset, wave.v[instr.src[0].reg].lane, sizeof(offset));
    if (applyGlobal(wave, instr, memOp(instr).bytes, base, offset, lanes))
      return;
  }
  GpuAddress addresses[maxLanes];
  globalAddresses(wave, instr, addresses);
  runAddresses(wave, instr, exec, addresses);
}

void runGlobalAddTid(Wave &wave, const Instr &instr) {
  uint64_t exec = wave.exec();
  if (!exec)
    return;
  GpuAddress base = instr.src[3].kind == Src::Kind::Sgpr ? wave.s64(instr.src[3].reg) : 0;
  GpuAddress addresses[maxLanes];
  for (unsigned lane = 0; lane < wave.lanes; ++lane)
    addresses[lane] = base + int64_t(instr.mem.offset) + 4 * lane;
  runAddresses(wave, instr, exec, addresses);
}

void runFlat(Wave &wave, const Instr &instr) {
  uint64_t exec = wave.exec();
  if (!exec)
    return;
  const MemOp &op = memOp(instr);
  GpuAddress addresses[maxLanes];
  globalAddresses(wave, instr, addresses);
  uint64_t shared = 0, local = 0;
  for (unsigned lane = 0; lane < wave.lanes; ++lane) {
    uint32_t high = uint32_t(addresses[lane] >> 32);
    shared |= uint64_t(high == uint32_t(sharedApertureBase >> 32)) << lane;
    local |= uint64_t(high == uint32_t(privateApertureBase >> 32)) << lane;
  }
  shared &= exec, local &= exec;
  if (!(shared | local))
    return runAddresses(wave, instr, exec, addresses);
  LanePointers lanes(exec & ~(shared | local));
  if (!resolveGlobal(wave, op, op.bytes, addresses, lanes))
    return;
  logLanes(wave, instr, addresses, lanes.mask);
  LdsAccess lds(wave, op.bytes);
  for (uint64_t rest = shared | local; rest; rest &= rest - 1) {
    unsigned lane = unsigned(std::countr_zero(rest));
    if (!checkAtomicAlignment(wave, op, addresses[lane], lane))
      return;
    if (shared >> lane & 1)
      logLane(wave, instr, /*isLds=*/true, uint32_t(addresses[lane]), lane);
    lanes.at[lane] = shared >> lane & 1
                         ? lds.pointer(uint32_t(addresses[lane]), lane)
                         : scratchPointer(wave, uint32_t(addresses[lane]), op.bytes, lane);
    if (!lanes.at[lane])
      return;
  }
  lanes.mask = exec;
  op.apply(wave, instr, lanes);
  if (op.kind == MemKind::Store)
    lds.writeBack();
}

void runScratch(Wave &wave, const Instr &instr) {
  uint64_t exec = wave.exec();
  if (!exec)
    return;
  uint32_t base = uint32_t(instr.mem.offset);
  if (instr.src[3].kind == Src::Kind::Sgpr)
    base += wave.s[instr.src[3].reg];
  const uint32_t *vaddr = wave.v[instr.src[0].reg].lane;
  uint32_t offset[maxLanes] = {};
  for (unsigned lane = 0; lane < wave.lanes; ++lane)
    offset[lane] = base + (instr.mem.offen ? vaddr[lane] : 0);
  runPrivate(wave, instr, memOp(instr).bytes, offset, exec);
}

void runPrivate(Wave &wave, const Instr &instr, unsigned bytes, uint32_t *offset, uint64_t exec) {
  LanePointers lanes(exec);
  lanes.isPrivate = true;
  OffsetRange range = offsetRange(offset, exec, wave.lanes);
  // Disabled lanes have the offset of an enabled one.
  for (unsigned lane = 0; lane < wave.lanes && memOp(instr).kind == MemKind::Atomic; ++lane)
    if (!checkAtomicAlignment(wave, memOp(instr), offset[lane], lane))
      return;
  if (uint64_t(range.high) + bytes <= wave.scratchBytes) {
    for (unsigned lane = 0; lane < wave.lanes; ++lane)
      lanes.at[lane] = wave.scratch + size_t(lane) * wave.scratchBytes + offset[lane];
  } else {
    for (uint64_t rest = exec; rest; rest &= rest - 1) {
      unsigned lane = unsigned(std::countr_zero(rest));
      lanes.at[lane] = scratchPointer(wave, offset[lane], bytes, lane);
      if (!lanes.at[lane])
        return;
    }
  }
  memOp(instr).apply(wave, instr, lanes);
}

} // namespace pal::device
