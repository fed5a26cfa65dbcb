//===- ValuDecodeTest.cpp - fields of vector instructions ------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Text through LLVM's assembler, and what decodeValu makes of the bits. An expectation reads
///     <dst> [<dst>] = <source> ... [; modifiers]
/// with neg "-", abs "||", ".h" for a high half, "sel5" and "sext" for SDWA parts, and for packed
/// sources the halves that feed the low and the high result: "v1[0,1]".
#include "pal_shim/device/core/RunForTest.h"
#include "pal_shim/device/ops/LaneOps.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>

using namespace pal::device;
using namespace pal::device::test;

namespace {

std::string describe(const Dst &dst) {
  switch (dst.kind) {
  case Dst::Kind::Vgpr:
    return "v" + std::to_string(dst.reg) + (dst.hi ? ".h" : "");
  case Dst::Kind::Sgpr:
    return "s" + std::to_string(dst.reg);
  case Dst::Kind::Null:
    return "null";
  case Dst::Kind::None:
    break;
  }
  return "";
}

std::string describe(const Src &src, LaneType type) {
  std::string text;
  switch (src.kind) {
  case Src::Kind::Vgpr:
    text = "v" + std::to_string(src.reg);
    break;
  case Src::Kind::Sgpr:
    text = "s" + std::to_string(src.reg);
    break;
  case Src::Kind::Imm:
    text = "0x" + llvm::utohexstr(src.imm, /*LowerCase=*/true);
    break;
  case Src::Kind::Scc:
    text = "scc";
    break;
  case Src::Kind::VccZ:
    text = "vccz";
    break;
  case Src::Kind::ExecZ:
    text = "execz";
    break;
  case Src::Kind::None:
    text = "none";
    break;
  }
  if (type == LaneType::Packed || type == LaneType::Mix)
    return text + "[" + (src.neg ? "-" : "") + std::to_string(src.hi) + "," +
           (src.negHi ? "-" : "") + std::to_string(src.hiForHigh) + "]";
  if (src.hi)
    text += ".h";
  if (src.abs)
    text = "|" + text + "|";
  if (src.neg)
    text = "-" + text;
  if (src.sdwaSel != 6)
    text += ".sel" + std::to_string(src.sdwaSel);
  return src.sext ? "sext(" + text + ")" : text;
}

std::string describe(const Instr &instr) {
  std::string text = describe(instr.dst[0]);
  if (instr.dst[1].kind != Dst::Kind::None)
    text += " " + describe(instr.dst[1]);
  text += " =";
  const LaneOp &op = *static_cast<const LaneOp *>(instr.kernel);
  for (unsigned i = 0; i < op.sources; ++i)
    text += " " + describe(instr.src[i], op.src[i]);
  if (instr.clamp)
    text += "; clamp";
  if (instr.omod)
    text += "; omod" + std::to_string(instr.omod);
  if (instr.sdwa.enabled)
    text +=
        "; sdwa" + std::to_string(instr.sdwa.dstSel) + "," + std::to_string(instr.sdwa.dstUnused);
  const Dpp &dpp = instr.dpp;
  if (dpp.mode != Dpp::Mode::None)
    text += (dpp.mode == Dpp::Mode::Dpp8 ? "; dpp8 " : "; dpp ") +
            llvm::utohexstr(dpp.control, /*LowerCase=*/true) + (dpp.boundCtrl ? " bc" : "") +
            (dpp.fetchInactive ? " fi" : "");
  if (dpp.rowMask != 15 || dpp.bankMask != 15)
    text += " row" + std::to_string(dpp.rowMask) + " bank" + std::to_string(dpp.bankMask);
  return text;
}

struct Case {
  const char *target, *text, *expected;
  unsigned lanes = 32;
};

void check(llvm::ArrayRef<Case> cases) {
  for (const Case &c : cases) {
    WaveForTest w(c.target, c.lanes, c.text);
    ASSERT_EQ(w.error(), "") << c.text;
    EXPECT_EQ(describe(w.program.code[0]), c.expected) << c.target << ": " << c.text;
  }
}

TEST(ValuDecode, SourcesAndImpliedOperands) {
  for (const char *target : {"gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1200"})
    check({
        {target, "v_mov_b32 v255, v254", "v255 = v254"},
        {target, "v_mov_b32 v1, s105", "v1 = s105"},
        {target, "v_mov_b32 v1, vcc_hi", "v1 = s107"},
        {target, "v_mov_b32 v1, m0", "v1 = s124"},
        {target, "v_mov_b32 v1, exec_lo", "v1 = s126"},
        {target, "v_mov_b32 v1, null", "v1 = 0x0"},
        {target, "v_mov_b32 v1, ttmp3", "v1 = s111"},
        {target, "v_mov_b32 v1, src_scc", "v1 = scc"},
        {target, "v_mov_b32 v1, 64", "v1 = 0x40"},
        {target, "v_mov_b32 v1, -1", "v1 = 0xffffffff"},
        {target, "v_mov_b32 v1, 0xdeadbeef", "v1 = 0xdeadbeef"},
        {target, "v_add_f32 v1, -4.0, v2", "v1 = 0xc0800000 v2"},
        {target, "v_add_f64 v[2:3], 0.5, v[4:5]", "v2 = 0x3fe0000000000000 v4"},
        {target, "v_add_f64 v[2:3], 0x40091234, v[4:5]", "v2 = 0x4009123400000000 v4"},
        {target, "v_lshrrev_b64 v[2:3], 7, -2", "v2 = 0x7 0xfffffffffffffffe"},
        {target, "v_cndmask_b32 v1, v2, v3, vcc_lo", "v1 = v2 v3 s106"},
        {target, "v_cndmask_b32_e64 v1, v2, v3, s6", "v1 = v2 v3 s6"},
        {target, "v_add_co_ci_u32 v1, vcc_lo, v2, v3, vcc_lo", "v1 s106 = v2 v3 s106"},
        {target, "v_add_co_ci_u32_e64 v1, s8, v2, v3, s9", "v1 s8 = v2 v3 s9"},
        {target, "v_add_co_u32 v1, null, v2, 5", "v1 null = v2 0x5"},
        {target, "v_mad_u64_u32 v[2:3], s8, v4, v5, v[6:7]", "v2 s8 = v4 v5 v6"},
        {target, "v_cmp_lt_u32 vcc_lo, v2, v3", "s106 = v2 v3"},
        {target, "v_cmp_lt_f32_e64 s8, -|v2|, |s3|", "s8 = -|v2| |s3|"},
        {target, "v_cmpx_gt_i32 3, v3", "s126 = 0x3 v3"},
        {target, "v_cmpx_gt_i32_e64 v2, v3", "s126 = v2 v3"},
        {target, "v_fmac_f32 v1, v2, v3", "v1 = v2 v3 v1"},
        {target, "v_fmac_f32_e64 v1, -v2, |v3|", "v1 = -v2 |v3| v1"},
        {target, "v_fmaak_f32 v1, v2, v3, 0x11223344", "v1 = v2 v3 0x11223344"},
        {target, "v_fmamk_f32 v1, v2, 0x11223344, v3", "v1 = v2 0x11223344 v3"},
        {target, "v_fma_f32 v1, -v2, |s3|, -|v4| clamp", "v1 = -v2 |s3| -|v4|; clamp"},
        {target, "v_mul_f32_e64 v1, v2, v3 mul:4", "v1 = v2 v3; omod2"},
        {target, "v_mul_f32_e64 v1, v2, v3 div:2", "v1 = v2 v3; omod3"},
        {target, "v_div_scale_f32 v1, vcc_lo, v2, v3, v4", "v1 s106 = v2 v3 v4"},
        {target, "v_div_fmas_f32 v1, v2, v3, -v4", "v1 = v2 v3 -v4 s106"},
        {target, "v_readfirstlane_b32 s5, v6", "s5 = v6"},
        {target, "v_readlane_b32 s5, v6, s7", "s5 = v6 s7"},
        {target, "v_writelane_b32 v5, s6, 7", "v5 = s6 0x7"},
    });
}

TEST(ValuDecode, Packed) {
  for (const char *target : {"gfx1030", "gfx1100", "gfx1200"})
    check({
        {target, "v_pk_add_u16 v1, v2, v3", "v1 = v2[0,1] v3[0,1]"},
        {target, "v_pk_add_u16 v1, v2, v3 op_sel:[1,0] op_sel_hi:[0,1]", "v1 = v2[1,0] v3[0,1]"},
        {target, "v_pk_mad_u16 v1, v2, v3, v4 op_sel:[0,0,1] op_sel_hi:[1,1,0]",
         "v1 = v2[0,1] v3[0,1] v4[1,0]"},
        {target, "v_pk_fma_f16 v1, v2, v3, v4 neg_lo:[1,0,1] neg_hi:[0,1,1] clamp",
         "v1 = v2[-0,1] v3[0,-1] v4[-0,-1]; clamp"},
        {target, "v_pk_add_f16 v1, v2, 1.0 op_sel_hi:[1,0]", "v1 = v2[0,1] 0x3c00[0,0]"},
        {target, "v_pk_add_u16 v1, v2, -1", "v1 = v2[0,1] 0xffffffff[0,1]"},
        {target, "v_pk_add_u16 v1, 0x12345678, v2", "v1 = 0x12345678[0,1] v2[0,1]"},
        {target, "v_fma_mix_f32 v1, v2, s3, v4 op_sel:[1,0,0] op_sel_hi:[1,0,0]",
         "v1 = v2[1,1] s3[0,0] v4[0,0]"},
        {target, "v_fma_mixhi_f16 v1, v2, v3, v4", "v1.h = v2[0,0] v3[0,0] v4[0,0]"},
    });
}

TEST(ValuDecode, Halves) {
  check({
      {"gfx1030", "v_add_f16 v1, v200, v3", "v1 = v200 v3"},
      {"gfx1030", "v_fma_f16 v1, v2, v3, v4 op_sel:[1,0,0,1]", "v1.h = v2.h v3 v4"},
      {"gfx1030", "v_mad_u16 v1, v2, v3, v4 op_sel:[0,1,1,0]", "v1 = v2 v3.h v4.h"},
      {"gfx1100", "v_add_f16 v1.h, v2.l, v127.h", "v1.h = v2 v127.h"},
      {"gfx1100", "v_add_f16 v200.h, v2.l, v127.h", "v200.h = v2 v127.h"},
      {"gfx1100", "v_mov_b16 v1.h, v2.h", "v1.h = v2.h"},
      {"gfx1150", "v_cvt_f32_f16 v200, v2.h", "v200 = v2.h"},
      {"gfx1150", "v_cvt_f16_f32 v1.h, v200", "v1.h = v200"},
      {"gfx1200", "v_cmp_lt_f16 vcc_lo, v1.h, v2.l", "s106 = v1.h v2"},
      {"gfx1200", "v_cmp_lt_f16_e64 s4, -v1.l, |v2.h|", "s4 = -v1 |v2.h|"},
      {"gfx1200", "v_fmac_f16 v1.h, v2.l, v3.h", "v1.h = v2 v3.h v1.h"},
      {"gfx1200", "v_add_nc_u16 v1.l, 7, v3.h", "v1 = 0x7 v3.h"},
      {"gfx1200", "v_add_f16 v1.l, 0.15915494, v3.h", "v1 = 0x3118 v3.h"},
  });
}

TEST(ValuDecode, LaneExchange) {
  for (const char *target : {"gfx1010", "gfx1100", "gfx1200"})
    check({
        {target, "v_mov_b32_dpp v1, v2 quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf",
         "v1 = v2; dpp e4"},
        {target, "v_mov_b32_dpp v1, v2 row_shl:1 row_mask:0x3 bank_mask:0x5 bound_ctrl:1 fi:1",
         "v1 = v2; dpp 101 bc fi row3 bank5"},
        {target, "v_add_f32_dpp v1, -v2, |v3| row_share:4 row_mask:0xf bank_mask:0xf",
         "v1 = -v2 |v3|; dpp 154"},
        {target, "v_fmac_f32_dpp v1, v2, v3 row_mirror row_mask:0xf bank_mask:0xf",
         "v1 = v2 v3 v1; dpp 140"},
        {target, "v_mov_b32_dpp v1, v2 dpp8:[7,6,5,4,3,2,1,0]", "v1 = v2; dpp8 53977"},
        {target, "v_add_nc_u32_dpp v1, v2, v3 dpp8:[0,1,2,3,4,5,6,7] fi:1",
         "v1 = v2 v3; dpp8 fac688 fi"},
        {target, "v_cndmask_b32_dpp v1, v2, v3, vcc_lo row_ror:3 row_mask:0xf bank_mask:0xf",
         "v1 = v2 v3 s106; dpp 123"},
    });
  for (const char *target : {"gfx1100", "gfx1150", "gfx1200"})
    check({
        {target, "v_fma_f32_e64_dpp v1, -v2, |v3|, v4 clamp row_xmask:5 row_mask:0xf bank_mask:0xf",
         "v1 = -v2 |v3| v4; clamp; dpp 165"},
        {target, "v_add3_u32_e64_dpp v1, v2, v3, s4 dpp8:[1,0,3,2,5,4,7,6]",
         "v1 = v2 v3 s4; dpp8 de54c1"},
        {target, "v_cmp_eq_u32_e64_dpp s7, v2, v3 row_shr:2 row_mask:0xf bank_mask:0xf",
         "s7 = v2 v3; dpp 112"},
        {target, "v_add_f16_dpp v1.h, v2.h, v3.l row_shr:2 row_mask:0xf bank_mask:0xf",
         "v1.h = v2.h v3; dpp 112"},
    });
}

TEST(ValuDecode, Sdwa) {
  for (const char *target : {"gfx1010", "gfx1030"})
    check({
        {target,
         "v_add_f16_sdwa v1, -v2, |v3| dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_1 "
         "src1_sel:WORD_0",
         "v1 = -v2.sel5 |v3|.sel4; sdwa5,2"},
        {target,
         "v_add_nc_u32_sdwa v1, sext(v2), s3 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_3 "
         "src1_sel:DWORD",
         "v1 = sext(v2.sel3) s3; sdwa6,0"},
        {target,
         "v_mul_f32_sdwa v1, v2, v3 clamp mul:2 dst_sel:DWORD dst_unused:UNUSED_SEXT "
         "src0_sel:DWORD src1_sel:DWORD",
         "v1 = v2 v3; clamp; omod1; sdwa6,1"},
        {target, "v_cmp_eq_u32_sdwa s20, v2, v3 src0_sel:BYTE_1 src1_sel:WORD_1",
         "s20 = v2.sel1 v3.sel5; sdwa6,0"},
    });
}

TEST(ValuDecode, DualHalves) {
  for (const char *target : {"gfx1100", "gfx1200"}) {
    WaveForTest w(target, 32,
                  "v_dual_fmamk_f32 v10, v2, 0x11223344, v4 :: v_dual_cndmask_b32 v5, v1, v7");
    ASSERT_EQ(w.error(), "");
    EXPECT_EQ(describe(w.program.code[0]), "v10 = v2 0x11223344 v4");
    EXPECT_EQ(describe(w.program.dualHalves[0]), "v5 = v1 v7 s106");
    WaveForTest z(target, 32, "v_dual_mul_f32 v11, -4.0, v4 :: v_dual_fmac_f32 v254, v6, v7");
    ASSERT_EQ(z.error(), "");
    EXPECT_EQ(describe(z.program.code[0]), "v11 = 0xc0800000 v4");
    EXPECT_EQ(describe(z.program.dualHalves[0]), "v254 = v6 v7 v254");
  }
}

TEST(ValuDecode, WhatHasNoMeaningDoesNotLoad) {
  struct Bad {
    uint32_t dwords[3];
    unsigned count;
    Encoding encoding;
    const char *why;
  };
  const Bad cases[] = {
      {{0x7E020280 | 0xFF, 0}, 1, Encoding::Vop1, "missing literal constant"},
      {{0x7E0202FE}, 1, Encoding::Vop1, "source operand code 254"},
      {{0x7E0202FA, 0xFF014202}, 2, Encoding::Dpp16, "DPP control 0x142"},
      {{0x7E0202F9, 0x00070602}, 2, Encoding::Sdwa, "reserved SDWA selection"},
      {{0x7E0202F9, 0x008606FF}, 2, Encoding::Sdwa, "literal constant with DPP or SDWA"},
      {{0x7E0202FA}, 1, Encoding::Dpp16, "incomplete encoding"},
      {{0x7E020280, 0}, 2, Encoding::Dpp8, "DPP8 without its source code"},
      {{0x7E020280, 0}, 2, Encoding::Smem, "an encoding that is not for vector operations"},
  };
  OpIndex index(Generation::Gfx103);
  const OpEntry *op = index.find("v_mov_b32");
  ASSERT_TRUE(op);
  for (const Bad &bad : cases) {
    RawInstr raw;
    raw.mnemonic = "v_mov_b32";
    raw.generation = Generation::Gfx103;
    raw.encoding = bad.encoding;
    raw.dwords = llvm::ArrayRef(bad.dwords, bad.count);
    Instr instr;
    instr.op = op;
    instr.run = op->run;
    instr.kernel = op->kernel;
    std::string why;
    EXPECT_FALSE(op->decode(raw, instr, why)) << bad.why;
    EXPECT_EQ(why, bad.why);
  }
}

} // namespace
