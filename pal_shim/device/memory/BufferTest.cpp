//===- BufferTest.cpp - buffer and scalar buffer instructions --------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Expected addresses and bounds are worked out from the rules in the RDNA ISA manuals ("Buffer
/// addressing", "Range checking").
#include "pal_shim/device/core/PalTables.h"
#include "pal_shim/device/core/Scratch.h"
#include "pal_shim/device/memory/TestbedForTest.h"
#include <gtest/gtest.h>

using namespace pal::device;
using namespace pal::device::test;

namespace {

struct Srd {
  GpuAddress base = 0;
  uint32_t stride = 0, records = 0, bounds = 3, format = 0, select = 0xFAC;
  bool swizzle = false, addTid = false;
  uint32_t indexStride = 0;
  std::vector<uint32_t> words() const {
    return {uint32_t(base), uint32_t(base >> 32) | stride << 16 | uint32_t(swizzle) << 31, records,
            select | format << 12 | indexStride << 21 | uint32_t(addTid) << 23 | bounds << 28};
  }
};

const char *loadDword(const Testbed &bed) {
  return isGfx10(bed.target) ? "buffer_load_dword" : "buffer_load_b32";
}
std::string spelled(const Testbed &bed, const char *gfx10, const char *gfx11) {
  return isGfx10(bed.target) ? gfx10 : gfx11;
}

/// Dword i of the buffer is 0x1000 + i.
GpuAddress makeCounting(Testbed &bed, unsigned dwords) {
  GpuAddress address = bed.allocate(dwords * 4);
  for (unsigned i = 0; i < dwords; ++i)
    bed.at<uint32_t>(address + 4 * i) = 0x1000 + i;
  return address;
}

TEST(Buffer, ConsecutiveAndScatteredDwords) {
  for (const char *target : allTargets)
    for (unsigned waveSize : {32u, 64u}) {
      Testbed bed(target, waveSize);
      GpuAddress buffer = makeCounting(bed, 256);
      bed.setWords(8, Srd{.base = buffer, .records = 1024}.words());
      bed.wave->s[5] = 16;
      for (unsigned lane = 0; lane < waveSize; ++lane) {
        bed.v(1, lane) = lane * 4;
        bed.v(2, lane) = (lane * 7 % 64) * 4;
      }
      ASSERT_EQ(bed.run(std::string(loadDword(bed)) + " v3, v1, s[8:11], s5 offen offset:8\n" +
                        loadDword(bed) + " v4, v2, s[8:11], null offen"),
                "");
      for (unsigned lane = 0; lane < waveSize; ++lane) {
        EXPECT_EQ(bed.v(3, lane), 0x1000 + 6 + lane);
        EXPECT_EQ(bed.v(4, lane), 0x1000 + lane * 7 % 64);
      }
    }
}

TEST(Buffer, DisabledLanesDoNothing) {
  for (const char *target : allTargets) {
    Testbed bed(target);
    GpuAddress buffer = makeCounting(bed, 64);
    bed.setWords(8, Srd{.base = buffer, .records = 256}.words());
    bed.setExec(0x5);
    for (unsigned lane = 0; lane < 32; ++lane)
      bed.v(1, lane) = lane < 3 ? lane * 4 : 0x7FFFFFFF, bed.v(3, lane) = 7;
    ASSERT_EQ(bed.run(std::string(loadDword(bed)) + " v3, v1, s[8:11], null offen"), "");
    EXPECT_EQ(bed.v(3, 0), 0x1000u);
    EXPECT_EQ(bed.v(3, 1), 7u);
    EXPECT_EQ(bed.v(3, 2), 0x1002u);
    ASSERT_EQ(bed.run(spelled(bed, "buffer_store_dword", "buffer_store_b32") +
                      " v1, v1, s[8:11], null offen"),
              "");
    EXPECT_EQ(bed.at<uint32_t>(buffer), 0u);
    EXPECT_EQ(bed.at<uint32_t>(buffer + 4), 0x1001u);
    EXPECT_EQ(bed.at<uint32_t>(buffer + 8), 8u);
  }
}

TEST(Buffer, RawBoundsArePerDword) {
  for (const char *target : allTargets) {
    Testbed bed(target);
    GpuAddress buffer = makeCounting(bed, 64);
    bed.setWords(8, Srd{.base = buffer, .records = 40}.words());
    bed.setExec(0xF);
    uint32_t offsets[4] = {24, 28, 36, 0xFFFFFFF0};
    for (unsigned lane = 0; lane < 4; ++lane) {
      bed.v(1, lane) = offsets[lane];
      for (unsigned i = 0; i < 4; ++i)
        bed.v(4 + i, lane) = 0xAA, bed.v(8 + i, lane) = 0xB0 + i;
    }
    ASSERT_EQ(bed.run(spelled(bed, "buffer_load_dwordx4", "buffer_load_b128") +
                      " v[4:7], v1, s[8:11], null offen"),
              "");
    uint32_t expected[4][4] = {{0x1006, 0x1007, 0x1008, 0x1009},
                               {0x1007, 0x1008, 0x1009, 0},
                               {0x1009, 0, 0, 0},
                               {0, 0, 0, 0}};
    for (unsigned lane = 0; lane < 4; ++lane)
      for (unsigned i = 0; i < 4; ++i)
        EXPECT_EQ(bed.v(4 + i, lane), expected[lane][i]) << target << lane << i;
    bed.setExec(4);
    ASSERT_EQ(bed.run(spelled(bed, "buffer_store_dwordx4", "buffer_store_b128") +
                      " v[8:11], v1, s[8:11], null offen"),
              "");
    EXPECT_EQ(bed.at<uint32_t>(buffer + 36), 0xB0u);
    EXPECT_EQ(bed.at<uint32_t>(buffer + 40), 0x100Au);
  }
}

TEST(Buffer, StructuredBoundsModes) {
  for (const char *target : allTargets) {
    Testbed bed(target);
    GpuAddress buffer = makeCounting(bed, 64);
    bed.setExec(0xF);
    // Index and offset of each lane; records are 16 bytes.
    uint32_t index[4] = {1, 2, 2, 3}, offset[4] = {4, 12, 14, 0};
    for (unsigned lane = 0; lane < 4; ++lane)
      bed.v(1, lane) = index[lane], bed.v(2, lane) = offset[lane];
    auto load = [&](uint32_t bounds) {
      Srd srd = {.base = buffer, .stride = 16, .records = 3, .bounds = bounds};
      bed.setWords(8, srd.words());
      EXPECT_EQ(bed.run(std::string(loadDword(bed)) + " v3, v[1:2], s[8:11], null idxen offen"),
                "");
    };
    load(0); // index < 3 and offset + 4 <= 16
    EXPECT_EQ(bed.v(3, 0), 0x1005u);
    EXPECT_EQ(bed.v(3, 1), 0x100Bu);
    EXPECT_EQ(bed.v(3, 2), 0u);
    EXPECT_EQ(bed.v(3, 3), 0u);
    load(1); // index < 3
    EXPECT_EQ(bed.v(3, 2), 0x100C0000u);
    EXPECT_EQ(bed.v(3, 3), 0u);
    load(2); // records exist
    EXPECT_EQ(bed.v(3, 3), 0x100Cu);
  }
}

TEST(Buffer, NullDescriptorReadsZero) {
  for (const char *target : allTargets) {
    Testbed bed(target);
    bed.setWords(8, std::vector<uint32_t>(4, 0));
    for (unsigned reg = 1; reg < 8; ++reg)
      bed.v(reg, 0) = 3;
    ASSERT_EQ(bed.run(std::string(loadDword(bed)) + " v3, v1, s[8:11], null offen\n"
                                                    "buffer_load_format_xyzw v[4:7], v1, s[8:11], "
                                                    "null idxen\n"
                                                    "buffer_store_format_xyzw v[4:7], v1, "
                                                    "s[8:11], null idxen"),
              "");
    for (unsigned reg = 3; reg < 8; ++reg)
      EXPECT_EQ(bed.v(reg, 0), 0u);
    bed.wave->s[4] = 9;
    ASSERT_EQ(
        bed.run(spelled(bed, "s_buffer_load_dword", "s_buffer_load_b32") + " s4, s[8:11], 0x0"),
        "");
    EXPECT_EQ(bed.wave->s[4], 0u);
  }
}

TEST(Buffer, SwizzledRecords) {
  for (const char *target : {"gfx1030", "gfx1100", "gfx1201"}) {
    Testbed bed(target);
    GpuAddress buffer = makeCounting(bed, 1024);
    // Blocks of 8 records of 8 bytes: dword j of record i is at ((i/8 * 8) + j*4) * 8 + i%8 * 4.
    Srd srd = {.base = buffer, .stride = 8, .records = 64, .bounds = 0, .swizzle = true};
    std::vector<uint32_t> words = srd.words();
    if (!isGfx10(target))
      words[1] = (words[1] & 0x3FFFFFFF) | 1u << 30; // elements of 4 bytes
    bed.setWords(8, words);
    for (unsigned lane = 0; lane < 32; ++lane)
      bed.v(1, lane) = lane;
    ASSERT_EQ(bed.run(spelled(bed, "buffer_load_dwordx2", "buffer_load_b64") +
                      " v[3:4], v1, s[8:11], null idxen"),
              "");
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned j = 0; j < 2; ++j)
        EXPECT_EQ(bed.v(3 + j, lane), 0x1000 + (lane / 8 * 8 + j * 4) * 2 + lane % 8)
            << target << " lane " << lane;
  }
}

