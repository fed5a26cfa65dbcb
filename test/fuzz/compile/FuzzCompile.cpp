//===- FuzzCompile.cpp - fuzz target: SPIR-V bytes to code object ---------===//
// SPDX-License-Identifier: MIT
/// \file
/// The whole compile path on arbitrary modules: reader, reflection, automatic layout, translation,
/// lowering, LLVM, code object checks. Compute entry points and graphics entry points are compiled
/// alone, and a module with several graphics stages as one pipeline of the first of each. Besides
/// crashes, hangs and leaks, an error of kind Internal is a finding: whatever the input is, it must
/// be invalid, unsupported or too large, or compile. Mutations mostly exchange operand words of
/// whole instructions: random bytes seldom get past the reader, and what lies behind it is the
/// point here.
#include "llpc/Compiler.h"
#include "test/fuzz/SpirvMutator.h"
#include <cstdio>
#include <cstdlib>
#include <iterator>

using namespace llpc;

namespace {

constexpr size_t maxModuleBytes = 64 * 1024;
constexpr unsigned maxEntries = 2; ///< per module, so that time stays proportional to size

/// Compute takes the first; graphics differs most between these.
constexpr const char *targets[] = {"gfx1100", "gfx1010", "gfx1030", "gfx1201"};
constexpr size_t targetCount = std::size(targets);

const Compiler &compiler(size_t target = 0) {
  static std::unique_ptr<Compiler> instances[targetCount];
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
  lgc::ErrorText text = lgc::consumeToText(std::move(error));
  if (text.kind != lgc::ErrorKind::Internal)
    return;
  std::fprintf(stderr, "fuzz-compile: internal error: %s\n", text.message.c_str());
  std::abort();
}

void compileEntry(const ShaderModule &module, const ShaderEntryName &entry) {
  ComputePipelineBuildInfo info;
  info.cs.module = module;
  info.cs.entryTarget = entry.name;
  info.verifyIr = true;
  info.options.optLevel = lgc::OptLevel::Quick;
  // Both ways, and the same every time.
  info.options.robustBufferAccess = module.hash()[0] & 1;
  info.options.tier = module.hash()[0] & 2 ? lgc::Tier::Direct : lgc::Tier::Llvm;
  auto mapping = Compiler::buildAutoLayout(module, info.cs);
  if (!mapping)
    return judge(mapping.takeError());
  info.resourceMapping = std::move(*mapping);
  auto result = compiler().buildComputePipeline(info);
  if (!result)
    judge(result.takeError());
}

/// The stages that a part must have around it.
uint32_t presumedStages(uint32_t mask) {
  constexpr uint32_t vertex = stageBit(ShaderStage::Vertex), mesh = stageBit(ShaderStage::Mesh);
  constexpr uint32_t tess = stageBit(ShaderStage::TessControl) | stageBit(ShaderStage::TessEval);
  uint32_t all = mask | stageBit(ShaderStage::Fragment);
  if (mask & tess)
    all |= tess;
  if (mask & stageBit(ShaderStage::Task))
    all |= mesh;
  return all & mesh ? all : all | vertex;
}

/// State that no shader decides, from bits of the module's hash: the same every time.
void varyState(GraphicsPipelineBuildInfo &info, uint64_t bits) {
  auto take = [&] {
    bool bit = bits & 1;
    bits >>= 1;
    return bit;
  };
  info.options.robustBufferAccess = take();
  info.rsState.numSamples = take() ? 4 : 1;
  info.rsState.perSampleShading = take();
  info.rsState.dynamicSampleInfo = take();
  info.rsState.provokingVertexMode =
      take() ? ProvokingVertexMode::Last : ProvokingVertexMode::First;
  info.cbState.alphaToCoverageEnable = take();
  info.cbState.dualSourceBlendDynamic = take();
  info.iaState.dynamicTopology = take();
  info.dynamicVertexStride = take();
  info.enableRobustUnboundVertex = take();
  info.unalignedVertexFetch = take();
  info.useSoftwareVertexBufferDescriptors = take();
  info.iaState.enableMultiView = take();
  info.nggState.enable = take();
  info.nggState.enableGsUse = take();
  info.nggState.backfaceCulling = info.nggState.frustumCulling = take();
}

/// One pipeline, or part of one, of these entry points: at most one of each stage.
void compileGraphics(const ShaderModule &module, llvm::ArrayRef<ShaderEntryName> entries) {
  GraphicsPipelineBuildInfo info;
  for (const ShaderEntryName &entry : entries) {
    info.shader(entry.stage).module = module;
    info.shader(entry.stage).entryTarget = entry.name;
  }
  info.verifyIr = true;
  info.options.optLevel = lgc::OptLevel::Quick;
  const uint64_t bits = module.hash()[1] + entries.size();
  info.stageMask = presumedStages(info.allStages());
  if (llvm::Error error = Compiler::applyAutoLayout(info))
    return judge(std::move(error));
  varyState(info, bits >> 2);
  auto result = compiler(bits % targetCount).buildGraphicsPipeline(info);
  if (!result)
    judge(result.takeError());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > maxModuleBytes)
    return 0;
  auto module = compiler().buildShaderModule({data, size});
  if (!module) {
    judge(module.takeError());
    return 0;
  }
  unsigned compiled = 0;
  uint32_t stages = 0;
  std::vector<ShaderEntryName> pipeline;
  for (const ShaderEntryName &entry : module->entries()) {
    if (entry.stage == ShaderStage::Compute) {
      if (compiled++ < maxEntries)
        compileEntry(*module, entry);
    } else if (entry.stage < ShaderStage::Compute) {
      if (compiled++ < maxEntries)
        compileGraphics(*module, entry);
      if (!(stages & stageBit(entry.stage)))
        pipeline.push_back(entry);
      stages |= stageBit(entry.stage);
    }
  }
  if (pipeline.size() > 1)
    compileGraphics(*module, pipeline);
  return 0;
}
