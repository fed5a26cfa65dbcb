//===- DsTest.cpp - LDS instructions ---------------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Expected lanes of swizzles are worked out from the ISA manuals' pseudocode.
#include "pal_shim/device/memory/TestbedForTest.h"
#include <gtest/gtest.h>

using namespace pal::device;
using namespace pal::device::test;

namespace {

std::string spelled(const Testbed &bed, const char *gfx10, const char *gfx11) {
  return isGfx10(bed.target) ? gfx10 : gfx11;
}

uint32_t ldsDword(Testbed &bed, unsigned offset) {
  uint32_t value;
  std::memcpy(&value, &bed.group.lds[offset], 4);
  return value;
}

TEST(Ds, LoadsStoresAndPairs) {
  for (const char *target : allTargets)
    for (unsigned waveSize : {32u, 64u}) {
      Testbed bed(target, waveSize);
      for (unsigned lane = 0; lane < waveSize; ++lane) {
        bed.v(1, lane) = lane * 8;
        bed.v(2, lane) = 0x100 + lane;
        bed.v(3, lane) = 0x200 + lane;
      }
      ASSERT_EQ(bed.run(spelled(bed, "ds_write_b64", "ds_store_b64") + " v1, v[2:3] offset:16\n" +
                        spelled(bed, "ds_read2_b32", "ds_load_2addr_b32") +
                        " v[4:5], v1 offset0:5 offset1:4"),
                "");
      for (unsigned lane = 0; lane < waveSize; ++lane) {
        EXPECT_EQ(bed.v(4, lane), 0x200 + lane);
        EXPECT_EQ(bed.v(5, lane), 0x100 + lane);
      }
      bed.setExec(1);
      bed.v(1, 0) = 4;
      ASSERT_EQ(bed.run(spelled(bed, "ds_write2st64_b32", "ds_store_2addr_stride64_b32") +
                        " v1, v2, v3 offset0:1 offset1:2"),
                "");
      EXPECT_EQ(ldsDword(bed, 260), 0x100u);
      EXPECT_EQ(ldsDword(bed, 516), 0x200u);
      ASSERT_EQ(bed.run(spelled(bed, "ds_wrxchg2_rtn_b32", "ds_storexchg_2addr_rtn_b32") +
                        " v[6:7], v1, v3, v2 offset0:64 offset1:128"),
                "");
      EXPECT_EQ(bed.v(6, 0), 0x100u);
      EXPECT_EQ(bed.v(7, 0), 0x200u);
      EXPECT_EQ(ldsDword(bed, 260), 0x200u);
      EXPECT_EQ(ldsDword(bed, 516), 0x100u);
    }
}

TEST(Ds, OutOfRange) {
  for (const char *target : allTargets) {
    Testbed bed(target);
    bed.setExec(3);
    bed.v(1, 0) = 1020; // the last dword, then beyond
    bed.v(1, 1) = 0xFFFFFFFC;
    for (unsigned lane = 0; lane < 2; ++lane)
      bed.v(2, lane) = 0x11111111, bed.v(3, lane) = 0x22222222;
    ASSERT_EQ(bed.run(spelled(bed, "ds_write_b64", "ds_store_b64") + " v1, v[2:3]\n" +
                      spelled(bed, "ds_read_b64", "ds_load_b64") + " v[4:5], v1"),
              "");
    EXPECT_EQ(ldsDword(bed, 1020), 0x11111111u);
    EXPECT_EQ(ldsDword(bed, 0), 0u);
    EXPECT_EQ(bed.v(4, 0), 0x11111111u);
    EXPECT_EQ(bed.v(5, 0), 0u);
    EXPECT_EQ(bed.v(4, 1), 0u);
    EXPECT_EQ(bed.v(5, 1), 0u);
  }
}

TEST(Ds, AtomicsAndCompareOrder) {
  for (const char *target : allTargets) {
    Testbed bed(target);
    for (unsigned lane = 0; lane < 32; ++lane)
      bed.v(2, lane) = lane + 1;
    ASSERT_EQ(bed.run("ds_add_rtn_u32 v3, v1, v2 offset:8"), "");
    EXPECT_EQ(ldsDword(bed, 8), 32u * 33 / 2);
    EXPECT_EQ(bed.v(3, 3), 6u);
    bed.setExec(1);
    bed.v(4, 0) = 77;          // new
    bed.v(5, 0) = 32 * 33 / 2; // expected
    // gfx10 has the compare value first.
    ASSERT_EQ(bed.run(isGfx10(target) ? "ds_cmpst_rtn_b32 v6, v1, v5, v4 offset:8"
                                      : "ds_cmpstore_rtn_b32 v6, v1, v4, v5 offset:8"),
              "");
    EXPECT_EQ(ldsDword(bed, 8), 77u);
    EXPECT_EQ(bed.v(6, 0), 32u * 33 / 2);
    bed.v(2, 0) = 0xF;  // bits to clear
    bed.v(3, 0) = 0x30; // bits to set
    ASSERT_EQ(bed.run("ds_mskor_b32 v1, v2, v3 offset:8\nds_rsub_u32 v1, v4 offset:12"), "");
    EXPECT_EQ(ldsDword(bed, 8), (77u & ~0xFu) | 0x30);
    EXPECT_EQ(ldsDword(bed, 12), 77u);
  }
}

TEST(Ds, AppendConsume) {
  for (const char *target : allTargets) {
    Testbed bed(target);
    bed.wave->s[sreg::m0] = 16;
    bed.setExec(0x70F);
    ASSERT_EQ(bed.run("ds_append v1 offset:4\nds_append v1 offset:4\nds_consume v2 offset:4"), "");
    EXPECT_EQ(bed.v(1, 8), 7u);
    EXPECT_EQ(bed.v(2, 0), 14u);
    EXPECT_EQ(ldsDword(bed, 20), 7u);
  }
}

TEST(Ds, Swizzle) {
  for (const char *target : allTargets)
    for (unsigned waveSize : {32u, 64u}) {
      Testbed bed(target, waveSize);
      for (unsigned lane = 0; lane < waveSize; ++lane)
        bed.v(1, lane) = 100 + lane;
      ASSERT_EQ(bed.run("ds_swizzle_b32 v2, v1 offset:swizzle(QUAD_PERM, 3, 2, 1, 0)\n"
                        "ds_swizzle_b32 v3, v1 offset:swizzle(BITMASK_PERM, \"01pip\")\n"
                        "ds_swizzle_b32 v4, v1 offset:swizzle(BROADCAST, 8, 5)\n"
                        "ds_swizzle_b32 v5, v1 offset:swizzle(REVERSE, 16)"),
                "");
      for (unsigned lane = 0; lane < waveSize; ++lane) {
        EXPECT_EQ(bed.v(2, lane), 100 + (lane ^ 3));
        EXPECT_EQ(bed.v(3, lane), 100 + ((lane & 0x20) | 8 | ((lane & 7) ^ 2)));
        EXPECT_EQ(bed.v(4, lane), 100 + ((lane & ~7u) | 5));
        EXPECT_EQ(bed.v(5, lane), 100 + (lane ^ 15));
      }
    }
  Testbed bed("gfx1100");
  for (unsigned lane = 0; lane < 32; ++lane)
    bed.v(1, lane) = 100 + lane;
  // Rotation by 3 inside groups of 32 (mask 0), and the bit reversal of a 32-point FFT.
  ASSERT_EQ(bed.run("ds_swizzle_b32 v2, v1 offset:0xc060\n"
                    "ds_swizzle_b32 v3, v1 offset:0xe000"),
            "");
  EXPECT_EQ(bed.v(2, 0), 103u);
  EXPECT_EQ(bed.v(2, 30), 101u);
  EXPECT_EQ(bed.v(3, 1), 116u);
  EXPECT_EQ(bed.v(3, 6), 112u);
  // Disabled lanes supply 0.
  bed.setExec(~1ull & 0xFFFFFFFF);
  ASSERT_EQ(bed.run("ds_swizzle_b32 v2, v1 offset:swizzle(QUAD_PERM, 0, 0, 0, 0)"), "");
  EXPECT_EQ(bed.v(2, 1), 0u);
}

TEST(Ds, Permutes) {
  for (const char *target : allTargets) {
    Testbed bed(target, 64);
    for (unsigned lane = 0; lane < 64; ++lane) {
      bed.v(1, lane) = ((lane + 5) & 63) * 4;
      bed.v(2, lane) = 100 + lane;
    }
    ASSERT_EQ(bed.run("ds_bpermute_b32 v3, v1, v2\nds_permute_b32 v4, v1, v2"), "");
    for (unsigned lane = 0; lane < 64; ++lane) {
      unsigned half = lane & 32;
      const bool isWide = llvm::StringRef(target).starts_with("gfx12");
      EXPECT_EQ(bed.v(3, lane), 100 + (isWide ? (lane + 5) & 63 : half + ((lane + 5) & 31)));
      EXPECT_EQ(bed.v(4, lane), 100 + half + ((lane - 5) & 31));
    }
  }
}

} // namespace
