//===- FuzzKernels.cpp - fuzz target: OpenCL kernels to code objects ------===//
// SPDX-License-Identifier: MIT
/// \file
/// What fuzz-compile does with Vulkan's modules, with those of the Kernel dialect: sizes are filled
/// in, arguments found, and kernels compiled, one family each time. The input is also the built-in
/// library, as damaged as it is. An error of kind Internal is a finding.
#include "llpc/Kernels.h"
#include "test/fuzz/SpirvMutator.h"
#include <cstdio>
#include <cstdlib>

using namespace llpc;

namespace {

constexpr size_t maxModuleBytes = 64 * 1024;
constexpr unsigned maxEntries = 2; ///< per module, so that time stays proportional to size
constexpr const char *targets[] = {"gfx1100", "gfx1010", "gfx1030", "gfx1201"};

const Compiler &compiler(size_t target) {
  static std::unique_ptr<Compiler> instances[std::size(targets)];
  std::unique_ptr<Compiler> &instance = instances[target];
  if (!instance) {
    auto created = Compiler::create({.target = targets[target]});
    if (!created)
      std::abort();
    instance = std::move(*created);
  }
  return *instance;
}

/// Aborts on internal errors, so that libFuzzer keeps the input.
void judge(llvm::Error error) {
  const lgc::ErrorText text = lgc::consumeToText(std::move(error));
  if (text.kind != lgc::ErrorKind::Internal)
    return;
  std::fprintf(stderr, "fuzz-kernels: internal error: %s\n", text.message.c_str());
  std::abort();
}

void compileKernel(const ShaderModule &module, const ShaderEntryName &entry) {
  auto interface = kernelInterface(module, entry.name);
  if (!interface)
    return judge(interface.takeError());
  ComputePipelineBuildInfo info;
  info.cs.module = module;
  info.cs.entryTarget = entry.name;
  info.verifyIr = true;
  info.options.optLevel = lgc::OptLevel::Quick;
  auto mapping = Compiler::buildAutoLayout(module, info.cs);
  if (!mapping)
    return judge(mapping.takeError());
  info.resourceMapping = std::move(*mapping);
  auto result = compiler(module.hash()[0] % std::size(targets)).buildComputePipeline(info);
  if (!result)
    judge(result.takeError());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > maxModuleBytes)
    return 0;
  KernelSizes sizes;
  sizes.workgroup = {8, 2, 1};
  sizes.local.assign(16, 64);
  auto complete = completeKernels({data, size}, sizes);
  if (!complete) {
    judge(complete.takeError());
    return 0;
  }
  auto module = buildKernelModule(*complete, {}, makeKernelLibrary({data, data + size}));
  if (!module) {
    judge(module.takeError());
    return 0;
  }
  unsigned compiled = 0;
  for (const ShaderEntryName &entry : module->entries())
    if (entry.stage == ShaderStage::Compute && compiled++ < maxEntries)
      compileKernel(*module, entry);
  return 0;
}