TEST(Buffer, ScratchDescriptor) {
  Testbed bed("gfx1030", 64);
  auto words =
      tableWords(Generation::Gfx103, TableEntry::GraphicsScratch, {scratchBufferBase, UINT32_MAX});
  bed.setWords(0, words);
  bed.wave->s[32] = 64 * 16; // the stack pointer counts bytes of the whole wave
  for (unsigned lane = 0; lane < 64; ++lane)
    bed.v(0, lane) = 100 + lane, bed.v(1, lane) = 4 * (lane % 4);
  ASSERT_EQ(bed.run("buffer_store_dword v0, v1, s[0:3], s32 offen offset:8\n"
                    "buffer_load_dword v2, v1, s[0:3], s32 offen offset:8"),
            "");
  for (unsigned lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(bed.v(2, lane), 100 + lane);
    uint32_t inMemory;
    std::memcpy(&inMemory, &bed.scratch[lane * 256 + 16 + 8 + 4 * (lane % 4)], 4);
    EXPECT_EQ(inMemory, 100 + lane);
  }
  EXPECT_NE(bed.run("buffer_load_dword v2, off, s[0:3], 0 offset:256"), "");
  EXPECT_NE(bed.run("buffer_atomic_add v2, off, s[0:3], 0 offset:6").find("misaligned address 0x6"),
            std::string::npos);
}

