//===- OpCoverageTest.cpp - every operation is known or excluded -----------===//
// SPDX-License-Identifier: MIT
/// \file
/// Goes through all scalar and vector mnemonics that LLVM has for each generation. What is missing
/// must be excluded here, with its reason. Memory instructions: memory/CoverageTest.cpp.
#include "pal_shim/device/core/MnemonicsForTest.h"
#include "pal_shim/device/core/OpIndex.h"
#include "gtest/gtest.h"

using namespace pal::device;

namespace {

struct Exclusion {
  llvm::StringLiteral prefix;
  llvm::StringLiteral reason;
};
constexpr Exclusion exclusions[] = {
    {"s_atomic_", "memory instruction"},
    {"s_buffer_", "memory instruction"},
    {"s_store_", "memory instruction"},
    {"s_scratch_", "memory instruction"},
    {"s_dcache_", "memory instruction"},
    {"s_add_pc_i64", "gfx12.5"},
    {"s_get_shader_cycles_u64", "gfx12.5"},
    {"s_monitor_sleep", "gfx12.5"},
    {"s_set_vgpr_msb", "gfx12.5"},
    {"s_setprio_inc_wg", "gfx12.5"},
    {"s_wait_asynccnt", "gfx12.5"},
    {"s_wait_tensorcnt", "gfx12.5"},
    {"s_wait_xcnt", "gfx12.5"},
    {"s_wakeup_barrier", "gfx12.5"},
    {"s_barrier_init", "named barriers: gfx12.5"},
    {"s_barrier_join", "named barriers: gfx12.5"},
    {"s_barrier_leave", "named barriers: gfx12.5"},
    {"s_get_barrier_state", "named barriers: gfx12.5"},
    {"v_fmac_f64", "gfx12.5"},
    {"v_pk_add_f32", "gfx12.5"},
    {"v_pk_fma_f32", "gfx12.5"},
    {"v_pk_mul_f32", "gfx12.5"},
    {"v_permlane_", "gfx12.5 (the others are known)"},
    {"s_alloc_vgpr", "dynamic VGPRs: PAL does not enable them"},
    {"s_cbranch_cdbg", "debugger"},
    {"s_endpgm_saved", "context switches"},
    {"s_rfe_b64", "trap handler"},
    {"s_setkill", "debugger"},
    {"s_endpgm_ordered_ps_done", "ordered pixel shaders"},
    {"s_sendmsghalt", "never selected"},
    {"s_sendmsg_rtn_b32", "messages to the trap handler; the clock has 64 bits"},
    {"s_subvector_loop_", "never selected"},
    {"v_mullit_f32", "only as explicit intrinsic"},
    {"v_mqsad_u32_u8", "only as explicit intrinsic"},
    {"v_dot2_", "bfloat16 is converted to floats, halves have no such SPIR-V operation"},
    {"v_dot2acc_f32_bf16", "bfloat16 is converted to floats"},
    {"v_dot4_f32_", "8-bit floats are converted by integer arithmetic"},
    {"v_cvt_f32_bf8", "8-bit floats are converted by integer arithmetic"},
    {"v_cvt_f32_fp8", "8-bit floats are converted by integer arithmetic"},
    {"v_cvt_pk_bf8_f32", "8-bit floats are converted by integer arithmetic"},
    {"v_cvt_pk_fp8_f32", "8-bit floats are converted by integer arithmetic"},
    {"v_cvt_pk_f32_bf8", "8-bit floats are converted by integer arithmetic"},
    {"v_cvt_pk_f32_fp8", "8-bit floats are converted by integer arithmetic"},
    {"v_cvt_sr_", "8-bit floats are converted by integer arithmetic"},
    {"v_wmma_bf16f32_", "gfx12.5"},
    {"v_swmmac_", "matrices of which half is zero: no API reaches them"},
};

bool isExcluded(llvm::StringRef mnemonic) {
  if (mnemonic.ends_with("_pad_s_nop"))
    return true; // LLVM's name for a branch with padding that works around a bug of gfx10.1
  return llvm::any_of(exclusions,
                      [&](const Exclusion &e) { return mnemonic.starts_with(e.prefix); });
}

} // namespace

TEST(OpCoverage, EveryScalarAndVectorMnemonicIsKnownOrExcluded) {
  for (Generation generation : {Generation::Gfx103, Generation::Gfx11, Generation::Gfx12}) {
    OpIndex index(generation);
    unsigned known = 0;
    for (llvm::StringRef mnemonic : test::mnemonicsOf(generation)) {
      if (!mnemonic.starts_with("s_") && !mnemonic.starts_with("v_") &&
          !mnemonic.starts_with("exp"))
        continue;
      known += index.find(mnemonic) != nullptr;
      EXPECT_TRUE(index.find(mnemonic) || isExcluded(mnemonic))
          << mnemonic.str() << " of generation " << unsigned(generation);
    }
    EXPECT_GT(known, 600u);
  }
}
