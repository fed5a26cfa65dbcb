//===- HoistGuardTest.cpp - what structurizing may hoist ------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/llvm22/HoistGuard.h"
#include "lgc/target/TargetSession.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Target/TargetMachine.h"
#include "gtest/gtest.h"

using namespace lgc;
using namespace llvm;

namespace {

/// Number of values that the guard keeps in their blocks.
unsigned countGuarded(StringRef body) {
  const std::string ir = ("target triple = \"amdgcn-amd-amdpal\"\n"
                          "define amdgpu_cs <4 x i32> @f(<4 x i32> %v, i32 %x, i1 %c, i1 %d) {\n" +
                          body + "  ret <4 x i32> %r\n}\n")
                             .str();
  auto session = cantFail(TargetSession::create("gfx1100", OptLevel::Default));
  LLVMContext context;
  SMDiagnostic problem;
  std::unique_ptr<Module> module = parseAssemblyString(ir, problem, context);
  EXPECT_TRUE(module) << problem.getMessage().str();
  if (!module)
    return 0;
  module->setDataLayout(session->machine().createDataLayout());
  legacy::PassManager passes;
  passes.add(createTargetTransformInfoWrapperPass(session->machine().getTargetIRAnalysis()));
  passes.add(createHoistGuardPass());
  passes.run(*module);
  EXPECT_FALSE(verifyModule(*module, &errs()));
  unsigned count = 0;
  for (const BasicBlock &block : *module->getFunction("f"))
    for (const Instruction &inst : block)
      if (isa<FreezeInst>(inst)) {
        ++count;
        EXPECT_TRUE(inst.hasOneUse() && isa<PHINode>(*inst.user_begin()));
      }
  return count;
}

TEST(HoistGuard, OfTwoWaysIntoElse) {
  EXPECT_EQ(countGuarded("entry:\n  br i1 %c, label %then, label %else\n"
                         "then:\n  br i1 %d, label %else, label %join\n"
                         "else:\n  %y = insertelement <4 x i32> %v, i32 0, i32 0\n"
                         "  br label %join\n"
                         "join:\n  %r = phi <4 x i32> [%v, %then], [%y, %else]\n"),
            1u);
}

TEST(HoistGuard, OfThreeWaysToTheJoin) {
  EXPECT_EQ(countGuarded("entry:\n  br i1 %c, label %then, label %else\n"
                         "then:\n  br i1 %d, label %last, label %join\n"
                         "else:\n  %y = insertelement <4 x i32> %v, i32 0, i32 0\n"
                         "  br label %join\n"
                         "last:\n  %z = insertelement <4 x i32> %v, i32 1, i32 0\n"
                         "  br label %join\n"
                         "join:\n"
                         "  %r = phi <4 x i32> [%v, %then], [%y, %else], [%z, %last]\n"),
            2u);
}

TEST(HoistGuard, NotOfPlainElse) {
  EXPECT_EQ(countGuarded("entry:\n  br i1 %c, label %then, label %else\n"
                         "then:\n  %z = insertelement <4 x i32> %v, i32 1, i32 0\n"
                         "  br label %join\n"
                         "else:\n  %y = insertelement <4 x i32> %v, i32 0, i32 0\n"
                         "  br label %join\n"
                         "join:\n  %r = phi <4 x i32> [%z, %then], [%y, %else]\n"),
            0u);
}

TEST(HoistGuard, NotOfWhatCosts) {
  EXPECT_EQ(countGuarded("entry:\n  br i1 %c, label %then, label %else\n"
                         "then:\n  br i1 %d, label %else, label %join\n"
                         "else:\n  %y = mul <4 x i32> %v, %v\n  br label %join\n"
                         "join:\n  %r = phi <4 x i32> [%v, %then], [%y, %else]\n"),
            0u);
}

} // namespace