TEST(Buffer, FaultOutsideAllocations) {
  Testbed bed("gfx1100");
  GpuAddress buffer = bed.allocate(64);
  bed.setWords(8, Srd{.base = buffer, .records = 0x10000}.words());
  for (unsigned lane = 0; lane < 32; ++lane)
    bed.v(1, lane) = lane * 4;
  EXPECT_NE(bed.run("buffer_load_b32 v3, v1, s[8:11], null offen"), "");
  EXPECT_EQ(bed.group.fault->lane, 16);
  EXPECT_EQ(bed.group.fault->kind, DeviceFault::Kind::MemoryAccess);
}

TEST(Buffer, SmallTypesAndHalves) {
  for (const char *target : allTargets) {
    Testbed bed(target);
    GpuAddress buffer = bed.allocate(64);
    bed.at<uint32_t>(buffer) = 0x8182F3F4;
    bed.setWords(8, Srd{.base = buffer, .records = 64}.words());
    bed.setExec(1);
    auto load = [&](const char *gfx10, const char *gfx11) {
      bed.v(3, 0) = 0xAAAABBBB;
      EXPECT_EQ(bed.run(spelled(bed, gfx10, gfx11) + " v3, off, s[8:11], null"), "");
      return bed.v(3, 0);
    };
    EXPECT_EQ(load("buffer_load_ubyte", "buffer_load_u8"), 0xF4u);
    EXPECT_EQ(load("buffer_load_sbyte", "buffer_load_i8"), 0xFFFFFFF4u);
    EXPECT_EQ(load("buffer_load_ushort", "buffer_load_u16"), 0xF3F4u);
    EXPECT_EQ(load("buffer_load_sshort", "buffer_load_i16"), 0xFFFFF3F4u);
    EXPECT_EQ(load("buffer_load_ubyte_d16", "buffer_load_d16_u8"), 0xAAAA00F4u);
    EXPECT_EQ(load("buffer_load_ubyte_d16_hi", "buffer_load_d16_hi_u8"), 0x00F4BBBBu);
    EXPECT_EQ(load("buffer_load_sbyte_d16", "buffer_load_d16_i8"), 0xAAAAFFF4u);
    EXPECT_EQ(load("buffer_load_sbyte_d16_hi", "buffer_load_d16_hi_i8"), 0xFFF4BBBBu);
    EXPECT_EQ(load("buffer_load_short_d16", "buffer_load_d16_b16"), 0xAAAAF3F4u);
    EXPECT_EQ(load("buffer_load_short_d16_hi", "buffer_load_d16_hi_b16"), 0xF3F4BBBBu);
    bed.v(4, 0) = 0x11223344;
    auto store = [&](const char *gfx10, const char *gfx11) {
      bed.at<uint32_t>(buffer) = 0;
      EXPECT_EQ(bed.run(spelled(bed, gfx10, gfx11) + " v4, off, s[8:11], null"), "");
      return bed.at<uint32_t>(buffer);
    };
    EXPECT_EQ(store("buffer_store_byte", "buffer_store_b8"), 0x44u);
    EXPECT_EQ(store("buffer_store_short", "buffer_store_b16"), 0x3344u);
    EXPECT_EQ(store("buffer_store_byte_d16_hi", "buffer_store_d16_hi_b8"), 0x22u);
    EXPECT_EQ(store("buffer_store_short_d16_hi", "buffer_store_d16_hi_b16"), 0x1122u);
  }
}

