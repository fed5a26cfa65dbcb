//===- DecoderTest.cpp - what is relied on of LLVM's disassembler ----------===//
// SPDX-License-Identifier: MIT
/// \file
/// Pins names, operand order and encodings on assembled samples, so that an LLVM upgrade which
/// changes them fails here and not in wrong results.
#include "pal_shim/device/core/Decoder.h"
#include "pal_shim/device/core/AssembleForTest.h"
#include "pal_shim/device/core/Scratch.h"
#include "gtest/gtest.h"

using namespace pal::device;

namespace {

struct Decoded {
  std::vector<uint8_t> code;
  MachineInstr machine;
  std::string error;
};

std::unique_ptr<Decoder> makeDecoder(llvm::StringRef target, unsigned waveSize) {
  auto decoder = Decoder::create(*pal::abi::findTarget(target), waveSize);
  EXPECT_TRUE(bool(decoder));
  return std::move(*decoder);
}

std::string describe(const RawOperand &operand) {
  using Kind = RawOperand::Kind;
  std::string text = operand.isDef ? "=" : operand.isTied ? "~" : "";
  switch (operand.kind) {
  case Kind::Vgpr:
    text += "v" + std::to_string(operand.reg);
    break;
  case Kind::Sgpr:
    text += "s" + std::to_string(operand.reg);
    break;
  case Kind::Imm:
    return text + pal::abi::hex(operand.imm);
  case Kind::Null:
    return text + "null";
  case Kind::Scc:
    return text + "scc";
  case Kind::VccZ:
    return text + "vccz";
  case Kind::ExecZ:
    return text + "execz";
  }
  if (operand.dwords != 1)
    text += ":" + std::to_string(operand.dwords);
  return text + (operand.hi ? ".h" : "");
}

std::string describe(const RawInstr &raw) {
  std::string text = (raw.mnemonic + " " + encodingName(raw.encoding)).str();
  for (const RawOperand &operand : raw.operands)
    text += " " + describe(operand);
  for (size_t i = 0; i < raw.immediates.size(); ++i)
    text += (i ? "," : " #") + std::to_string(raw.immediates[i]);
  return text;
}

/// "mnemonic encoding operands #immediates", the two halves of a pair separated by " :: ".
std::string decode(llvm::StringRef target, llvm::StringRef text, unsigned waveSize = 32) {
  std::vector<uint8_t> code = test::assemble(target, waveSize, text);
  MachineInstr machine;
  if (llvm::Error error = makeDecoder(target, waveSize)->decode(code, 0, machine))
    return llvm::toString(std::move(error));
  EXPECT_EQ(machine.sizeBytes, code.size()) << text.str();
  std::string result = describe(machine.first);
  return machine.isDual ? result + " :: " + describe(machine.second) : result;
}

} // namespace

TEST(Decoder, ScalarEncodings) {
  EXPECT_EQ(decode("gfx1030", "s_mov_b32 s1, s2"), "s_mov_b32 sop1 =s1 s2");
  EXPECT_EQ(decode("gfx1100", "s_add_u32 s1, s2, 0x12345"), "s_add_u32 sop2 =s1 s2 0x12345");
  EXPECT_EQ(decode("gfx1200", "s_add_co_u32 s1, s2, -1"),
            "s_add_co_u32 sop2 =s1 s2 0xffffffffffffffff");
  EXPECT_EQ(decode("gfx1100", "s_and_b64 s[2:3], s[4:5], vcc"), "s_and_b64 sop2 =s2:2 s4:2 s106:2");
  EXPECT_EQ(decode("gfx1100", "s_cmp_eq_u32 s1, s2"), "s_cmp_eq_u32 sopc s1 s2");
  EXPECT_EQ(decode("gfx1100", "s_movk_i32 s1, 0x8000"), "s_movk_i32 sopk =s1 #32768");
  EXPECT_EQ(decode("gfx1100", "s_addk_i32 s1, 5"), "s_addk_i32 sopk =s1 ~s1 #5");
  EXPECT_EQ(decode("gfx1100", "s_cmpk_eq_u32 s1, 5"), "s_cmpk_eq_u32 sopk s1 #5");
  EXPECT_EQ(decode("gfx1100", "s_bitset1_b32 s1, s2"), "s_bitset1_b32 sop1 =s1 s2");
  EXPECT_EQ(decode("gfx1100", "s_nop 3"), "s_nop sopp #3");
  EXPECT_EQ(decode("gfx1100", "s_load_b128 s[4:7], s[0:1], 0x10"),
            "s_load_b128 smem =s4:4 s0:2 #16,0");
}

