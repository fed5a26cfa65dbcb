//===- VectorInteger16.cpp - 16-bit and packed integer vector operations ---===//
// SPDX-License-Identifier: MIT
/// \file
/// Operations on halves of registers, one or two at a time, and conversions between integers.
/// Semantics: RDNA3 ISA manual, "VOP3 instructions", "VOP3P instructions".
#include "pal_shim/device/core/OpTables.h"
#include "pal_shim/device/ops/VectorTable.h"

namespace pal::device {

namespace {

uint16_t move(uint16_t a) { return a; }
Half select(Half a, Half b, bool condition) { return condition ? b : a; }
uint16_t bitNot(uint16_t a) { return uint16_t(~a); }
uint16_t bitAnd(uint16_t a, uint16_t b) { return a & b; }
uint16_t bitOr(uint16_t a, uint16_t b) { return a | b; }
uint16_t bitXor(uint16_t a, uint16_t b) { return a ^ b; }

template <class T> T add(T a, T b) { return T(a + b); }
template <class T> T sub(T a, T b) { return T(a - b); }
template <class T> T addSat(T a, T b) { return saturate<T>(int32_t(a) + b); }
template <class T> T subSat(T a, T b) { return saturate<T>(int32_t(a) - b); }
uint16_t mulLo(uint16_t a, uint16_t b) { return uint16_t(uint32_t(a) * b); }
template <class T> T mad(T a, T b, T c) { return T(uint32_t(a) * uint32_t(b) + uint32_t(c)); }
template <class T> T madSat(T a, T b, T c) { return saturate<T>(int64_t(a) * b + c); }
template <class T> T minimum(T a, T b) { return a < b ? a : b; }
template <class T> T maximum(T a, T b) { return a > b ? a : b; }
template <class T> T minimum3(T a, T b, T c) { return minimum(minimum(a, b), c); }
template <class T> T maximum3(T a, T b, T c) { return maximum(maximum(a, b), c); }
uint16_t shiftLeft(uint16_t amount, uint16_t a) { return uint16_t(a << (amount & 15)); }
uint16_t shiftRight(uint16_t amount, uint16_t a) { return uint16_t(a >> (amount & 15)); }
int16_t shiftRightArith(uint16_t amount, int16_t a) { return int16_t(a >> (amount & 15)); }

uint32_t madU32U16(uint16_t a, uint16_t b, uint32_t c) { return uint32_t(a) * b + c; }
uint32_t madU32U16Sat(uint16_t a, uint16_t b, uint32_t c) {
  return saturate<uint32_t>(int64_t(uint32_t(a) * b) + c);
}
uint32_t madI32I16(int16_t a, int16_t b, uint32_t c) { return uint32_t(a * b) + c; }
int32_t madI32I16Sat(int16_t a, int16_t b, int32_t c) {
  return saturate<int32_t>(int64_t(a) * b + c);
}

uint32_t widenU16(uint16_t a) { return a; }
int32_t widenI16(int16_t a) { return a; }
uint32_t joined(uint16_t low, uint16_t high) { return uint32_t(high) << 16 | low; }
uint32_t packHalves(Half low, Half high) { return joined(low.bits, high.bits); }
uint32_t packU16(uint32_t a, uint32_t b) {
  return joined(saturate<uint16_t>(a), saturate<uint16_t>(b));
}
uint32_t packI16(int32_t a, int32_t b) {
  return joined(uint16_t(saturate<int16_t>(a)), uint16_t(saturate<int16_t>(b)));
}
uint16_t saturateBytes(uint32_t a) {
  return uint16_t(saturate<uint8_t>(int16_t(a)) | saturate<uint8_t>(int16_t(a >> 16)) << 8);
}

/// Halves of v_pk_* as T.
template <class T, T (*F)(T, T)> uint16_t half(uint16_t a, uint16_t b) {
  return uint16_t(F(T(a), T(b)));
}
template <class T, T (*F)(T, T, T)> uint16_t half3(uint16_t a, uint16_t b, uint16_t c) {
  return uint16_t(F(T(a), T(b), T(c)));
}
template <class T, T (*F)(T, T)> Packed pk(Packed a, Packed b) {
  return eachHalf<half<T, F>>(a, b);
}
template <class T, T (*F)(T, T, T)> Packed pk3(Packed a, Packed b, Packed c) {
  return eachHalf3<half3<T, F>>(a, b, c);
}
uint16_t shiftRightArithBits(uint16_t amount, uint16_t a) {
  return uint16_t(shiftRightArith(amount, int16_t(a)));
}

constexpr OpEntry table[] = {
    KILN_VALU("v_mov_b16", move),
    KILN_VALU_FLAGS("v_cndmask_b16", select, KeepDenormals),
    KILN_VALU("v_not_b16", bitNot),
    KILN_VALU("v_and_b16", bitAnd),
    KILN_VALU("v_or_b16", bitOr),
    KILN_VALU("v_xor_b16", bitXor),
    KILN_VALU_CLAMP("v_add_nc_u16", add<uint16_t>, addSat<uint16_t>),
    KILN_VALU_CLAMP("v_sub_nc_u16", sub<uint16_t>, subSat<uint16_t>),
    KILN_VALU_CLAMP("v_add_nc_i16", add<int16_t>, addSat<int16_t>),
    KILN_VALU_CLAMP("v_sub_nc_i16", sub<int16_t>, subSat<int16_t>),
    KILN_VALU("v_mul_lo_u16", mulLo),
    KILN_VALU_CLAMP("v_mad_u16", mad<uint16_t>, madSat<uint16_t>),
    KILN_VALU_CLAMP("v_mad_i16", mad<int16_t>, madSat<int16_t>),
    KILN_VALU("v_min_u16", minimum<uint16_t>),
    KILN_VALU("v_max_u16", maximum<uint16_t>),
    KILN_VALU("v_min_i16", minimum<int16_t>),
    KILN_VALU("v_max_i16", maximum<int16_t>),
    KILN_VALU("v_min3_u16", minimum3<uint16_t>),
    KILN_VALU("v_max3_u16", maximum3<uint16_t>),
    KILN_VALU("v_med3_u16", median<uint16_t>),
    KILN_VALU("v_min3_i16", minimum3<int16_t>),
    KILN_VALU("v_max3_i16", maximum3<int16_t>),
    KILN_VALU("v_med3_i16", median<int16_t>),
    KILN_VALU("v_lshlrev_b16", shiftLeft),
    KILN_VALU("v_lshrrev_b16", shiftRight),
    KILN_VALU("v_ashrrev_i16", shiftRightArith),

    KILN_VALU_CLAMP("v_mad_u32_u16", madU32U16, madU32U16Sat),
    KILN_VALU_CLAMP("v_mad_i32_i16", madI32I16, madI32I16Sat),
    KILN_VALU("v_cvt_u32_u16", widenU16),
    KILN_VALU("v_cvt_i32_i16", widenI16),
    KILN_VALU("v_cvt_pk_u16_u32", packU16),
    KILN_VALU("v_cvt_pk_i16_i32", packI16),
    KILN_VALU("v_sat_pk_u8_i16", saturateBytes),
    KILN_VALU_FLAGS("v_pack_b32_f16", packHalves, KeepDenormals),

    KILN_VALU_CLAMP("v_pk_add_u16", (pk<uint16_t, add>), (pk<uint16_t, addSat>)),
    KILN_VALU_CLAMP("v_pk_add_i16", (pk<int16_t, add>), (pk<int16_t, addSat>)),
    KILN_VALU_CLAMP("v_pk_sub_u16", (pk<uint16_t, sub>), (pk<uint16_t, subSat>)),
    KILN_VALU_CLAMP("v_pk_sub_i16", (pk<int16_t, sub>), (pk<int16_t, subSat>)),
    KILN_VALU("v_pk_mul_lo_u16", eachHalf<mulLo>),
    KILN_VALU_CLAMP("v_pk_mad_u16", (pk3<uint16_t, mad>), (pk3<uint16_t, madSat>)),
    KILN_VALU_CLAMP("v_pk_mad_i16", (pk3<int16_t, mad>), (pk3<int16_t, madSat>)),
    KILN_VALU("v_pk_min_u16", (pk<uint16_t, minimum>)),
    KILN_VALU("v_pk_max_u16", (pk<uint16_t, maximum>)),
    KILN_VALU("v_pk_min_i16", (pk<int16_t, minimum>)),
    KILN_VALU("v_pk_max_i16", (pk<int16_t, maximum>)),
    KILN_VALU("v_pk_lshlrev_b16", eachHalf<shiftLeft>),
    KILN_VALU("v_pk_lshrrev_b16", eachHalf<shiftRight>),
    KILN_VALU("v_pk_ashrrev_i16", eachHalf<shiftRightArithBits>),
};

} // namespace

llvm::ArrayRef<OpEntry> vectorInteger16Ops() { return table; }

} // namespace pal::device
