//===- LaneData.cpp - moving data between lanes and memory -----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Loads and stores of 1 to 16 bytes per lane, and what all vector memory instructions share about
/// addresses.
#include "pal_shim/device/memory/MemOps.h"
#include <cstring>

namespace pal::device {

namespace {
Row *resultRows(Wave &wave, const Instr &instr) { return wave.v + instr.dst[0].reg; }
const Row *dataRows(Wave &wave, const Instr &instr) { return wave.v + instr.src[1].reg; }
} // namespace

template <unsigned dwords>
void loadDwords(Wave &wave, const Instr &instr, const LanePointers &lanes) {
  Row *dst = resultRows(wave, instr);
  forEachLane(lanes.mask, [&](unsigned lane) {
    uint32_t data[dwords];
    std::memcpy(data, lanes.at[lane], sizeof(data));
    for (unsigned d = 0; d < dwords; ++d)
      dst[d].lane[lane] = data[d];
  });
}

template <unsigned dwords>
void storeDwords(Wave &wave, const Instr &instr, const LanePointers &lanes) {
  const Row *src = dataRows(wave, instr);
  forEachLane(lanes.mask, [&](unsigned lane) {
    uint32_t data[dwords];
    for (unsigned d = 0; d < dwords; ++d)
      data[d] = src[d].lane[lane];
    std::memcpy(lanes.at[lane], data, sizeof(data));
  });
}

template <class T, Part part>
void loadSmall(Wave &wave, const Instr &instr, const LanePointers &lanes) {
  Row *dst = resultRows(wave, instr);
  forEachLane(lanes.mask, [&](unsigned lane) {
    T value;
    std::memcpy(&value, lanes.at[lane], sizeof(T));
    uint32_t extended = uint32_t(int32_t(value));
    uint32_t &out = dst->lane[lane];
    if constexpr (part == Part::Whole)
      out = extended;
    else if constexpr (part == Part::Low)
      out = (out & 0xFFFF0000u) | (extended & 0xFFFFu);
    else
      out = (out & 0xFFFFu) | extended << 16;
  });
}

template <class T, Part part>
void storeSmall(Wave &wave, const Instr &instr, const LanePointers &lanes) {
  const Row *src = dataRows(wave, instr);
  forEachLane(lanes.mask, [&](unsigned lane) {
    T value = T(src->lane[lane] >> (part == Part::High ? 16 : 0));
    std::memcpy(lanes.at[lane], &value, sizeof(T));
  });
}

void loadRow(Wave &wave, const Instr &instr, uint8_t *base) {
  std::memcpy(resultRows(wave, instr)->lane, base, wave.lanes * 4);
}

void storeRow(Wave &wave, const Instr &instr, uint8_t *base) {
  std::memcpy(base, dataRows(wave, instr)->lane, wave.lanes * 4);
}

#define KILN_DWORDS(n)                                                                             \
  template void loadDwords<n>(Wave &, const Instr &, const LanePointers &);                        \
  template void storeDwords<n>(Wave &, const Instr &, const LanePointers &);
KILN_DWORDS(1)
KILN_DWORDS(2)
KILN_DWORDS(3)
KILN_DWORDS(4)
#undef KILN_DWORDS
#define KILN_SMALL(T)                                                                              \
  template void loadSmall<T, Part::Whole>(Wave &, const Instr &, const LanePointers &);            \
  template void loadSmall<T, Part::Low>(Wave &, const Instr &, const LanePointers &);              \
  template void loadSmall<T, Part::High>(Wave &, const Instr &, const LanePointers &);             \
  template void storeSmall<T, Part::Low>(Wave &, const Instr &, const LanePointers &);             \
  template void storeSmall<T, Part::High>(Wave &, const Instr &, const LanePointers &);
KILN_SMALL(uint8_t)
KILN_SMALL(int8_t)
KILN_SMALL(uint16_t)
KILN_SMALL(int16_t)
#undef KILN_SMALL

bool checkAtomicAlignment(Wave &wave, const MemOp &op, GpuAddress address, unsigned lane) {
  if (op.kind != MemKind::Atomic || address % op.bytes == 0)
    return true;
  wave.fault(DeviceFault::Kind::MemoryAccess,
             "atomic of " + llvm::Twine(unsigned(op.bytes)) + " bytes at misaligned address 0x" +
                 llvm::Twine::utohexstr(address),
             int(lane));
  return false;
}

bool resolveGlobal(Wave &wave, const MemOp &op, unsigned bytes, const GpuAddress *address,
                   LanePointers &lanes) {
  for (uint64_t rest = lanes.mask; rest; rest &= rest - 1) {
    unsigned lane = unsigned(std::countr_zero(rest));
    if (!checkAtomicAlignment(wave, op, address[lane], lane))
      return false;
    lanes.at[lane] = wave.group->memory->find(address[lane], bytes);
    if (!lanes.at[lane]) {
      wave.memoryFault(address[lane], bytes, op.kind != MemKind::Load, int(lane));
      return false;
    }
  }
  return true;
}

void logLane(Wave &wave, const Instr &instr, bool isLds, GpuAddress address, unsigned lane,
             unsigned data) {
  AccessLog *log = wave.group->memory->accessLog();
  if (!log || !log->takesLanes)
    return;
  const MemOp &op = memOp(instr);
  MemoryAccess access;
  access.kind = op.kind == MemKind::Load    ? MemoryAccess::Kind::Load
                : op.kind == MemKind::Store ? MemoryAccess::Kind::Store
                                            : MemoryAccess::Kind::Atomic;
  access.isLds = isLds;
  access.lane = int(lane);
  access.address = address;
  access.bytes = op.bytes;
  for (unsigned i = 0; op.kind == MemKind::Store && i < op.bytes; ++i) {
    const unsigned bit = 8 * i + (op.storesHigh ? 16 : 0);
    access.stored[i] = uint8_t(wave.v[instr.src[data].reg + bit / 32].lane[lane] >> bit % 32);
  }
  log->lanes.push_back(access);
}

void logLanes(Wave &wave, const Instr &instr, const GpuAddress *addresses, uint64_t mask) {
  if (wave.group->memory->accessLog())
    forEachLane(mask, [&](unsigned lane) { logLane(wave, instr, false, addresses[lane], lane); });
}

uint8_t *scratchPointer(Wave &wave, uint32_t offset, unsigned bytes, unsigned lane) {
  if (wave.scratchBytes >= bytes && offset <= wave.scratchBytes - bytes)
    return wave.scratch + size_t(lane) * wave.scratchBytes + offset;
  wave.fault(DeviceFault::Kind::MemoryAccess,
             "scratch offset 0x" + llvm::Twine::utohexstr(offset) + " is outside the " +
                 llvm::Twine(wave.scratchBytes) + " bytes of the lane",
             int(lane));
  return nullptr;
}

void writeTfe(Wave &wave, const Instr &instr, uint64_t mask) {
  if (!instr.mem.tfe)
    return;
  Row &status = wave.v[instr.dst[0].reg + memOp(instr).resultDwords];
  forEachLane(mask, [&](unsigned lane) { status.lane[lane] = 0; });
}

} // namespace pal::device
