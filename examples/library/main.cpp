// SPDX-License-Identifier: MIT
/// \file
/// compile SHADER.spv OUT.elf: the compute shader `main` as a code object for gfx1100.
#include "llpc/Compiler.h"
#include <cstdio>
#include <fstream>
#include <iterator>

static llvm::Error compile(const char *in, const char *out) {
  std::ifstream file(in, std::ios::binary);
  const std::vector<uint8_t> spirv{std::istreambuf_iterator<char>(file), {}};
  llpc::CompilerOptions options;
  options.target = "gfx1100";
  auto compiler = llpc::Compiler::create(options);
  if (!compiler)
    return compiler.takeError();
  auto module = (*compiler)->buildShaderModule(spirv);
  if (!module)
    return module.takeError();
  llpc::ComputePipelineBuildInfo info;
  info.cs.module = *module;
  auto layout = llpc::Compiler::buildAutoLayout(*module, info.cs); // a driver knows its own
  if (!layout)
    return layout.takeError();
  info.resourceMapping = *layout;
  auto pipeline = (*compiler)->buildComputePipeline(info);
  if (!pipeline)
    return pipeline.takeError();
  std::printf("%u VGPRs, %u SGPRs, %u instructions\n", pipeline->statistics.vgprs,
              pipeline->statistics.sgprs, pipeline->statistics.instructions);
  const llvm::ArrayRef<uint8_t> elf = pipeline->elf.bytes();
  std::ofstream(out, std::ios::binary)
      .write(reinterpret_cast<const char *>(elf.data()), static_cast<std::streamsize>(elf.size()));
  return llvm::Error::success();
}

int main(int count, char **arguments) {
  if (count != 3)
    return std::puts("usage: compile SHADER.spv OUT.elf"), 2;
  if (llvm::Error error = compile(arguments[1], arguments[2]))
    return std::puts(lgc::consumeToText(std::move(error)).message.c_str()), 1;
  return 0;
}
