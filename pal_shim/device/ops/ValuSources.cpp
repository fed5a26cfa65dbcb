//===- ValuSources.cpp - sources of vector operations ----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// From an operand to a row of lanes. Registers are used in place; everything else, and whatever a
/// modifier changes, goes through temporary rows. Order of modifiers (RDNA3 ISA manual, chapters
/// "DPP", "SDWA" of RDNA2, "VOP3"): lanes are exchanged, then a part of the register is selected,
/// then sign extension or abs and neg apply.
#include "pal_shim/device/ops/ValuDetail.h"
#include <immintrin.h>

namespace pal::device::detail {

uint32_t maskOfBlock(const uint32_t *block) {
  uint32_t mask = 0;
  for (unsigned i = 0; i < blockLanes; i += 8) {
    __m256i bits =
        _mm256_slli_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i *>(block + i)), 31);
    mask |= uint32_t(_mm256_movemask_ps(_mm256_castsi256_ps(bits))) << i;
  }
  return mask;
}

/// Eight lanes of all ones or zeros from the low eight bits of \p mask.
static inline __m256i laneBits(uint64_t mask) {
  const __m256i select = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
  __m256i bits = _mm256_and_si256(_mm256_set1_epi32(int(mask)), select);
  return _mm256_cmpeq_epi32(bits, select);
}

void broadcast(uint32_t *row, uint32_t value, unsigned lanes) {
  __m256i all = _mm256_set1_epi32(int(value));
  for (unsigned lane = 0; lane < lanes; lane += 8)
    _mm256_storeu_si256(reinterpret_cast<__m256i *>(row + lane), all);
}

void expandMask(uint32_t *row, uint64_t mask, unsigned lanes) {
  for (unsigned lane = 0; lane < lanes; lane += 8)
    _mm256_storeu_si256(reinterpret_cast<__m256i *>(row + lane),
                        _mm256_srli_epi32(laneBits(mask >> lane), 31));
}

void blend(uint32_t *to, const uint32_t *from, uint64_t mask, unsigned lanes) {
  for (unsigned lane = 0; lane < lanes; lane += 8)
    _mm256_maskstore_epi32(reinterpret_cast<int *>(to + lane), laneBits(mask >> lane),
                           _mm256_loadu_si256(reinterpret_cast<const __m256i *>(from + lane)));
}

/// The value of a source that is the same for all lanes.
static uint64_t uniformValue(const Wave &wave, const Src &src, unsigned dwords) {
  switch (src.kind) {
  case Src::Kind::Sgpr:
    return dwords == 2 ? wave.s64(src.reg) : wave.s[src.reg];
  case Src::Kind::Imm:
    return src.imm;
  case Src::Kind::Scc:
    return wave.scc;
  case Src::Kind::VccZ:
    return wave.vcc() == 0;
  case Src::Kind::ExecZ:
    return wave.exec() == 0;
  case Src::Kind::Vgpr:
  case Src::Kind::None:
    break;
  }
  return 0;
}

const uint32_t *plainSource(Wave &wave, const Instr &instr, unsigned i, LaneType type) {
  const Src &src = instr.src[i];
  if (src.kind == Src::Kind::Vgpr)
    return wave.v[src.reg].lane;
  uint32_t *row = wave.tmp[2 * i].lane;
  if (type == LaneType::Mask) {
    expandMask(row, src.kind == Src::Kind::Sgpr ? wave.mask(src.reg) : src.imm, wave.lanes);
    return row;
  }
  unsigned dwords = dwordsOf(type);
  uint64_t value = uniformValue(wave, src, dwords);
  broadcast(row, uint32_t(value), wave.lanes);
  if (dwords == 2)
    broadcast(row + maxLanes, uint32_t(value >> 32), wave.lanes);
  return row;
}

