//===- VectorBytes.cpp - byte sums and integer dot products ----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Sums of absolute differences, v_lerp_u8, and v_dot2/4/8 of integers. Semantics: RDNA2 and RDNA3
/// ISA manuals, "VOP3 instructions", "VOP3P instructions".
#include "pal_shim/device/core/OpTables.h"
#include "pal_shim/device/ops/VectorTable.h"

namespace pal::device {

namespace {

uint32_t difference(uint32_t a, uint32_t b) { return a < b ? b - a : a - b; }

/// Field \p i of \p bits bits, extended as T says.
template <class T, unsigned bits> int32_t field(uint32_t a, unsigned i) {
  constexpr unsigned up = 32 - bits;
  uint32_t top = a << (up - bits * i);
  return std::is_signed_v<T> ? int32_t(top) >> up : int32_t(top >> up);
}

template <unsigned bits> uint64_t sumOfDifferences(uint32_t a, uint32_t b) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < 32 / bits; ++i)
    sum += uint64_t(std::abs(field<uint32_t, bits>(a, i) - field<uint32_t, bits>(b, i)));
  return sum;
}
/// Bytes of \p b that are 0 do not count.
uint64_t maskedSum(uint32_t a, uint32_t b) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < 4; ++i) {
    int32_t reference = field<uint32_t, 8>(b, i);
    sum += reference ? uint64_t(std::abs(field<uint32_t, 8>(a, i) - reference)) : 0;
  }
  return sum;
}
uint64_t distance(uint32_t a, uint32_t b) { return difference(a, b); }
uint64_t highSum(uint32_t a, uint32_t b) { return sumOfDifferences<8>(a, b) << 16; }

template <auto F> uint32_t accumulate(uint32_t a, uint32_t b, uint32_t c) {
  return uint32_t(F(a, b)) + c;
}
template <auto F> uint32_t accumulateSat(uint32_t a, uint32_t b, uint32_t c) {
  return uint32_t(std::min<uint64_t>(F(a, b) + c, ~0u));
}

/// Four windows of \p a, each a byte further, against \p b; 16-bit sums.
template <auto F, bool saturates> uint64_t quad(uint64_t a, uint32_t b, uint64_t c) {
  uint64_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    uint64_t sum = F(uint32_t(a >> 8 * i), b) + (c >> 16 * i & 0xFFFF);
    if (saturates)
      sum = std::min<uint64_t>(sum, 0xFFFF);
    result |= (sum & 0xFFFF) << 16 * i;
  }
  return result;
}

uint32_t lerpBytes(uint32_t a, uint32_t b, uint32_t c) {
  uint32_t result = 0;
  for (unsigned shift = 0; shift < 32; shift += 8) {
    uint32_t sum = (a >> shift & 0xFF) + (b >> shift & 0xFF) + (c >> shift & 1);
    result |= (sum >> 1) << shift;
  }
  return result;
}

/// Dot product of fields of \p bits bits; A and B say whether those of a and b are signed.
template <class A, class B, unsigned bits> int64_t dotOf(uint32_t a, uint32_t b) {
  int64_t sum = 0;
  for (unsigned i = 0; i < 32 / bits; ++i)
    sum += int64_t(field<A, bits>(a, i)) * field<B, bits>(b, i);
  return sum;
}
template <class T, class A, class B, unsigned bits> T dot(uint32_t a, uint32_t b, T c) {
  return T(uint64_t(dotOf<A, B, bits>(a, b)) + uint64_t(c));
}
template <class T, class A, class B, unsigned bits> T dotSat(uint32_t a, uint32_t b, T c) {
  return saturate<T>(dotOf<A, B, bits>(a, b) + c);
}
uint32_t together(Packed a) { return uint32_t(a.hi) << 16 | a.lo; }
template <class T, auto F> T dotHalves(Packed a, Packed b, T c) {
  return F(together(a), together(b), c);
}

using I = int32_t;
using U = uint32_t;
#define KILN_DOT(names, T, bits)                                                                   \
  KILN_VALU_CLAMP(names, (dot<T, T, T, bits>), (dotSat<T, T, T, bits>))

/// v_dot4_i32_iu8 and v_dot8_i32_iu4: neg_lo of a source says that its fields are signed.
template <unsigned bits>
constexpr const LaneOp *mixedDots[2][4] = {
    {&laneOp<dot<I, U, U, bits>>, &laneOp<dot<I, I, U, bits>>, &laneOp<dot<I, U, I, bits>>,
     &laneOp<dot<I, I, I, bits>>},
    {&laneOp<dotSat<I, U, U, bits>>, &laneOp<dotSat<I, I, U, bits>>, &laneOp<dotSat<I, U, I, bits>>,
     &laneOp<dotSat<I, I, I, bits>>}};

template <unsigned bits> bool decodeMixedDot(const RawInstr &raw, Instr &instr, std::string &why) {
  if (!decodeValu(raw, instr, why))
    return false;
  instr.kernel = mixedDots<bits>[raw.bits(15, 1)][raw.bits(61, 2)];
  return true;
}
#define KILN_MIXED_DOT(names, bits)                                                                \
  OpEntry {                                                                                        \
    names, runValu, decodeMixedDot<bits>, mixedDots<bits>[0][0], 0, 0x1F, mixedDots<bits>[1][0]    \
  }

constexpr OpEntry table[] = {
    KILN_VALU_CLAMP("v_sad_u8", accumulate<sumOfDifferences<8>>,
                    accumulateSat<sumOfDifferences<8>>),
    KILN_VALU_CLAMP("v_sad_u16", accumulate<sumOfDifferences<16>>,
                    accumulateSat<sumOfDifferences<16>>),
    KILN_VALU_CLAMP("v_sad_u32", accumulate<distance>, accumulateSat<distance>),
    KILN_VALU_CLAMP("v_sad_hi_u8", accumulate<highSum>, accumulateSat<highSum>),
    KILN_VALU_CLAMP("v_msad_u8", accumulate<maskedSum>, accumulateSat<maskedSum>),
    KILN_VALU_CLAMP("v_qsad_pk_u16_u8", (quad<sumOfDifferences<8>, false>),
                    (quad<sumOfDifferences<8>, true>)),
    KILN_VALU_CLAMP("v_mqsad_pk_u16_u8", (quad<maskedSum, false>), (quad<maskedSum, true>)),
    KILN_VALU("v_lerp_u8", lerpBytes),

    KILN_VALU_CLAMP("v_dot2_i32_i16", (dotHalves<I, dot<I, I, I, 16>>),
                    (dotHalves<I, dotSat<I, I, I, 16>>)),
    KILN_VALU_CLAMP("v_dot2_u32_u16", (dotHalves<U, dot<U, U, U, 16>>),
                    (dotHalves<U, dotSat<U, U, U, 16>>)),
    // The c forms accumulate in their destination.
    KILN_DOT("v_dot4_i32_i8 v_dot4c_i32_i8", I, 8),
    KILN_DOT("v_dot4_u32_u8", U, 8),
    KILN_DOT("v_dot8_i32_i4 v_dot8c_i32_i4", I, 4),
    KILN_DOT("v_dot8_u32_u4", U, 4),
    KILN_MIXED_DOT("v_dot4_i32_iu8", 8),
    KILN_MIXED_DOT("v_dot8_i32_iu4", 4),
};

} // namespace

llvm::ArrayRef<OpEntry> vectorByteOps() { return table; }

} // namespace pal::device
