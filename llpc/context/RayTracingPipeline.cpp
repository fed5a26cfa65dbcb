//===- RayTracingPipeline.cpp - a ray tracing pipeline from SPIR-V to ELF --===//
// SPDX-License-Identifier: MIT
#include "lgc/RayLaunch.h"
#include "lgc/RayStack.h"
#include "lgc/Shader.h"
#include "llpc/RayTracing.h"
#include "llpc/context/AutoLayout.h"
#include "llpc/context/CompilerImpl.h"
#include "llpc/context/PipelineBuild.h"
#include "llpc/context/PipelineKey.h"
#include "llpc/context/ShaderModule.h"
#include "llpc/translate/Translator.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/DenseSet.h"

namespace llpc {

namespace {

/// User data that the API has.
constexpr uint32_t userDataLimit = pal::abi::userdata::maxEntries;

llvm::Error checkLaunchUserData(const RayTracingPipelineBuildInfo &info) {
  const uint64_t launch = info.launchUserData;
  if (launch > userDataLimit - 2)
    return lgc::invalidInput("launchUserData " + llvm::Twine(launch) + "; the limit is " +
                             llvm::Twine(userDataLimit - 2));
  for (const lgc::ResourceNode &node : info.resourceMapping.roots)
    if (launch < uint64_t(node.offsetInDwords) + node.sizeInDwords &&
        node.offsetInDwords < launch + 2)
      return lgc::invalidInput("launchUserData " + llvm::Twine(launch) + ": the node at dword " +
                               llvm::Twine(node.offsetInDwords) + " has a dword of it");
  return llvm::Error::success();
}

llvm::Error checkInfo(const RayTracingPipelineBuildInfo &info) {
  llvm::DenseSet<uint64_t> ids;
  bool hasRayGeneration = false;
  for (const RayTracingShaderInfo &shader : info.shaders) {
    if (!lgc::isRayStage(lgcStage(shader.entryStage)))
      return lgc::invalidInput("a ray tracing pipeline cannot have " +
                               withArticle(shaderStageName(shader.entryStage)) + " shader");
    KILN_TRY(checkShader(shader, shader.entryStage));
    KILN_TRY(checkOptions(shader));
    if (shader.id == 0 || !ids.insert(shader.id).second)
      return lgc::invalidInput(shaderStageName(shader.entryStage) + " shader '" +
                               shader.entryTarget + "': id " + llvm::Twine(shader.id) +
                               " is 0 or another shader's");
    hasRayGeneration |= shader.entryStage == ShaderStage::RayGen;
  }
  if (!hasRayGeneration && info.output != OutputKind::LgcIr) // nothing would call the others
    return lgc::invalidInput("a ray tracing pipeline without a ray generation shader");
  return checkLaunchUserData(info);
}

/// Shaders share waves, and so modes.
class SharedState : public RayShaderHooks {
public:
  explicit SharedState(const RayTracingPipelineBuildInfo &info) : info(info) {}

  void begin(unsigned index, TranslateOptions &options, lgc::PipelineState &state) override {
    options.entryFunction = lgc::rayShaderName(index);
    if (index == 0)
      shared.reset();
    state.compute = {};
  }

