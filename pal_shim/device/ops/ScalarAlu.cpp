//===- ScalarAlu.cpp - integer scalar operations ---------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// SOP1, SOP2, SOPC and SOPK arithmetic of gfx10 to gfx12. Source: RDNA1 to RDNA4 ISA manuals,
/// chapters "SOP2 instructions" etc. Where they disagree with hardware, hardware is followed:
/// s_bfe_* set SCC, s_max_* clear it for equal operands.
#include "pal_shim/device/core/OpTables.h"
#include "pal_shim/device/ops/Scalar.h"
#include <algorithm>
#include <bit>

namespace pal::device {

namespace {

using u32 = uint32_t;
using i32 = int32_t;
using u64 = uint64_t;
using i64 = int64_t;

/// Sets SCC if the result is not 0.
template <class T> T nonZero(T value, u32 &scc) {
  scc = value != 0;
  return value;
}

// ---- addition, subtraction, multiplication
// --------------------------------------------------------
u32 addU32(u32 a, u32 b, u32 &scc) {
  scc = a + b < a;
  return a + b;
}
u32 subU32(u32 a, u32 b, u32 &scc) {
  scc = a < b;
  return a - b;
}
/// SCC is signed overflow.
i32 addI32(i32 a, i32 b, u32 &scc) {
  i32 result;
  scc = __builtin_add_overflow(a, b, &result);
  return result;
}
i32 subI32(i32 a, i32 b, u32 &scc) {
  i32 result;
  scc = __builtin_sub_overflow(a, b, &result);
  return result;
}
u32 addCarryU32(u32 a, u32 b, u32 &scc) {
  u64 sum = u64(a) + b + scc;
  scc = sum >> 32 != 0;
  return u32(sum);
}
u32 subBorrowU32(u32 a, u32 b, u32 &scc) {
  u32 result = a - b - scc;
  scc = u64(b) + scc > a;
  return result;
}
u64 addU64(u64 a, u64 b) { return a + b; }
u64 subU64(u64 a, u64 b) { return a - b; }
u64 mulU64(u64 a, u64 b) { return a * b; }
u32 mulI32(u32 a, u32 b) { return a * b; }
u32 mulHiU32(u32 a, u32 b) { return u32(u64(a) * b >> 32); }
i32 mulHiI32(i32 a, i32 b) { return i32(i64(a) * b >> 32); }
template <unsigned N> u32 shiftAddU32(u32 a, u32 b, u32 &scc) {
  u64 sum = (u64(a) << N) + b;
  scc = sum >> 32 != 0;
  return u32(sum);
}
u32 absDiffI32(u32 a, u32 b, u32 &scc) {
  u32 difference = a - b; // wraps, also in hardware
  return nonZero(i32(difference) < 0 ? 0 - difference : difference, scc);
}
u32 absI32(u32 a, u32 &scc) { return nonZero(i32(a) < 0 ? 0 - a : a, scc); }

template <class T> T minScalar(T a, T b, u32 &scc) {
  scc = a < b;
  return scc ? a : b;
}
template <class T> T maxScalar(T a, T b, u32 &scc) {
  scc = a > b;
  return scc ? a : b;
}

// ---- logic
// ------------------------------------------------------------------------------------------
template <class T> T andOf(T a, T b) { return a & b; }
template <class T> T orOf(T a, T b) { return a | b; }
template <class T> T xorOf(T a, T b) { return a ^ b; }
template <class T> T nandOf(T a, T b) { return ~(a & b); }
template <class T> T norOf(T a, T b) { return ~(a | b); }
template <class T> T xnorOf(T a, T b) { return ~(a ^ b); }
template <class T> T andNot1(T a, T b) { return a & ~b; }
template <class T> T orNot1(T a, T b) { return a | ~b; }
template <class T> T andNot0(T a, T b) { return ~a & b; }
template <class T> T orNot0(T a, T b) { return ~a | b; }

template <auto Op, class T> T logic(T a, T b, u32 &scc) { return nonZero(Op(a, b), scc); }
template <class T> T notOf(T a, u32 &scc) { return nonZero(T(~a), scc); }

template <class T> T execOf(const Wave &wave) {
  if constexpr (sizeof(T) == 8)
    return wave.s64(sreg::execLo);
  else
    return wave.s[sreg::execLo];
}
template <class T> void setExec(Wave &wave, T value) {
  if constexpr (sizeof(T) == 8)
    wave.setS64(sreg::execLo, value);
  else
    wave.s[sreg::execLo] = value;
  wave.scc = value != 0;
}

/// The old EXEC goes to the destination.
template <auto Op, class T> void saveExec(Wave &wave, const Instr &instr) {
  T source = detail::readScalar<T>(wave, instr.src[0]);
  T old = execOf<T>(wave);
  detail::writeScalar<T>(wave, instr, old);
  setExec<T>(wave, Op(source, old));
}

/// The new EXEC goes to the destination.
template <auto Op, class T> void writeExec(Wave &wave, const Instr &instr) {
  T result = Op(detail::readScalar<T>(wave, instr.src[0]), execOf<T>(wave));
  setExec<T>(wave, result);
  detail::writeScalar<T>(wave, instr, result);
}

// ---- shifts and bit fields
// --------------------------------------------------------------------------
template <class T> constexpr u32 bitsOf = sizeof(T) * 8;

template <class T> T shiftLeft(T a, u32 b, u32 &scc) {
  return nonZero(T(a << (b & (bitsOf<T> - 1))), scc);
}
/// Arithmetic for signed types.
template <class T> T shiftRight(T a, u32 b, u32 &scc) {
  return nonZero(T(a >> (b & (bitsOf<T> - 1))), scc);
}

template <class T> T lowMask(u32 width) { return width >= bitsOf<T> ? T(-1) : (T(1) << width) - 1; }

/// Offset in the low bits of \p field, width in [22:16].
template <class T> T bfeUnsigned(T a, u32 field, u32 &scc) {
  return nonZero(T((a >> (field & (bitsOf<T> - 1))) & lowMask<T>(field >> 16 & 0x7F)), scc);
}
template <class T> T bfeSigned(T a, u32 field, u32 &scc) {
  u32 width = field >> 16 & 0x7F;
  T shifted = a >> (field & (bitsOf<T> - 1));
  if (width == 0)
    return nonZero(T(0), scc);
  if (width < bitsOf<T>) {
    u32 unused = bitsOf<T> - width;
    shifted = T(std::make_unsigned_t<T>(shifted) << unused) >> unused;
  }
  return nonZero(shifted, scc);
}
template <class T> T bfm(u32 width, u32 offset) {
  return lowMask<T>(width & (bitsOf<T> - 1)) << (offset & (bitsOf<T> - 1));
}
/// One bit of the destination changes; LLVM does not list it as a source.
template <class T, u32 value> void setBit(Wave &wave, const Instr &instr) {
  if (instr.dst[0].kind != Dst::Kind::Sgpr)
    return;
  Src old;
  old.kind = Src::Kind::Sgpr;
  old.reg = instr.dst[0].reg;
  T bit = T(1) << (readScalar32(wave, instr.src[0]) & (bitsOf<T> - 1));
  T bits = detail::readScalar<T>(wave, old);
  detail::writeScalar<T>(wave, instr, value ? bits | bit : bits & ~bit);
}

// ---- counting
// ---------------------------------------------------------------------------------------
template <class T> T reverseBits(T a) {
  T result = 0;
  for (u32 i = 0; i < bitsOf<T>; ++i)
    result |= (a >> i & 1) << (bitsOf<T> - 1 - i);
  return result;
}
template <class T> u32 countZeros(T a, u32 &scc) { return nonZero(u32(std::popcount(T(~a))), scc); }
template <class T> u32 countOnes(T a, u32 &scc) { return nonZero(u32(std::popcount(a)), scc); }
/// Position of the lowest bit that is 1; all ones if there is none.
template <class T> u32 firstOne(T a) { return a ? u32(std::countr_zero(a)) : ~0u; }
template <class T> u32 firstZero(T a) { return firstOne(T(~a)); }
template <class T> u32 leadingZeros(T a) { return a ? u32(std::countl_zero(a)) : ~0u; }
/// Number of bits at the top that equal the sign, the sign included; all ones if all do.
template <class T> u32 leadingSigns(T a) {
  return leadingZeros(T(T(a >> (bitsOf<T> - 1)) ? ~a : a));
}

// ---- quads and packing
// ------------------------------------------------------------------------------
template <class T> T anyOfQuad(T a) {
  T low = T(0x1111111111111111ull);
  return (a | a >> 1 | a >> 2 | a >> 3) & low;
}
template <class T> T wholeQuads(T a, u32 &scc) { return nonZero(T(anyOfQuad(a) * 0xF), scc); }
template <class T> T quadMask(T a, u32 &scc) {
  T any = anyOfQuad(a), result = 0;
  for (u32 quad = 0; quad < bitsOf<T> / 4; ++quad)
    result |= (any >> quad * 4 & 1) << quad;
  return nonZero(result, scc);
}
u64 bitReplicate(u32 a) {
  u64 result = 0;
  for (u32 i = 0; i < 32; ++i)
    result |= u64(a >> i & 1) * 3 << i * 2;
  return result;
}
u32 packLL(u32 a, u32 b) { return (a & 0xFFFF) | b << 16; }
u32 packLH(u32 a, u32 b) { return (a & 0xFFFF) | (b & 0xFFFF0000); }
u32 packHH(u32 a, u32 b) { return a >> 16 | (b & 0xFFFF0000); }
u32 packHL(u32 a, u32 b) { return a >> 16 | b << 16; }

// ---- moves
// ------------------------------------------------------------------------------------------
template <class T> T move(T a) { return a; }
template <class T> T select(T a, T b, u32 &scc) { return scc ? a : b; }
i32 signExtend8(u32 a) { return int8_t(a); }
i32 signExtend16(u32 a) { return int16_t(a); }

/// The destination keeps its value when SCC is 0. The constant or register is the last source.
template <class T> void conditionalMove(Wave &wave, const Instr &instr) {
  if (!wave.scc)
    return;
  const Src *source = &instr.src[0];
  if (instr.src[1].kind != Src::Kind::None)
    source = &instr.src[1];
  detail::writeScalar<T>(wave, instr, detail::readScalar<T>(wave, *source));
}

/// SGPRs that relative addressing may reach.
constexpr u32 relativeSgprs = 106;

bool relativeSgpr(Wave &wave, const char *what, u32 reg, u32 offset, u32 dwords, u32 &result) {
  result = reg + offset;
  if (result < relativeSgprs && result + dwords <= relativeSgprs)
    return true;
  wave.fault(DeviceFault::Kind::BadInstruction, llvm::Twine(what) + " s" + llvm::Twine(reg) +
                                                    " + " + llvm::Twine(offset) +
                                                    " is not an SGPR");
  return false;
}

template <class T, bool isSourceRelative, bool isDstRelative, bool hasTwoOffsets>
void moveRelative(Wave &wave, const Instr &instr) {
  u32 m0 = wave.s[sreg::m0];
  u32 sourceOffset = isSourceRelative ? (hasTwoOffsets ? m0 & 0x3FF : m0) : 0;
  u32 dstOffset = isDstRelative ? (hasTwoOffsets ? m0 >> 16 & 0x3FF : m0) : 0;
  Src source = instr.src[0];
  Instr shifted;
  shifted.dst[0] = instr.dst[0];
  u32 reg = 0;
  if (isSourceRelative) {
    if (!relativeSgpr(wave, "source", source.reg, sourceOffset, sizeof(T) / 4, reg))
      return;
    source.reg = uint16_t(reg);
  }
  if (isDstRelative) {
    if (!relativeSgpr(wave, "destination", instr.dst[0].reg, dstOffset, sizeof(T) / 4, reg))
      return;
    shifted.dst[0].reg = uint16_t(reg);
  }
  detail::writeScalar<T>(wave, shifted, detail::readScalar<T>(wave, source));
}

bool decodeMoveRelative(const RawInstr &raw, Instr &instr, std::string &why) {
  if (!decodeSalu(raw, instr, why))
    return false;
  if (instr.dst[0].kind == Dst::Kind::None) {
    // LLVM lists the base of a relative destination as a source, because it is not written.
    instr.dst[0].kind = Dst::Kind::Sgpr;
    instr.dst[0].reg = instr.src[0].reg;
    if (instr.src[0].kind != Src::Kind::Sgpr)
      instr.dst[0].kind = Dst::Kind::None;
    instr.src[0] = instr.src[1];
  }
  bool relativeSource = raw.mnemonic.starts_with("s_movrels");
  if (instr.dst[0].kind != Dst::Kind::Sgpr ||
      (relativeSource && instr.src[0].kind != Src::Kind::Sgpr)) {
    why = "relative operand that is not an SGPR";
    return false;
  }
  return true;
}

// ---- compares
// ---------------------------------------------------------------------------------------
template <class T> bool equal(T a, T b) { return a == b; }
template <class T> bool notEqual(T a, T b) { return a != b; }
template <class T> bool greater(T a, T b) { return a > b; }
template <class T> bool greaterEqual(T a, T b) { return a >= b; }
template <class T> bool less(T a, T b) { return a < b; }
template <class T> bool lessEqual(T a, T b) { return a <= b; }
template <class T, u32 wanted> bool bitCompare(T a, u32 bit) {
  return (a >> (bit & (bitsOf<T> - 1)) & 1) == wanted;
}

/// SOPK compares with u32 zero-extend the constant, which is the second source.
bool decodeUnsignedConstant(const RawInstr &raw, Instr &instr, std::string &why) {
  if (!decodeSalu(raw, instr, why))
    return false;
  instr.src[1].imm = uint16_t(instr.simm);
  return true;
}

#define KILN_LOGIC(name, oldNames32, oldNames64, op)                                               \
  {"s_" name "_b32" oldNames32, runScalar<logic<op<u32>, u32>>, decodeSalu}, {                     \
    "s_" name "_b64" oldNames64, runScalar<logic<op<u64>, u64>>, decodeSalu                        \
  }
#define KILN_SAVEEXEC(name, oldNames32, oldNames64, op)                                            \
  {"s_" name "_saveexec_b32" oldNames32, saveExec<op<u32>, u32>, decodeSalu}, {                    \
    "s_" name "_saveexec_b64" oldNames64, saveExec<op<u64>, u64>, decodeSalu                       \
  }
#define KILN_COMPARE(name, op)                                                                     \
  {"s_cmp_" name "_i32", runScalar<op<i32>>, decodeSalu},                                          \
      {"s_cmp_" name "_u32", runScalar<op<u32>>, decodeSalu},                                      \
      {"s_cmpk_" name "_i32", runScalar<op<i32>>, decodeSalu}, {                                   \
    "s_cmpk_" name "_u32", runScalar<op<u32>>, decodeUnsignedConstant                              \
  }

constexpr OpEntry ops[] = {
    {"s_add_u32 s_add_co_u32", runScalar<addU32>, decodeSalu},
    {"s_sub_u32 s_sub_co_u32", runScalar<subU32>, decodeSalu},
    {"s_add_i32 s_add_co_i32", runScalar<addI32>, decodeSalu},
    {"s_sub_i32 s_sub_co_i32", runScalar<subI32>, decodeSalu},
    {"s_addc_u32 s_add_co_ci_u32", runScalar<addCarryU32>, decodeSalu},
    {"s_subb_u32 s_sub_co_ci_u32", runScalar<subBorrowU32>, decodeSalu},
    {"s_addk_i32 s_addk_co_i32", runScalar<addI32>, decodeSalu},
    {"s_add_nc_u64 s_add_u64", runScalar<addU64>, decodeSalu},
    {"s_sub_nc_u64 s_sub_u64", runScalar<subU64>, decodeSalu},
    {"s_mul_u64", runScalar<mulU64>, decodeSalu},
    {"s_mul_i32", runScalar<mulI32>, decodeSalu},
    {"s_mulk_i32", runScalar<mulI32>, decodeSalu},
    {"s_mul_hi_u32", runScalar<mulHiU32>, decodeSalu},
    {"s_mul_hi_i32", runScalar<mulHiI32>, decodeSalu},
    {"s_lshl1_add_u32", runScalar<shiftAddU32<1>>, decodeSalu},
    {"s_lshl2_add_u32", runScalar<shiftAddU32<2>>, decodeSalu},
    {"s_lshl3_add_u32", runScalar<shiftAddU32<3>>, decodeSalu},
    {"s_lshl4_add_u32", runScalar<shiftAddU32<4>>, decodeSalu},
    {"s_absdiff_i32", runScalar<absDiffI32>, decodeSalu},
    {"s_abs_i32", runScalar<absI32>, decodeSalu},
    {"s_min_i32", runScalar<minScalar<i32>>, decodeSalu},
    {"s_min_u32", runScalar<minScalar<u32>>, decodeSalu},
    {"s_max_i32", runScalar<maxScalar<i32>>, decodeSalu},
    {"s_max_u32", runScalar<maxScalar<u32>>, decodeSalu},
    KILN_LOGIC("and", "", "", andOf),
    KILN_LOGIC("or", "", "", orOf),
    KILN_LOGIC("xor", "", "", xorOf),
    KILN_LOGIC("nand", "", "", nandOf),
    KILN_LOGIC("nor", "", "", norOf),
    KILN_LOGIC("xnor", "", "", xnorOf),
    KILN_LOGIC("and_not1", " s_andn2_b32", " s_andn2_b64", andNot1),
    KILN_LOGIC("or_not1", " s_orn2_b32", " s_orn2_b64", orNot1),
    {"s_not_b32", runScalar<notOf<u32>>, decodeSalu},
    {"s_not_b64", runScalar<notOf<u64>>, decodeSalu},
    KILN_SAVEEXEC("and", "", "", andOf),
    KILN_SAVEEXEC("or", "", "", orOf),
    KILN_SAVEEXEC("xor", "", "", xorOf),
    KILN_SAVEEXEC("nand", "", "", nandOf),
    KILN_SAVEEXEC("nor", "", "", norOf),
    KILN_SAVEEXEC("xnor", "", "", xnorOf),
    KILN_SAVEEXEC("and_not0", " s_andn1_saveexec_b32", " s_andn1_saveexec_b64", andNot0),
    KILN_SAVEEXEC("or_not0", " s_orn1_saveexec_b32", " s_orn1_saveexec_b64", orNot0),
    KILN_SAVEEXEC("and_not1", " s_andn2_saveexec_b32", " s_andn2_saveexec_b64", andNot1),
    KILN_SAVEEXEC("or_not1", " s_orn2_saveexec_b32", " s_orn2_saveexec_b64", orNot1),
    {"s_and_not0_wrexec_b32 s_andn1_wrexec_b32", writeExec<andNot0<u32>, u32>, decodeSalu},
    {"s_and_not0_wrexec_b64 s_andn1_wrexec_b64", writeExec<andNot0<u64>, u64>, decodeSalu},
    {"s_and_not1_wrexec_b32 s_andn2_wrexec_b32", writeExec<andNot1<u32>, u32>, decodeSalu},
    {"s_and_not1_wrexec_b64 s_andn2_wrexec_b64", writeExec<andNot1<u64>, u64>, decodeSalu},
    {"s_lshl_b32", runScalar<shiftLeft<u32>>, decodeSalu},
    {"s_lshl_b64", runScalar<shiftLeft<u64>>, decodeSalu},
    {"s_lshr_b32", runScalar<shiftRight<u32>>, decodeSalu},
    {"s_lshr_b64", runScalar<shiftRight<u64>>, decodeSalu},
    {"s_ashr_i32", runScalar<shiftRight<i32>>, decodeSalu},
    {"s_ashr_i64", runScalar<shiftRight<i64>>, decodeSalu, nullptr, SignExtendLiteral},
    {"s_bfe_u32", runScalar<bfeUnsigned<u32>>, decodeSalu},
    {"s_bfe_i32", runScalar<bfeSigned<i32>>, decodeSalu},
    {"s_bfe_u64", runScalar<bfeUnsigned<u64>>, decodeSalu},
    {"s_bfe_i64", runScalar<bfeSigned<i64>>, decodeSalu, nullptr, SignExtendLiteral},
    {"s_bfm_b32", runScalar<bfm<u32>>, decodeSalu},
    {"s_bfm_b64", runScalar<bfm<u64>>, decodeSalu},
    {"s_bitset0_b32", setBit<u32, 0>, decodeSalu},
    {"s_bitset0_b64", setBit<u64, 0>, decodeSalu},
    {"s_bitset1_b32", setBit<u32, 1>, decodeSalu},
    {"s_bitset1_b64", setBit<u64, 1>, decodeSalu},
    {"s_brev_b32", runScalar<reverseBits<u32>>, decodeSalu},
    {"s_brev_b64", runScalar<reverseBits<u64>>, decodeSalu},
    {"s_bcnt0_i32_b32", runScalar<countZeros<u32>>, decodeSalu},
    {"s_bcnt0_i32_b64", runScalar<countZeros<u64>>, decodeSalu},
    {"s_bcnt1_i32_b32", runScalar<countOnes<u32>>, decodeSalu},
    {"s_bcnt1_i32_b64", runScalar<countOnes<u64>>, decodeSalu},
    {"s_ctz_i32_b32 s_ff1_i32_b32", runScalar<firstOne<u32>>, decodeSalu},
    {"s_ctz_i32_b64 s_ff1_i32_b64", runScalar<firstOne<u64>>, decodeSalu},
    {"s_ff0_i32_b32", runScalar<firstZero<u32>>, decodeSalu},
    {"s_ff0_i32_b64", runScalar<firstZero<u64>>, decodeSalu},
    {"s_clz_i32_u32 s_flbit_i32_b32", runScalar<leadingZeros<u32>>, decodeSalu},
    {"s_clz_i32_u64 s_flbit_i32_b64", runScalar<leadingZeros<u64>>, decodeSalu},
    {"s_cls_i32 s_flbit_i32", runScalar<leadingSigns<u32>>, decodeSalu},
    {"s_cls_i32_i64 s_flbit_i32_i64", runScalar<leadingSigns<u64>>, decodeSalu},
    {"s_quadmask_b32", runScalar<quadMask<u32>>, decodeSalu},
    {"s_quadmask_b64", runScalar<quadMask<u64>>, decodeSalu},
    {"s_wqm_b32", runScalar<wholeQuads<u32>>, decodeSalu},
    {"s_wqm_b64", runScalar<wholeQuads<u64>>, decodeSalu},
    {"s_bitreplicate_b64_b32", runScalar<bitReplicate>, decodeSalu},
    {"s_pack_ll_b32_b16", runScalar<packLL>, decodeSalu},
    {"s_pack_lh_b32_b16", runScalar<packLH>, decodeSalu},
    {"s_pack_hh_b32_b16", runScalar<packHH>, decodeSalu},
    {"s_pack_hl_b32_b16", runScalar<packHL>, decodeSalu},
    {"s_sext_i32_i8", runScalar<signExtend8>, decodeSalu},
    {"s_sext_i32_i16", runScalar<signExtend16>, decodeSalu},
    {"s_mov_b32", runScalar<move<u32>>, decodeSalu},
    {"s_mov_b64", runScalar<move<u64>>, decodeSalu},
    {"s_movk_i32", runScalar<move<u32>>, decodeSalu},
    {"s_cmov_b32", conditionalMove<u32>, decodeSalu},
    {"s_cmov_b64", conditionalMove<u64>, decodeSalu},
    {"s_cmovk_i32", conditionalMove<u32>, decodeSalu},
    {"s_cselect_b32", runScalar<select<u32>>, decodeSalu},
    {"s_cselect_b64", runScalar<select<u64>>, decodeSalu},
    {"s_movrels_b32", moveRelative<u32, true, false, false>, decodeMoveRelative},
    {"s_movrels_b64", moveRelative<u64, true, false, false>, decodeMoveRelative},
    {"s_movreld_b32", moveRelative<u32, false, true, false>, decodeMoveRelative},
    {"s_movreld_b64", moveRelative<u64, false, true, false>, decodeMoveRelative},
    {"s_movrelsd_2_b32", moveRelative<u32, true, true, true>, decodeMoveRelative},
    KILN_COMPARE("eq", equal),
    KILN_COMPARE("lg", notEqual),
    KILN_COMPARE("gt", greater),
    KILN_COMPARE("ge", greaterEqual),
    KILN_COMPARE("lt", less),
    KILN_COMPARE("le", lessEqual),
    {"s_cmp_eq_u64", runScalar<equal<u64>>, decodeSalu},
    {"s_cmp_lg_u64", runScalar<notEqual<u64>>, decodeSalu},
    {"s_bitcmp0_b32", runScalar<bitCompare<u32, 0>>, decodeSalu},
    {"s_bitcmp1_b32", runScalar<bitCompare<u32, 1>>, decodeSalu},
    {"s_bitcmp0_b64", runScalar<bitCompare<u64, 0>>, decodeSalu},
    {"s_bitcmp1_b64", runScalar<bitCompare<u64, 1>>, decodeSalu},
};

} // namespace

llvm::ArrayRef<OpEntry> scalarAluOps() { return ops; }

} // namespace pal::device
