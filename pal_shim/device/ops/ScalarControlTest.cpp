//===- ScalarControlTest.cpp - control flow, modes, messages ---------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/core/RunForTest.h"
#include "gtest/gtest.h"

using namespace pal::device;
using pal::device::test::WaveForTest;

TEST(ScalarControl, ConditionalBranches) {
  struct {
    const char *branch;
    uint32_t scc;
    uint64_t vcc, exec;
    bool taken;
  } cases[] = {
      {"s_cbranch_scc0", 0, 0, 1, true},
      {"s_cbranch_scc0", 1, 0, 1, false},
      {"s_cbranch_scc1", 1, 0, 1, true},
      {"s_cbranch_vccz", 0, 0, 1, true},
      {"s_cbranch_vccz", 0, 4, 1, false},
      {"s_cbranch_vccnz", 0, 4, 1, true},
      {"s_cbranch_execz", 0, 0, 0, true},
      {"s_cbranch_execnz", 0, 0, 2, true},
      {"s_cbranch_execz", 0, 0, 2, false},
      // The upper halves count in wave64 only.
      {"s_cbranch_vccz", 0, 1ull << 40, 1, false},
      {"s_cbranch_execz", 0, 0, 1ull << 40, false},
  };
  for (const auto &c : cases)
    for (unsigned waveSize : {32u, 64u}) {
      WaveForTest w("gfx1100", waveSize,
                    std::string(c.branch) + " skip\ns_mov_b32 s0, 1\nskip:\ns_nop 0");
      w->scc = c.scc;
      w->setS64(sreg::vccLo, c.vcc);
      w->setS64(sreg::execLo, c.exec);
      ASSERT_TRUE(w.run()) << w.error();
      bool onlyHigh = (c.vcc | c.exec) >> 32 != 0;
      bool taken = waveSize == 32 && onlyHigh ? true : c.taken;
      EXPECT_EQ(w->s[0], taken ? 0u : 1u) << c.branch << " wave" << waveSize;
    }
}

TEST(ScalarControl, LoopAndCall) {
  // Sums 1..10 by a function that is called through a register.
  WaveForTest w("gfx1100", 32, R"(
    s_mov_b32 s0, 0
    s_mov_b32 s1, 10
    s_getpc_b64 s[2:3]
  after:
    s_add_u32 s2, s2, function-after
    s_addc_u32 s3, s3, 0
  loop:
    s_swappc_b64 s[4:5], s[2:3]
    s_sub_u32 s1, s1, 1
    s_cmp_lg_u32 s1, 0
    s_cbranch_scc1 loop
    s_call_b64 s[4:5], function
    s_branch end
    s_code_end
  function:
    s_add_u32 s0, s0, s1
    s_setpc_b64 s[4:5]
  end:
  )");
  // The function is reached by the call; the jump through registers finds it there.
  ASSERT_TRUE(w.run()) << w.error() << w.faultMessage();
  EXPECT_EQ(w->s[0], 55u);
}

TEST(ScalarControl, JumpOutsideTheCodeFaults) {
  WaveForTest w("gfx1100", 32, "s_mov_b64 s[0:1], 0x1000\ns_setpc_b64 s[0:1]");
  EXPECT_FALSE(w.run());
  EXPECT_EQ(w.faultMessage(), "jump to 0x1000, where no instruction of the program starts");
}

TEST(ScalarControl, PaddingAndTrapsFault) {
  WaveForTest padding("gfx1100", 32, "s_code_end");
  EXPECT_FALSE(padding.run());
  EXPECT_EQ(padding.faultMessage(), "execution ran into padding after the code");
  WaveForTest trap("gfx1100", 32, "s_trap 2");
  EXPECT_FALSE(trap.run());
  EXPECT_EQ(trap.faultMessage(), "trap 2");
}

