//===- UniformFlowTest.cpp - functions that need no structure -------------===//
// SPDX-License-Identifier: MIT
#include "lgc/machine/UniformFlow.h"
#include "lgc/target/TargetSession.h"
#include "llvm/Analysis/RegionPass.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Scalar.h"
#include "gtest/gtest.h"

using namespace lgc;
using namespace llvm;

namespace {

/// Blocks of each function after LLVM's structurizer has been there, where one is needed.
std::vector<size_t> blocksOf(StringRef functions) {
  auto session = cantFail(TargetSession::create("gfx1100", OptLevel::Default));
  LLVMContext context;
  SMDiagnostic problem;
  std::unique_ptr<Module> module = parseAssemblyString(
      ("target triple = \"amdgcn-amd-amdpal\"\n" + functions).str(), problem, context);
  EXPECT_TRUE(module) << problem.getMessage().str();
  if (!module)
    return {};
  module->setDataLayout(session->machine().createDataLayout());
  auto diverges = std::make_shared<bool>(true);
  legacy::PassManager passes;
  passes.add(createTargetTransformInfoWrapperPass(session->machine().getTargetIRAnalysis()));
  passes.add(createFindDivergencePass(diverges));
  std::unique_ptr<RegionPass> inner(
      static_cast<RegionPass *>(createStructurizeCFGPass(/*SkipUniformRegions=*/false)));
  passes.add(createDivergentRegionPass(std::move(inner), diverges));
  passes.run(*module);
  EXPECT_FALSE(verifyModule(*module, &errs()));
  std::vector<size_t> counts;
  for (const Function &function : *module)
    if (!function.isDeclaration())
      counts.push_back(function.size());
  return counts;
}

std::string ifElse(StringRef name, StringRef parameter) {
  return ("define amdgpu_cs void @" + name + "(ptr addrspace(1) inreg %p, i32 " + parameter +
          " %x) {\n"
          "entry:\n  %c = icmp eq i32 %x, 3\n  br i1 %c, label %then, label %else\n"
          "then:\n  store i32 1, ptr addrspace(1) %p\n  br label %join\n"
          "else:\n  store i32 2, ptr addrspace(1) %p\n  br label %join\n"
          "join:\n  ret void\n}\n")
      .str();
}

TEST(UniformFlow, BranchOfAllLanesStays) {
  EXPECT_EQ(blocksOf(ifElse("f", "inreg")), (std::vector<size_t>{4}));
}

TEST(UniformFlow, BranchOfSomeLanesGetsStructure) {
  EXPECT_EQ(blocksOf(ifElse("f", "")), (std::vector<size_t>{5}));
}

// Each function is judged for itself.
TEST(UniformFlow, OneAfterTheOther) {
  EXPECT_EQ(blocksOf(ifElse("a", "") + ifElse("b", "inreg") + ifElse("c", "")),
            (std::vector<size_t>{5, 4, 5}));
}

// One divergent branch gives structure to all of the function.
TEST(UniformFlow, MixedIsDivergent) {
  EXPECT_EQ(blocksOf("define amdgpu_cs void @f(ptr addrspace(1) inreg %p, i32 inreg %x, i32 %y) {\n"
                     "entry:\n  %c = icmp eq i32 %x, 3\n  br i1 %c, label %then, label %else\n"
                     "then:\n  store i32 1, ptr addrspace(1) %p\n  br label %join\n"
                     "else:\n  store i32 2, ptr addrspace(1) %p\n  br label %join\n"
                     "join:\n  %d = icmp eq i32 %y, 3\n  br i1 %d, label %last, label %end\n"
                     "last:\n  store i32 3, ptr addrspace(1) %p\n  br label %end\n"
                     "end:\n  ret void\n}\n"),
            (std::vector<size_t>{7}));
}

} // namespace
