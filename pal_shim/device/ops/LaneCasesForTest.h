//===- LaneCasesForTest.h - tables of vector operations and expectations ---===//
// SPDX-License-Identifier: MIT
/// \file
/// Runs one instruction on lanes full of edge values and compares each lane with what a plain C++
/// function says. Operands: a = v[0:1], b = v[2:3], c = v[4:5], result v[8:9], mask vcc.
#pragma once

#include "pal_shim/device/core/RunForTest.h"
#include <functional>
#include <gtest/gtest.h>
#include <random>

namespace pal::device::test {

/// What a lane gives from its three 64-bit operands.
struct LaneResult {
  uint64_t value = 0;
  int mask = -1; ///< expected bit of the mask; negative: none is written
};
using LaneFunction = std::function<LaneResult(uint64_t a, uint64_t b, uint64_t c)>;

/// Targets by generation; the first letter of each test below selects.
inline constexpr const char *allTargets[] = {"gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1200"};
enum TargetSet : unsigned {
  Gfx10Only = 3,
  Gfx11Up = 0x1C,
  Gfx11Only = 0xC,
  Gfx12Only = 0x10,
  EveryTarget = 0x1F
};

struct LaneCase {
  const char *text;
  unsigned bits; ///< of the result: 16 (the high half stays), 32, 64; 0: only a mask
  LaneFunction expected;
  unsigned targets = EveryTarget;
};

inline uint64_t edgeValue(std::mt19937_64 &random) {
  static constexpr uint64_t values[] = {0,
                                        1,
                                        2,
                                        31,
                                        32,
                                        33,
                                        63,
                                        64,
                                        0x7F,
                                        0x80,
                                        0xFF,
                                        0x7FFF,
                                        0x8000,
                                        0xFFFF,
                                        0x10000,
                                        0x7FFFFF,
                                        0x800000,
                                        0xFFFFFF,
                                        0x7FFFFFFF,
                                        0x80000000,
                                        0xFFFFFFFE,
                                        0xFFFFFFFF,
                                        0x100000000,
                                        0x7FFFFFFFFFFFFFFF,
                                        0x8000000000000000,
                                        ~0ull,
                                        ~0ull - 1,
                                        0x7FFF7FFF,
                                        0x80008000,
                                        0x7F80FF01,
                                        0x80FF7F01};
  uint64_t r = random();
  if (r & 1)
    return values[(r >> 8) % std::size(values)];
  return r & 2 ? random() : random() & random() & random();
}

/// One instruction on one target: all lanes enabled, then every third lane disabled.
inline void checkLaneCase(const LaneCase &c, const char *target, unsigned lanes) {
  WaveForTest w(target, lanes, c.text);
  ASSERT_EQ(w.error(), "") << target << ": " << c.text;
  std::mt19937_64 random(lanes);
  constexpr uint32_t oldLow = 0xA5A5A5A5, oldHigh = 0x5A5A5A5A;
  for (unsigned round = 0; round < 4; ++round) {
    uint64_t operand[3][maxLanes];
    for (unsigned i = 0; i < 3; ++i)
      for (unsigned lane = 0; lane < lanes; ++lane) {
        uint64_t value = operand[i][lane] = edgeValue(random);
        w->v[2 * i].lane[lane] = uint32_t(value);
        w->v[2 * i + 1].lane[lane] = uint32_t(value >> 32);
        w->v[8].lane[lane] = oldLow;
        w->v[9].lane[lane] = oldHigh;
      }
    uint64_t exec = round & 1 ? 0xDB6DB6DB6DB6DB6D & w->laneMask() : w->laneMask();
    uint64_t vccBefore = 0x3333555566669999 & w->laneMask();
    w->setMask(sreg::execLo, exec);
    w->setMask(sreg::vccLo, vccBefore);
    ASSERT_TRUE(w.run()) << c.text << ": " << w.faultMessage();
    for (unsigned lane = 0; lane < lanes; ++lane) {
      uint64_t a = operand[0][lane], b = operand[1][lane], d = operand[2][lane];
      LaneResult expected = c.expected(a, b, d);
      bool active = exec >> lane & 1;
      uint64_t value = uint64_t(w->v[9].lane[lane]) << 32 | w->v[8].lane[lane];
      uint64_t old = uint64_t(oldHigh) << 32 | oldLow;
      uint64_t changed = c.bits == 64 ? ~0ull : (1ull << c.bits) - 1;
      uint64_t want = active ? (old & ~changed) | (expected.value & changed) : old;
      ASSERT_EQ(value, want) << target << " wave" << lanes << ": " << c.text << " lane " << lane
                             << std::hex << " a=" << a << " b=" << b << " c=" << d;
      if (expected.mask >= 0) {
        ASSERT_EQ(w->vcc() >> lane & 1, uint64_t(active && expected.mask))
            << target << ": " << c.text << " lane " << lane << std::hex << " a=" << a << " b=" << b
            << " c=" << d;
      }
    }
  }
}

inline void checkLaneCases(const std::vector<LaneCase> &cases) {
  for (const LaneCase &c : cases)
    for (unsigned i = 0; i < std::size(allTargets); ++i)
      if (c.targets >> i & 1)
        checkLaneCase(c, allTargets[i], i & 1 ? 64 : 32);
}

} // namespace pal::device::test