TEST(ScalarControl, ModeRegister) {
  WaveForTest w("gfx1100", 32, R"(
    s_getreg_b32 s0, hwreg(HW_REG_MODE)
    s_round_mode 0x9
    s_denorm_mode 0x3
    s_getreg_b32 s1, hwreg(HW_REG_MODE, 0, 8)
    s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 0
    s_mov_b32 s5, 6
    s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s5
    s_getreg_b32 s2, hwreg(HW_REG_MODE)
    s_getreg_b32 s3, hwreg(HW_REG_MODE, 1, 2)
  )");
  ASSERT_TRUE(w.run()) << w.error();
  EXPECT_EQ(w->s[0], 0xF0u | mode::dx10Clamp);
  EXPECT_EQ(w->s[1], 0x39u);
  EXPECT_EQ(w->s[2], 0x06u | mode::dx10Clamp);
  EXPECT_EQ(w->s[3], 3u);
  EXPECT_EQ(w->modeBits, 0x06u | mode::dx10Clamp);
}

TEST(ScalarControl, WhatIsNotThereDoesNotLoad) {
  struct {
    const char *target, *text, *part;
  } cases[] = {
      {"gfx1100", "s_sendmsg 12", "s_sendmsg (sopp): message 12 at pc 0x0"},
      {"gfx1100", "s_sendmsg_rtn_b32 s0, 130", "s_sendmsg_rtn_b32 (sop1)"},
      {"gfx1100", "s_setreg_b32 hwreg(HW_REG_HW_ID1), s0", "write of hardware register 23"},
      {"gfx1100", "s_getreg_b32 s0, hwreg(HW_REG_GPR_ALLOC)", "hardware register 5"},
      {"gfx1200", "s_barrier_signal 3", "barrier other than the workgroup's"},
      {"gfx1100", "s_sethalt 1", "halting the wave"},
      {"gfx1100", "s_rfe_b64 s[0:1]", "s_rfe_b64 (sop1) at pc 0x0: 's_rfe_b64 s[0:1]'"},
  };
  for (const auto &c : cases) {
    WaveForTest w(c.target, 32, c.text);
    EXPECT_NE(w.error().find(c.part), std::string::npos) << c.text << ": " << w.error();
  }
}

TEST(ScalarControl, WaitsAndHintsDoNothing) {
  struct {
    const char *target, *text;
  } cases[] = {
      {"gfx1030", "s_nop 1\ns_waitcnt vmcnt(0)\ns_waitcnt_vscnt null, 0\ns_inst_prefetch 1\n"
                  "s_clause 1\ns_sleep 1\ns_setprio 1\ns_ttracedata\ns_icache_inv\ns_version 1\n"
                  "s_waitcnt_depctr 0\ns_wakeup\ns_waitcnt_lgkmcnt null, 0"},
      {"gfx1100", "s_delay_alu 1\ns_set_inst_prefetch_distance 1\ns_wait_idle\ns_wait_event 1\n"
                  "s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)\ns_waitcnt_expcnt null, 0\ns_sethalt 0"},
      {"gfx1200", "s_wait_loadcnt 0\ns_wait_storecnt 0\ns_wait_samplecnt 0\ns_wait_bvhcnt 0\n"
                  "s_wait_expcnt 0\ns_wait_dscnt 0\ns_wait_kmcnt 0\ns_wait_loadcnt_dscnt 0\n"
                  "s_wait_storecnt_dscnt 0\ns_wait_alu 0\ns_sleep_var s1"},
  };
  for (const auto &c : cases) {
    WaveForTest w(c.target, 32, c.text);
    for (unsigned i = 0; i < sreg::count; ++i)
      if (i != sreg::execLo && i != sreg::execHi)
        w->s[i] = i + 1;
    std::vector<uint32_t> before(w->s, w->s + sreg::count);
    w->scc = 1;
    ASSERT_TRUE(w.run()) << w.error();
    EXPECT_EQ(before, std::vector<uint32_t>(w->s, w->s + sreg::count)) << c.text;
    EXPECT_EQ(w->scc, 1u);
  }
}

TEST(ScalarControl, ClocksAdvance) {
  WaveForTest w("gfx1100", 32,
                "s_sendmsg_rtn_b64 s[0:1], sendmsg(MSG_RTN_GET_REALTIME)\n"
                "s_sendmsg_rtn_b64 s[2:3], sendmsg(MSG_RTN_GET_REALTIME)");
  ASSERT_TRUE(w.run()) << w.error();
  EXPECT_GT(w->s64(0), 0u);
  EXPECT_GE(w->s64(2), w->s64(0));
}
