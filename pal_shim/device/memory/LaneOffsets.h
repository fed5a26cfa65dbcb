//===- LaneOffsets.h - 32-bit offsets of all lanes at once -----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The fast way from offsets to host pointers: one check for the whole wave instead of one per
/// lane. Loops run over all lanes of the wave, so that they vectorise; lanes that EXEC disables
/// count as the first enabled one.
#pragma once

#include "pal_shim/device/memory/MemOps.h"
#include <algorithm>

namespace pal::device {

struct OffsetRange {
  uint32_t low, high; ///< least and greatest
  uint32_t bits;      ///< all of them or-ed, for alignment
};

/// \p mask: not 0. \p offset of disabled lanes is overwritten.
inline OffsetRange offsetRange(uint32_t *offset, uint64_t mask, unsigned lanes) {
  if (mask != (lanes == 64 ? ~0ull : 0xFFFFFFFFull)) {
    uint32_t first = offset[std::countr_zero(mask)];
    for (unsigned half = 0; half < lanes; half += 32) {
      uint32_t enabled = uint32_t(mask >> half);
      for (unsigned lane = 0; lane < 32; ++lane)
        offset[half + lane] = enabled >> lane & 1 ? offset[half + lane] : first;
    }
  }
  OffsetRange range = {~0u, 0, 0};
  for (unsigned half = 0; half < lanes; half += 32)
    for (unsigned lane = half; lane < half + 32; ++lane) {
      range.low = std::min(range.low, offset[lane]);
      range.high = std::max(range.high, offset[lane]);
      range.bits |= offset[lane];
    }
  return range;
}

inline bool isConsecutive(const uint32_t *offset, unsigned bytes, unsigned lanes) {
  uint32_t difference = 0;
  for (unsigned half = 0; half < lanes; half += 32)
    for (unsigned lane = half; lane < half + 32; ++lane)
      difference |= offset[lane] ^ (offset[0] + lane * bytes);
  return !difference;
}

/// Executes an access to base + offset, whose host memory starts at \p host for range.low.
inline void applyAt(Wave &wave, const Instr &instr, uint8_t *host, const uint32_t *offset,
                    const OffsetRange &range, LanePointers &pointers) {
  const MemOp &op = memOp(instr);
  if (op.applyRow && pointers.mask == wave.laneMask() &&
      isConsecutive(offset, op.bytes, wave.lanes))
    return op.applyRow(wave, instr, host);
  for (unsigned half = 0; half < wave.lanes; half += 32)
    for (unsigned lane = half; lane < half + 32; ++lane)
      pointers.at[lane] = host + (offset[lane] - range.low);
  op.apply(wave, instr, pointers);
}

/// All of a global access, if all lanes are inside one allocation. False: nothing was done.
inline bool applyGlobal(Wave &wave, const Instr &instr, unsigned bytes, GpuAddress base,
                        uint32_t *offset, LanePointers &pointers) {
  const MemOp &op = memOp(instr);
  OffsetRange range = offsetRange(offset, pointers.mask, wave.lanes);
  if (op.kind == MemKind::Atomic && ((base | range.bits) & (op.bytes - 1)))
    return false;
  uint8_t *host =
      wave.group->memory->findForAll(base + range.low, uint64_t(range.high - range.low) + bytes);
  if (!host)
    return false;
  applyAt(wave, instr, host, offset, range, pointers);
  return true;
}

} // namespace pal::device
