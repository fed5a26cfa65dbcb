//===- VectorInteger.cpp - 32-bit and 64-bit integer vector operations -----===//
// SPDX-License-Identifier: MIT
/// \file
/// Moves, arithmetic, shifts and bit operations. Semantics: RDNA3 ISA manual, chapter "Vector ALU
/// instructions"; names of RDNA1/2 and RDNA4 are aliases where only the name changed.
#include "pal_shim/device/core/OpTables.h"
#include "pal_shim/device/ops/VectorTable.h"

namespace pal::device {

namespace {

uint32_t move(uint32_t a) { return a; }
Bits32 select(Bits32 a, Bits32 b, bool condition) { return condition ? b : a; }

uint32_t bitNot(uint32_t a) { return ~a; }
uint32_t bitAnd(uint32_t a, uint32_t b) { return a & b; }
uint32_t bitOr(uint32_t a, uint32_t b) { return a | b; }
uint32_t bitXor(uint32_t a, uint32_t b) { return a ^ b; }
uint32_t bitXnor(uint32_t a, uint32_t b) { return ~(a ^ b); }
uint32_t bitAndOr(uint32_t a, uint32_t b, uint32_t c) { return (a & b) | c; }
uint32_t bitOr3(uint32_t a, uint32_t b, uint32_t c) { return a | b | c; }
uint32_t bitXor3(uint32_t a, uint32_t b, uint32_t c) { return a ^ b ^ c; }

uint32_t reverseBits(uint32_t a) {
  a = (a >> 1 & 0x55555555) | (a & 0x55555555) << 1;
  a = (a >> 2 & 0x33333333) | (a & 0x33333333) << 2;
  a = (a >> 4 & 0x0F0F0F0F) | (a & 0x0F0F0F0F) << 4;
  a = (a >> 8 & 0x00FF00FF) | (a & 0x00FF00FF) << 8;
  return a >> 16 | a << 16;
}
uint32_t countLeadingZeros(uint32_t a) { return a ? uint32_t(std::countl_zero(a)) : ~0u; }
uint32_t countTrailingZeros(uint32_t a) { return a ? uint32_t(std::countr_zero(a)) : ~0u; }
/// Bits equal to the sign before the first one that differs; -1 if none does.
uint32_t countLeadingSigns(int32_t a) { return countLeadingZeros(uint32_t(a ^ a >> 31)); }
uint32_t countOnes(uint32_t a, uint32_t b) { return uint32_t(std::popcount(a)) + b; }

uint32_t add(uint32_t a, uint32_t b) { return a + b; }
uint32_t sub(uint32_t a, uint32_t b) { return a - b; }
uint32_t subRev(uint32_t a, uint32_t b) { return b - a; }
uint32_t addUSat(uint32_t a, uint32_t b) { return a + b < a ? ~0u : a + b; }
uint32_t subUSat(uint32_t a, uint32_t b) { return a < b ? 0 : a - b; }
uint32_t subRevUSat(uint32_t a, uint32_t b) { return subUSat(b, a); }
int32_t addISat(int32_t a, int32_t b) { return saturate<int32_t>(int64_t(a) + b); }
int32_t subISat(int32_t a, int32_t b) { return saturate<int32_t>(int64_t(a) - b); }
uint32_t add3(uint32_t a, uint32_t b, uint32_t c) { return a + b + c; }
uint32_t xorAdd(uint32_t a, uint32_t b, uint32_t c) { return (a ^ b) + c; }

using WithCarry = WithMask<uint32_t>;
WithCarry addCarryOut(uint32_t a, uint32_t b) { return {a + b, a + b < a}; }
WithCarry subCarryOut(uint32_t a, uint32_t b) { return {a - b, a < b}; }
WithCarry subRevCarryOut(uint32_t a, uint32_t b) { return subCarryOut(b, a); }
WithCarry addCarry(uint32_t a, uint32_t b, bool carry) {
  uint64_t sum = uint64_t(a) + b + carry;
  return {uint32_t(sum), sum >> 32 != 0};
}
WithCarry subCarry(uint32_t a, uint32_t b, bool borrow) {
  return {a - b - borrow, uint64_t(b) + borrow > a};
}
WithCarry subRevCarry(uint32_t a, uint32_t b, bool borrow) { return subCarry(b, a, borrow); }
/// With clamp an overflow gives the largest number, a borrow 0; the mask stays what it was.
template <auto F> WithCarry addSat(uint32_t a, uint32_t b) {
  WithCarry r = F(a, b);
  return {r.mask ? ~0u : r.value, r.mask};
}
template <auto F> WithCarry subSat(uint32_t a, uint32_t b) {
  WithCarry r = F(a, b);
  return {r.mask ? 0 : r.value, r.mask};
}
template <auto F> WithCarry addCarrySat(uint32_t a, uint32_t b, bool carry) {
  WithCarry r = F(a, b, carry);
  return {r.mask ? ~0u : r.value, r.mask};
}
template <auto F> WithCarry subCarrySat(uint32_t a, uint32_t b, bool borrow) {
  WithCarry r = F(a, b, borrow);
  return {r.mask ? 0 : r.value, r.mask};
}

uint32_t mulLo(uint32_t a, uint32_t b) { return a * b; }
uint32_t mulHiU(uint32_t a, uint32_t b) { return uint32_t(uint64_t(a) * b >> 32); }
int32_t mulHiI(int32_t a, int32_t b) { return int32_t(int64_t(a) * b >> 32); }

uint32_t low24U(uint32_t a) { return a & 0xFFFFFF; }
int32_t low24I(uint32_t a) { return int32_t(a << 8) >> 8; }
uint32_t mulU24(uint32_t a, uint32_t b) { return low24U(a) * low24U(b); }
uint32_t mulHiU24(uint32_t a, uint32_t b) { return mulHiU(low24U(a), low24U(b)); }
uint32_t mulI24(uint32_t a, uint32_t b) { return uint32_t(low24I(a)) * uint32_t(low24I(b)); }
int32_t mulHiI24(uint32_t a, uint32_t b) { return mulHiI(low24I(a), low24I(b)); }
uint32_t madU24(uint32_t a, uint32_t b, uint32_t c) { return mulU24(a, b) + c; }
uint32_t madI24(uint32_t a, uint32_t b, uint32_t c) { return mulI24(a, b) + c; }
uint32_t madU24Sat(uint32_t a, uint32_t b, uint32_t c) {
  return saturate<uint32_t>(int64_t(uint64_t(low24U(a)) * low24U(b) + c));
}
int32_t madI24Sat(uint32_t a, uint32_t b, int32_t c) {
  return saturate<int32_t>(int64_t(low24I(a)) * low24I(b) + c);
}

WithMask<uint64_t> madU64(uint32_t a, uint32_t b, uint64_t c) {
  uint64_t sum = uint64_t(a) * b + c;
  return {sum, sum < c};
}
WithMask<uint64_t> madU64Sat(uint32_t a, uint32_t b, uint64_t c) {
  WithMask<uint64_t> r = madU64(a, b, c);
  return {r.mask ? ~0ull : r.value, r.mask};
}
/// Sum of a product and an addend in 65 bits.
struct Sum65 {
  int64_t low;
  bool overflow, isNegative;
};
Sum65 sumOf(int32_t a, int32_t b, int64_t c) {
  int64_t product = int64_t(a) * b, sum = int64_t(uint64_t(product) + uint64_t(c));
  bool overflow = ((product ^ sum) & (c ^ sum)) < 0;
  return {sum, overflow, (sum < 0) != overflow};
}
/// The mask is bit 64 of the sum.
WithMask<int64_t> madI64(int32_t a, int32_t b, int64_t c) {
  Sum65 sum = sumOf(a, b, c);
  return {sum.low, sum.isNegative};
}
WithMask<int64_t> madI64Sat(int32_t a, int32_t b, int64_t c) {
  Sum65 sum = sumOf(a, b, c);
  int64_t limit =
      sum.isNegative ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
  return {sum.overflow ? limit : sum.low, sum.isNegative};
}

template <class T> T minimum(T a, T b) { return a < b ? a : b; }
template <class T> T maximum(T a, T b) { return a > b ? a : b; }
template <class T> T minimum3(T a, T b, T c) { return minimum(minimum(a, b), c); }
template <class T> T maximum3(T a, T b, T c) { return maximum(maximum(a, b), c); }
template <class T> T maxMin(T a, T b, T c) { return minimum(maximum(a, b), c); }
template <class T> T minMax(T a, T b, T c) { return maximum(minimum(a, b), c); }

uint32_t shiftLeft(uint32_t amount, uint32_t a) { return a << (amount & 31); }
uint32_t shiftRight(uint32_t amount, uint32_t a) { return a >> (amount & 31); }
int32_t shiftRightArith(uint32_t amount, int32_t a) { return a >> (amount & 31); }
uint64_t shiftLeft64(uint32_t amount, uint64_t a) { return a << (amount & 63); }
uint64_t shiftRight64(uint32_t amount, uint64_t a) { return a >> (amount & 63); }
int64_t shiftRightArith64(uint32_t amount, int64_t a) { return a >> (amount & 63); }
uint32_t shiftLeftAdd(uint32_t a, uint32_t amount, uint32_t c) { return (a << (amount & 31)) + c; }
uint32_t addShiftLeft(uint32_t a, uint32_t b, uint32_t amount) { return (a + b) << (amount & 31); }
uint32_t shiftLeftOr(uint32_t a, uint32_t amount, uint32_t c) { return a << (amount & 31) | c; }

uint32_t extractU(uint32_t a, uint32_t offset, uint32_t width) {
  return a >> (offset & 31) & ((1u << (width & 31)) - 1);
}
/// The field's sign bit is that of (a >> offset) at width - 1, also where the field ends beyond a.
int32_t extractI(int32_t a, uint32_t offset, uint32_t width) {
  uint32_t bits = width & 31;
  int32_t shifted = a >> (offset & 31);
  return bits ? int32_t(uint32_t(shifted) << (32 - bits)) >> (32 - bits) : 0;
}
uint32_t insertBits(uint32_t mask, uint32_t a, uint32_t b) { return (mask & a) | (~mask & b); }
uint32_t makeMask(uint32_t width, uint32_t offset) {
  return ((1u << (width & 31)) - 1) << (offset & 31);
}
uint64_t joined(uint32_t high, uint32_t low) { return uint64_t(high) << 32 | low; }
// The amount is a 16-bit operand, which may be the high half of a register (gfx11 on).
uint32_t alignBit(uint32_t high, uint32_t low, uint16_t amount) {
  return uint32_t(joined(high, low) >> (amount & 31));
}
uint32_t alignByte(uint32_t high, uint32_t low, uint16_t amount) {
  return uint32_t(joined(high, low) >> 8 * (amount & 3));
}

/// Selector bytes: 0-7 a byte of {a, b}, 8-11 the sign of byte 1, 3, 5 or 7 of it, 12 zeros, more
/// ones.
uint32_t permuteBytes(uint32_t a, uint32_t b, uint32_t selectors) {
  uint32_t result = 0;
  for (unsigned i = 0; i < 4; ++i) { // without branches, so that lanes vectorise
    uint32_t selector = selectors >> 8 * i & 0xFF;
    uint32_t byte = (selector & 4 ? a : b) >> 8 * (selector & 3) & 0xFF;
    uint32_t sign = (selector & 2 ? a : b) >> (selector & 1 ? 31 : 15) & 1 ? 0xFF : 0;
    uint32_t constant = selector == 12 ? 0 : 0xFF;
    result |= (selector < 8 ? byte : selector < 12 ? sign : constant) << 8 * i;
  }
  return result;
}

constexpr OpEntry table[] = {
    KILN_VALU("v_mov_b32", move),
    KILN_VALU("v_cndmask_b32", select),
    KILN_VALU("v_not_b32", bitNot),
    KILN_VALU("v_and_b32", bitAnd),
    KILN_VALU("v_or_b32", bitOr),
    KILN_VALU("v_xor_b32", bitXor),
    KILN_VALU("v_xnor_b32", bitXnor),
    KILN_VALU("v_and_or_b32", bitAndOr),
    KILN_VALU("v_or3_b32", bitOr3),
    KILN_VALU("v_xor3_b32", bitXor3),
    KILN_VALU("v_bfrev_b32", reverseBits),
    KILN_VALU("v_clz_i32_u32 v_ffbh_u32", countLeadingZeros),
    KILN_VALU("v_ctz_i32_b32 v_ffbl_b32", countTrailingZeros),
    KILN_VALU("v_cls_i32 v_ffbh_i32", countLeadingSigns),
    KILN_VALU("v_bcnt_u32_b32", countOnes),

    KILN_VALU_CLAMP("v_add_nc_u32", add, addUSat),
    KILN_VALU_CLAMP("v_sub_nc_u32", sub, subUSat),
    KILN_VALU_CLAMP("v_subrev_nc_u32", subRev, subRevUSat),
    KILN_VALU_CLAMP("v_add_nc_i32", add, addISat),
    KILN_VALU_CLAMP("v_sub_nc_i32", sub, subISat),
    KILN_VALU("v_add3_u32", add3),
    KILN_VALU("v_xad_u32", xorAdd),
    KILN_VALU_CLAMP("v_add_co_u32", addCarryOut, addSat<addCarryOut>),
    KILN_VALU_CLAMP("v_sub_co_u32", subCarryOut, subSat<subCarryOut>),
    KILN_VALU_CLAMP("v_subrev_co_u32", subRevCarryOut, subSat<subRevCarryOut>),
    KILN_VALU_CLAMP("v_add_co_ci_u32", addCarry, addCarrySat<addCarry>),
    KILN_VALU_CLAMP("v_sub_co_ci_u32", subCarry, subCarrySat<subCarry>),
    KILN_VALU_CLAMP("v_subrev_co_ci_u32", subRevCarry, subCarrySat<subRevCarry>),

    KILN_VALU("v_mul_lo_u32 v_mul_lo_i32", mulLo),
    KILN_VALU("v_mul_hi_u32", mulHiU),
    KILN_VALU("v_mul_hi_i32", mulHiI),
    KILN_VALU("v_mul_u32_u24", mulU24),
    KILN_VALU("v_mul_hi_u32_u24", mulHiU24),
    KILN_VALU("v_mul_i32_i24", mulI24),
    KILN_VALU("v_mul_hi_i32_i24", mulHiI24),
    KILN_VALU_CLAMP("v_mad_u32_u24", madU24, madU24Sat),
    KILN_VALU_CLAMP("v_mad_i32_i24", madI24, madI24Sat),
    KILN_VALU_CLAMP("v_mad_u64_u32 v_mad_co_u64_u32", madU64, madU64Sat),
    KILN_VALU_CLAMP("v_mad_i64_i32 v_mad_co_i64_i32", madI64, madI64Sat),

    KILN_VALU("v_min_i32", minimum<int32_t>),
    KILN_VALU("v_max_i32", maximum<int32_t>),
    KILN_VALU("v_min_u32", minimum<uint32_t>),
    KILN_VALU("v_max_u32", maximum<uint32_t>),
    KILN_VALU("v_min3_i32", minimum3<int32_t>),
    KILN_VALU("v_max3_i32", maximum3<int32_t>),
    KILN_VALU("v_med3_i32", median<int32_t>),
    KILN_VALU("v_min3_u32", minimum3<uint32_t>),
    KILN_VALU("v_max3_u32", maximum3<uint32_t>),
    KILN_VALU("v_med3_u32", median<uint32_t>),
    KILN_VALU("v_maxmin_i32", maxMin<int32_t>),
    KILN_VALU("v_minmax_i32", minMax<int32_t>),
    KILN_VALU("v_maxmin_u32", maxMin<uint32_t>),
    KILN_VALU("v_minmax_u32", minMax<uint32_t>),

    KILN_VALU("v_lshlrev_b32", shiftLeft),
    KILN_VALU("v_lshrrev_b32", shiftRight),
    KILN_VALU("v_ashrrev_i32", shiftRightArith),
    KILN_VALU("v_lshlrev_b64", shiftLeft64),
    KILN_VALU("v_lshrrev_b64", shiftRight64),
    KILN_VALU("v_ashrrev_i64", shiftRightArith64),
    KILN_VALU("v_lshl_add_u32", shiftLeftAdd),
    KILN_VALU("v_add_lshl_u32", addShiftLeft),
    KILN_VALU("v_lshl_or_b32", shiftLeftOr),

    KILN_VALU("v_bfe_u32", extractU),
    KILN_VALU("v_bfe_i32", extractI),
    KILN_VALU("v_bfi_b32", insertBits),
    KILN_VALU("v_bfm_b32", makeMask),
    KILN_VALU("v_alignbit_b32", alignBit),
    KILN_VALU("v_alignbyte_b32", alignByte),
    KILN_VALU("v_perm_b32", permuteBytes),
};

} // namespace

llvm::ArrayRef<OpEntry> vectorIntegerOps() { return table; }

} // namespace pal::device
