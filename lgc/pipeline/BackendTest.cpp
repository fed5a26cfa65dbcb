//===- BackendTest.cpp - whole compilations ------------------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/Compile.h"
#include "lgc/CompileError.h"
#include "lgc/Shader.h"
#include "lgc/pipeline/ShadersForTest.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"
#include <thread>

using namespace lgc;
using namespace lgc::test;

namespace {

struct Compiled {
  std::string error;
  ErrorKind kind = ErrorKind::Internal;
  CompileResult result;
};

Compiled compile(Backend &backend, const char *text, const PipelineState &state) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssemblyString(text, diagnostic, context);
  Compiled compiled;
  if (!module) {
    compiled.error = diagnostic.getMessage().str();
    return compiled;
  }
  llvm::Error error = prepareModule(*module, state);
  llvm::Expected<CompileResult> result =
      error ? llvm::Expected<CompileResult>(std::move(error))
            : backend.compile(std::move(module), OutputKind::Object);
  if (result) {
    compiled.result = std::move(*result);
  } else {
    ErrorText errorText = consumeToText(result.takeError());
    compiled.error = errorText.message;
    compiled.kind = errorText.kind;
  }
  return compiled;
}

PipelineState stateFor(const char *target) {
  PipelineState state;
  state.target = target;
  state.compute.workgroupSize = {64, 2, 1};
  return state;
}

TEST(Backend, EveryTargetAndLevel) {
  Backend backend;
  for (const char *target : {"gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1201"}) {
    for (OptLevel level : {OptLevel::None, OptLevel::Quick, OptLevel::Default, OptLevel::Fast}) {
      PipelineState state = stateFor(target);
      state.options.optLevel = level;
      for (const char *shader : {storeShader, ldsShader}) {
        Compiled c = compile(backend, shader, state);
        EXPECT_EQ(c.error, "") << target;
        EXPECT_EQ(c.result.stats.waveSize, 64u);
        EXPECT_GT(c.result.stats.instructions, 5u);
        EXPECT_GT(c.result.stats.wavesPerSimd, 0u);
        EXPECT_GE(c.result.stats.codeBytes, 4 * c.result.stats.instructions);
        EXPECT_EQ(c.result.stats.ldsBytes, shader == ldsShader ? 1536u : 0u);
      }
    }
  }
}

TEST(Backend, DirectTier) {
  Backend backend;
  for (const char *shader : {storeShader, ldsShader}) {
    PipelineState state = stateFor("gfx1100");
    const Compiled llvm = compile(backend, shader, state);
    EXPECT_FALSE(llvm.result.isDirect);
    EXPECT_EQ(llvm.result.directRefusal, "");
    state.options.tier = Tier::Direct;
    const Compiled direct = compile(backend, shader, state);
    ASSERT_EQ(llvm.error + direct.error, "");
    EXPECT_TRUE(direct.result.isDirect);
    EXPECT_EQ(direct.result.directRefusal, "");
    EXPECT_EQ(direct.result.stats.ldsBytes, llvm.result.stats.ldsBytes);
    EXPECT_GT(direct.result.stats.instructions, 5u);
  }
}

TEST(Backend, DirectTierLeavesToLlvm) {
  auto refusal = [](auto change) {
    Backend backend;
    PipelineState state = stateFor("gfx1100");
    state.options.tier = Tier::Direct;
    change(state);
    const Compiled c = compile(backend, storeShader, state);
    EXPECT_EQ(c.error, "");
    EXPECT_FALSE(c.result.isDirect);
    return c.result.directRefusal;
  };
  EXPECT_EQ(refusal([](PipelineState &s) { s.options.includeDisassembly = true; }), "listing");
}

TEST(Backend, KeptStateGivesTheSameBytes) {
  // Different shaders in between, so that anything a kept pass manager remembers would show.
  PipelineState state = stateFor("gfx1100");
  Backend backend;
  Backend fresh;
  Compiled store = compile(fresh, storeShader, state);
  fresh.trim();
  Compiled lds = compile(fresh, ldsShader, state);
  ASSERT_EQ(store.error + lds.error, "");
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(compile(backend, storeShader, state).result.data, store.result.data);
    EXPECT_EQ(compile(backend, ldsShader, state).result.data, lds.result.data);
  }
}