TEST(Decoder, SpecialRegisters) {
  // M0 and NULL trade places between gfx10 and gfx11.
  for (const char *target : {"gfx1030", "gfx1100", "gfx1200"}) {
    EXPECT_EQ(decode(target, "s_mov_b32 m0, null"), "s_mov_b32 sop1 =s124 null") << target;
    EXPECT_EQ(decode(target, "s_mov_b32 null, m0"), "s_mov_b32 sop1 =null s124") << target;
    EXPECT_EQ(decode(target, "s_mov_b64 null, exec"), "s_mov_b64 sop1 =null s126:2") << target;
    EXPECT_EQ(decode(target, "s_mov_b32 s0, vcc_hi"), "s_mov_b32 sop1 =s0 s107") << target;
    EXPECT_EQ(decode(target, "s_mov_b32 s0, ttmp9"), "s_mov_b32 sop1 =s0 s117") << target;
    EXPECT_EQ(decode(target, "s_mov_b32 s0, src_scc"), "s_mov_b32 sop1 =s0 scc") << target;
    EXPECT_EQ(decode(target, "s_mov_b64 s[0:1], src_private_base"),
              "s_mov_b64 sop1 =s0:2 " + pal::abi::hex(privateApertureBase))
        << target;
    EXPECT_EQ(decode(target, "s_mov_b64 s[0:1], src_shared_limit"),
              "s_mov_b64 sop1 =s0:2 " + pal::abi::hex(sharedApertureBase + apertureSize - 1))
        << target;
  }
  EXPECT_EQ(decode("gfx1030", "s_mov_b32 s0, src_vccz"), "s_mov_b32 sop1 =s0 vccz");
  EXPECT_EQ(decode("gfx1030", "s_mov_b32 s0, src_execz"), "s_mov_b32 sop1 =s0 execz");
}

TEST(Decoder, VectorEncodings) {
  EXPECT_EQ(decode("gfx1100", "v_mov_b32_e32 v1, s2"), "v_mov_b32 vop1 =v1 s2");
  EXPECT_EQ(decode("gfx1100", "v_add_f32_e32 v1, 2.0, v3"), "v_add_f32 vop2 =v1 0x40000000 v3");
  EXPECT_EQ(decode("gfx1100", "v_cmp_eq_u32_e32 vcc_lo, v1, v2"), "v_cmp_eq_u32 vopc v1 v2");
  EXPECT_EQ(decode("gfx1100", "v_add_f32_e64 v1, s2, -v3"), "v_add_f32 vop3 =v1 s2 v3 #0,1,0,0");
  EXPECT_EQ(decode("gfx1100", "v_cmp_eq_u32_e64 s[4:5], v1, v2", 64),
            "v_cmp_eq_u32 vop3 =s4:2 v1 v2");
  EXPECT_EQ(decode("gfx1100", "v_add_f64 v[0:1], v[2:3], 2.0"),
            "v_add_f64 vop3 =v0:2 v2:2 0x4000000000000000 #0,0,0,0");
  EXPECT_EQ(decode("gfx1100", "v_pk_add_f16 v0, v1, 1.0"),
            "v_pk_add_f16 vop3p =v0 v1 0x3c00 #8,8,0");
  EXPECT_EQ(decode("gfx1100", "v_add_f32_dpp v0, v1, v2 quad_perm:[1,0,3,2] row_mask:0xf "
                              "bank_mask:0xf"),
            "v_add_f32 dpp16 =v0 ~v0 v1 v2 #0,0,177,15,15,0,0");
  EXPECT_EQ(decode("gfx1100", "v_add_f32_dpp v0, v1, v2 dpp8:[1,0,3,2,5,4,7,6]").substr(0, 30),
            "v_add_f32 dpp8 =v0 ~v0 v1 v2 #");
  EXPECT_EQ(decode("gfx1100", "v_add_f32_e64_dpp v0, v1, v2 clamp quad_perm:[1,0,3,2] "
                              "row_mask:0xf bank_mask:0xf")
                .substr(0, 32),
            "v_add_f32 vop3dpp16 =v0 ~v0 v1 v");
  EXPECT_EQ(decode("gfx1030", "v_add_f32_sdwa v0, v1, v2 dst_sel:DWORD src0_sel:WORD_1 "
                              "src1_sel:DWORD")
                .substr(0, 24),
            "v_add_f32 sdwa =v0 v1 v2");
  EXPECT_EQ(decode("gfx1100", "v_fmac_f32_e32 v0, v1, v2"), "v_fmac_f32 vop2 =v0 v1 v2 ~v0");
  EXPECT_EQ(decode("gfx1100", "v_fmaak_f32 v0, v1, v2, 0x11223344"),
            "v_fmaak_f32 vop2 =v0 v1 v2 0x11223344");
}

