// SPDX-License-Identifier: MIT
// MODE's fields against what host arithmetic does under them.
#include "pal_shim/device/ops/FloatTesting.h"

namespace pal::device {
namespace {

float third(float sign) {
  volatile float one = sign, three = 3;
  return one / three;
}

TEST(FloatMode, RoundingFollowsModeForItsKind) {
  // 1/3 lies between 0x3EAAAAAA and 0x3EAAAAAB, nearer to the latter.
  const uint32_t positive[4] = {0x3EAAAAAB, 0x3EAAAAAB, 0x3EAAAAAA, 0x3EAAAAAA};
  const uint32_t negative[4] = {0xBEAAAAAB, 0xBEAAAAAA, 0xBEAAAAAB, 0xBEAAAAAA};
  unsigned saved = _mm_getcsr();
  auto wave = std::make_unique<Wave>();
  for (unsigned f32 = 0; f32 < 4; ++f32)
    for (unsigned f64 = 0; f64 < 4; ++f64) {
      wave->modeBits = f32 | f64 << 2 | 0xF0;
      wave->invalidateFloatMode();
      wave->useFloatMode(FloatKind::F32);
      uint32_t up = bitsOf(third(1)), down = bitsOf(third(-1));
      wave->useFloatMode(FloatKind::F64F16);
      uint32_t up64 = bitsOf(third(1)), down64 = bitsOf(third(-1));
      wave->useFloatMode(FloatKind::None); // changes nothing
      uint32_t still = bitsOf(third(1));
      _mm_setcsr(saved);
      EXPECT_EQ(up, positive[f32]) << roundingNames[f32];
      EXPECT_EQ(down, negative[f32]) << roundingNames[f32];
      EXPECT_EQ(up64, positive[f64]) << roundingNames[f64];
      EXPECT_EQ(down64, negative[f64]) << roundingNames[f64];
      EXPECT_EQ(still, up64);
    }
}

TEST(FloatMode, DenormalsFollowModeForItsKind) {
  unsigned saved = _mm_getcsr();
  auto wave = std::make_unique<Wave>();
  volatile float denormal = 0x1p-140f, big = 0x1p100f, small = 0x1p-100f, tiny = 0x1p-40f;
  for (uint32_t bits = 0; bits < 16; ++bits) {
    wave->modeBits = bits << 4;
    wave->invalidateFloatMode();
    for (FloatKind kind : {FloatKind::F32, FloatKind::F64F16}) {
      wave->useFloatMode(kind);
      float fromDenormal = denormal * big, toDenormal = small * tiny;
      _mm_setcsr(saved);
      uint32_t field = kind == FloatKind::F32 ? bits & 3 : bits >> 2;
      EXPECT_EQ(fromDenormal, field & 1 ? 0x1p-40f : 0) << bits;
      EXPECT_EQ(toDenormal, field & 2 ? 0x1p-140f : 0) << bits;
    }
  }
}

TEST(FloatMode, EnvironmentReadsRoundingBack) {
  const Rounding expected[4] = {Rounding::Even, Rounding::Up, Rounding::Down, Rounding::Zero};
  for (unsigned rounding = 0; rounding < 4; ++rounding) {
    FloatModeScope scope(FloatKind::F32, rounding);
    EXPECT_EQ(FloatEnv::current(false).rounding, expected[rounding]);
  }
}

} // namespace
} // namespace pal::device
