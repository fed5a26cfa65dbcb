//===- Matrix.cpp - products of matrices that lie across a wave ------------===//
// SPDX-License-Identifier: MIT
/// \file
/// v_wmma_*: D = A x B + C, where A has 16 rows, B 16 columns, and a wave holds all of them. Where
/// an element is: RDNA3 ISA manual 7.9, RDNA4 ISA manual 7.12.2, and what confirms them,
/// docs/hw-notes.md#matrices. EXEC is ignored, also where it is 0.
///
/// gfx11 has copies of A and B in each 16 lanes. Each of these computes with its own copy here, so
/// that copies that differ show.
///
/// Sums of floats: products are exact, and a number of them is added at once and rounded to
/// nearest; a model of what hardware does, which aligns them to a few bits more than the result
/// has. Integers are exact, and saturate once. Not here: v_swmmac_* (no API reaches them).
#include "pal_shim/device/core/OpTables.h"
#include "pal_shim/device/ops/FloatMath.h"
#include "pal_shim/device/ops/ValuDetail.h"

namespace pal::device {

using namespace detail;

namespace {

constexpr unsigned side = 16, maxDepth = 32, maxGroups = maxLanes / side;

enum class Element : uint8_t { F16, BF16, I8, I4, Fp8, Bf8 };
enum class Sum : uint8_t { F32, F16, BF16, I32 };

struct MatrixOp {
  Element a, b;
  Sum sum;
  unsigned depth = 16; ///< columns of A, rows of B
};

constexpr unsigned bitsOf(Element e) {
  return e == Element::F16 || e == Element::BF16 ? 16 : e == Element::I4 ? 4 : 8;
}
constexpr bool isInteger(Element e) { return e == Element::I8 || e == Element::I4; }
constexpr bool isHalfSum(Sum sum) { return sum == Sum::F16 || sum == Sum::BF16; }

// --- Places

struct Place {
  unsigned lane;
  unsigned bit; ///< from the operand's first register on
};

/// Sixteen lanes that hold a factor's element \p k, and which of a lane's elements it is (gfx12).
struct Slot {
  unsigned group, slot;
};
Slot slotOf(unsigned bits, unsigned depth, unsigned lanes, unsigned k) {
  const auto bit = [k](unsigned i) { return k >> i & 1; };
  if (bits == 16)
    return lanes == 32 ? Slot{bit(2), bit(3) * 4 + (k & 3)} : Slot{k >> 2, k & 3};
  if (bits == 4 && depth == 32)
    return lanes == 32 ? Slot{bit(4), k & 15} : Slot{bit(3) * 2 + bit(4), k & 7};
  // Four-bit factors of depth 16 fill 32 lanes only.
  return lanes == 32 || bits == 4 ? Slot{bit(3), k & 7} : Slot{bit(2) * 2 + bit(3), k & 3};
}

/// Element \p k of row (A) or column (B) \p index, as the lanes of \p group see it.
Place factorPlace(const Wave &wave, unsigned bits, unsigned depth, unsigned index, unsigned k,
                  unsigned group) {
  if (isGfx11(wave.generation))
    return {side * group + index, k * bits};
  const Slot slot = slotOf(bits, depth, wave.lanes, k);
  return {side * slot.group + index, slot.slot * bits};
}

Place sumPlace(const Wave &wave, Sum sum, unsigned row, unsigned column) {
  const unsigned groups = wave.lanes / side, perLane = side / groups;
  if (isGfx11(wave.generation)) // one element in a register, whatever its size
    return {side * (row % groups) + column, 32 * (row / groups)};
  const unsigned group =
      groups == 2 ? row / perLane : 2 * (row / perLane % 2) + row / (2 * perLane);
  return {side * group + column, (isHalfSum(sum) ? 16 : 32) * (row % perLane)};
}

// --- Values

/// OCP 8-bit Floating Point Specification: E4M3 (no infinities, one NaN) and E5M2.
double fromFloat8(uint32_t bits, bool isE5m2) {
  const unsigned mantissaBits = isE5m2 ? 2 : 3, exponentBits = 7 - mantissaBits;
  const int bias = isE5m2 ? 15 : 7, top = (1 << exponentBits) - 1;
  const unsigned mantissa = bits & ((1u << mantissaBits) - 1);
  const int exponent = int(bits >> mantissaBits) & top;
  double value = 0;
  if (isE5m2 && exponent == top)
    value = mantissa ? std::numeric_limits<double>::quiet_NaN()
                     : std::numeric_limits<double>::infinity();
  else if (!isE5m2 && (bits & 0x7F) == 0x7F)
    value = std::numeric_limits<double>::quiet_NaN();
  else
    value = std::ldexp(exponent ? mantissa + (1u << mantissaBits) : mantissa,
                       std::max(exponent, 1) - bias - int(mantissaBits));
  return bits & 0x80 ? -value : value;
}

double floatElement(Element e, uint32_t bits) {
  switch (e) {
  case Element::F16:
    return toFloat(Half{uint16_t(bits)});
  case Element::BF16:
    return std::bit_cast<float>(bits << 16);
  default:
    return fromFloat8(bits, e == Element::Bf8);
  }
}

int64_t signExtend(uint32_t bits, unsigned width) {
  return int32_t(bits << (32 - width)) >> (32 - width);
}

/// A sum as \p kind holds it, in the low bits.
uint32_t roundSum(Sum kind, double value, Generation generation) {
  const float single = static_cast<float>(value);
  if (kind == Sum::F16)
    return toHalf(single).bits;
  const uint32_t bits = std::bit_cast<uint32_t>(single);
  if (kind == Sum::F32)
    return bits;
  if (single != single)
    return bits >> 16 | 0x40;
  // gfx12 cuts; gfx11 rounds to even.
  return isGfx12(generation) ? bits >> 16 : (bits + 0x7FFF + (bits >> 16 & 1)) >> 16;
}

double sumValue(Sum kind, uint32_t bits) {
  return kind == Sum::F32 ? double(std::bit_cast<float>(bits))
                          : floatElement(kind == Sum::F16 ? Element::F16 : Element::BF16, bits);
}

// --- The operation

/// Source \p i; registers, or for C a constant.
uint32_t sourceBits(const Wave &wave, const Src &src, Place place, unsigned bits) {
  const uint32_t dword = src.kind == Src::Kind::Vgpr
                             ? wave.v[src.reg + place.bit / 32].lane[place.lane]
                             : uint32_t(src.imm) << (bits == 16 ? place.bit % 32 : 0);
  return bits == 32 ? dword : dword >> place.bit % 32 & ((1u << bits) - 1);
}

template <class T> struct Factors {
  T a[maxGroups][side][maxDepth], b[maxGroups][side][maxDepth];
};

template <class T, class Convert>
void readFactor(const Wave &wave, const Src &src, unsigned bits, unsigned depth,
                T (*to)[side][maxDepth], Convert convert) {
  for (unsigned group = 0; group < wave.lanes / side; ++group)
    for (unsigned index = 0; index < side; ++index)
      for (unsigned k = 0; k < depth; ++k)
        to[group][index][k] = convert(
            sourceBits(wave, src, factorPlace(wave, bits, depth, index, k, group), bits), k);
}

/// Calls \p compute(group, row, column, C's bits) for each element of the result and writes what it
/// returns.
template <class Compute> void forResults(Wave &wave, const Instr &instr, Sum sum, Compute compute) {
  const bool isHalf = isHalfSum(sum), inHalves = isHalf && isGfx11(wave.generation);
  const unsigned bits = isHalf ? 16 : 32, shift = inHalves && instr.src[2].hi ? 16 : 0;
  uint32_t results[side][side];
  for (unsigned row = 0; row < side; ++row)
    for (unsigned column = 0; column < side; ++column) {
      Place place = sumPlace(wave, sum, row, column);
      const unsigned group = place.lane / side;
      place.bit += shift;
      results[row][column] =
          compute(group, row, column, sourceBits(wave, instr.src[2], place, bits));
    }
  for (unsigned row = 0; row < side; ++row)
    for (unsigned column = 0; column < side; ++column) {
      Place place = sumPlace(wave, sum, row, column);
      place.bit += shift;
      uint32_t &dword = wave.v[instr.dst[0].reg + place.bit / 32].lane[place.lane];
      const uint32_t mask = isHalf ? 0xFFFFu << place.bit % 32 : ~0u;
      dword = (dword & ~mask) | (results[row][column] << (isHalf ? place.bit % 32 : 0) & mask);
    }
}

void multiplyFloats(Wave &wave, const Instr &instr, const MatrixOp &op) {
  wave.useHostDefaultFloat();
  static thread_local Factors<double> factors;
  const auto read = [&](unsigned i, Element element, double (*to)[side][maxDepth]) {
    const Src &src = instr.src[i];
    readFactor(wave, src, bitsOf(element), op.depth, to, [&](uint32_t bits, unsigned k) {
      const double value = floatElement(element, bits);
      return (k & 1 ? src.negHi : src.neg) ? -value : value;
    });
  };
  read(0, op.a, factors.a);
  read(1, op.b, factors.b);
  const unsigned step = isGfx11(wave.generation) ? 2 : 4; // products that are added at once
  const Src &c = instr.src[2];
  forResults(wave, instr, op.sum,
             [&](unsigned group, unsigned row, unsigned column, uint32_t bits) {
               double sum = sumValue(op.sum, bits);
               sum = c.abs ? std::fabs(sum) : sum;
               sum = c.neg ? -sum : sum;
               uint32_t result = 0;
               for (unsigned k = 0; k < op.depth; k += step) {
                 double products = 0;
                 for (unsigned i = k; i < k + step; ++i)
                   products += factors.a[group][row][i] * factors.b[group][column][i];
                 result = roundSum(op.sum, sum + products, wave.generation);
                 sum = sumValue(op.sum, result);
               }
               return result;
             });
}

void multiplyIntegers(Wave &wave, const Instr &instr, const MatrixOp &op) {
  static thread_local Factors<int32_t> factors;
  const unsigned bits = bitsOf(op.a);
  const auto read = [&](unsigned i, int32_t (*to)[side][maxDepth]) {
    const Src &src = instr.src[i];
    readFactor(wave, src, bits, op.depth, to, [&](uint32_t value, unsigned) {
      return src.neg ? int32_t(signExtend(value, bits)) : int32_t(value);
    });
  };
  read(0, factors.a);
  read(1, factors.b);
  forResults(wave, instr, op.sum, [&](unsigned group, unsigned row, unsigned column, uint32_t c) {
    int64_t sum = int32_t(c);
    for (unsigned k = 0; k < op.depth; ++k)
      sum += int64_t(factors.a[group][row][k]) * factors.b[group][column][k];
    if (instr.clamp)
      sum = std::clamp<int64_t>(sum, std::numeric_limits<int32_t>::min(),
                                std::numeric_limits<int32_t>::max());
    return uint32_t(sum);
  });
}

void runMatrix(Wave &wave, const Instr &instr) {
  const auto &op = *static_cast<const MatrixOp *>(instr.kernel);
  isInteger(op.a) ? multiplyIntegers(wave, instr, op) : multiplyFloats(wave, instr, op);
}

/// C as operand code \p code, whose value LLVM says to be \p bits. Why not that for floats: for
/// gfx11 it is of 64 bits.
uint32_t constantSum(Sum sum, unsigned code, uint64_t bits) {
  if (!isFloatConstant(code))
    return uint32_t(bits);
  const FloatConstant &constant = floatConstant(code);
  return sum == Sum::F16 ? constant.f16 : sum == Sum::BF16 ? constant.bf16 : constant.f32;
}

bool decodeMatrix(const RawInstr &raw, Instr &instr, std::string &why) {
  const auto &op = *static_cast<const MatrixOp *>(instr.kernel);
  if (raw.encoding != Encoding::Vop3p || raw.operands.size() < 4) {
    why = "a matrix operation in this encoding";
    return false;
  }
  instr.dst[0].kind = Dst::Kind::Vgpr;
  instr.dst[0].reg = raw.operands[0].reg;
  for (unsigned i = 0; i < 3; ++i) {
    const RawOperand &operand = raw.operands[1 + i];
    const bool isConstant = operand.kind == RawOperand::Kind::Imm;
    if (operand.kind != RawOperand::Kind::Vgpr && !(isConstant && i == 2)) {
      why = "a matrix that is in no vector registers";
      return false;
    }
    Src &src = instr.src[i];
    src.kind = isConstant ? Src::Kind::Imm : Src::Kind::Vgpr;
    src.reg = operand.reg;
    src.imm = isConstant ? constantSum(op.sum, raw.bits(50, 9), operand.imm) : 0;
    src.neg = raw.bits(61 + i, 1);
    src.negHi = raw.bits(8 + i, 1);
  }
  instr.clamp = raw.bits(15, 1);
  Src &c = instr.src[2];
  c.abs = !isInteger(op.a) && c.negHi;
  c.hi = isHalfSum(op.sum) && isGfx11(raw.generation) && raw.bits(13, 1); // op_sel
  return true;
}

template <Element A, Element B, Sum S, unsigned Depth = 16>
constexpr MatrixOp matrixOp = {A, B, S, Depth};

#define KILN_MATRIX(name, ...)                                                                     \
  OpEntry { name, runMatrix, decodeMatrix, &matrixOp<__VA_ARGS__> }

using E = Element;

constexpr OpEntry table[] = {
    KILN_MATRIX("v_wmma_f32_16x16x16_f16", E::F16, E::F16, Sum::F32),
    KILN_MATRIX("v_wmma_f32_16x16x16_bf16", E::BF16, E::BF16, Sum::F32),
    KILN_MATRIX("v_wmma_f16_16x16x16_f16", E::F16, E::F16, Sum::F16),
    KILN_MATRIX("v_wmma_bf16_16x16x16_bf16", E::BF16, E::BF16, Sum::BF16),
    KILN_MATRIX("v_wmma_i32_16x16x16_iu8", E::I8, E::I8, Sum::I32),
    KILN_MATRIX("v_wmma_i32_16x16x16_iu4", E::I4, E::I4, Sum::I32),
    // gfx12
    KILN_MATRIX("v_wmma_i32_16x16x32_iu4", E::I4, E::I4, Sum::I32, 32),
    KILN_MATRIX("v_wmma_f32_16x16x16_fp8_fp8", E::Fp8, E::Fp8, Sum::F32),
    KILN_MATRIX("v_wmma_f32_16x16x16_fp8_bf8", E::Fp8, E::Bf8, Sum::F32),
    KILN_MATRIX("v_wmma_f32_16x16x16_bf8_fp8", E::Bf8, E::Fp8, Sum::F32),
    KILN_MATRIX("v_wmma_f32_16x16x16_bf8_bf8", E::Bf8, E::Bf8, Sum::F32),
};

} // namespace

llvm::ArrayRef<OpEntry> matrixOps() { return table; }

} // namespace pal::device