TEST(Decoder, LiteralsThatInlineConstantsCouldSay) {
  EXPECT_EQ(decode("gfx1100", "v_add_nc_u32_e32 v4, lit(0x1), v5"), "v_add_nc_u32 vop2 =v4 0x1 v5");
  EXPECT_EQ(decode("gfx1030", "s_add_u32 s4, lit(0x1), s5"), "s_add_u32 sop2 =s4 0x1 s5");
}

/// What would be the constants 0 and 1.0 or an escape as the encoding of a source.
TEST(Decoder, LiteralsThatLookLikeSources) {
  for (std::string literal : {"0x80", "0xc1", "0xf2", "0xff", "0x100", "0x12345678"}) {
    EXPECT_EQ(decode("gfx1010", "v_madmk_f32 v0, v1, " + literal + ", v2"),
              "v_madmk_f32 vop2 =v0 v1 " + literal + " v2");
    for (const char *target : {"gfx1010", "gfx1030", "gfx1100", "gfx1201"}) {
      EXPECT_EQ(decode(target, "v_fmamk_f32 v0, v1, " + literal + ", v2"),
                "v_fmamk_f32 vop2 =v0 v1 " + literal + " v2");
      EXPECT_EQ(decode(target, "v_fmaak_f32 v0, v1, v2, " + literal),
                "v_fmaak_f32 vop2 =v0 v1 v2 " + literal);
    }
    for (const char *target : {"gfx1150", "gfx1201"})
      EXPECT_EQ(decode(target, "s_fmamk_f32 s0, s1, " + literal + ", s2"),
                "s_fmamk_f32 sop2 =s0 s1 " + literal + " s2");
    EXPECT_EQ(decode("gfx1100", "v_dual_mov_b32 v5, v2 :: v_dual_fmaak_f32 v0, v1, v3, " + literal),
              "v_mov_b32 vopd =v5 v2 :: v_fmaak_f32 vopd =v0 v1 v3 " + literal);
    EXPECT_EQ(decode("gfx1100", "v_dual_fmamk_f32 v0, v1, " + literal +
                                    ", v3 :: v_dual_add_f32 v5, " + literal + ", v2"),
              "v_fmamk_f32 vopd =v0 v1 " + literal + " v3 :: v_add_f32 vopd =v5 " + literal +
                  " v2");
  }
  for (const char *literal : {"0x80", "0xf2", "0xff"})
    EXPECT_EQ(decode("gfx1030", std::string("v_fmamk_f16 v6, v0, ") + literal + ", v5"),
              std::string("v_fmamk_f16 vop2 =v6 v0 ") + literal + " v5");
}

TEST(Decoder, HalvesOfRegisters) {
  for (const char *target : {"gfx1100", "gfx1150", "gfx1200"}) {
    EXPECT_EQ(decode(target, "v_add_f16_e32 v0.h, v1.l, v2.h"), "v_add_f16 vop2 =v0.h v1 v2.h")
        << target;
  }
}