TEST(Buffer, TypedLoadsSelectAndConvert) {
  for (const char *target : allTargets) {
    Testbed bed(target);
    GpuAddress buffer = bed.allocate(64);
    bed.at<uint32_t>(buffer + 4) = 0xFF800033; // bytes 51 0 128 255
    // 8_8_8_8 unorm: 56 on gfx10, 42 later; dst_sel Z Y X 1.
    Srd srd = {.base = buffer,
               .stride = 4,
               .records = 4,
               .bounds = 1,
               .format = isGfx10(target) ? 56u : 42u,
               .select = 6 | 5 << 3 | 4 << 6 | 1 << 9};
    bed.setWords(8, srd.words());
    bed.setExec(3);
    bed.v(1, 0) = 1;
    bed.v(1, 1) = 4; // out of bounds
    ASSERT_EQ(bed.run("buffer_load_format_xyzw v[4:7], v1, s[8:11], null idxen"), "");
    EXPECT_EQ(bed.vf(4, 0), 128 / 255.0f);
    EXPECT_EQ(bed.vf(5, 0), 0.0f);
    EXPECT_EQ(bed.vf(6, 0), 51 / 255.0f);
    EXPECT_EQ(bed.vf(7, 0), 1.0f);
    EXPECT_EQ(bed.vf(4, 1), 0.0f);
    EXPECT_EQ(bed.vf(7, 1), 1.0f);
    ASSERT_EQ(bed.run(spelled(bed, "buffer_load_format_d16_xyzw", "buffer_load_d16_format_xyzw") +
                      " v[4:5], v1, s[8:11], null idxen"),
              "");
    EXPECT_EQ(bed.v(4, 0), 0x3804u); // 128/255 in half precision is 0.50196 = 0x3804
    EXPECT_EQ(bed.v(5, 0) >> 16, 0x3C00u);
    // A store is the reverse: register 2 is X.
    bed.setExec(1);
    float values[4] = {1.0f, 0.2f, 0.0f, 0.5f};
    for (unsigned i = 0; i < 4; ++i)
      bed.setF(4 + i, 0, values[i]);
    ASSERT_EQ(bed.run("buffer_store_format_xyzw v[4:7], v1, s[8:11], null idxen"), "");
    EXPECT_EQ(bed.at<uint32_t>(buffer + 4) & 0xFFFFFF, 0xFF3300u);
    // tbuffer: 32_32 float of the instruction, without dst_sel.
    bed.setF(4, 0, 0);
    bed.at<float>(buffer + 8) = 1.5f;
    bed.at<float>(buffer + 12) = -2.5f;
    ASSERT_EQ(bed.run(std::string("tbuffer_load_format_xyzw v[4:7], off, s[8:11], ") +
                      (isGfx12(target) ? "null" : "0") + " format:[BUF_FMT_32_32_FLOAT] offset:8"),
              "");
    EXPECT_EQ(bed.vf(4, 0), 1.5f);
    EXPECT_EQ(bed.vf(5, 0), -2.5f);
    EXPECT_EQ(bed.vf(7, 0), 1.0f);
  }
}

