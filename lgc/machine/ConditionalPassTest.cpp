//===- ConditionalPassTest.cpp - passes that run when needed --------------===//
// SPDX-License-Identifier: MIT
#include "lgc/machine/ConditionalPass.h"
#include "lgc/target/CodegenPipeline.h"
#include "lgc/target/TargetMachine.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Target/TargetMachine.h"
#include "gtest/gtest.h"

using namespace lgc;
using namespace llvm;

namespace {

/// Notes the functions that it sees, and is told of the module.
class Visitor : public MachineFunctionPass {
public:
  static char ID;
  explicit Visitor(std::string &seen) : MachineFunctionPass(ID), seen(seen) {}
  bool doInitialization(Module &module) override {
    seen += "[";
    return MachineFunctionPass::doInitialization(module);
  }
  bool doFinalization(Module &) override {
    seen += "]";
    return false;
  }
  bool runOnMachineFunction(MachineFunction &function) override {
    seen += function.getName();
    return false;
  }

private:
  std::string &seen;
};
char Visitor::ID = 0;

/// A shader with `count` uniform values that are alive at the same time.
std::string shaderWith(unsigned count) {
  std::string loads, up = "  %u0 = add i32 %v0, 1\n", down;
  for (unsigned i = 0; i < count; ++i) {
    const std::string n = std::to_string(i);
    loads += "  %p" + n + " = getelementptr i32, ptr addrspace(1) %in, i32 " + n + "\n  %l" + n +
             " = load volatile i32, ptr addrspace(1) %p" + n + "\n  %v" + n +
             " = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %l" + n + ")\n";
    const std::string before = i ? "%u" + std::to_string(i - 1) : "";
    if (i)
      up += "  %m" + n + " = mul i32 " + before + ", 3\n  %u" + n + " = add i32 %m" + n + ", %v" +
            n + "\n";
  }
  std::string last = "%u" + std::to_string(count - 1);
  for (unsigned i = count; i-- > 0;) {
    const std::string n = std::to_string(i);
    down += "  %k" + n + " = mul i32 " + last + ", 5\n  %d" + n + " = add i32 %k" + n + ", %v" + n +
            "\n";
    last = "%d" + n;
  }
  return "target triple = \"amdgcn-amd-amdpal\"\n"
         "declare i32 @llvm.amdgcn.readfirstlane.i32(i32)\n"
         "define amdgpu_cs void @_amdgpu_cs_main(ptr addrspace(1) %in) "
         "\"target-cpu\"=\"gfx1100\" \"target-features\"=\"+wavefrontsize32,-real-true16\" {\n" +
         loads + up + down + "  store volatile i32 " + last +
         ", ptr addrspace(1) %in\n  ret void\n}\n";
}

std::string assemblyOf(const std::string &ir) {
  auto session = TargetSession::create("gfx1100", OptLevel::Default);
  EXPECT_TRUE(static_cast<bool>(session));
  LLVMContext context;
  SMDiagnostic problem;
  std::unique_ptr<Module> module = parseAssemblyString(ir, problem, context);
  if (!module)
    return "error: " + problem.getMessage().str();
  module->setDataLayout((*session)->machine().createDataLayout());
  SmallString<0> text;
  InstructionCounts counts;
  (*session)->generate(*module, /*assembly=*/true, text, counts);
  return text.str().str();
}

TEST(ConditionalPass, RunsTheInnerPassWhereTheConditionHolds) {
  auto session = TargetSession::create("gfx1100", OptLevel::Default);
  ASSERT_TRUE(static_cast<bool>(session));
  LLVMContext context;
  SMDiagnostic problem;
  std::unique_ptr<Module> module = parseAssemblyString("target triple = \"amdgcn-amd-amdpal\"\n"
                                                       "define amdgpu_cs void @a() { ret void }\n"
                                                       "define amdgpu_cs void @b() { ret void }\n"
                                                       "define amdgpu_cs void @c() { ret void }\n",
                                                       problem, context);
  ASSERT_TRUE(module) << problem.getMessage().str();
  module->setDataLayout((*session)->machine().createDataLayout());
  std::string all, some;
  legacy::PassManager passes;
  passes.add(new MachineModuleInfoWrapperPass(&(*session)->machine()));
  passes.add(new Visitor(all)); // makes the machine functions
  passes.add(new ConditionalPass(
      std::make_unique<Visitor>(some),
      [](MachineFunction &f, ConditionalPass &) { return f.getName() != "b"; }));
  passes.run(*module);
  EXPECT_EQ(all, "[abc]");
  EXPECT_EQ(some, "[ac]");
}

TEST(ConditionalPass, ScalarRegistersAreSpilledToLanes) {
  // Fits the budget; does not, but fits the registers; has to be spilled.
  for (unsigned count : {8u, sgprBudget - 8, sgprBudget + 16, 160u}) {
    const std::string text = assemblyOf(shaderWith(count));
    EXPECT_NE(text.find("s_endpgm"), std::string::npos) << text;
    EXPECT_EQ(text.find("v_writelane_b32") != std::string::npos, count == 160) << count;
    EXPECT_EQ(text.find("v_readlane_b32") != std::string::npos, count == 160) << count;
    EXPECT_EQ(text.find("scratch_store"), std::string::npos) << count;
  }
}

} // namespace
