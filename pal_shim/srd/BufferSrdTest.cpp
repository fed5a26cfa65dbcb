// SPDX-License-Identifier: MIT
// V# against descriptors that PAL's null device printed.
#include "pal_shim/srd/Srd.h"
#include <gtest/gtest.h>

namespace pal {
namespace {

using formats::Format;

std::array<uint32_t, 4> build(const char *target, const srd::BufferSrdInfo &info) {
  std::array<uint32_t, 4> words = {};
  srd::buildBufferSrd(*abi::findTarget(target), info, words.data());
  return words;
}

struct Golden {
  const char *target;
  uint32_t raw, structured, typedRgba8, typedR32;
};
// The R32 samples of PAL exist for gfx10.3 and gfx12 only.
constexpr Golden golden[] = {
    {"gfx1010", 0x31014FAC, 0x11014FAC, 0x11038FAC, 0x11016204},
    {"gfx1030", 0x31014FAC, 0x11014FAC, 0x11038FAC, 0x11016204},
    {"gfx1100", 0x31014FAC, 0x11014FAC, 0x1102AFAC, 0x11016204},
    {"gfx1150", 0x31014FAC, 0x11014FAC, 0x1102AFAC, 0x11016204},
    {"gfx1201", 0x33014FAC, 0x13014FAC, 0x1302AFAC, 0x13016204},
};

TEST(BufferSrd, MatchesPal) {
  for (const Golden &row : golden) {
    SCOPED_TRACE(row.target);
    srd::BufferSrdInfo info;
    info.address = 0x123456789ABC;
    info.sizeBytes = 4096;
    EXPECT_EQ(build(row.target, info),
              (std::array<uint32_t, 4>{0x56789ABC, 0x1234, 4096, row.raw}));
    info.stride = 16;
    info.outOfBounds = srd::OutOfBounds::IndexOnly;
    EXPECT_EQ(build(row.target, info),
              (std::array<uint32_t, 4>{0x56789ABC, 0x00101234, 256, row.structured}));
    info.stride = 4;
    info.format = Format::X8Y8Z8W8_Unorm;
    EXPECT_EQ(build(row.target, info)[3], row.typedRgba8);
    info.format = Format::X32_Float;
    info.swizzle = {srd::Select::X, srd::Select::Zero, srd::Select::Zero, srd::Select::One};
    EXPECT_EQ(build(row.target, info)[3], row.typedR32);
  }
}

TEST(BufferSrd, RecordsAreClamped) {
  srd::BufferSrdInfo info;
  info.sizeBytes = uint64_t(1) << 33;
  EXPECT_EQ(build("gfx1100", info)[2], 0xffffffffu);
}

TEST(BufferSrd, FormatsByGeneration) {
  const abi::GpuTarget &old = *abi::findTarget("gfx1030"), &now = *abi::findTarget("gfx1201");
  EXPECT_TRUE(srd::supportsBufferFormat(old, Format::X10Y10Z10W2_Uscaled));
  EXPECT_TRUE(srd::supportsBufferFormat(old, Format::X11Y11Z10_Unorm));
  EXPECT_FALSE(srd::supportsBufferFormat(now, Format::X11Y11Z10_Unorm));
  for (const abi::GpuTarget *target : {&old, &now}) {
    EXPECT_TRUE(srd::supportsBufferFormat(*target, Format::X32Y32Z32_Float));
    EXPECT_FALSE(srd::supportsBufferFormat(*target, Format::X8Y8Z8W8_Srgb));
    EXPECT_FALSE(srd::supportsBufferFormat(*target, Format::Undefined));
  }
}

} // namespace
} // namespace pal
