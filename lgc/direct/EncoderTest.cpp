// SPDX-License-Identifier: MIT
// The tables are compared with LLVM's assembler when they are made (generate/encodings.py); here,
// what becomes of them in the program is read by LLVM's disassembler.
#include "lgc/direct/Encoder.h"
#include "lgc/direct/DisassembleForTest.h"
#include "gtest/gtest.h"

using namespace lgc::direct;

namespace {

struct Target {
  const char *name;
  unsigned major;
};
constexpr Target targets[] = {
    {"gfx1010", 10}, {"gfx1030", 10}, {"gfx1100", 11}, {"gfx1150", 11}, {"gfx1201", 12}};

struct Case {
  Opcode opcode;
  std::vector<uint32_t> operands;
  const char *gfx10, *gfx11, *gfx12; ///< null: as the one before
};

TEST(Encoder, InstructionsAsLlvmReadsThem) {
  const Case cases[] = {
      {Opcode::SMov, {101, 3}, "s_mov_b32 s101, s3", nullptr, nullptr},
      {Opcode::SGetPc, {70}, "s_getpc_b64 s[70:71]", nullptr, nullptr},
      {Opcode::SLoad4,
       {64, 12, 0x70},
       "s_load_dwordx4 s[64:67], s[12:13], 0x70",
       "s_load_b128 s[64:67], s[12:13], 0x70",
       nullptr},
      {Opcode::VMov, {255, sourceVgpr + 128}, "v_mov_b32_e32 v255, v128", nullptr, nullptr},
      {Opcode::VMov, {1, sourceOfConstant(0x3F800000)}, "v_mov_b32_e32 v1, 1.0", nullptr, nullptr},
      {Opcode::VMov, {1, sourceOfConstant(64)}, "v_mov_b32_e32 v1, 64", nullptr, nullptr},
      {Opcode::VMovLiteral, {9, 0x12345678}, "v_mov_b32_e32 v9, 0x12345678", nullptr, nullptr},
      {Opcode::VMulHigh,
       {4, sourceVgpr + 200, 0xAAAAAAAB},
       "v_mul_hi_u32 v4, v200, 0xaaaaaaab",
       nullptr,
       nullptr},
      {Opcode::VSelect,
       {4, sourceVgpr + 5, sourceOfConstant(0x3F800000), 20},
       "v_cndmask_b32_e64 v4, v5, 1.0, s20",
       nullptr,
       nullptr},
      {Opcode::BufferLoad4,
       {252, 7, 96, 4095},
       "buffer_load_dwordx4 v[252:255], v7, s[96:99], 0 idxen offset:4095",
       "buffer_load_b128 v[252:255], v7, s[96:99], 0 idxen offset:4095",
       "buffer_load_b128 v[252:255], v7, s[96:99], null idxen offset:4095"},
      {Opcode::ExportLast,
       {8, sourceVgpr + 3, 0, sourceVgpr + 255, 0},
       "exp mrtz v3, off, v255, off done vm",
       "exp mrtz v3, off, v255, off done",
       "export mrtz v3, off, v255, off done"},
      {Opcode::SEndPgm, {}, "s_endpgm", nullptr, nullptr},
  };
  for (const Target &target : targets)
    for (const Case &c : cases) {
      llvm::SmallVector<uint32_t> code;
      encode(code, target.major, c.opcode, c.operands);
      const char *expected = c.gfx10;
      if (target.major >= 11 && c.gfx11)
        expected = c.gfx11;
      if (target.major >= 12 && c.gfx12)
        expected = c.gfx12;
      EXPECT_EQ(test::disassemble(code, target.name), std::vector<std::string>{expected})
          << target.name;
    }
}

TEST(Encoder, AppendsToWhatIsThere) {
  llvm::SmallVector<uint32_t> code;
  encode(code, 10, Opcode::ExportPairs, {0, 3 * sourceVgpr + 1, 0});
  encode(code, 10, Opcode::WaitDepctr, {0xFFE2});
  encode(code, 10, Opcode::SEndPgm, {});
  EXPECT_EQ(test::disassemble(code, "gfx1030"),
            (std::vector<std::string>{"exp mrt0 v1, v1, off, off compr", "s_waitcnt_depctr 0xffe2",
                                      "s_endpgm"}));
}

TEST(Encoder, TestsOfNodes) {
  llvm::SmallVector<uint32_t> code;
  encode(code, 10, Opcode::ImageBvh64, {39, 50, 12});
  EXPECT_EQ(test::disassemble(code, "gfx1030"),
            std::vector<std::string>{"image_bvh64_intersect_ray v[39:42], v[50:61], s[12:15]"});
  code.clear();
  encode(code, 12, Opcode::ImageBvh8, {0, 10, 12, 23, 26, 255, 4});
  EXPECT_EQ(test::disassemble(code, "gfx1201"),
            std::vector<std::string>{"image_bvh8_intersect_ray v[0:9], [v[10:11], v[12:13], "
                                     "v[23:25], v[26:28], v255], s[4:7]"});
}

TEST(EncoderDeath, OperandsWithoutRoom) {
  llvm::SmallVector<uint32_t> code;
  EXPECT_DEATH(encode(code, 11, Opcode::SMov, {128, 0}), "no room or alignment");
  EXPECT_DEATH(encode(code, 11, Opcode::SGetPc, {3}), "no room or alignment");
  EXPECT_DEATH(encode(code, 11, Opcode::BufferLoad1, {0, 0, 0, 4096}), "no room or alignment");
  EXPECT_DEATH(encode(code, 11, Opcode::SEndPgm, {1}), "or other operands");
  EXPECT_DEATH(encode(code, 12, Opcode::WaitStores, {}), "the generation lacks");
  EXPECT_DEATH(encode(code, 9, Opcode::SEndPgm, {}), "a generation without a table");
}

} // namespace
