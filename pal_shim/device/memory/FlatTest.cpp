//===- FlatTest.cpp - flat, global and scratch instructions; atomics -------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/core/Scratch.h"
#include "pal_shim/device/memory/TestbedForTest.h"
#include <gtest/gtest.h>

using namespace pal::device;
using namespace pal::device::test;

namespace {

std::string spelled(const Testbed &bed, const char *gfx10, const char *gfx11) {
  return isGfx10(bed.target) ? gfx10 : gfx11;
}

TEST(Global, AddressesAndOverlap) {
  for (const char *target : allTargets)
    for (unsigned waveSize : {32u, 64u}) {
      Testbed bed(target, waveSize);
      GpuAddress buffer = bed.allocate(4096);
      for (unsigned i = 0; i < 1024; ++i)
        bed.at<uint32_t>(buffer + 4 * i) = 0x1000 + i;
      bed.setS64(4, buffer);
      for (unsigned lane = 0; lane < waveSize; ++lane) {
        bed.v(1, lane) = lane * 4;
        bed.setAddress(2, lane, buffer + 16 + (lane ^ 1) * 16);
      }
      ASSERT_EQ(bed.run(spelled(bed, "global_load_dword", "global_load_b32") +
                        " v6, v1, s[4:5] offset:12\n" +
                        spelled(bed, "global_load_dwordx4", "global_load_b128") +
                        " v[2:5], v[2:3], off offset:-16"),
                "");
      for (unsigned lane = 0; lane < waveSize; ++lane) {
        EXPECT_EQ(bed.v(6, lane), 0x1003 + lane);
        for (unsigned i = 0; i < 4; ++i)
          EXPECT_EQ(bed.v(2 + i, lane), 0x1000 + (lane ^ 1) * 4 + i);
      }
      ASSERT_EQ(bed.run(spelled(bed, "global_store_dword", "global_store_b32") +
                        " v1, v6, s[4:5] offset:2040\n" +
                        spelled(bed, "global_store_dwordx2", "global_store_b64") +
                        " v1, v[2:3], s[4:5] offset:1024"),
                "");
      EXPECT_EQ(bed.at<uint32_t>(buffer + 2040 + 20), 0x1003u + 5);
      EXPECT_EQ(bed.at<uint32_t>(buffer + 1024 + 4 * (waveSize - 1)), bed.v(2, waveSize - 1));
    }
}

TEST(Flat, Apertures) {
  for (const char *target : allTargets) {
    Testbed bed(target);
    GpuAddress buffer = bed.allocate(256);
    bed.at<uint32_t>(buffer + 4) = 11;
    bed.group.lds[8] = 22;
    bed.scratch[2 * 256 + 12] = 33;
    bed.setExec(0xF);
    bed.setAddress(2, 0, buffer + 4);
    bed.setAddress(2, 1, sharedApertureBase + 8);
    bed.setAddress(2, 2, privateApertureBase + 12);
    bed.setAddress(2, 3, sharedApertureBase + 5000); // beyond LDS: reads 0
    bed.v(4, 3) = 9;
    ASSERT_EQ(bed.run(spelled(bed, "flat_load_dword", "flat_load_b32") + " v4, v[2:3]"), "");
    EXPECT_EQ(bed.v(4, 0), 11u);
    EXPECT_EQ(bed.v(4, 1), 22u);
    EXPECT_EQ(bed.v(4, 2), 33u);
    EXPECT_EQ(bed.v(4, 3), 0u);
    for (unsigned lane = 0; lane < 4; ++lane)
      bed.v(5, lane) = 100 + lane;
    ASSERT_EQ(bed.run(spelled(bed, "flat_store_dword", "flat_store_b32") + " v[2:3], v5"), "");
    EXPECT_EQ(bed.at<uint32_t>(buffer + 4), 100u);
    EXPECT_EQ(bed.group.lds[8], 101);
    EXPECT_EQ(bed.scratch[2 * 256 + 12], 102);
    bed.setAddress(2, 0, 0x1234);
    EXPECT_NE(bed.run(spelled(bed, "flat_load_dword", "flat_load_b32") + " v4, v[2:3]"), "");
  }
}

TEST(Scratch, PrivatePerLane) {
  for (const char *target : {"gfx1030", "gfx1100", "gfx1201"}) {
    Testbed bed(target);
    for (unsigned lane = 0; lane < 32; ++lane)
      bed.v(0, lane) = 500 + lane, bed.v(1, lane) = 20;
    bed.wave->s[33] = 16;
    ASSERT_EQ(bed.run(spelled(bed, "scratch_store_dword", "scratch_store_b32") +
                      " off, v0, s33 offset:8\n" +
                      spelled(bed, "scratch_load_dword", "scratch_load_b32") +
                      " v2, v1, off offset:4"),
              "");
    for (unsigned lane = 0; lane < 32; ++lane)
      EXPECT_EQ(bed.v(2, lane), 500 + lane);
    bed.wave->s[33] = 253;
    EXPECT_NE(bed.run(spelled(bed, "scratch_load_dword", "scratch_load_b32") + " v2, off, s33"),
              "");
  }
}

/// One atomic on one lane: memory afterwards; the value before must come back.
uint64_t atomicResult(const char *target, const std::string &op, uint64_t memory, uint64_t data,
                      uint64_t compare = 0, bool is64 = false) {
  Testbed bed(target);
  GpuAddress buffer = bed.allocate(64);
  bed.at<uint64_t>(buffer) = memory;
  bed.setExec(1);
  bed.setAddress(2, 0, buffer);
  bool isCompare = op.find("cmpswap") != std::string::npos;
  unsigned dwords = is64 ? 2 : 1;
  bed.v(4, 0) = uint32_t(data);
  bed.v(5, 0) = uint32_t(data >> 32);
  bed.v(4 + dwords, 0) = isCompare || !is64 ? uint32_t(compare) : bed.v(4 + dwords, 0);
  bed.v(5 + dwords, 0) = uint32_t(compare >> 32);
  unsigned count = dwords * (isCompare ? 2 : 1);
  std::string result = is64 ? "v[10:11]" : "v10";
  std::string source = count == 1 ? "v4" : "v[4:" + std::to_string(3 + count) + "]";
  std::string returns = isGfx12(target) ? " th:TH_ATOMIC_RETURN" : " glc";
  EXPECT_EQ(
      bed.run("global_atomic_" + op + " " + result + ", v[2:3], " + source + ", off" + returns),
      "");
  EXPECT_EQ(bed.v(10, 0), uint32_t(memory));
  if (is64)
    EXPECT_EQ(bed.v(11, 0), uint32_t(memory >> 32));
  return is64 ? bed.at<uint64_t>(buffer) : bed.at<uint32_t>(buffer);
}

uint32_t bits(float value) { return std::bit_cast<uint32_t>(value); }

TEST(Atomic, Integers32) {
  const char *t = "gfx1100";
  EXPECT_EQ(atomicResult(t, "add_u32", 0xFFFFFFFF, 2), 1u);
  EXPECT_EQ(atomicResult(t, "sub_u32", 1, 2), 0xFFFFFFFFu);
  EXPECT_EQ(atomicResult(t, "min_i32", 1, 0xFFFFFFFE), 0xFFFFFFFEu);
  EXPECT_EQ(atomicResult(t, "min_u32", 1, 0xFFFFFFFE), 1u);
  EXPECT_EQ(atomicResult(t, "max_i32", 1, 0xFFFFFFFE), 1u);
  EXPECT_EQ(atomicResult(t, "max_u32", 1, 0xFFFFFFFE), 0xFFFFFFFEu);
  EXPECT_EQ(atomicResult(t, "and_b32", 12, 10), 8u);
  EXPECT_EQ(atomicResult(t, "or_b32", 12, 10), 14u);
  EXPECT_EQ(atomicResult(t, "xor_b32", 12, 10), 6u);
  EXPECT_EQ(atomicResult(t, "swap_b32", 12, 10), 10u);
  EXPECT_EQ(atomicResult(t, "inc_u32", 9, 10), 10u);
  EXPECT_EQ(atomicResult(t, "inc_u32", 10, 10), 0u);
  EXPECT_EQ(atomicResult(t, "dec_u32", 0, 10), 10u);
  EXPECT_EQ(atomicResult(t, "dec_u32", 11, 10), 10u);
  EXPECT_EQ(atomicResult(t, "dec_u32", 10, 10), 9u);
  EXPECT_EQ(atomicResult(t, "cmpswap_b32", 5, 10, 5), 10u);
  EXPECT_EQ(atomicResult(t, "cmpswap_b32", 5, 10, 6), 5u);
  EXPECT_EQ(atomicResult(t, "csub_u32", 5, 10), 0u);
  EXPECT_EQ(atomicResult("gfx1201", "sub_clamp_u32", 15, 10), 5u);
  EXPECT_EQ(atomicResult("gfx1201", "cond_sub_u32", 5, 10), 5u);
  EXPECT_EQ(atomicResult("gfx1201", "cond_sub_u32", 15, 10), 5u);
}

TEST(Atomic, Integers64) {
  const char *t = "gfx1030";
  EXPECT_EQ(atomicResult(t, "add_x2", ~0ull, 2, 0, true), 1u);
  EXPECT_EQ(atomicResult(t, "smin_x2", 1, ~0ull, 0, true), ~0ull);
  EXPECT_EQ(atomicResult(t, "umax_x2", 1, ~0ull, 0, true), ~0ull);
  EXPECT_EQ(atomicResult(t, "cmpswap_x2", 5, 1ull << 40, 5, true), 1ull << 40);
  EXPECT_EQ(atomicResult(t, "cmpswap_x2", 5, 1ull << 40, 5 | 1ull << 32, true), 5u);
  EXPECT_EQ(atomicResult("gfx1201", "dec_u64", 0, 1ull << 40, 0, true), 1ull << 40);
}

TEST(Atomic, Floats) {
  const char *t = "gfx1100";
  uint32_t nan = 0x7FC00000;
  EXPECT_EQ(atomicResult(t, "add_f32", bits(1.5f), bits(2.25f)), bits(3.75f));
  EXPECT_EQ(atomicResult(t, "min_f32", bits(0.0f), bits(-0.0f)), bits(-0.0f));
  EXPECT_EQ(atomicResult(t, "max_f32", bits(-0.0f), bits(0.0f)), bits(0.0f));
  EXPECT_EQ(atomicResult(t, "min_f32", nan, bits(4.0f)), bits(4.0f));
  EXPECT_EQ(atomicResult(t, "max_f32", bits(4.0f), nan), bits(4.0f));
  EXPECT_EQ(atomicResult("gfx1201", "max_num_f32", bits(4.0f), bits(5.0f)), bits(5.0f));
  EXPECT_EQ(atomicResult("gfx1030", "fmin_x2", std::bit_cast<uint64_t>(3.0),
                         std::bit_cast<uint64_t>(-3.0), 0, true),
            std::bit_cast<uint64_t>(-3.0));
  // 1.0 + 2.0 and 0.5 + 0.25; the sum 2048 + 1 of 11-bit numbers rounds to even.
  EXPECT_EQ(atomicResult("gfx1201", "pk_add_f16", 0x3C003800, 0x40003400), 0x42003A00u);
  EXPECT_EQ(atomicResult("gfx1201", "pk_add_f16", 0x6800, 0x3C00), 0x6800u);
  EXPECT_EQ(atomicResult("gfx1201", "pk_add_bf16", 0x3F803F00, 0x40003E80), 0x40403F40u);
}

TEST(Atomic, DenormalsFollowMode) {
  Testbed bed("gfx1100");
  GpuAddress buffer = bed.allocate(64);
  bed.setExec(1);
  bed.setAddress(2, 0, buffer);
  bed.v(4, 0) = 1; // the smallest denormal
  bed.at<uint32_t>(buffer) = 2;
  ASSERT_EQ(bed.run("global_atomic_add_f32 v[2:3], v4, off"), "");
  EXPECT_EQ(bed.at<uint32_t>(buffer), 3u);
  bed.wave->modeBits = 0xC0;
  bed.wave->invalidateFloatMode();
  ASSERT_EQ(bed.run("global_atomic_add_f32 v[2:3], v4, off"), "");
  EXPECT_EQ(bed.at<uint32_t>(buffer), 0u);
  bed.wave->modeBits = 0xF0;
  bed.wave->invalidateFloatMode();
  bed.wave->useFloatMode(FloatKind::F32);
}

TEST(Atomic, MisalignedFaults) {
  Testbed bed("gfx1100");
  GpuAddress buffer = bed.allocate(64);
  bed.setExec(2);
  bed.setAddress(2, 1, buffer + 2);
  EXPECT_NE(bed.run("global_atomic_add_u32 v[2:3], v4, off").find("misaligned"), std::string::npos);
}

} // namespace