TEST(Backend, SessionsAreRenewed) {
  PipelineState state = stateFor("gfx1100");
  state.options.optLevel = OptLevel::Quick;
  Backend backend;
  Compiled first = compile(backend, storeShader, state);
  for (int i = 0; i < 1100; ++i)
    ASSERT_EQ(compile(backend, storeShader, state).result.data, first.result.data) << i;
}

TEST(Backend, Threads) {
  Backend backend;
  PipelineState state = stateFor("gfx1201");
  Compiled expected = compile(backend, ldsShader, state);
  ASSERT_EQ(expected.error, "");
  std::vector<std::thread> threads;
  std::array<int, 4> different = {};
  for (size_t t = 0; t < different.size(); ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 10; ++i)
        different[t] += compile(backend, ldsShader, state).result.data != expected.result.data;
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(different, (std::array<int, 4>{}));
}

TEST(Backend, Errors) {
  Backend backend;
  PipelineState state = stateFor("gfx1100");
  Compiled c = compile(backend, storeShader, stateFor("gfx900"));
  EXPECT_EQ(c.error, "unknown target 'gfx900'");
  EXPECT_EQ(c.kind, ErrorKind::InvalidInput);

  c = compile(backend, "define void @f() { ret void }", state);
  EXPECT_EQ(c.error, "module has no entry function 'void @lgc.shader.CS()'");

  c = compile(backend,
              "define void @lgc.shader.CS() { call void @f() ret void }\n"
              "define internal void @f() { call void @g() ret void }\n"
              "define internal void @g() { call void @f() ret void }",
              state);
  EXPECT_EQ(c.error, "function 'f' calls itself");
  EXPECT_EQ(c.kind, ErrorKind::InvalidInput);

  c = compile(backend,
              "define void @lgc.shader.CS() {\n"
              "  %v = call i32 @lgc.user.data__i32_i32(i32 160)\n"
              "  %p = inttoptr i32 %v to ptr addrspace(1)\n"
              "  store i32 %v, ptr addrspace(1) %p\n  ret void\n}\n"
              "declare i32 @lgc.user.data__i32_i32(i32)",
              state);
  EXPECT_EQ(c.error, "user data dword 160 is read, the limit is 160");
  EXPECT_EQ(c.kind, ErrorKind::LimitExceeded);

  // More LDS than a workgroup can have: LLVM's own diagnostic.
  c = compile(backend,
              "@v = internal addrspace(3) global [20000 x i32] poison\n"
              "define void @lgc.shader.CS() {\n"
              "  %v = load i32, ptr addrspace(1) null\n"
              "  %p = getelementptr i32, ptr addrspace(3) @v, i32 %v\n"
              "  store volatile i32 1, ptr addrspace(3) %p\n  ret void\n}",
              state);
  EXPECT_EQ(c.kind, ErrorKind::LimitExceeded) << c.error;
  EXPECT_NE(c.error.find("local memory"), std::string::npos) << c.error;
  // The backend still works.
  EXPECT_EQ(compile(backend, storeShader, state).error, "");
}

TEST(Backend, ExponentialInliningIsRefused) {
  std::string text = "define void @lgc.shader.CS() { call void @f0() ret void }\n";
  for (int i = 0; i < 40; ++i)
    text += "define internal void @f" + std::to_string(i) + "() { call void @f" +
            std::to_string(i + 1) + "() call void @f" + std::to_string(i + 1) + "() ret void }\n";
  text += "define internal void @f40() { store volatile i32 0, ptr addrspace(1) null ret void }";
  Backend backend;
  Compiled c = compile(backend, text.c_str(), stateFor("gfx1100"));
  EXPECT_EQ(c.kind, ErrorKind::LimitExceeded);
  EXPECT_EQ(c.error, "more than 4000000 instructions after inlining of functions");
}

} // namespace