TEST(Decoder, DualIssue) {
  EXPECT_EQ(decode("gfx1100", "v_dual_add_f32 v0, v1, v2 :: v_dual_mov_b32 v3, v4"),
            "v_add_f32 vopd =v0 v1 v2 :: v_mov_b32 vopd =v3 v4");
  EXPECT_EQ(decode("gfx1100", "v_dual_fmac_f32 v0, v1, v2 :: v_dual_fmaak_f32 v3, v4, v5, 0x12"),
            "v_fmac_f32 vopd =v0 v1 v2 ~v0 :: v_fmaak_f32 vopd =v3 v4 v5 0x12");
  EXPECT_EQ(decode("gfx1200", "v_dual_fmamk_f32 v0, v2, 0x123, v6 :: v_dual_fmac_f32 v3, v4, v5"),
            "v_fmamk_f32 vopd =v0 v2 0x123 v6 :: v_fmac_f32 vopd =v3 v4 v5 ~v3");
  EXPECT_EQ(decode("gfx1100", "v_dual_cndmask_b32 v0, v1, v2 :: v_dual_mov_b32 v3, 0x1234"),
            "v_cndmask_b32 vopd =v0 v1 v2 :: v_mov_b32 vopd =v3 0x1234");
}

TEST(Decoder, MemoryEncodings) {
  struct Sample {
    const char *target, *text, *prefix;
  } samples[] = {
      {"gfx1030", "buffer_load_dword v1, v2, s[4:7], 0 offen offset:4", "buffer_load_dword mubuf"},
      {"gfx1100", "buffer_load_b32 v1, v2, s[4:7], 0 offen", "buffer_load_b32 mubuf"},
      {"gfx1200", "buffer_load_b32 v1, v2, s[4:7], null offen", "buffer_load_b32 vbuffer"},
      {"gfx1100", "tbuffer_load_format_x v1, off, s[4:7], 0 format:[BUF_FMT_32_FLOAT]",
       "tbuffer_load_format_x mtbuf"},
      {"gfx1200", "tbuffer_load_format_x v1, off, s[4:7], null format:[BUF_FMT_32_FLOAT]",
       "tbuffer_load_format_x vbuffer"},
      {"gfx1030", "flat_load_dword v1, v[2:3]", "flat_load_dword flat"},
      {"gfx1030", "global_load_dword v1, v[2:3], off", "global_load_dword global"},
      {"gfx1030", "scratch_load_dword v1, v2, off", "scratch_load_dword scratch"},
      {"gfx1100", "flat_load_b32 v1, v[2:3]", "flat_load_b32 flat"},
      {"gfx1100", "global_load_b32 v1, v[2:3], off", "global_load_b32 global"},
      {"gfx1100", "scratch_load_b32 v1, v2, off", "scratch_load_b32 scratch"},
      {"gfx1200", "flat_load_b32 v1, v[2:3]", "flat_load_b32 flat"},
      {"gfx1200", "global_load_b32 v1, v[2:3], off", "global_load_b32 global"},
      {"gfx1200", "scratch_load_b32 v1, v2, off", "scratch_load_b32 scratch"},
      {"gfx1100", "scratch_store_b32 off, v1, s0", "scratch_store_b32 scratch"},
      {"gfx1030", "ds_read_b32 v1, v2", "ds_read_b32 ds"},
      {"gfx1200", "ds_load_b32 v1, v2", "ds_load_b32 ds"},
      {"gfx1030", "image_load v[0:3], v[0:1], s[0:7] dmask:0xf dim:SQ_RSRC_IMG_2D",
       "image_load mimg"},
      {"gfx1200", "image_load v[0:3], [v0, v1], s[0:7] dmask:0xf dim:SQ_RSRC_IMG_2D",
       "image_load vimage"},
      {"gfx1200", "image_sample v[0:3], [v0, v1], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D",
       "image_sample vsample"},
      {"gfx1030", "exp mrt0 v0, v1, v2, v3 done vm", "exp exp"},
      {"gfx1200", "export mrt0 v0, v1, v2, v3 done", "export exp"},
      {"gfx1030", "v_interp_p1_f32 v0, v1, attr0.x", "v_interp_p1_f32 vintrp"},
      {"gfx1100", "v_interp_p10_f32 v0, v1, v2, v3", "v_interp_p10_f32 vinterp"},
      {"gfx1100", "lds_param_load v1, attr0.x", "lds_param_load ldsdir"},
  };
  for (const Sample &sample : samples) {
    std::string decoded = decode(sample.target, sample.text);
    EXPECT_EQ(decoded.substr(0, std::string(sample.prefix).size()), sample.prefix)
        << sample.target << ": " << sample.text << " -> " << decoded;
  }
}

