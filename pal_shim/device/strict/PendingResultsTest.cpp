//===- PendingResultsTest.cpp - registers that are used too early ---------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/strict/CheckForTest.h"

using namespace pal::device::strict::test;

namespace {

constexpr char read[] = "is read while it may still be loaded";
constexpr char overwritten[] = "is overwritten while it may still be loaded";
constexpr char exported[] = "is overwritten while it may still be exported";

constexpr Case loads[] = {
    // Vector memory
    {"gfx1010", 32, "global_load_dword v1, v0, s[2:3]\nWAIT\nv_mov_b32 v2, v1",
     "s_waitcnt vmcnt(0)", read},
    {"gfx1100", 64, "buffer_load_b64 v[2:3], v0, s[4:7], 0 offen\nWAIT\nv_mov_b32 v1, v3",
     "s_waitcnt vmcnt(0)", read},
    {"gfx1201", 32, "buffer_load_b32 v1, v0, s[4:7], null offen\nWAIT\nv_add_f32 v1, 1.0, v2",
     "s_wait_loadcnt 0x0", overwritten},
    {"gfx1030", 32, "buffer_atomic_add v1, v0, s[4:7], 0 offen glc\nWAIT\nv_mov_b32 v2, v1",
     "s_waitcnt_vmcnt null, 0x0", read},
    {"gfx1100", 32, "scratch_load_b32 v1, off, off\nWAIT\nv_mov_b32 v2, v1", "s_waitcnt vmcnt(0)",
     read},
    // Of two loads the first is back when one is left.
    {"gfx1030", 32,
     "global_load_dword v1, v0, s[2:3]\nglobal_load_dword v2, v0, s[2:3]\nWAIT\nv_mov_b32 v3, v1",
     "s_waitcnt vmcnt(1)", read},
    {"gfx1201", 32,
     "global_load_b32 v1, v0, s[2:3]\nglobal_load_b32 v2, v0, s[2:3]\ns_wait_loadcnt 0x1\n"
     "WAIT\nv_mov_b32 v3, v2",
     "s_wait_loadcnt 0x0", "v2 is read"},
    // Samples have a counter of their own on gfx12 only.
    {"gfx1201", 32,
     "image_sample v1, [v2, v3], s[8:15], s[4:7] dmask:0x1 dim:SQ_RSRC_IMG_2D\n"
     "s_wait_loadcnt 0x0\nWAIT\nv_mov_b32 v0, v1",
     "s_wait_samplecnt 0x0", read},
    {"gfx1100", 32,
     "image_sample v1, v[2:3], s[8:15], s[4:7] dmask:0x1 dim:SQ_RSRC_IMG_2D\nWAIT\n"
     "v_mov_b32 v0, v1",
     "s_waitcnt vmcnt(0)", read},
    // LDS
    {"gfx1010", 64, "ds_read_b32 v1, v0\nWAIT\nv_mov_b32 v2, v1", "s_waitcnt lgkmcnt(0)", read},
    {"gfx1201", 32, "ds_load_b32 v1, v0\nWAIT\nv_mov_b32 v2, v1", "s_wait_dscnt 0x0", read},
    {"gfx1201", 32, "ds_load_b32 v1, v0\nWAIT\nv_mov_b32 v2, v1", "s_wait_loadcnt_dscnt 0x3f00",
     read},
    // Scalar loads come back in any order: only zero says something.
    {"gfx1030", 32, "s_load_dword s4, s[2:3], 0x0\nWAIT\ns_mov_b32 s5, s4", "s_waitcnt lgkmcnt(0)",
     read},
    {"gfx1030", 32,
     "s_load_dword s4, s[2:3], 0x0\ns_load_dword s5, s[2:3], 0x4\ns_waitcnt lgkmcnt(1)\nWAIT\n"
     "s_mov_b32 s6, s4",
     "s_waitcnt lgkmcnt(0)", "s4 is read"},
    {"gfx1030", 32,
     "ds_read_b32 v1, v0\ns_load_dword s5, s[2:3], 0x4\ns_waitcnt lgkmcnt(1)\nWAIT\n"
     "v_mov_b32 v2, v1",
     "s_waitcnt lgkmcnt(0)", "v1 is read"},
    {"gfx1201", 32, "s_load_b32 s4, s[2:3], 0x0\nWAIT\nv_mov_b32 v0, s4", "s_wait_kmcnt 0x0", read},
    {"gfx1100", 32, "s_load_b32 s4, s[2:3], 0x0\nWAIT\ns_mov_b32 s4, 0", "s_waitcnt lgkmcnt(0)",
     overwritten},
    {"gfx1030", 32, "s_memtime s[4:5]\nWAIT\ns_mov_b32 s6, s5", "s_waitcnt lgkmcnt(0)", read},
    // FLAT may go to LDS: both counters.
    {"gfx1030", 32, "flat_load_dword v1, v[2:3]\ns_waitcnt vmcnt(0)\nWAIT\nv_mov_b32 v4, v1",
     "s_waitcnt lgkmcnt(0)", read},
    {"gfx1030", 32,
     "flat_load_dword v1, v[2:3]\nflat_load_dword v5, v[2:3]\ns_waitcnt lgkmcnt(1)\nWAIT\n"
     "v_mov_b32 v4, v1",
     "s_waitcnt vmcnt(1)", read},
    {"gfx1201", 32,
     "flat_load_b32 v1, v[2:3]\nflat_load_b32 v5, v[2:3]\ns_wait_loadcnt 0x1\nWAIT\n"
     "v_mov_b32 v4, v1",
     "s_wait_dscnt 0x1", read},
    // Exports read their registers later.
    {"gfx1030", 32, "exp mrt0 v0, v1, v2, v3 done vm\nWAIT\nv_mov_b32 v2, 0", "s_waitcnt expcnt(0)",
     exported},
    {"gfx1100", 32, "exp pos0 v0, v1, v2, v3 done\nWAIT\nv_mov_b32 v2, 0",
     "s_waitcnt_expcnt null, 0x0", exported},
    // Parameters: by the counter, or by a field of the instruction that reads them.
    {"gfx1100", 32, "lds_param_load v1, attr0.x wait_vdst:0\nWAIT\nv_mov_b32 v2, v1",
     "s_waitcnt expcnt(0)", read},
    {"gfx1201", 32,
     "ds_param_load v1, attr0.x wait_va_vdst:0 wait_vm_vsrc:0\nWAIT\n"
     "v_interp_p10_f32 v2, v1, v0, v1 wait_exp:7",
     "s_wait_expcnt 0x0", read},
};

TEST(PendingResults, UsesThatCannotWait) {
  for (const Case &test : loads)
    expectCase(test);
}

TEST(PendingResults, WhatIsRight) {
  // Loads of one kind write in order; reading what a store reads needs no wait.
  EXPECT_EQ(problemsOf("gfx1100", 32,
                       "global_load_b32 v1, v0, s[2:3]\nglobal_load_b32 v1, v0, s[2:3]\n"
                       "global_store_b32 v0, v0, s[2:3]\nv_mov_b32 v0, 0"),
            "");
  EXPECT_EQ(problemsOf("gfx1100", 32,
                       "lds_param_load v1, attr0.x wait_vdst:0\n"
                       "lds_param_load v2, attr0.y wait_vdst:0\n"
                       "v_interp_p10_f32 v3, v1, v0, v1 wait_exp:1\n"
                       "v_interp_p10_f32 v4, v2, v0, v2 wait_exp:0"),
            "");
  EXPECT_EQ(problemsOf("gfx1030", 32,
                       "image_atomic_add v1, v[2:3], s[8:15] dmask:0x1 "
                       "dim:SQ_RSRC_IMG_2D\nv_mov_b32 v4, v1"),
            "");
}

/// Functions wait for what their callers have under way, so that callers need not.
TEST(PendingResults, Calls) {
  for (const char *target : {"gfx1030", "gfx1100", "gfx1201"}) {
    const std::string load = "s_load_dwordx2 s[4:5], s[2:3], 0x0\n", use = "s_mov_b32 s6, s4";
    EXPECT_EQ(problemsOf(target, 32, load + "s_swappc_b64 s[8:9], s[10:11]\n" + use), "");
    EXPECT_NE(problemsOf(target, 32, load + "s_swappc_b64 s[8:9], s[4:5]").find("s4 is read"),
              std::string::npos);
    EXPECT_NE(problemsOf(target, 32, "s_swappc_b64 s[8:9], s[10:11]\n" + load + use).find(read),
              std::string::npos);
  }
}

TEST(PendingResults, ChannelsThatAreOff) {
  const std::string load = "buffer_load_dword v0, v9, s[4:7], 0 offen\n";
  EXPECT_EQ(problemsOf("gfx1010", 32, load + "exp null off, off, off, off done vm"), "");
  EXPECT_EQ(problemsOf("gfx1010", 32, load + "exp mrt0 v1, v1, off, off done compr vm"), "");
  EXPECT_NE(problemsOf("gfx1010", 32, load + "exp mrt0 off, off, v0, v0 done compr vm").find(read),
            std::string::npos);
  EXPECT_NE(problemsOf("gfx1100", 32, load + "exp mrt0 off, v0, off, off done").find(read),
            std::string::npos);
}

/// expcnt counts to seven.
TEST(PendingResults, MoreThanTheCounterCounts) {
  std::string loads;
  for (unsigned i = 1; i <= 8; ++i)
    loads += "lds_param_load v" + std::to_string(i) + ", attr0.x wait_vdst:0\n";
  EXPECT_EQ(problemsOf("gfx1100", 32, loads + "v_mov_b32 v9, v1"), "");
  EXPECT_NE(problemsOf("gfx1100", 32, loads + "v_mov_b32 v9, v2").find(read), std::string::npos);
}

TEST(PendingResults, OtherKindsWriteOutOfOrder) {
  EXPECT_NE(problemsOf("gfx1100", 32,
                       "global_load_b32 v1, v0, s[2:3]\nimage_sample v1, v[2:3], s[8:15], s[4:7] "
                       "dmask:0x1 dim:SQ_RSRC_IMG_2D")
                .find(overwritten),
            std::string::npos);
}

TEST(PendingResults, AllPaths) {
  // The load of one side of a branch, and of the round before.
  const std::string side = "s_cbranch_scc0 over\nglobal_load_dword v1, v0, s[2:3]\nover:\n";
  EXPECT_NE(problemsOf("gfx1030", 32, side + "v_mov_b32 v2, v1").find(read), std::string::npos);
  EXPECT_EQ(problemsOf("gfx1030", 32, side + "s_waitcnt vmcnt(0)\nv_mov_b32 v2, v1"), "");
  const std::string loop = "again:\nv_mov_b32 v2, v1\nglobal_load_dword v1, v0, s[2:3]\n";
  EXPECT_NE(problemsOf("gfx1030", 32, loop + "s_cbranch_scc0 again").find(read), std::string::npos);
  EXPECT_EQ(problemsOf("gfx1030", 32, loop + "s_waitcnt vmcnt(0)\ns_cbranch_scc0 again"), "");
}

} // namespace