TEST(Buffer, Atomics) {
  for (const char *target : allTargets) {
    Testbed bed(target);
    GpuAddress buffer = bed.allocate(64);
    bed.at<uint32_t>(buffer) = 5;
    bed.setWords(8, Srd{.base = buffer, .records = 64}.words());
    for (unsigned lane = 0; lane < 32; ++lane)
      bed.v(1, lane) = lane == 31 ? 64 : 0, bed.v(3, lane) = lane + 1;
    std::string returns = isGfx12(target) ? " th:TH_ATOMIC_RETURN" : " glc";
    ASSERT_EQ(bed.run(spelled(bed, "buffer_atomic_add", "buffer_atomic_add_u32") +
                      " v3, v1, s[8:11], null offen" + returns),
              "");
    uint32_t sum = 5;
    for (unsigned lane = 0; lane < 31; ++lane) {
      EXPECT_EQ(bed.v(3, lane), sum);
      sum += lane + 1;
    }
    EXPECT_EQ(bed.v(3, 31), 0u); // out of bounds
    EXPECT_EQ(bed.at<uint32_t>(buffer), sum);
    // cmpswap: first register the new value, second the one compared with.
    bed.setExec(1);
    bed.v(4, 0) = 77;
    bed.v(5, 0) = sum;
    ASSERT_EQ(bed.run(spelled(bed, "buffer_atomic_cmpswap", "buffer_atomic_cmpswap_b32") +
                      " v[4:5], v1, s[8:11], null offen"),
              "");
    EXPECT_EQ(bed.at<uint32_t>(buffer), 77u);
    EXPECT_EQ(bed.v(4, 0), 77u);
  }
}

TEST(ScalarMemory, LoadsAndBounds) {
  for (const char *target : allTargets) {
    Testbed bed(target);
    GpuAddress buffer = makeCounting(bed, 64);
    bed.setS64(2, buffer);
    bed.wave->s[7] = 8;
    ASSERT_EQ(bed.run(spelled(bed, "s_load_dwordx4", "s_load_b128") +
                      " s[20:23], s[2:3], s7 offset:0x10"),
              "");
    for (unsigned i = 0; i < 4; ++i)
      EXPECT_EQ(bed.wave->s[20 + i], 0x1006 + i);
    // 5 records of 4 bytes: dwords beyond them read 0.
    bed.setWords(8, Srd{.base = buffer, .stride = 4, .records = 5, .bounds = 0}.words());
    ASSERT_EQ(bed.run(spelled(bed, "s_buffer_load_dwordx4", "s_buffer_load_b128") +
                      " s[20:23], s[8:11], 0xc"),
              "");
    EXPECT_EQ(bed.wave->s[20], 0x1003u);
    EXPECT_EQ(bed.wave->s[21], 0x1004u);
    EXPECT_EQ(bed.wave->s[22], 0u);
    EXPECT_NE(bed.run(spelled(bed, "s_load_dword", "s_load_b32") + " s20, s[2:3], 0x100"), "");
  }
  Testbed bed("gfx1201");
  GpuAddress buffer = bed.allocate(16);
  bed.at<uint32_t>(buffer) = 0x8182F3F4;
  bed.setS64(2, buffer);
  ASSERT_EQ(bed.run("s_load_i8 s4, s[2:3], 0x1\ns_load_u8 s5, s[2:3], 0x1\n"
                    "s_load_i16 s6, s[2:3], 0x2\ns_load_u16 s7, s[2:3], 0x2"),
            "");
  EXPECT_EQ(bed.wave->s[4], 0xFFFFFFF3u);
  EXPECT_EQ(bed.wave->s[5], 0xF3u);
  EXPECT_EQ(bed.wave->s[6], 0xFFFF8182u);
  EXPECT_EQ(bed.wave->s[7], 0x8182u);
}

} // namespace