namespace {

/// Where the lanes of a group of 16 come from; every mode of DPP repeats after 16 lanes. Numbers
/// outside 0 .. 15 are not in the row.
struct alignas(64) LanePattern {
  uint32_t from[16];
};

template <class From> LanePattern makePattern(From from) {
  LanePattern p;
  for (uint32_t lane = 0; lane < 16; ++lane)
    p.from[lane] = from(lane);
  return p;
}

/// RDNA3 ISA manual, table "DPP16 control": dpp_ctrl ranges.
LanePattern patternOf(const Dpp &dpp) {
  uint32_t control = dpp.control, amount = control & 15;
  if (dpp.mode == Dpp::Mode::Dpp8)
    return makePattern([=](uint32_t l) { return (l & 8) + (control >> (3 * (l & 7)) & 7); });
  if (control < 0x100) // quad_perm
    return makePattern([=](uint32_t l) { return (l & 12) + (control >> (2 * (l & 3)) & 3); });
  if (control < 0x110) // row_shl
    return makePattern([=](uint32_t l) { return l + amount; });
  if (control < 0x120) // row_shr
    return makePattern([=](uint32_t l) { return l - amount; });
  if (control < 0x130) // row_ror
    return makePattern([=](uint32_t l) { return (l - amount) & 15; });
  if (control == 0x140) // row_mirror
    return makePattern([](uint32_t l) { return 15 - l; });
  if (control == 0x141) // row_half_mirror
    return makePattern([](uint32_t l) { return l ^ 7; });
  if (control < 0x160) // row_share
    return makePattern([=](uint32_t) { return amount; });
  return makePattern([=](uint32_t l) { return l ^ amount; }); // row_xmask
}

/// Lanes whose source lies in the row and is enabled in \p exec.
uint64_t validLanes(const LanePattern &p, uint64_t exec) {
  uint32_t inRow = 0;
  for (unsigned lane = 0; lane < 16; ++lane)
    inRow |= uint32_t(p.from[lane] < 16) << lane;
  uint64_t valid = inRow * 0x0001000100010001u;
  if (exec == ~0ull)
    return valid;
  for (unsigned lane = 0; lane < maxLanes; ++lane)
    if (!(exec >> ((lane & 48) + (p.from[lane & 15] & 15)) & 1))
      valid &= ~(1ull << lane);
  return valid;
}

/// Lanes enabled by row_mask and bank_mask.
uint64_t rowBankMask(const Dpp &dpp) {
  uint64_t mask = 0, banks = 0;
  for (unsigned i = 0; i < 4; ++i) {
    mask |= dpp.rowMask >> i & 1 ? 0xFFFFull << 16 * i : 0;
    banks |= dpp.bankMask >> i & 1 ? 0x000F000F000F000Full << 4 * i : 0;
  }
  return mask & banks;
}

/// One row of registers; lanes that are not \p valid become 0. \p from may be \p to.
void permuteRow(const LanePattern &pattern, uint64_t valid, const uint32_t *from, uint32_t *to,
                unsigned lanes) {
  auto load = [](const uint32_t *p) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i *>(p));
  };
  for (unsigned row = 0; row < lanes; row += 16) {
    __m256i low = load(from + row), high = load(from + row + 8);
    for (unsigned half = 0; half < 16; half += 8) {
      __m256i index = load(pattern.from + half);
      // Bit 3 of the index tells the half of the row; shifted to the sign it steers the blend.
      __m256i value = _mm256_castps_si256(
          _mm256_blendv_ps(_mm256_castsi256_ps(_mm256_permutevar8x32_epi32(low, index)),
                           _mm256_castsi256_ps(_mm256_permutevar8x32_epi32(high, index)),
                           _mm256_castsi256_ps(_mm256_slli_epi32(index, 28))));
      value = _mm256_and_si256(value, laneBits(valid >> (row + half)));
      _mm256_storeu_si256(reinterpret_cast<__m256i *>(to + row + half), value);
    }
  }
}

void exchangeLanes(Wave &wave, const Dpp &dpp, const uint32_t *from, uint32_t *to, unsigned dwords,
                   uint64_t &active) {
  LanePattern pattern = patternOf(dpp);
  uint64_t exec = wave.exec();
  bool readsAll = dpp.fetchInactive || exec == wave.laneMask();
  uint64_t valid = validLanes(pattern, readsAll ? ~0ull : exec);
  for (unsigned dword = 0; dword < dwords; ++dword)
    permuteRow(pattern, valid, from + dword * maxLanes, to + dword * maxLanes, wave.lanes);
  // DPP8 has no bound_ctrl field: what it cannot read is 0.
  if (dpp.mode == Dpp::Mode::Dpp16) {
    if (!dpp.boundCtrl)
      active &= valid;
    active &= rowBankMask(dpp);
  }
}

void selectSdwa(const Src &src, const uint32_t *from, uint32_t *to, unsigned lanes) {
  unsigned bits = src.sdwaSel < 4 ? 8 : src.sdwaSel < 6 ? 16 : 32;
  unsigned shift = src.sdwaSel < 4 ? 8 * src.sdwaSel : src.sdwaSel < 6 ? 16 * (src.sdwaSel - 4) : 0;
  unsigned up = 32 - bits;
  if (src.sext) {
    for (unsigned lane = 0; lane < lanes; ++lane)
      to[lane] = uint32_t(int32_t(from[lane] >> shift << up) >> up);
  } else {
    for (unsigned lane = 0; lane < lanes; ++lane)
      to[lane] = from[lane] >> shift << up >> up;
  }
}

void selectPacked(const Src &src, bool isFloat, const uint32_t *from, uint32_t *to,
                  unsigned lanes) {
  unsigned lowShift = src.hi ? 16 : 0, highShift = src.hiForHigh ? 16 : 0;
  uint32_t flip = isFloat ? (src.neg ? 0x8000u : 0) | (src.negHi ? 0x80000000u : 0) : 0;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    uint32_t low = from[lane] >> lowShift & 0xFFFF, high = from[lane] >> highShift << 16;
    to[lane] = (low | high) ^ flip;
  }
}

