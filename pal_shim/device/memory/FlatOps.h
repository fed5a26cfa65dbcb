//===- FlatOps.h - between the files of flat and LDS instructions ----------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "pal_shim/device/memory/MemOps.h"
#include <cstring>

namespace pal::device {

void runFlat(Wave &wave, const Instr &instr);
void runGlobal(Wave &wave, const Instr &instr);
void runGlobalAddTid(Wave &wave, const Instr &instr);
void runScratch(Wave &wave, const Instr &instr);
/// An access to private memory at \p offset of each enabled lane; the others' are overwritten.
void runPrivate(Wave &wave, const Instr &instr, unsigned bytes, uint32_t *offset, uint64_t exec);

/// Pointers into LDS for one access per lane. Bytes beyond the workgroup's LDS read 0 and are not
/// written (RDNA ISA manuals, "LDS out of range").
class LdsAccess {
public:
  LdsAccess(Wave &wave, unsigned bytes) : lds(wave.group->lds), bytes(bytes) {}

  uint8_t *pointer(uint32_t address, unsigned lane) {
    if (uint64_t(address) + bytes <= lds.size())
      return lds.data() + address;
    uint8_t *place = bounce.lane[lane];
    std::memset(place, 0, sizeof(bounce.lane[lane]));
    inside[lane] = uint8_t(address < lds.size() ? lds.size() - address : 0);
    home[lane] = address;
    if (inside[lane])
      std::memcpy(place, lds.data() + address, inside[lane]);
    outside |= 1ull << lane;
    return place;
  }
  /// After a store.
  void writeBack() {
    forEachLane(outside, [&](unsigned lane) {
      if (inside[lane])
        std::memcpy(lds.data() + home[lane], bounce.lane[lane], inside[lane]);
    });
  }

private:
  std::vector<uint8_t> &lds;
  unsigned bytes;
  uint64_t outside = 0;
  Bounce bounce;
  uint32_t home[maxLanes];
  uint8_t inside[maxLanes];
};

} // namespace pal::device
