//===- TargetInfoTest.cpp - GPU table against LLVM's own tables -----------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Triple.h"
#include <gtest/gtest.h>
#include <map>
#include <memory>

using namespace llvm;
using namespace pal::abi;

extern "C" void LLVMInitializeAMDGPUTargetInfo();
extern "C" void LLVMInitializeAMDGPUTargetMC();

namespace {

TEST(TargetInfo, FindsEveryTargetByNameVersionAndMachine) {
  ASSERT_EQ(allTargets().size(), 20u);
  for (const GpuTarget &target : allTargets()) {
    EXPECT_EQ(findTarget(target.name), &target);
    std::string version = std::to_string(target.major) + "." + std::to_string(target.minor);
    EXPECT_EQ(findTarget(version + "." + std::to_string(target.stepping)), &target);
    EXPECT_EQ(findTargetByMach(target.elfMach), &target);
    if (target.stepping == 0) {
      EXPECT_EQ(findTarget(version), &target);
    }
  }
}

TEST(TargetInfo, RejectsWhatIsNoTarget) {
  for (const char *name : {"", "gfx", "gfx9", "gfx900", "gfx110", "gfx11000", "GFX1100", "11",
                           "11.", "11.0.", "11.0.0.0", "11.0.00", "11.0.z", "11.0.a", "-11.0.0",
                           ".11.0", "11.0x0", "v", "99999999999.0"})
    EXPECT_EQ(findTarget(name), nullptr) << name;
  EXPECT_EQ(findTarget("v11.0.0"), findTarget("gfx1100"));
  EXPECT_EQ(findTargetByMach(0), nullptr);
  EXPECT_EQ(findTargetByMach(ELF::EF_AMDGPU_MACH_AMDGCN_GFX900), nullptr);
}

TEST(TargetInfo, MachineNumbersAreLLVMs) {
  const std::map<std::string, unsigned> machines = {
#define MACH(name, constant) {name, ELF::EF_AMDGPU_MACH_AMDGCN_GFX##constant}
      MACH("gfx1010", 1010), MACH("gfx1011", 1011), MACH("gfx1012", 1012), MACH("gfx1030", 1030),
      MACH("gfx1031", 1031), MACH("gfx1032", 1032), MACH("gfx1033", 1033), MACH("gfx1034", 1034),
      MACH("gfx1035", 1035), MACH("gfx1036", 1036), MACH("gfx1100", 1100), MACH("gfx1101", 1101),
      MACH("gfx1102", 1102), MACH("gfx1103", 1103), MACH("gfx1150", 1150), MACH("gfx1151", 1151),
      MACH("gfx1152", 1152), MACH("gfx1153", 1153), MACH("gfx1200", 1200), MACH("gfx1201", 1201)};
#undef MACH
  for (const GpuTarget &target : allTargets())
    EXPECT_EQ(machines.at(target.name.str()), target.elfMach) << target.name.str();
}

/// LLVM models the register file through features; a row that disagrees with them is wrong.
TEST(TargetInfo, RegisterFileIsLLVMs) {
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeAMDGPUTargetMC();
  Triple triple("amdgcn-amd-amdpal");
  std::string error;
  const Target *llvmTarget = TargetRegistry::lookupTarget(triple, error);
  ASSERT_NE(llvmTarget, nullptr) << error;
  for (const GpuTarget &target : allTargets()) {
    std::unique_ptr<MCSubtargetInfo> subtarget(
        llvmTarget->createMCSubtargetInfo(triple, target.name, ""));
    ASSERT_TRUE(subtarget && subtarget->isCPUStringValid(target.name)) << target.name.str();
    auto has = [&](const char *feature) { return subtarget->checkFeatures(feature); };
    bool large = has("+allocate1_5xvgprs");
    bool gfx103 = has("+gfx10-3-insts");
    EXPECT_EQ(target.vgprsWave32, large ? 1536u : 1024u) << target.name.str();
    EXPECT_EQ(target.vgprGranule32, large ? 24u : gfx103 ? 16u : 8u) << target.name.str();
    EXPECT_EQ(target.maxWavesPerSimd, gfx103 ? 16u : 20u) << target.name.str();
    EXPECT_TRUE(has(target.major == 12   ? "+gfx12-insts"
                    : target.major == 11 ? "+gfx11-insts"
                                         : "+gfx10-insts"))
        << target.name.str();
  }
}

TEST(TargetInfo, OccupancyFollowsRegisters) {
  const GpuTarget &navi10 = *findTarget("gfx1010");
  const GpuTarget &navi21 = *findTarget("gfx1030");
  const GpuTarget &navi31 = *findTarget("gfx1100");
  EXPECT_EQ(wavesPerSimd(navi10, 32, 0, 0, 32), 20u);
  EXPECT_EQ(wavesPerSimd(navi10, 32, 56, 0, 32), 18u);
  EXPECT_EQ(wavesPerSimd(navi21, 32, 64, 0, 64), 16u);
  EXPECT_EQ(wavesPerSimd(navi21, 32, 65, 0, 64), 12u);
  EXPECT_EQ(wavesPerSimd(navi21, 64, 65, 0, 64), 7u);
  EXPECT_EQ(wavesPerSimd(navi21, 64, 33, 0, 64), 12u);
  EXPECT_EQ(wavesPerSimd(navi21, 32, 256, 0, 32), 4u);
  EXPECT_EQ(wavesPerSimd(navi21, 64, 256, 0, 64), 2u);
  EXPECT_EQ(wavesPerSimd(navi31, 32, 96, 0, 64), 16u);
  EXPECT_EQ(wavesPerSimd(navi31, 32, 97, 0, 64), 12u);
  EXPECT_EQ(wavesPerSimd(navi31, 64, 256, 0, 64), 2u);
}

TEST(TargetInfo, OccupancyFollowsLdsAndWorkgroups) {
  const GpuTarget &navi10 = *findTarget("gfx1010");
  const GpuTarget &navi21 = *findTarget("gfx1030");
  // 32 KiB each: 4 groups of 8 waves on the 4 SIMDs of a WGP.
  EXPECT_EQ(wavesPerSimd(navi21, 32, 32, 32 * 1024, 256), 8u);
  // CU mode: 2 groups on 2 SIMDs.
  EXPECT_EQ(wavesPerSimd(navi21, 32, 32, 32 * 1024, 256, /*wgpMode=*/false), 8u);
  // Two groups of one wave share a WGP: half of its SIMDs hold one.
  EXPECT_EQ(wavesPerSimd(navi21, 32, 32, 64 * 1024, 32), 1u);
  EXPECT_EQ(wavesPerSimd(navi21, 32, 32, 64 * 1024, 1024), 16u);
  // 63.5 KiB takes 63.5 of 64 KiB on gfx10.1 and all 64 on gfx10.3: two groups either way.
  EXPECT_EQ(wavesPerSimd(navi21, 32, 32, 65024, 1024), 16u);
  // 4608 bytes: 28 groups at granule 512, 25 at 1024 (5 KiB each); two waves a group.
  EXPECT_EQ(wavesPerSimd(navi10, 32, 32, 4608, 64), 14u);
  EXPECT_EQ(wavesPerSimd(navi21, 32, 32, 4608, 64), 13u);
  // 32 groups per WGP when a group has two waves.
  EXPECT_EQ(wavesPerSimd(navi10, 32, 8, 0, 64), 16u);
  EXPECT_EQ(wavesPerSimd(navi10, 32, 8, 0, 32), 20u);
  // 1024 threads of wave64 with 128 VGPRs: 16 waves on 4 SIMDs of 4.
  EXPECT_EQ(wavesPerSimd(navi21, 64, 128, 0, 1024), 4u);
}

TEST(TargetInfo, OccupancyIsZeroWhenNothingFits) {
  const GpuTarget &navi21 = *findTarget("gfx1030");
  EXPECT_EQ(wavesPerSimd(navi21, 16, 8, 0, 64), 0u);
  EXPECT_EQ(wavesPerSimd(navi21, 32, 257, 0, 64), 0u);
  EXPECT_EQ(wavesPerSimd(navi21, 32, 8, 64 * 1024 + 1, 64), 0u);
  EXPECT_EQ(wavesPerSimd(navi21, 64, 256, 0, 1024), 0u);
}

} // namespace
