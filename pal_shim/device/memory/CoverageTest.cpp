//===- CoverageTest.cpp - every memory instruction is known or excluded ----===//
// SPDX-License-Identifier: MIT
/// \file
/// Goes through all machine opcodes that LLVM has for each generation and looks up the mnemonics of
/// memory and image instructions. What is missing must be excluded here, with its reason.
#include "pal_shim/device/core/MnemonicsForTest.h"
#include "pal_shim/device/core/OpIndex.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace pal::device;

namespace {

struct Exclusion {
  StringLiteral prefix;
  StringLiteral reason;
};
constexpr Exclusion exclusions[] = {
    {"s_store_", "scalar stores: never selected"},
    {"s_buffer_store_", "scalar stores: never selected"},
    {"s_scratch_", "scalar scratch access: never selected"},
    {"s_atomic_", "scalar atomics: never selected"},
    {"s_buffer_atomic_", "scalar atomics: never selected"},
    {"s_dcache_discard", "scalar cache: never selected"},
    {"ds_gws_", "global wave sync: no GWS"},
    {"ds_atomic_async_barrier", "gfx12.5"},
    {"ds_atomic_barrier", "gfx12.5"},
    {"ds_load_tr", "matrix transposes of gfx12.5"},
    {"global_load_tr", "matrix transposes: only for WMMA"},
    {"global_load_block", "gfx12.5"},
    {"global_store_block", "gfx12.5"},
    {"scratch_load_block", "gfx12.5"},
    {"scratch_store_block", "gfx12.5"},
    {"buffer_atomic_add_f64", "gfx12.5"},
    {"buffer_atomic_min_num_f64", "gfx12.5"},
    {"buffer_atomic_max_num_f64", "gfx12.5"},
    {"image_load_pck", "raw texels: only as explicit intrinsics"},
    {"image_load_mip_pck", "raw texels: only as explicit intrinsics"},
    {"image_store_pck", "raw texels: only as explicit intrinsics"},
    {"image_store_mip_pck", "raw texels: only as explicit intrinsics"},
    {"image_gather4h", "not documented well enough; only as an explicit intrinsic"},
    {"image_msaa_load", "not documented well enough; only as an explicit intrinsic"},
    {"image_sample_cd", "coarse derivatives: never selected"},
    {"image_sample_c_cd", "coarse derivatives: never selected"},
};

bool isExcluded(Generation generation, StringRef mnemonic) {
  if (isGfx12(generation) &&
      (mnemonic == "image_bvh_intersect_ray" || mnemonic == "image_bvh64_intersect_ray"))
    return true; // of what memory of gfx12 does not have
  if (mnemonic.starts_with("ds_") && mnemonic.contains("_src2_"))
    return true; // never selected
  return any_of(exclusions, [&](const Exclusion &e) { return mnemonic.starts_with(e.prefix); });
}

bool isMemory(StringRef mnemonic) {
  constexpr StringLiteral prefixes[] = {
      "buffer_",   "tbuffer_", "flat_",     "global_",  "scratch_",    "ds_",
      "image_",    "s_load_",  "s_buffer_", "s_store_", "s_atomic_",   "s_scratch_",
      "s_dcache_", "s_gl1_",   "s_mem",     "s_atc_",   "s_prefetch_", "s_get_waveid"};
  return any_of(prefixes, [&](StringRef prefix) { return mnemonic.starts_with(prefix); });
}

TEST(MemoryCoverage, EveryOpcodeIsKnownOrExcluded) {
  for (Generation generation : {Generation::Gfx103, Generation::Gfx11, Generation::Gfx12}) {
    OpIndex index(generation);
    unsigned known = 0;
    for (StringRef mnemonic : test::mnemonicsOf(generation))
      if (isMemory(mnemonic) && !isExcluded(generation, mnemonic)) {
        EXPECT_TRUE(index.find(mnemonic)) << mnemonic.str() << " is not executable";
        ++known;
      }
    EXPECT_GT(known, 200u);
  }
}

} // namespace
