//===- HazardsTest.cpp - each row of the table of hazards -----------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/strict/CheckForTest.h"

using namespace pal::device::strict::test;

namespace {

constexpr char nsa[] = "image_sample_d v0, [v1, v3, v5, v7, v9, v11], s[0:7], s[8:11] dmask:0x1 "
                       "dim:SQ_RSRC_IMG_2D\n";

constexpr Case cases[] = {
    {"gfx1010", 32, "global_store_dword v0, v1, s[2:3]\nWAIT\ns_mov_b32 s2, 0",
     "s_waitcnt_depctr 0xffe3", "VMEMtoScalarWrite: s2"},
    {"gfx1010", 32, "global_store_dword v0, v1, s[2:3]\nWAIT\ns_mov_b32 s2, 0", "v_nop",
     "VMEMtoScalarWrite: s2"},
    {"gfx1010", 32, "ds_write_b32 v0, v1\nWAIT\ns_and_saveexec_b32 s4, s5", "s_waitcnt 0",
     "VMEMtoScalarWrite: exec_lo"},
    {"gfx1010", 32, "s_load_dword s4, s[2:3], 0x0\nWAIT\nv_readfirstlane_b32 s2, v0",
     "s_mov_b32 null, 0", "SMEMtoVectorWrite: s2"},
    {"gfx1010", 32,
     "global_store_dword v0, v1, s[2:3]\ns_cbranch_scc0 next\nnext:\nWAIT\nds_write_b32 v0, v1",
     "s_waitcnt_vscnt null, 0x0", "LdsBranchVmemWAR"},
    {"gfx1010", 32,
     "ds_write_b32 v0, v1\ns_branch next\nnext:\nWAIT\nbuffer_store_dword v0, v1, s[4:7], 0 offen",
     "s_waitcnt_vscnt null, 0x0", "LdsBranchVmemWAR"},
    {"gfx1010", 32, "s_mov_b32 s4, exec_lo\nWAIT\nv_cmpx_eq_u32 v0, v1", "s_waitcnt_depctr 0xfffe",
     "VcmpxExecWAR"},
    {"gfx1030", 32, "global_atomic_fmin v0, v1, s[2:3]\nWAIT\ns_denorm_mode 0", "s_nop 2",
     "FPAtomicToDenormMode"},
    {"gfx1010", 32, "v_cmpx_eq_u32 v0, v1\nWAIT\nv_permlane16_b32 v2, v3, s0, s1",
     "v_mov_b32 v3, v3", "VcmpxPermlane"},
    {"gfx1010", 32, "v_cmpx_eq_u32 v0, v1\nv_nop\nv_permlane16_b32 v2, v3, s0, s1", "",
     "VcmpxPermlane"},
    {"gfx1100", 32, "v_cmpx_eq_u32 v0, v1\nWAIT\nv_permlane16_b32 v2, v3, s0, s1", "v_nop",
     "VcmpxPermlane"},
    {"gfx1100", 32, "v_rcp_f32 v0, v1\nWAIT\nv_add_f32 v2, v0, v0", "s_waitcnt_depctr 0xfff",
     "VALUTransUse: v0"},
    {"gfx1100", 64,
     "v_mov_b32 v0, v9\nWAIT\ns_mov_b64 exec, s[0:1]\nv_mov_b32 v1, v9\nv_add_f32 v2, v0, v1",
     "s_waitcnt_depctr 0xfff", "VALUPartialForwarding: v0 and v1"},
    {"gfx1150", 64,
     "v_cndmask_b32 v0, v1, v2, vcc\ns_mov_b64 vcc, s[0:1]\nWAIT\n"
     "v_cndmask_b32 v3, v4, v5, vcc",
     "s_waitcnt_depctr 0xfffe", "VALUMaskWrite: vcc"},
    {"gfx1100", 32, "v_mov_b32 v1, v2\nlds_param_load v1, attr0.x wait_vdst:15", "",
     "LdsDirectVALU: v1"},
    {"gfx1100", 32, "global_store_b32 v0, v1, s[2:3]\nWAIT\nlds_param_load v1, attr0.x wait_vdst:0",
     "s_waitcnt_depctr 0xffe3", "LdsDirectVMEM: v1"},
    {"gfx1201", 32, "ds_store_b32 v0, v1\nds_param_load v1, attr0.x wait_va_vdst:0 wait_vm_vsrc:1",
     "", "LdsDirectVMEM: v1"},
    {"gfx1100", 32,
     "v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[24:31]\nWAIT\n"
     "v_wmma_f32_16x16x16_f16 v[32:39], v[40:47], v[4:11], v[24:31]",
     "v_nop", "WMMA: v"},
    {"gfx1201", 32,
     "v_wmma_i32_16x16x16_iu8 v[0:7], v[8:9], v[10:11], v[12:19]\nWAIT\n"
     "v_wmma_i32_16x16x16_iu8 v[20:27], v[0:1], v[10:11], v[12:19]",
     "v_mov_b32 v40, v41", "WMMA: v"},
    {"gfx1100", 32, "WAIT\ns_sendmsg sendmsg(MSG_DEALLOC_VGPRS)", "s_nop 0", "DeallocVGPRs"},
    {"gfx1150", 32, "WAIT\nexp pos0 v0, v1, v2, v3 done", "s_setprio 2", "ExportPriority"},
    {"gfx1201", 32, "v_mov_b32 v0, s4\ns_mov_b32 s4, 0\nWAIT\nv_mov_b32 v1, s4",
     "s_wait_alu depctr_sa_sdst(0)", "VALUReadSGPR: s4"},
    {"gfx1201", 32, "v_mov_b32 v0, s4\nv_readfirstlane_b32 s5, v2\nWAIT\nv_mov_b32 v1, s5",
     "s_wait_alu depctr_va_sdst(0)", "VALUReadSGPR: s5"},
    {"gfx1201", 32,
     "v_cndmask_b32 v0, v1, v2, vcc_lo\nv_cmp_eq_u32 vcc_lo, v0, v1\nWAIT\n"
     "v_cndmask_b32 v3, v4, v5, vcc_lo",
     "s_wait_alu depctr_va_vcc(0)", "VALUReadSGPR: vcc_lo"},
};

TEST(Hazards, EachWithWhatMendsIt) {
  for (const Case &test : cases)
    expectCase(test);
}

TEST(Hazards, LoadsEndMasks) {
  const std::string mask = "v_cndmask_b32 v0, v1, v2, s[2:3]\n";
  const std::string load = " s[4:5], null\ns_waitcnt lgkmcnt(0)\ns_mov_b64 s[2:3], 0\n";
  const std::string again = "v_cndmask_b32 v3, v4, v5, s[2:3]";
  EXPECT_EQ(problemsOf("gfx1100", 64, mask + "s_load_b64 s[2:3]," + load + again), "");
  EXPECT_NE(
      problemsOf("gfx1100", 64, mask + "s_load_b64 s[6:7]," + load + again).find("VALUMaskWrite"),
      std::string::npos);
}

TEST(Hazards, Nsa) {
  const std::string buffer = "buffer_load_dword v20, v21, s[4:7], 0 offen offset:";
  EXPECT_NE(problemsOf("gfx1010", 32, nsa + buffer + "2").find("NSAtoVMEM"), std::string::npos);
  EXPECT_EQ(problemsOf("gfx1010", 32, nsa + std::string("s_nop 0\n") + buffer + "2"), "");
  EXPECT_EQ(problemsOf("gfx1010", 32, nsa + buffer + "8"), "");
  EXPECT_EQ(problemsOf("gfx1030", 32, nsa + buffer + "2"), "");
}

TEST(Hazards, OfOtherGenerationsAreNone) {
  const std::string texts[] = {"ds_write_b32 v0, v1\ns_and_saveexec_b32 s4, s5",
                               "v_rcp_f32 v0, v1\nv_add_f32 v2, v0, v0",
                               "v_cmpx_eq_u32 v0, v1\nv_permlane16_b32 v2, v3, s0, s1",
                               "v_mov_b32 v0, s4\ns_mov_b32 s4, 0\nv_mov_b32 v1, s4"};
  for (const std::string &text : texts)
    EXPECT_EQ(problemsOf("gfx1030", 32, text), "") << text;
}

/// Up to five vector instructions and one transcendental may be between.
TEST(Hazards, DistanceOfTranscendentalResults) {
  const std::string use = "v_add_f32 v2, v0, v0";
  auto with = [&](unsigned moves, unsigned slow) {
    std::string text = "v_rcp_f32 v0, v1\n";
    for (unsigned i = 0; i < moves; ++i)
      text += "v_mov_b32 v3, 0\n";
    for (unsigned i = 0; i < slow; ++i)
      text += "v_rcp_f32 v4, v5\n";
    return problemsOf("gfx1100", 32, text + use);
  };
  EXPECT_NE(with(5, 0), "");
  EXPECT_EQ(with(6, 0), "");
  EXPECT_NE(with(0, 1), "");
  EXPECT_EQ(with(0, 2), "");
}

TEST(Hazards, EndByThemselves) {
  // Far enough apart, or with the SGPR forgotten.
  EXPECT_EQ(problemsOf("gfx1100", 32,
                       "v_rcp_f32 v0, v1\nv_mov_b32 v3, 0\nv_mov_b32 v4, 0\nv_mov_b32 v5, 0\n"
                       "v_mov_b32 v6, 0\nv_mov_b32 v7, 0\nv_mov_b32 v8, 0\nv_add_f32 v2, v0, v0"),
            "");
  EXPECT_EQ(problemsOf("gfx1201", 32,
                       "v_mov_b32 v0, s4\nds_nop\nds_nop\nds_nop\nds_nop\ns_mov_b32 s4, 0\n"
                       "v_mov_b32 v1, s4"),
            "");
  EXPECT_EQ(problemsOf("gfx1100", 32, "v_mov_b32 v1, v2\nlds_param_load v1, attr0.x wait_vdst:0"),
            "");
}

} // namespace