TEST(Decoder, ControlFlow) {
  std::unique_ptr<Decoder> decoder = makeDecoder("gfx1100", 32);
  auto flow = [&](llvm::StringRef text, MachineInstr &machine) {
    std::vector<uint8_t> code = test::assemble("gfx1100", 32, ("s_nop 0\n" + text).str());
    EXPECT_FALSE(bool(decoder->decode(code, 4, machine)));
  };
  MachineInstr machine;
  flow("s_branch -2", machine);
  EXPECT_TRUE(machine.isBranch && machine.endsFlow);
  EXPECT_EQ(machine.branchTarget, 0u);
  flow("s_cbranch_scc0 3", machine);
  EXPECT_TRUE(machine.isBranch && !machine.endsFlow);
  EXPECT_EQ(machine.branchTarget, 20u);
  flow("s_call_b64 s[0:1], 3", machine);
  EXPECT_TRUE(machine.isBranch && !machine.endsFlow);
  flow("s_setpc_b64 s[0:1]", machine);
  EXPECT_TRUE(machine.isIndirect && machine.endsFlow);
  flow("s_swappc_b64 s[0:1], s[2:3]", machine);
  EXPECT_TRUE(machine.isIndirect && !machine.endsFlow);
  flow("s_endpgm", machine);
  EXPECT_TRUE(machine.endsFlow);
  flow("s_code_end", machine);
  EXPECT_TRUE(machine.endsFlow);
}

TEST(Decoder, EveryTargetIsKnown) {
  for (const pal::abi::GpuTarget &target : pal::abi::allTargets())
    for (unsigned waveSize : {32u, 64u})
      EXPECT_TRUE(bool(Decoder::create(target, waveSize))) << target.name.str();
}

TEST(Decoder, EncodingsThatNothingHas) {
  // A FLAT instruction of the fourth segment.
  EXPECT_EQ(classifyEncoding(Generation::Gfx103, {0xDC00C000, 0}), Encoding::Count);
  EXPECT_EQ(encodingName(Encoding::Count), "other");
}

TEST(Decoder, RejectsWhatIsNoInstruction) {
  std::unique_ptr<Decoder> decoder = makeDecoder("gfx1100", 32);
  MachineInstr machine;
  const uint8_t invalid[] = {0xFF, 0xFF, 0xFF, 0xFF}, cut[] = {0xFF, 0, 0x80};
  EXPECT_EQ(llvm::toString(decoder->decode(invalid, 0, machine)), "no instruction at pc 0x0");
  EXPECT_EQ(llvm::toString(decoder->decode(cut, 0, machine)), "no instruction at pc 0x0");
  EXPECT_EQ(llvm::toString(decoder->decode({}, 0, machine)), "no instruction at pc 0x0");
  EXPECT_EQ(decoder->text(invalid, 0), "<invalid>");
  const uint8_t noLiteral[] = {0xFF, 0x8E, 0xEC, 0x03}; // v_cndmask_b32 with a literal constant
  EXPECT_EQ(llvm::toString(decoder->decode(noLiteral, 0, machine)), "no instruction at pc 0x0");
  EXPECT_EQ(decoder->text(noLiteral, 0), "<invalid>");
  decoder = makeDecoder("gfx1030", 32);
  // v_mul_i32_i24_sdwa whose source selects have no meaning.
  const uint8_t badSdwa[] = {0xF9, 0x5E, 0x88, 0x16, 0x0E, 0x03, 0x4F, 0x8F};
  EXPECT_EQ(llvm::toString(decoder->decode(badSdwa, 0, machine)), "no instruction at pc 0x0");
  EXPECT_EQ(decoder->text(badSdwa, 0), "<invalid>");
}
