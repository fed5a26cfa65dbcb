//===- Options.cpp - AMD's options as the compiler's ----------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/amd/Options.h"
#include <algorithm>

namespace icd::amd {
namespace {

llvm::StringRef consequenceOf(Effect effect) {
  switch (effect) {
  case Effect::Results:
    return "results may differ from what the driver wants";
  case Effect::Speed:
    return "code may be slower";
  case Effect::Tools:
    return "debuggers and profilers see less";
  default:
    return "";
  }
}

/// Shadow tables hold descriptors of FMASK, which gfx10 alone has.
bool isOfOtherGpu(llvm::StringRef name, unsigned gfxMajor) {
  return name == "options.shadowDescriptorTableUsage" && gfxMajor != 10;
}

template <typename Options>
void warn(Log &log, llvm::ArrayRef<OptionRow<Options>> rows, const Options &options,
          unsigned gfxMajor) {
  for (const OptionRow<Options> &row : rows) {
    const llvm::StringRef consequence = consequenceOf(row.effect);
    const uint64_t value = row.value(options);
    if (consequence.empty() || value == 0 || value == row.harmless ||
        isOfOtherGpu(row.name, gfxMajor))
      continue;
    log.once(row.name,
             "option " + row.name + " = " + llvm::Twine(value) + " has no effect: " + consequence);
  }
}

template <typename Options>
void hashAll(llpc::Hasher &hasher, llvm::ArrayRef<OptionRow<Options>> rows,
             const Options &options) {
  for (const OptionRow<Options> &row : rows)
    hasher.u64(row.value(options));
}

/// UINT_MAX switches a limit off.
uint32_t limitOf(unsigned limit) { return limit == UINT32_MAX ? 0 : limit; }

} // namespace

void warnOfOptions(Log &log, const Vkgc::ComputePipelineBuildInfo &info, unsigned gfxMajor) {
  warn(log, pipelineOptionRows(), info.options, gfxMajor);
  warn(log, computeOptionRows(), info, gfxMajor);
  warn(log, shaderOptionRows(), info.cs.options, gfxMajor);
}

void warnOfOptions(Log &log, const Vkgc::GraphicsPipelineBuildInfo &info, unsigned gfxMajor) {
  warn(log, pipelineOptionRows(), info.options, gfxMajor);
  warn(log, nggOptionRows(), info.nggState, gfxMajor);
  warn(log, graphicsOptionRows(), info, gfxMajor);
  for (const Vkgc::PipelineShaderInfo *shader : shadersOf(info))
    if (shader->pModuleData)
      warn(log, shaderOptionRows(), shader->options, gfxMajor);
}

void hashOptions(llpc::Hasher &hasher, const Vkgc::PipelineOptions &options) {
  hashAll(hasher, pipelineOptionRows(), options);
}
void hashOptions(llpc::Hasher &hasher, const Vkgc::PipelineShaderOptions &options) {
  hashAll(hasher, shaderOptionRows(), options);
}
void hashOptions(llpc::Hasher &hasher, const Vkgc::NggState &options) {
  hashAll(hasher, nggOptionRows(), options);
}

llpc::PipelineOptions pipelineOptionsOf(const Vkgc::PipelineOptions &from) {
  llpc::PipelineOptions options;
  options.robustBufferAccess =
      from.robustBufferAccess || from.extendedRobustness.robustBufferAccess;
  options.robustBufferAccess2 = from.extendedRobustness.robustBufferAccess;
  options.robustImageAccess2 = from.extendedRobustness.robustImageAccess;
  options.nullDescriptor = from.extendedRobustness.nullDescriptor;
  options.scalarBlockLayout = from.scalarBlockLayout;
  options.primitivesGeneratedQuery = from.enablePrimGeneratedQuery;
  options.includeIr = from.includeIr;
  options.includeDisassembly = from.includeDisassembly;
  options.optLevel = static_cast<lgc::OptLevel>(std::min(from.optimizationLevel, 3u));
  return options;
}

llpc::PipelineShaderOptions shaderOptionsOf(const Vkgc::PipelineShaderOptions &from,
                                            uint32_t subgroupSize,
                                            const llpc::ShaderModuleUsage &usage) {
  llpc::PipelineShaderOptions options;
  options.clientHash[0] = from.clientHash.lower;
  options.clientHash[1] = from.clientHash.upper;
  options.vgprLimit = limitOf(from.vgprLimit);
  options.sgprLimit = limitOf(from.sgprLimit);
  options.disableLoopUnroll = from.disableLoopUnroll || from.forceLoopUnrollCount == 1;
  options.wgpMode = from.wgpMode;
  options.forceLateZ = from.forceLateZ;
  options.allowReZ = from.allowReZ;
  options.viewIndexFromDeviceIndex = from.viewIndexFromDeviceIndex;
  if (from.fp32DenormalMode <= Vkgc::DenormalMode::Preserve)
    options.fp32DenormalMode = static_cast<llpc::DenormalMode>(from.fp32DenormalMode);
  options.disableFMA = from.disableFMA;
  options.noContractOpDot = from.noContractOpDot;
  options.forwardPropagateNoContract = from.forwardPropagateNoContract;
  options.backwardPropagateNoContract = from.backwardPropagateNoContract;
  options.forceMemoryBarrierScope = from.forceMemoryBarrierScope;
  if (from.waveSize == 32 || from.waveSize == 64)
    options.waveSize = from.waveSize;
  // A shader that looks at the size of subgroups sees the device's one, unless it may choose or
  // another one is required.
  if (from.subgroupSize == 32 || from.subgroupSize == 64)
    options.subgroupSize = from.subgroupSize;
  else if (usage.useSubgroupSize && !from.allowVaryWaveSize)
    options.subgroupSize = subgroupSize;
  return options;
}

llpc::NggState nggStateOf(const Vkgc::NggState &from) {
  llpc::NggState state;
  state.enable = from.enableNgg;
  state.enableGsUse = from.enableGsUse;
  state.backfaceCulling = from.enableBackfaceCulling;
  state.frustumCulling =
      from.enableFrustumCulling || from.enableBoxFilterCulling || from.enableSphereCulling;
  state.smallPrimitiveFilter = from.enableSmallPrimFilter;
  state.cullDistanceCulling = from.enableCullDistanceCulling;
  if (from.subgroupSizing == Vkgc::NggSubgroupSizingType::Explicit) {
    state.primsPerSubgroup = from.primsPerSubgroup;
    state.vertsPerSubgroup = from.vertsPerSubgroup;
  }
  return state;
}

} // namespace icd::amd
