// SPDX-License-Identifier: MIT
// The shortest forms of instructions.
#include "lgc/direct/shader/Emit.h"
#include "lgc/direct/DisassembleForTest.h"
#include "lgc/direct/shader/EncodeForTest.h"

using namespace lgc::direct;
using namespace lgc::direct::test;

namespace {

/// What a program of these blocks becomes.
Lines emitted(const std::vector<Ops> &blocks, const char *target = "gfx1100") {
  const Program program = programOf(target, blocks);
  llvm::SmallVector<uint32_t> code;
  EXPECT_TRUE(emitProgram(program, code));
  return disassemble(code, target);
}

Lines fma(const Operand &result, const Operand &a, const Operand &b, const Operand &sum,
          uint32_t negated = 0) {
  return emitted({{{Opcode::VFma, {result, a, b, sum, n(negated), n(0), n(0)}}}});
}

TEST(Emit, FusedMultiplyAddsThatReplaceTheirSummand) {
  EXPECT_EQ(fma(v(1), v(2), v(3), v(1)), Lines{"v_fmac_f32_e32 v1, v2, v3"});
  EXPECT_EQ(fma(v(1), v(2), s(3), v(1)), Lines{"v_fmac_f32_e32 v1, s3, v2"});
  EXPECT_EQ(fma(v(1), v(2), c(0x40490FDB), v(1)), Lines{"v_fmac_f32_e32 v1, 0x40490fdb, v2"});
  EXPECT_EQ(fma(v(1), v(2), v(3), v(4)), Lines{"v_fma_f32 v1, v2, v3, v4"});
  EXPECT_EQ(fma(v(1), s(2), s(3), v(1)), Lines{"v_fma_f32 v1, s2, s3, v1"});
  EXPECT_EQ(fma(v(1), v(2), v(3), v(1), 4), Lines{"v_fma_f32 v1, v2, v3, -v1"});
}

TEST(Emit, FusedMultiplyAddsWithLiterals) {
  const Operand literal = c(0x40490FDB);
  EXPECT_EQ(fma(v(1), v(2), v(3), literal), Lines{"v_fmaak_f32 v1, v2, v3, 0x40490fdb"});
  EXPECT_EQ(fma(v(1), v(2), s(3), literal), Lines{"v_fmaak_f32 v1, s3, v2, 0x40490fdb"});
  EXPECT_EQ(fma(v(1), v(2), literal, v(3)), Lines{"v_fmamk_f32 v1, v2, 0x40490fdb, v3"});
  EXPECT_EQ(fma(v(1), literal, s(2), v(3)), Lines{"v_fmamk_f32 v1, s2, 0x40490fdb, v3"});
  EXPECT_EQ(fma(v(1), v(2), c(0x3F800000), v(3)), Lines{"v_fma_f32 v1, v2, 1.0, v3"});
  EXPECT_EQ(fma(v(1), v(2), literal, literal), Lines{"v_fma_f32 v1, v2, 0x40490fdb, 0x40490fdb"});
  EXPECT_EQ(fma(v(1), v(2), literal, s(3)), Lines{"v_fma_f32 v1, v2, 0x40490fdb, s3"});
}

TEST(Emit, WhatHappensAnywayIsLeftOut) {
  const MachineOp end(Opcode::SEndPgm, {});
  EXPECT_EQ(emitted({{end}, {end}}), Lines{"s_endpgm"});
  EXPECT_EQ(emitted({{{Opcode::SBranch, {Operand::block(1)}}}, {end}}), Lines{"s_endpgm"});
  EXPECT_EQ(emitted({{end}, {{Opcode::VMov, {v(1), v(2)}}, end}}),
            (Lines{"s_endpgm", "v_mov_b32_e32 v1, v2", "s_endpgm"}));
}

} // namespace
