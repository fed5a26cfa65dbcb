//===- CoverageTest.cpp - every memory instruction is known or excluded ----===//
// SPDX-License-Identifier: MIT
/// \file
/// Goes through all machine opcodes that LLVM has for each generation and looks up the mnemonics of
/// memory and image instructions. What is missing must be excluded here, with its reason.
#include "pal_shim/device/core/OpIndex.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include <gtest/gtest.h>

extern "C" {
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTargetMC();
}

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
    {"ds_ordered_count", "global data share"},
    {"ds_add_gs_reg_rtn", "geometry: streamout counters"},
    {"ds_sub_gs_reg_rtn", "geometry: streamout counters"},
    {"ds_bvh_stack", "ray tracing"},
    {"image_bvh", "ray tracing"},
    {"ds_atomic_async_barrier", "gfx12.5"},
    {"ds_atomic_barrier", "gfx12.5"},
    {"ds_load_tr", "matrix transposes of gfx12.5"},
    {"global_load_tr", "matrix transposes: only for WMMA"},
    {"global_load_block", "gfx12.5"},
    {"global_store_block", "gfx12.5"},
    {"scratch_load_block", "gfx12.5"},
    {"scratch_store_block", "gfx12.5"},
    {"global_atomic_ordered_add_b64", "ordered append: never selected"},
    {"ds_direct_load", "pixel shader parameters"},
    {"ds_param_load", "pixel shader parameters"},
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

bool isExcluded(StringRef mnemonic) {
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

struct NamedGeneration {
  StringLiteral suffix;
  Generation generation;
};

TEST(MemoryCoverage, EveryOpcodeIsKnownOrExcluded) {
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeAMDGPUTargetMC();
  Triple triple("amdgcn--amdpal");
  std::string why;
  const Target *target = TargetRegistry::lookupTarget("amdgcn", triple, why);
  ASSERT_TRUE(target);
  MCTargetOptions options;
  std::unique_ptr<MCRegisterInfo> registers(target->createMCRegInfo(triple));
  std::unique_ptr<MCAsmInfo> asmInfo(target->createMCAsmInfo(*registers, triple, options));
  std::unique_ptr<MCInstrInfo> instructions(target->createMCInstrInfo());
  std::unique_ptr<MCInstPrinter> printer(
      target->createMCInstPrinter(triple, 0, *asmInfo, *instructions, *registers));
  // Beyond gfx12.0 are other machines.
  constexpr NamedGeneration generations[] = {
      {"_gfx10", Generation::Gfx103}, {"_gfx11", Generation::Gfx11}, {"_gfx12", Generation::Gfx12}};
  for (const NamedGeneration &named : generations) {
    OpIndex index(named.generation);
    StringSet<> seen;
    for (unsigned opcode = 0; opcode < instructions->getNumOpcodes(); ++opcode) {
      StringRef name = instructions->getName(opcode);
      // Loads to LDS have the same name and are refused when they are decoded.
      if (!name.contains(named.suffix) || name.contains("_LDS_") || name.contains("_gfx125") ||
          name.contains("_gfx13"))
        continue;
      MCInst inst;
      inst.setOpcode(opcode);
      // Stores without a vector address are "scratch_store_b32 off".
      StringRef mnemonic = StringRef(printer->getMnemonic(inst).first).split(' ').first;
      mnemonic = mnemonic.trim();
      if (isMemory(mnemonic) && !isExcluded(mnemonic) && seen.insert(mnemonic).second)
        EXPECT_TRUE(index.find(mnemonic)) << name.str() << " is not executable";
    }
    EXPECT_GT(seen.size(), 200u);
  }
}

} // namespace
