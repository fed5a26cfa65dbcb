//===- DppCombineTest.cpp - where LLVM may fold DPP into operations -------===//
// SPDX-License-Identifier: MIT
#include "lgc/llvm22/DppCombine.h"
#include "lgc/target/TargetSession.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Target/TargetMachine.h"
#include "gtest/gtest.h"

using namespace lgc;
using namespace llvm;

namespace {

/// Code of a function in which %d is a move between lanes of %v.
std::string assemblyOf(StringRef target, StringRef body) {
  const std::string ir =
      "target triple = \"amdgcn-amd-amdpal\"\n"
      "declare i32 @llvm.amdgcn.update.dpp.i32(i32, i32, i32 immarg, i32 immarg, i32 immarg, i1 "
      "immarg)\n"
      "define amdgpu_cs void @_amdgpu_cs_main(i32 %v, i64 %w, ptr addrspace(1) %p) "
      "\"target-cpu\"=\"" +
      target.str() +
      "\" \"target-features\"=\"+wavefrontsize32\" {\n"
      "  %d = call i32 @llvm.amdgcn.update.dpp.i32(i32 0, i32 %v, i32 27, i32 15, i32 15, i1 "
      "true)\n"
      "  %z = zext i32 %d to i64\n" +
      body.str() + "  ret void\n}\n";
  auto session = cantFail(TargetSession::create(target, OptLevel::Default));
  LLVMContext context;
  SMDiagnostic problem;
  std::unique_ptr<Module> module = parseAssemblyString(ir, problem, context);
  if (!module)
    return "error: " + problem.getMessage().str();
  module->setDataLayout(session->machine().createDataLayout());
  SmallString<0> text;
  InstructionCounts counts;
  session->generate(*module, /*assembly=*/true, text, counts);
  return text.str().str();
}

TEST(DppCombine, NotIntoOperationsOn64Bits) {
  const char *bodies[] = {
      "  %s = shl i64 %w, %z\n  store i64 %s, ptr addrspace(1) %p\n",
      "  %s = uitofp i32 %d to double\n  store double %s, ptr addrspace(1) %p\n",
      "  %m = mul i64 %z, %z\n  %s = add i64 %m, %w\n  store i64 %s, ptr addrspace(1) %p\n",
  };
  for (const char *target : {"gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1201"})
    for (const char *body : bodies) {
      const std::string text = assemblyOf(target, body);
      EXPECT_NE(text.find("v_mov_b32_dpp"), std::string::npos) << target << "\n" << text;
      EXPECT_EQ(StringRef(text).count("quad_perm"), 1u) << target << "\n" << text;
    }
}

TEST(DppCombine, IntoOthers) {
  for (const char *target : {"gfx1010", "gfx1201"}) {
    const std::string text = assemblyOf(target, "  %x = xor i32 %d, 77\n  %y = mul i32 %v, %v\n"
                                                "  %s = xor i32 %d, %y\n"
                                                "  store i32 %s, ptr addrspace(1) %p\n");
    EXPECT_NE(text.find("v_xor_b32_dpp"), std::string::npos) << target << "\n" << text;
  }
}

} // namespace
