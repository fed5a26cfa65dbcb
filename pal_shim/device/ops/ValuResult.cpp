//===- ValuResult.cpp - result modifiers of vector operations --------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What happens to results: approximate ones are moved when the device is asked to, denormals are
/// flushed, then omod, then clamp (RDNA3 ISA manual, "Output modifiers").
#include "pal_shim/device/ops/ValuDetail.h"
#include <immintrin.h>

namespace pal::device::detail {

namespace {

/// A floating-point format as far as bit tricks need it.
struct FloatFormat {
  unsigned bits, mantissa;
  uint64_t sign() const { return 1ull << (bits - 1); }
  uint64_t infinity() const { return (sign() - 1) >> mantissa << mantissa; }
  /// Exponent field of 1.0, that is, its whole pattern.
  uint64_t one() const { return (sign() >> 1) - (1ull << mantissa); }
};

FloatFormat formatOf(LaneType type) {
  return type == LaneType::F64   ? FloatFormat{64, 52}
         : type == LaneType::F16 ? FloatFormat{16, 10}
                                 : FloatFormat{32, 23};
}

/// clamp: [0, 1]; NaN becomes 0 with DX10_CLAMP, -0 becomes +0.
uint64_t clampBits(FloatFormat f, uint64_t value, bool nanToZero) {
  uint64_t magnitude = value & (f.sign() - 1);
  if (magnitude > f.infinity())
    return nanToZero ? 0 : value;
  if (value & f.sign())
    return 0;
  return magnitude > f.one() ? f.one() : value;
}

/// omod: times 2, times 4, or half. Zeros and denormals become +0, and so do results too small.
uint64_t scaleBits(FloatFormat f, uint64_t value, int exponentChange) {
  uint64_t magnitude = value & (f.sign() - 1);
  if (magnitude >= f.infinity())
    return value;
  int64_t exponent = int64_t(magnitude >> f.mantissa);
  if (exponent == 0)
    return 0;
  exponent += exponentChange;
  if (exponent <= 0)
    return 0;
  if (exponent >= int64_t(f.infinity() >> f.mantissa))
    return (value & f.sign()) | f.infinity();
  return (value & f.sign()) | uint64_t(exponent) << f.mantissa |
         (magnitude & ((1ull << f.mantissa) - 1));
}

/// Deterministic, well mixed: the finaliser of splitmix64.
uint64_t mix(uint64_t x) {
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 27) * 0x94D049BB133111EBu;
  return x ^ x >> 31;
}

bool isNormal(FloatFormat f, uint64_t value) {
  uint64_t magnitude = value & (f.sign() - 1);
  return magnitude >> f.mantissa && magnitude < f.infinity();
}

/// Applies \p change to the value of every lane.
template <class Change> void eachLane(LaneType type, uint32_t *row, unsigned lanes, Change change) {
  for (unsigned lane = 0; lane < lanes; ++lane) {
    if (type == LaneType::F64) {
      uint64_t value = change(uint64_t(row[maxLanes + lane]) << 32 | row[lane], lane);
      row[lane] = uint32_t(value);
      row[maxLanes + lane] = uint32_t(value >> 32);
    } else if (type == LaneType::Packed) {
      uint64_t low = change(row[lane] & 0xFFFF, lane), high = change(row[lane] >> 16, lane);
      row[lane] = uint32_t(high << 16 | low);
    } else {
      row[lane] = uint32_t(change(row[lane], lane));
    }
  }
}

bool isFloatResult(const Instr &instr, LaneType type) {
  return type == LaneType::F16 || type == LaneType::F32 || type == LaneType::F64 ||
         (type == LaneType::Packed && instr.op->flags & PackedFloatOp);
}

uint64_t valueOfLane(LaneType type, const uint32_t *row, unsigned lane) {
  return type == LaneType::F64 ? uint64_t(row[maxLanes + lane]) << 32 | row[lane] : row[lane];
}

} // namespace

void perturbResult(const Wave &wave, const Instr &instr, RowArgs args) {
  const LaneOp &op = laneOpOf(instr);
  uint32_t *result = args.dst;
  // Both lie within an ulp of the exact value, which a neighbour of the nearest result may not.
  Row rounded[2][2];
  unsigned hostMode = _mm_getcsr();
  for (unsigned up : {0u, 1u}) {
    _mm_setcsr((hostMode & ~unsigned(_MM_ROUND_MASK)) | (up ? _MM_ROUND_UP : _MM_ROUND_DOWN));
    args.dst = rounded[up]->lane;
    op.run(args);
  }
  _mm_setcsr(hostMode);
  FloatFormat format = formatOf(op.result);
  uint64_t seed = mix(wave.group->options->seed ^ uint64_t(instr.pc) << 32);
  eachLane(op.result, result, wave.lanes, [&](uint64_t value, unsigned lane) {
    uint64_t hash = mix(seed ^ value ^ uint64_t(lane) << 56);
    uint64_t moved = valueOfLane(op.result, rounded[hash & 1]->lane, lane);
    // Zeros, denormals, infinities and NaNs are not approximate.
    return isNormal(format, value) && isNormal(format, moved) ? moved : value;
  });
}

void modifyResult(Wave &wave, const Instr &instr, LaneType type, uint32_t *result) {
  if (!isFloatResult(instr, type))
    return;
  unsigned lanes = wave.lanes;
  if (flushes(wave, instr, type, /*isResult=*/true))
    flushRow(type, result, result, lanes);
  FloatFormat format = formatOf(type == LaneType::Packed ? LaneType::F16 : type);
  bool isGfx12Mode = isGfx12(wave.generation); // MODE lost IEEE and DX10_CLAMP there
  bool usesOmod = instr.omod && (isGfx12Mode || !(wave.modeBits & mode::ieee)) &&
                  keepsDenormals(type, /*isResult=*/true) & ~wave.modeBits;
  if (usesOmod) {
    int change = instr.omod == 3 ? -1 : instr.omod;
    eachLane(type, result, lanes,
             [&](uint64_t value, unsigned) { return scaleBits(format, value, change); });
  }
  if (instr.clamp) {
    bool nanToZero = isGfx12Mode || wave.modeBits & mode::dx10Clamp;
    eachLane(type, result, lanes,
             [&](uint64_t value, unsigned) { return clampBits(format, value, nanToZero); });
  }
}

} // namespace pal::device::detail
