//===- CompilerForTest.h - compilers and modules, or a failed test --------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llpc/Compiler.h"
#include "llpc/spirv/TestModule.h"
#include <gtest/gtest.h>

namespace llpc::test {

inline std::unique_ptr<Compiler> compilerFor(const char *target) {
  auto compiler = Compiler::create({.target = target});
  if (compiler)
    return std::move(*compiler);
  ADD_FAILURE() << lgc::consumeToText(compiler.takeError()).message;
  return nullptr;
}

inline ShaderModule moduleOf(const spirv::test::TestModule &m) {
  auto module = Compiler::buildShaderModule(m.bytes());
  if (module)
    return *module;
  ADD_FAILURE() << lgc::consumeToText(module.takeError()).message;
  return {};
}

} // namespace llpc::test
