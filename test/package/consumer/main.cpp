// SPDX-License-Identifier: MIT
/// \file
/// Uses the installed headers and libraries as a driver would: creates a compiler and hands it a
/// module that is none. Exit code 0 when that is refused as invalid input.
#include "llpc/Compiler.h"
#include "llpc/EntryReflection.h"
#include "pal_shim/abi/TargetInfo.h"
#include <cstdio>

int main() {
  llpc::EntryReflection reflection; // what ShaderModule::reflection() gives
  reflection.traits.set(llpc::EntryTrait::ReadsFragCoord);
  if (!reflection.traits.has(llpc::EntryTrait::ReadsFragCoord) || !reflection.usage.nodes.empty())
    return 5;
  const char *target = "gfx1100";
  if (!pal::abi::findTarget(target))
    return 1;
  llpc::CompilerOptions options;
  options.target = target;
  auto compiler = llpc::Compiler::create(options);
  if (!compiler) {
    std::puts(lgc::consumeToText(compiler.takeError()).message.c_str());
    return 2;
  }
  auto module = (*compiler)->buildShaderModule({});
  if (module)
    return 3;
  lgc::ErrorText error = lgc::consumeToText(module.takeError());
  std::puts(error.message.c_str());
  return error.kind == lgc::ErrorKind::InvalidInput ? 0 : 4;
}
