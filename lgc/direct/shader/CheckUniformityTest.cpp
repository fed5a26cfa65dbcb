// SPDX-License-Identifier: MIT
// Scalars of the direct tier against LLVM's uniformity analysis.
#include "lgc/direct/shader/CheckUniformity.h"
#include "lgc/Shader.h"
#include "lgc/pipeline/PassSession.h"
#include "lgc/target/TargetSession.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace lgc;
using namespace lgc::direct;

namespace {

constexpr const char *text = R"(
  define amdgpu_cs void @f(i32 %x, i32 inreg %limit, ptr addrspace(1) inreg %out) {
    %sum = add i32 %x, %limit
    %far = icmp ult i32 %sum, 7
    br i1 %far, label %then, label %join
  then:
    br label %join
  join:
    %p = phi i32 [ 1, %0 ], [ 2, %then ]
    store i32 %p, ptr addrspace(1) %out
    ret void
  })";

class CheckUniformity : public testing::Test {
protected:
  void SetUp() override {
    auto made = TargetSession::create("gfx1100", OptLevel::Default);
    ASSERT_TRUE(bool(made));
    session = std::move(*made);
    passes = std::make_unique<PassSession>(session->machine());
    llvm::SMDiagnostic diagnostic;
    module = llvm::parseAssemblyString(text, diagnostic, context);
    ASSERT_TRUE(module) << diagnostic.getMessage().str();
    setTarget(*module);
    function = module->getFunction("f");
    function->addFnAttr("target-cpu", "gfx1100");
  }
  void TearDown() override { passes->clear(); }

  llvm::LLVMContext context;
  std::unique_ptr<TargetSession> session;
  std::unique_ptr<PassSession> passes;
  std::unique_ptr<llvm::Module> module;
  llvm::Function *function = nullptr;
};

TEST_F(CheckUniformity, AgreesWithLlvm) {
  EXPECT_EQ(checkUniformity(*function, passes->uniformityOf(*function)), "");
}

// What LLVM has seen as an argument of each lane becomes one of the wave.
TEST_F(CheckUniformity, FindsAScalarThatDiffers) {
  const llvm::UniformityInfo &uniformity = passes->uniformityOf(*function);
  function->getArg(0)->addAttr(llvm::Attribute::InReg);
  EXPECT_EQ(checkUniformity(*function, uniformity),
            "scalar, and divergent to LLVM:  %sum = add i32 %x, %limit");
}

} // namespace
