//===- CodegenPipelineTest.cpp - the list of dropped passes ---------------===//
// SPDX-License-Identifier: MIT
#include "lgc/target/CodegenPipeline.h"
#include "lgc/target/TargetMachine.h"
#include "llvm/PassRegistry.h"
#include "llvm/Target/TargetMachine.h"
#include "gtest/gtest.h"

using namespace lgc;

namespace {

bool isDropped(llvm::StringRef argument, const CodegenTraits &traits, llvm::StringRef target) {
  return droppedCodegenPasses(traits, target).contains(argument);
}

TEST(CodegenPipeline, EveryHookedNameIsAPass) {
  auto session = TargetSession::create("gfx1100", OptLevel::Default);
  ASSERT_TRUE(static_cast<bool>(session));
  CodegenPipeline pipeline((*session)->machine(), CodegenTraits());
  for (llvm::StringRef name : hookedCodegenPasses())
    EXPECT_TRUE(llvm::PassRegistry::getPassRegistry()->getPassInfo(name)) << name.str();
}

TEST(CodegenPipeline, EveryDroppedNameIsAPass) {
  // Making one pipeline registers all passes.
  auto session = TargetSession::create("gfx1100", OptLevel::Default);
  ASSERT_TRUE(static_cast<bool>(session));
  CodegenPipeline pipeline((*session)->machine(), CodegenTraits());
  for (llvm::StringRef name : droppableCodegenPasses())
    EXPECT_TRUE(llvm::PassRegistry::getPassRegistry()->getPassInfo(name.split('#').first))
        << name.str();
}

TEST(CodegenPipeline, GuardsHold) {
  CodegenTraits traits;
  EXPECT_TRUE(isDropped("amdgpu-wait-sgpr-hazards", traits, "gfx1100"));
  EXPECT_FALSE(isDropped("amdgpu-wait-sgpr-hazards", traits, "gfx1200"));
  EXPECT_FALSE(isDropped("si-peephole-sdwa", traits, "gfx1030"));
  EXPECT_TRUE(isDropped("si-peephole-sdwa", traits, "gfx1150"));
  EXPECT_TRUE(isDropped("amdgpu-lower-module-lds", traits, "gfx1100"));
  traits.lds = traits.fatPointers = traits.debugInfo = true;
  EXPECT_FALSE(isDropped("amdgpu-lower-module-lds", traits, "gfx1100"));
  EXPECT_FALSE(isDropped("amdgpu-lower-buffer-fat-pointers", traits, "gfx1100"));
  EXPECT_FALSE(isDropped("livedebugvalues", traits, "gfx1100"));
  EXPECT_FALSE(isDropped("atomic-expand", traits, "gfx1100"));
  EXPECT_FALSE(isDropped("machine-cse#2", traits, "gfx1030"));
  EXPECT_FALSE(isDropped("machine-cse", traits, "gfx1030"));
  traits.atomics = false;
  EXPECT_TRUE(isDropped("atomic-expand", traits, "gfx1100"));
  EXPECT_TRUE(isDropped("postmisched", traits, "gfx1100"));
  EXPECT_FALSE(isDropped("peephole-opt", traits, "gfx1100"));
  traits.graphics = true;
  EXPECT_TRUE(isDropped("peephole-opt", traits, "gfx1100"));
  EXPECT_TRUE(isDropped("machine-cse", traits, "gfx1030"));
  traits.level = OptLevel::Fast;
  EXPECT_FALSE(isDropped("postmisched", traits, "gfx1100"));
  EXPECT_FALSE(isDropped("amdgpu-atomic-optimizer", {OptLevel::Quick}, "gfx1100"));
  EXPECT_TRUE(isDropped("amdgpu-atomic-optimizer", {OptLevel::None}, "gfx1100"));
}

TEST(CodegenPipeline, LevelsNest) {
  for (llvm::StringRef name : droppableCodegenPasses()) {
    CodegenTraits fast{OptLevel::Fast}, normal{OptLevel::Default}, quick{OptLevel::Quick};
    EXPECT_LE(isDropped(name, fast, "gfx1100"), isDropped(name, normal, "gfx1100"));
    EXPECT_LE(isDropped(name, normal, "gfx1100"), isDropped(name, quick, "gfx1100"));
  }
}

/// Correctness depends on these; a row for one of them would be a mistake.
TEST(CodegenPipeline, NeededPassesStay) {
  auto session = TargetSession::create("gfx1201", OptLevel::Quick);
  ASSERT_TRUE(static_cast<bool>(session));
  CodegenTraits traits{OptLevel::Quick};
  CodegenPipeline pipeline((*session)->machine(), traits); // registers all passes
  for (const char *name :
       {"amdgpu-lower-intrinsics", "post-RA-hazard-rec", "si-insert-waitcnts",
        "amdgpu-insert-delay-alu", "si-fix-sgpr-copies", "si-fix-vgpr-copies", "si-wqm",
        "si-lower-control-flow", "si-mode-register", "init-undef", "si-memory-legalizer",
        "structurizecfg", "si-pre-allocate-wwm-regs", "rename-independent-subregs"}) {
    EXPECT_TRUE(llvm::PassRegistry::getPassRegistry()->getPassInfo(llvm::StringRef(name))) << name;
    EXPECT_FALSE(isDropped(name, traits, "gfx1201")) << name;
  }
}

} // namespace