  llvm::Error end(unsigned index, llvm::Module &module, lgc::PipelineState &state) override {
    const RayTracingShaderInfo &shader = info.shaders[index];
    lgc::markRayShader(*module.getFunction(lgc::rayShaderName(index)),
                       {lgcStage(shader.entryStage), shader.id});
    if (shared)
      KILN_TRY(merge(state.compute, shader));
    else
      shared = state.compute;
    state.compute = *shared;
    state.compute.workgroupSize = {1u << lgc::launch::launchGroupShift, 1, 1};
    return llvm::Error::success();
  }

private:
  llvm::Error merge(const lgc::ShaderState &own, const RayTracingShaderInfo &shader) {
    for (lgc::FloatMode lgc::ShaderState::*width :
         {&lgc::ShaderState::fp16, &lgc::ShaderState::fp32, &lgc::ShaderState::fp64}) {
      lgc::FloatMode &mode = (*shared).*width;
      const lgc::FloatMode &other = own.*width;
      const bool conflict =
          mode.demandsDenorms && other.demandsDenorms && mode.flushDenorms != other.flushDenorms;
      if (conflict || mode.roundTowardZero != other.roundTowardZero)
        return lgc::unsupported(shaderStageName(shader.entryStage) + " shader '" +
                                shader.entryTarget +
                                "' has other denormal or rounding modes than other shaders of its "
                                "pipeline, which run in the same waves");
      if (other.demandsDenorms)
        mode.flushDenorms = other.flushDenorms;
      else if (!mode.demandsDenorms)
        mode.flushDenorms &= other.flushDenorms;
      mode.demandsDenorms |= other.demandsDenorms;
      mode.preserveSpecials |= other.preserveSpecials;
    }
    shared->usesSubgroupOps |= own.usesSubgroupOps;
    // 0: the shader asks for none.
    for (uint32_t lgc::ShaderState::*size :
         {&lgc::ShaderState::waveSize, &lgc::ShaderState::subgroupSize}) {
      uint32_t &all = (*shared).*size;
      if (all && own.*size && own.*size != all)
        return lgc::unsupported(shaderStageName(shader.entryStage) + " shader '" +
                                shader.entryTarget +
                                "' has another subgroup size than other shaders of its pipeline");
      all = std::max(all, own.*size);
    }
    return llvm::Error::success();
  }

  const RayTracingPipelineBuildInfo &info;
  std::optional<lgc::ShaderState> shared;
};

} // namespace

llvm::Expected<uint32_t> rayTracingStackBytes(llvm::ArrayRef<uint8_t> elf, ShaderStage stage) {
  const lgc::RayStack stack = KILN_TRY(lgc::readRayStack(elf));
  return static_cast<uint32_t>(std::min<uint64_t>(stack.ofStage(lgcStage(stage)), UINT32_MAX));
}

llvm::Error applyAutoLayout(RayTracingPipelineBuildInfo &info) {
  ResourceUsage usage;
  for (const RayTracingShaderInfo &shader : info.shaders) {
    KILN_TRY(checkShader(shader, shader.entryStage));
    const spirv::EntryPoint *entry = shader.module.spirvModule().findEntryPoint(
        executionModelOf(shader.entryStage), shader.entryTarget);
    mergeResourceUsage(usage, KILN_TRY(collectResourceUsage(shader.module.spirvModule(), *entry,
                                                            shader.specialization)));
  }
  info.resourceMapping = KILN_TRY(buildAutoLayout(usage));
  info.launchUserData = userDataBehind(info.resourceMapping);
  return llvm::Error::success();
}

uint32_t userDataBehind(const ResourceMappingData &mapping) {
  uint64_t behind = 0;
  for (const lgc::ResourceNode &node : mapping.roots)
    behind = std::max(behind, uint64_t(node.offsetInDwords) + node.sizeInDwords);
  return static_cast<uint32_t>(
      std::min<uint64_t>(behind, UINT32_MAX)); // too many is an error later
}

llvm::Expected<RayTracingPipelineResult>
Compiler::buildRayTracingPipeline(const RayTracingPipelineBuildInfo &info) const {
  KILN_TRY(checkInfo(info));
  RayTracingPipelineResult result;
  result.hashes = rayTracingPipelineHashes(info, impl->target.name);
  llvm::SmallVector<const PipelineShaderInfo *, 8> shaders;
  for (const RayTracingShaderInfo &shader : info.shaders)
    shaders.push_back(&shader);
  SharedState state(info);
  PipelineBuild build(info, shaders, impl->target.name, impl->backend, result);
  build.setRays(state);
  KILN_TRY(build.run([&](lgc::PipelineState &to) {
    to.rays = info;
    return llvm::Error::success();
  }));
  result.statistics = statisticsOf(build.compiled().stats);
  result.statistics.workgroupSize = build.state().compute.workgroupSize;
  if (info.output == OutputKind::Elf)
    for (const RayTracingShaderInfo &shader : info.shaders)
      result.shaders.push_back(
          {shader.id, shader.entryStage,
           KILN_TRY(rayTracingStackBytes(result.elf.bytes(), shader.entryStage))});
  return result;
}

PipelineHashes Compiler::hashRayTracingPipeline(const RayTracingPipelineBuildInfo &info) const {
  return rayTracingPipelineHashes(info, impl->target.name);
}

} // namespace llpc
