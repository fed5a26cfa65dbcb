//===- MatrixTest.cpp - products of matrices that lie across a wave --------===//
// SPDX-License-Identifier: MIT
/// \file
/// Registers are filled from matrices and matrices are read from registers by the tables of the ISA
/// manuals (RDNA3 7.9, RDNA4 7.12.2), from the place in the registers to the element; the operation
/// goes the other way.
#include "pal_shim/device/core/RunForTest.h"
#include <cmath>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>

using namespace pal::device;
using namespace pal::device::test;

namespace {

constexpr unsigned vA = 8, vB = 24, vC = 40, vD = 60;

struct Variant {
  const char *target;
  unsigned lanes;
  bool isGfx11() const { return !strcmp(target, "gfx1100") || !strcmp(target, "gfx1150"); }
};
constexpr Variant variants[] = {{"gfx1100", 32}, {"gfx1100", 64}, {"gfx1150", 32},
                                {"gfx1150", 64}, {"gfx1201", 32}, {"gfx1201", 64}};

/// Which k the element at \p slot of a lane is; ~0u: none.
unsigned depthAt(const Variant &v, unsigned bits, unsigned depth, unsigned lane, unsigned slot) {
  const unsigned group = lane / 16, low = group & 1, high = group >> 1;
  if (v.isGfx11())
    return slot < 16 ? slot : ~0u;
  if (bits == 16) {
    if (v.lanes == 64)
      return slot < 4 ? 4 * group + slot : ~0u;
    return slot < 8 ? 8 * (slot >> 2) + 4 * group + (slot & 3) : ~0u;
  }
  if (bits == 8) {
    if (v.lanes == 64)
      return slot < 4 ? 8 * low + 4 * high + slot : ~0u;
    return slot < 8 ? 8 * group + slot : ~0u;
  }
  if (depth == 32) {
    if (v.lanes == 64)
      return slot < 8 ? 16 * low + 8 * high + slot : ~0u;
    return slot < 16 ? 16 * group + slot : ~0u;
  }
  return group < 2 && slot < 8 ? 8 * group + slot : ~0u;
}

/// Row of C and D that a lane has as its \p slot-th element.
unsigned rowAt(const Variant &v, unsigned lane, unsigned slot) {
  const unsigned group = lane / 16;
  if (v.isGfx11())
    return v.lanes / 16 * slot + group;
  return v.lanes == 32 ? 8 * group + slot : 8 * (group & 1) + 4 * (group >> 1) + slot;
}

void put(Wave &wave, unsigned reg, unsigned lane, unsigned bit, unsigned bits, uint32_t value) {
  uint32_t &dword = wave.v[reg + bit / 32].lane[lane];
  const uint32_t mask = bits == 32 ? ~0u : ((1u << bits) - 1) << bit % 32;
  dword = (dword & ~mask) | (value << bit % 32 & mask);
}

using Bits = std::function<uint32_t(unsigned index, unsigned k)>;

void fillFactor(Wave &wave, const Variant &v, unsigned reg, unsigned bits, unsigned depth,
                const Bits &value) {
  for (unsigned lane = 0; lane < v.lanes; ++lane)
    for (unsigned slot = 0; slot < 16; ++slot)
      if (unsigned k = depthAt(v, bits, depth, lane, slot); k != ~0u)
        put(wave, reg, lane, slot * bits, bits, value(lane % 16, k));
}
void fillSum(Wave &wave, const Variant &v, unsigned bits, const Bits &value, unsigned half = 0) {
  for (unsigned lane = 0; lane < v.lanes; ++lane)
    for (unsigned slot = 0; slot < 256 / v.lanes; ++slot)
      put(wave, vC, lane, v.isGfx11() ? 32 * slot + 16 * half : slot * bits, bits,
          value(rowAt(v, lane, slot), lane % 16));
}
void expectSum(Wave &wave, const Variant &v, unsigned bits, const Bits &value, unsigned half = 0) {
  for (unsigned lane = 0; lane < v.lanes; ++lane)
    for (unsigned slot = 0; slot < 256 / v.lanes; ++slot) {
      const unsigned bit = v.isGfx11() ? 32 * slot + 16 * half : slot * bits;
      const uint32_t dword = wave.v[vD + bit / 32].lane[lane];
      ASSERT_EQ(bits == 32 ? dword : dword >> bit % 32 & 0xFFFF,
                value(rowAt(v, lane, slot), lane % 16))
          << v.target << " wave" << v.lanes << " lane " << lane << " element " << slot;
    }
}

/// Registers as the assembler wants them: "v[60:67], v[8:15], v[24:31], v[40:47]".
std::string operands(const Variant &v, unsigned bits, unsigned depth, unsigned sumBits,
                     const char *c = nullptr) {
  const unsigned perLane = v.isGfx11() ? 16 : std::max(16 * depth / v.lanes, 1u);
  const unsigned factor = std::max(perLane * bits / 32, 1u);
  const unsigned sum = 256 / v.lanes * (v.isGfx11() ? 32 : sumBits) / 32;
  auto range = [](unsigned first, unsigned count) {
    return count == 1
               ? "v" + std::to_string(first)
               : "v[" + std::to_string(first) + ":" + std::to_string(first + count - 1) + "]";
  };
  return " " + range(vD, sum) + ", " + range(vA, factor) + ", " + range(vB, factor) + ", " +
         (c ? c : range(vC, sum));
}

uint32_t bitsOfFloat(float value) { return std::bit_cast<uint32_t>(value); }
uint32_t bitsOfHalf(float value) {
  const _Float16 half = static_cast<_Float16>(value);
  return std::bit_cast<uint16_t>(half);
}

// Small integers and halves of them, whose sums every type holds.
float valueA(unsigned row, unsigned k) { return float(int(row * 5 + k * 3) % 7 - 3); }
float valueB(unsigned column, unsigned k) { return float(int(column * 3 + k * 11) % 5 - 2) / 2; }
float valueC(unsigned row, unsigned column) { return float(int(row * 16 + column) % 9 - 4); }
float product(unsigned row, unsigned column, unsigned depth = 16) {
  float sum = 0;
  for (unsigned k = 0; k < depth; ++k)
    sum += valueA(row, k) * valueB(column, k);
  return sum;
}

TEST(Matrix, Halves) {
  for (const Variant &v : variants) {
    WaveForTest w(v.target, v.lanes, "v_wmma_f32_16x16x16_f16" + operands(v, 16, 16, 32));
    fillFactor(*w, v, vA, 16, 16, [](auto i, auto k) { return bitsOfHalf(valueA(i, k)); });
    fillFactor(*w, v, vB, 16, 16, [](auto i, auto k) { return bitsOfHalf(valueB(i, k)); });
    fillSum(*w, v, 32, [](auto r, auto c) { return bitsOfFloat(valueC(r, c)); });
    w->setMask(sreg::execLo, 0); // ignored
    ASSERT_TRUE(w.run()) << w.error();
    expectSum(*w, v, 32, [](auto r, auto c) { return bitsOfFloat(product(r, c) + valueC(r, c)); });
  }
}

TEST(Matrix, BrainFloats) {
  for (const Variant &v : variants) {
    WaveForTest w(v.target, v.lanes,
                  "v_wmma_f32_16x16x16_bf16" + operands(v, 16, 16, 32, "1.0") +
                      " neg_lo:[1,0,0] neg_hi:[1,0,0]");
    auto bits = [](float f) { return bitsOfFloat(f) >> 16; };
    fillFactor(*w, v, vA, 16, 16, [&](auto i, auto k) { return bits(valueA(i, k)); });
    fillFactor(*w, v, vB, 16, 16, [&](auto i, auto k) { return bits(valueB(i, k)); });
    ASSERT_TRUE(w.run()) << w.error();
    expectSum(*w, v, 32, [](auto r, auto c) { return bitsOfFloat(1 - product(r, c)); });
  }
}

TEST(Matrix, SumsOfHalfTheSize) {
  for (const Variant &v : variants)
    for (const bool brain : {false, true})
      for (const unsigned half : {0u, 1u}) {
        if (half && !v.isGfx11())
          continue;
        WaveForTest w(v.target, v.lanes,
                      (brain ? "v_wmma_bf16_16x16x16_bf16" : "v_wmma_f16_16x16x16_f16") +
                          operands(v, 16, 16, 16) + (half ? " op_sel:[0,0,1]" : ""));
        auto bits = [&](float f) { return brain ? bitsOfFloat(f) >> 16 : bitsOfHalf(f); };
        fillFactor(*w, v, vA, 16, 16, [&](auto i, auto k) { return bits(valueA(i, k)); });
        fillFactor(*w, v, vB, 16, 16, [&](auto i, auto k) { return bits(valueB(i, k)); });
        fillSum(*w, v, 16, [&](auto r, auto c) { return bits(valueC(r, c)); }, half);
        w->v[vD].lane[5] = 0x12345678;
        ASSERT_TRUE(w.run()) << w.error();
        expectSum(
            *w, v, 16, [&](auto r, auto c) { return bits(product(r, c) + valueC(r, c)); }, half);
        if (v.isGfx11()) // the other half stays
          EXPECT_EQ(w->v[vD].lane[5] >> (half ? 0 : 16) & 0xFFFF, half ? 0x5678u : 0x1234u);
      }
}

TEST(Matrix, Bytes) {
  for (const Variant &v : variants)
    for (unsigned mode = 0; mode < 8; ++mode) {
      const bool signedA = mode & 1, signedB = mode & 2, clamp = mode & 4;
      WaveForTest w(v.target, v.lanes,
                    "v_wmma_i32_16x16x16_iu8" + operands(v, 8, 16, 32) + " neg_lo:[" +
                        std::to_string(signedA) + "," + std::to_string(signedB) + ",0]" +
                        (clamp ? " clamp" : ""));
      auto a = [](unsigned i, unsigned k) { return uint8_t(i * 37 + k * 91 + 200); };
      auto b = [](unsigned i, unsigned k) { return uint8_t(i * 53 + k * 29 + 100); };
      auto c = [](unsigned r, unsigned column) {
        return (r + column) % 3 == 0 ? 0x7FFFFF00u : (r + column) % 3 == 1 ? 0x80000010u : 7u;
      };
      fillFactor(*w, v, vA, 8, 16, a);
      fillFactor(*w, v, vB, 8, 16, b);
      fillSum(*w, v, 32, c);
      ASSERT_TRUE(w.run()) << w.error();
      expectSum(*w, v, 32, [&](unsigned r, unsigned column) {
        int64_t sum = int32_t(c(r, column));
        for (unsigned k = 0; k < 16; ++k)
          sum += (signedA ? int8_t(a(r, k)) : a(r, k)) *
                 (signedB ? int8_t(b(column, k)) : b(column, k));
        if (clamp)
          sum = std::min<int64_t>(std::max<int64_t>(sum, INT32_MIN), INT32_MAX);
        return uint32_t(sum);
      });
    }
}

TEST(Matrix, Nibbles) {
  for (const Variant &v : variants)
    for (const unsigned depth : {16u, 32u}) {
      if (depth == 32 && v.isGfx11())
        continue;
      WaveForTest w(v.target, v.lanes,
                    "v_wmma_i32_16x16x" + std::to_string(depth) + "_iu4" +
                        operands(v, 4, depth, 32, "3") + " neg_lo:[1,0,0]");
      fillFactor(*w, v, vA, 4, depth, [](auto i, auto k) { return (i * 3 + k * 5) & 15; });
      fillFactor(*w, v, vB, 4, depth, [](auto i, auto k) { return (i * 7 + k) & 15; });
      ASSERT_TRUE(w.run()) << w.error();
      expectSum(*w, v, 32, [&](unsigned r, unsigned c) {
        int sum = 3;
        for (unsigned k = 0; k < depth; ++k) {
          const int a = (r * 3 + k * 5) & 15, b = (c * 7 + k) & 15;
          sum += (a < 8 ? a : a - 16) * b;
        }
        return uint32_t(sum);
      });
    }
}

TEST(Matrix, EightBitFloats) {
  // 1.5, -2, 448 (the largest) and the smallest denormal of E4M3; 0.75, -3, the largest, of E5M2.
  constexpr uint8_t e4m3[] = {0x3C, 0xC0, 0x7E, 0x01}, e5m2[] = {0x3A, 0xC2, 0x7B, 0x01};
  constexpr double e4m3Values[] = {1.5, -2, 448, 0.001953125},
                   e5m2Values[] = {0.75, -3, 57344, 0.0000152587890625};
  for (const unsigned lanes : {32u, 64u})
    for (const bool wideA : {false, true})
      for (const bool wideB : {false, true}) {
        const Variant v = {"gfx1201", lanes};
        WaveForTest w(v.target, lanes,
                      std::string("v_wmma_f32_16x16x16_") + (wideA ? "bf8_" : "fp8_") +
                          (wideB ? "bf8" : "fp8") + operands(v, 8, 16, 32, "0"));
        fillFactor(*w, v, vA, 8, 16,
                   [&](auto i, auto k) { return k ? 0 : (wideA ? e5m2 : e4m3)[i % 4]; });
        fillFactor(*w, v, vB, 8, 16,
                   [&](auto i, auto k) { return k ? 0 : (wideB ? e5m2 : e4m3)[i / 4]; });
        ASSERT_TRUE(w.run()) << w.error();
        expectSum(*w, v, 32, [&](unsigned r, unsigned c) {
          return bitsOfFloat(float((wideA ? e5m2Values : e4m3Values)[r % 4] *
                                   (wideB ? e5m2Values : e4m3Values)[c / 4]));
        });
      }
}

/// Each half of a wave computes with its own copy of A and B.
TEST(Matrix, CopiesThatDifferShow) {
  const Variant v = {"gfx1100", 32};
  WaveForTest w(v.target, v.lanes, "v_wmma_f32_16x16x16_f16" + operands(v, 16, 16, 32, "0"));
  fillFactor(*w, v, vA, 16, 16, [](auto, auto k) { return k ? 0 : bitsOfHalf(1); });
  fillFactor(*w, v, vB, 16, 16, [](auto, auto k) { return k ? 0 : bitsOfHalf(1); });
  for (unsigned lane = 16; lane < 32; ++lane)
    put(*w, vA, lane, 0, 16, bitsOfHalf(2));
  ASSERT_TRUE(w.run()) << w.error();
  expectSum(*w, v, 32, [](auto r, auto) { return bitsOfFloat(r % 2 ? 2 : 1); });
}

} // namespace
