//===- Flat.cpp - addresses of flat, global and scratch instructions -------===//
// SPDX-License-Identifier: MIT
/// \file
/// From the addresses of each lane to host pointers (RDNA ISA manuals, "Flat memory instructions").
/// Flat addresses whose upper half is that of an aperture mean LDS or scratch (core/Scratch.h).
#include "pal_shim/device/core/Scratch.h"
#include "pal_shim/device/memory/FlatOps.h"
#include <cstring>

namespace pal::device {

namespace {

void finish(Wave &wave, const Instr &instr, const LanePointers &lanes) {
  memOp(instr).apply(wave, instr, lanes);
}

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
  if (uint8_t *base = contiguousGlobal(wave, op, addresses))
    return op.applyRow(wave, instr, base);
  LanePointers lanes(exec);
  if (resolveGlobal(wave, op, op.bytes, addresses, lanes))
    finish(wave, instr, lanes);
}

} // namespace

void runGlobal(Wave &wave, const Instr &instr) {
  uint64_t exec = wave.exec();
  if (!exec)
    return;
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
  LdsAccess lds(wave, op.bytes);
  for (uint64_t rest = shared | local; rest; rest &= rest - 1) {
    unsigned lane = unsigned(std::countr_zero(rest));
    if (!checkAtomicAlignment(wave, op, addresses[lane], lane))
      return;
    lanes.at[lane] = shared >> lane & 1
                         ? lds.pointer(uint32_t(addresses[lane]), lane)
                         : scratchPointer(wave, uint32_t(addresses[lane]), op.bytes, lane);
    if (!lanes.at[lane])
      return;
  }
  lanes.mask = exec;
  finish(wave, instr, lanes);
  if (op.kind == MemKind::Store)
    lds.writeBack();
}

void runScratch(Wave &wave, const Instr &instr) {
  const MemOp &op = memOp(instr);
  uint32_t base = uint32_t(instr.mem.offset);
  if (instr.src[3].kind == Src::Kind::Sgpr)
    base += wave.s[instr.src[3].reg];
  const uint32_t *vaddr = wave.v[instr.src[0].reg].lane;
  LanePointers lanes(wave.exec());
  for (uint64_t rest = lanes.mask; rest; rest &= rest - 1) {
    unsigned lane = unsigned(std::countr_zero(rest));
    uint32_t offset = base + (instr.mem.offen ? vaddr[lane] : 0);
    lanes.at[lane] = scratchPointer(wave, offset, op.bytes, lane);
    if (!lanes.at[lane])
      return;
  }
  finish(wave, instr, lanes);
}

} // namespace pal::device
