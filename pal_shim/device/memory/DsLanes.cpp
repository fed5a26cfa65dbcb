//===- DsLanes.cpp - exchange between lanes through the LDS hardware -------===//
// SPDX-License-Identifier: MIT
/// \file
/// ds_swizzle_b32, ds_permute_b32, ds_bpermute_b32 (RDNA ISA manuals, "DS permute and swizzle
/// instructions"). Lanes that EXEC disables supply 0. All three work inside each half of 32 lanes,
/// but for ds_bpermute_b32 of gfx12.
#include "pal_shim/device/core/OpTables.h"
#include "pal_shim/device/memory/Fields.h"
#include "pal_shim/device/memory/MemOps.h"

namespace pal::device {

namespace {

constexpr MemOp laneOp = {
    .apply = nullptr, .kind = MemKind::Load, .dataDwords = 1, .resultDwords = 1};

unsigned reverse5(unsigned value) {
  unsigned result = 0;
  for (unsigned bit = 0; bit < 5; ++bit)
    result |= (value >> bit & 1) << (4 - bit);
  return result;
}

/// Source of lane \p lane (0..31) under a swizzle pattern.
unsigned swizzleSource(unsigned pattern, unsigned lane) {
  if (pattern >= 0xE000) { // bit reversal of FFTs
    unsigned mask = pattern & 0x1F;
    return mask == 0x1F ? lane : (reverse5(lane) >> std::popcount(mask)) | (lane & mask);
  }
  if (pattern >= 0xC000) { // rotation of groups
    unsigned mask = pattern & 0x1F, amount = pattern >> 5 & 0x1F;
    unsigned from = pattern >> 10 & 1 ? lane - amount : lane + amount;
    return (lane & mask) | (from & ~mask & 0x1F);
  }
  if (pattern >= 0x8000) // quads
    return (lane & ~3u) | (pattern >> (2 * (lane & 3)) & 3);
  unsigned andMask = pattern & 0x1F, orMask = pattern >> 5 & 0x1F, xorMask = pattern >> 10 & 0x1F;
  return ((lane & andMask) | orMask) ^ xorMask;
}

/// result[lane] = data[source(lane)], 0 if that lane is disabled and \p fetchInactive is not set.
/// In groups of \p reach lanes.
template <class F>
void gather(Wave &wave, const Instr &instr, unsigned dataReg, bool fetchInactive, unsigned reach,
            F source) {
  uint64_t exec = wave.exec();
  const uint32_t *data = wave.v[dataReg].lane;
  uint32_t result[maxLanes];
  forEachLane(exec, [&](unsigned lane) {
    unsigned from = (lane & ~(reach - 1)) | (source(lane) & (reach - 1));
    result[lane] = fetchInactive || exec >> from & 1 ? data[from] : 0;
  });
  forEachLane(exec, [&](unsigned lane) { wave.v[instr.dst[0].reg].lane[lane] = result[lane]; });
}

void runSwizzle(Wave &wave, const Instr &instr) {
  // The only source is the address operand.
  gather(wave, instr, instr.src[0].reg, false, 32,
         [&](unsigned lane) { return swizzleSource(unsigned(instr.simm), lane & 31); });
}

template <bool fetchInactive> void runBpermute(Wave &wave, const Instr &instr) {
  const uint32_t *address = wave.v[instr.src[0].reg].lane;
  // HW(gfx12): any lane of the wave.
  const unsigned reach = isGfx12(wave.generation) ? wave.lanes : 32;
  gather(wave, instr, instr.src[1].reg, fetchInactive, reach,
         [&](unsigned lane) { return (address[lane] + uint32_t(instr.mem.offset)) / 4; });
}

/// Lanes write to others; where two write to the same one, the highest wins.
void runPermute(Wave &wave, const Instr &instr) {
  uint64_t exec = wave.exec();
  const uint32_t *address = wave.v[instr.src[0].reg].lane;
  const uint32_t *data = wave.v[instr.src[1].reg].lane;
  uint32_t result[maxLanes] = {};
  forEachLane(exec, [&](unsigned lane) {
    unsigned to = (address[lane] + uint32_t(instr.mem.offset)) / 4 & 31;
    result[(lane & 32) | to] = data[lane];
  });
  forEachLane(exec, [&](unsigned lane) { wave.v[instr.dst[0].reg].lane[lane] = result[lane]; });
}

const OpEntry table[] = {
    {"ds_swizzle_b32", runSwizzle, decodeDs, &laneOp},
    {"ds_permute_b32", runPermute, decodeDs, &laneOp},
    {"ds_bpermute_b32", runBpermute<false>, decodeDs, &laneOp},
    {"ds_bpermute_fi_b32", runBpermute<true>, decodeDs, &laneOp},
};

} // namespace

llvm::ArrayRef<OpEntry> dsLaneOps() { return table; }

} // namespace pal::device
