//===- DecodeTest.cpp - fields of memory encodings against LLVM ------------===//
// SPDX-License-Identifier: MIT
/// \file
/// LLVM's assembler writes the encodings; what was asked for must come out of our field tables.
#include "pal_shim/device/memory/TestbedForTest.h"
#include <gtest/gtest.h>

using namespace pal::device;
using namespace pal::device::test;

namespace {

Instr decodeOne(const char *target, const std::string &text) {
  Testbed bed(target);
  std::vector<Instr> all = bed.decode(text);
  return all.empty() ? Instr() : all[0];
}

TEST(MemoryDecode, SmemFields) {
  for (const char *target : allTargets) {
    std::string name = isGfx10(target) ? "s_load_dwordx2" : "s_load_b64";
    Instr instr = decodeOne(target, name + " s[20:21], s[34:35], s7 offset:0x123");
    EXPECT_EQ(instr.dst[0].kind, Dst::Kind::Sgpr);
    EXPECT_EQ(instr.dst[0].reg, 20);
    EXPECT_EQ(instr.src[3].reg, 34);
    EXPECT_EQ(instr.src[4].kind, Src::Kind::Sgpr);
    EXPECT_EQ(instr.src[4].reg, 7);
    EXPECT_EQ(instr.mem.offset, 0x123);
    instr = decodeOne(target, name + " vcc, s[2:3], -8");
    EXPECT_EQ(instr.dst[0].reg, sreg::vccLo);
    EXPECT_EQ(instr.mem.offset, -8);
    EXPECT_EQ(instr.src[4].kind, Src::Kind::Imm);
    instr = decodeOne(
        target, name + (isGfx12(target) ? " s[4:5], s[2:3], m0 offset:0" : " s[4:5], s[2:3], m0"));
    EXPECT_EQ(instr.src[4].kind, Src::Kind::Sgpr);
    EXPECT_EQ(instr.src[4].reg, sreg::m0);
  }
}

TEST(MemoryDecode, BufferFields) {
  for (const char *target : allTargets) {
    std::string name = isGfx10(target) ? "buffer_load_dwordx2" : "buffer_load_b64";
    Instr instr = decodeOne(target, name + " v[5:6], v[200:201], s[84:87], s41 idxen offen "
                                           "offset:4095");
    EXPECT_EQ(instr.dst[0].reg, 5);
    EXPECT_EQ(instr.src[0].reg, 200);
    EXPECT_EQ(instr.src[3].reg, 84);
    EXPECT_EQ(instr.src[4].reg, 41);
    EXPECT_TRUE(instr.mem.idxen && instr.mem.offen && !instr.mem.tfe);
    EXPECT_EQ(instr.mem.offset, 4095);
    instr = decodeOne(target, name + " v[5:7], v1, s[8:11], m0 offen tfe");
    EXPECT_EQ(instr.src[4].reg, sreg::m0);
    EXPECT_TRUE(!instr.mem.idxen && instr.mem.offen && instr.mem.tfe);
    instr = decodeOne(target, name + " v[5:6], v1, s[8:11], null idxen");
    EXPECT_EQ(instr.src[4].kind, Src::Kind::Imm);
    EXPECT_EQ(instr.src[4].imm, 0u);
    EXPECT_TRUE(instr.mem.idxen && !instr.mem.offen);
    instr = decodeOne(target, "tbuffer_load_format_xy v[5:6], off, s[8:11], s1 format:45 "
                              "offset:16");
    EXPECT_EQ(instr.mem.format, 45);
    EXPECT_EQ(instr.dst[0].reg, 5);
    EXPECT_EQ(instr.src[4].reg, 1);
  }
  for (const char *target : {"gfx1030", "gfx1100"}) {
    std::string name = isGfx10(target) ? "buffer_store_dword" : "buffer_store_b32";
    EXPECT_EQ(decodeOne(target, name + " v1, off, s[0:3], 5").src[4].imm, 5u);
    EXPECT_EQ(decodeOne(target, name + " v1, off, s[0:3], -3").src[4].imm, uint32_t(-3));
    EXPECT_EQ(decodeOne(target, name + " v1, off, s[0:3], 4.0").src[4].imm, 0x40800000u);
  }
}

TEST(MemoryDecode, AtomicsReturn) {
  for (const char *target : allTargets) {
    std::string add = isGfx10(target) ? "atomic_add" : "atomic_add_u32";
    std::string returns = isGfx12(target) ? " th:TH_ATOMIC_RETURN" : " glc";
    std::string buffer = "buffer_" + add + " v7, v1, s[8:11], s1 offen";
    EXPECT_FALSE(decodeOne(target, buffer).mem.returnsValue);
    Instr instr = decodeOne(target, buffer + returns);
    EXPECT_TRUE(instr.mem.returnsValue);
    EXPECT_EQ(instr.dst[0].reg, 7);
    EXPECT_EQ(instr.src[1].reg, 7);
    EXPECT_FALSE(decodeOne(target, "global_" + add + " v[2:3], v7, off").mem.returnsValue);
    instr = decodeOne(target, "global_" + add + " v9, v[2:3], v7, off" + returns);
    EXPECT_TRUE(instr.mem.returnsValue);
    EXPECT_EQ(instr.dst[0].reg, 9);
    EXPECT_EQ(instr.src[0].reg, 2);
    EXPECT_EQ(instr.src[1].reg, 7);
    EXPECT_FALSE(decodeOne(target, "ds_add_u32 v1, v2").mem.returnsValue);
    EXPECT_TRUE(decodeOne(target, "ds_add_rtn_u32 v3, v1, v2").mem.returnsValue);
  }
}

TEST(MemoryDecode, FlatFields) {
  for (const char *target : allTargets) {
    std::string load = isGfx10(target) ? "load_dword" : "load_b32";
    std::string store = isGfx10(target) ? "store_dword" : "store_b32";
    Instr instr = decodeOne(target, "global_" + load + " v5, v2, s[40:41] offset:-16");
    EXPECT_EQ(instr.mem.offset, -16);
    EXPECT_EQ(instr.src[3].kind, Src::Kind::Sgpr);
    EXPECT_EQ(instr.src[3].reg, 40);
    EXPECT_EQ(instr.src[0].reg, 2);
    instr = decodeOne(target, "global_" + store + " v[12:13], v99, off offset:2000");
    EXPECT_EQ(instr.mem.offset, 2000);
    EXPECT_EQ(instr.src[3].kind, Src::Kind::None);
    EXPECT_EQ(instr.src[0].reg, 12);
    EXPECT_EQ(instr.src[1].reg, 99);
    instr = decodeOne(target, "scratch_" + load + " v5, v1, off offset:-4");
    EXPECT_TRUE(instr.mem.offen);
    EXPECT_EQ(instr.src[3].kind, Src::Kind::None);
    EXPECT_EQ(instr.mem.offset, -4);
    instr = decodeOne(target, "scratch_" + load + " v5, off, s33 offset:8");
    EXPECT_FALSE(instr.mem.offen);
    EXPECT_EQ(instr.src[3].reg, 33);
    if (std::string(target) != "gfx1010") {
      instr = decodeOne(target, "scratch_" + load + " v5, off, off offset:8");
      EXPECT_FALSE(instr.mem.offen);
      EXPECT_EQ(instr.src[3].kind, Src::Kind::None);
    }
    if (!isGfx10(target)) {
      instr = decodeOne(target, "scratch_" + load + " v5, v1, s33 offset:8");
      EXPECT_TRUE(instr.mem.offen);
      EXPECT_EQ(instr.src[3].reg, 33);
    }
  }
  EXPECT_EQ(decodeOne("gfx1201", "global_load_b32 v5, v[2:3], off offset:-8388608").mem.offset,
            -8388608);
  EXPECT_EQ(decodeOne("gfx1201", "flat_load_b32 v5, v[2:3] offset:-64").mem.offset, -64);
  EXPECT_EQ(decodeOne("gfx1100", "flat_load_b32 v5, v[2:3] offset:4095").mem.offset, 4095);
}

TEST(MemoryDecode, DsFields) {
  for (const char *target : allTargets) {
    bool old = isGfx10(target);
    Instr instr = decodeOne(target, std::string(old ? "ds_read_b32" : "ds_load_b32") +
                                        " v5, v9 offset:0xabcd");
    EXPECT_EQ(instr.mem.offset, 0xABCD);
    EXPECT_EQ(instr.dst[0].reg, 5);
    EXPECT_EQ(instr.src[0].reg, 9);
    instr = decodeOne(target, std::string(old ? "ds_write2_b64" : "ds_store_2addr_b64") +
                                  " v5, v[9:10], v[20:21] offset0:3 offset1:255");
    EXPECT_EQ(instr.mem.offset, 24);
    EXPECT_EQ(instr.mem.offset1, 255 * 8);
    EXPECT_EQ(instr.src[1].reg, 9);
    EXPECT_EQ(instr.src[2].reg, 20);
    instr = decodeOne(target, std::string(old ? "ds_read2st64_b32" : "ds_load_2addr_stride64_b32") +
                                  " v[5:6], v9 offset0:1 offset1:2");
    EXPECT_EQ(instr.mem.offset, 256);
    EXPECT_EQ(instr.mem.offset1, 512);
  }
}

TEST(MemoryDecode, RejectsWhatItCannotDo) {
  EXPECT_EQ(Testbed("gfx1030").whyNot("buffer_load_dword v1, s[0:3], 0 offen lds"), "load to LDS");
  EXPECT_EQ(Testbed("gfx1100").whyNot("ds_add_u32 v1, v2 gds"), "access to global data share");
}

} // namespace