/// v_fma_mix*: f32 as it is, or the chosen half made f32. abs comes before neg.
void selectMix(const Src &src, const uint32_t *from, uint32_t *to, unsigned lanes) {
  for (unsigned lane = 0; lane < lanes; ++lane) {
    uint32_t value = from[lane];
    if (src.hiForHigh)
      value = std::bit_cast<uint32_t>(floatOfHalf(uint16_t(src.hi ? value >> 16 : value)));
    if (src.negHi)
      value &= 0x7FFFFFFF;
    if (src.neg)
      value ^= 0x80000000;
    to[lane] = value;
  }
}

} // namespace

uint32_t signBit(LaneType type) {
  switch (type) {
  case LaneType::F16:
    return 0x8000;
  case LaneType::F32:
  case LaneType::F64:
  case LaneType::Bits32:
    return 0x80000000;
  default:
    return 0;
  }
}

const uint32_t *negAbsSource(Wave &wave, const Instr &instr, unsigned i, LaneType type,
                             const uint32_t *row) {
  const Src &src = instr.src[i];
  uint32_t sign = signBit(type);
  if (!src.hi && (!(src.neg || src.abs) || !sign))
    return row;
  uint32_t *to = wave.tmp[2 * i].lane;
  if (type == LaneType::F64) { // the sign is in the second row
    if (to != row)
      std::memcpy(to, row, wave.lanes * sizeof(uint32_t));
    to += maxLanes;
    row += maxLanes;
  }
  __m128i shift = _mm_cvtsi32_si128(src.hi ? 16 : 0);
  __m256i keep = _mm256_set1_epi32(int(src.abs ? ~sign : ~0u));
  __m256i flip = _mm256_set1_epi32(int(src.neg ? sign : 0));
  for (unsigned lane = 0; lane < wave.lanes; lane += 8) {
    __m256i value = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(row + lane));
    value = _mm256_and_si256(_mm256_srl_epi32(value, shift), keep);
    _mm256_storeu_si256(reinterpret_cast<__m256i *>(to + lane), _mm256_xor_si256(value, flip));
  }
  return wave.tmp[2 * i].lane;
}

void flushRow(LaneType type, const uint32_t *from, uint32_t *to, unsigned lanes) {
  for (unsigned lane = 0; lane < lanes; ++lane) {
    uint32_t value = from[lane];
    if (type == LaneType::F32) {
      to[lane] = value & 0x7F800000 ? value : value & 0x80000000;
    } else if (type == LaneType::F64) {
      uint32_t high = from[maxLanes + lane];
      bool isNormal = high & 0x7FF00000;
      to[lane] = isNormal ? value : 0;
      to[maxLanes + lane] = isNormal ? high : high & 0x80000000;
    } else { // one or two f16; the high half of a single one means nothing
      uint32_t low = value & 0x7C00 ? value & 0xFFFF : value & 0x8000;
      uint32_t high = value & 0x7C000000 ? value & 0xFFFF0000 : value & 0x80000000;
      to[lane] = high | low;
    }
  }
}

bool flushes(const Wave &wave, const Instr &instr, LaneType type, bool isResult) {
  if (instr.op->flags & KeepDenormals)
    return false;
  LaneType as = type == LaneType::Packed && instr.op->flags & PackedFloatOp ? LaneType::F16 : type;
  return keepsDenormals(as, isResult) & ~wave.modeBits;
}

const uint32_t *modifiedSource(Wave &wave, const Instr &instr, unsigned i, LaneType type,
                               uint64_t &active) {
  const uint32_t *row = plainSource(wave, instr, i, type);
  if (type == LaneType::Mask)
    return row;
  const Src &src = instr.src[i];
  unsigned lanes = wave.lanes;
  uint32_t *tmp = wave.tmp[2 * i].lane;
  if (i == 0 && instr.dpp.mode != Dpp::Mode::None) {
    exchangeLanes(wave, instr.dpp, row, tmp, dwordsOf(type), active);
    row = tmp;
  }
  if (src.sdwaSel != 6) {
    selectSdwa(src, row, tmp, lanes);
    row = tmp;
  }
  if (type == LaneType::Packed) {
    if (src.hi || !src.hiForHigh || src.neg || src.negHi) {
      selectPacked(src, instr.op->flags & PackedFloatOp, row, tmp, lanes);
      row = tmp;
    }
  } else if (type == LaneType::Mix) {
    selectMix(src, row, tmp, lanes);
    row = tmp;
  } else {
    row = negAbsSource(wave, instr, i, type, row);
  }
  if (flushes(wave, instr, type, /*isResult=*/false)) {
    flushRow(type == LaneType::Mix ? LaneType::F32 : type, row, tmp, lanes);
    row = tmp;
  }
  return row;
}

} // namespace pal::device::detail
