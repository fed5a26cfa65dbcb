//===- ShaderStage.cpp - VkPipelineShaderStageCreateInfo for the compiler -===//
// SPDX-License-Identifier: MIT
#include "icd_glue/state/ShaderStage.h"
#include "icd_glue/Environment.h"
#include "icd_glue/code/Executable.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/state/KnownModules.h"
#include "icd_glue/state/Specialization.h"
#include "icd_glue/state/StageKey.h"
#include "pal_shim/abi/Try.h"
#include <algorithm>

namespace icd {

namespace {

llvm::Error moduleError(const std::string &message) {
  return llvm::createStringError(std::make_error_code(std::errc::invalid_argument), message);
}

/// Null: an identifier of a module that is not alive.
llvm::Expected<llpc::ShaderModule> moduleOf(Device &device,
                                            const VkPipelineShaderStageCreateInfo &stage) {
  if (auto *module = fromHandle<ShaderModule>(stage.module)) {
    if (!module->parsed.error.empty())
      return moduleError(module->parsed.error);
    return module->parsed.module;
  }
  if (isIdentifierOnly(stage)) {
    const std::optional<llpc::Hash128> hash = moduleHashOf(stage);
    return hash ? device.knownModules().find(*hash) : llpc::ShaderModule();
  }
  auto *info = findInChain<VkShaderModuleCreateInfo>(stage.pNext,
                                                     VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
  if (!info)
    return moduleError("the stage has no shader module");
  ParsedModule parsed = parseModule(device, *info);
  if (!parsed.error.empty())
    return moduleError(parsed.error);
  return std::move(parsed.module);
}

uint32_t subgroupSizeOf(Device &device, const VkPipelineShaderStageCreateInfo &stage,
                        const llpc::ShaderModule &module) {
  if (auto *required = findInChain<VkPipelineShaderStageRequiredSubgroupSizeCreateInfo>(
          stage.pNext, VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO))
    return required->requiredSubgroupSize;
  // Without this permission SubgroupSize is the device's property, which shaders may rely on.
  bool varying = stage.flags & VK_PIPELINE_SHADER_STAGE_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT;
  uint32_t property = device.physicalDevice().properties().subgroupSize;
  return !varying && module.usage().useSubgroupSize ? property : 0;
}

/// The strongest of the two buffer behaviors, in the compiler's terms, which has one switch for
/// both kinds.
void applyRobustness(llpc::PipelineOptions &options, const void *next) {
  auto *info = findInChain<VkPipelineRobustnessCreateInfoEXT>(
      next, VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO_EXT);
  if (!info)
    return;
  constexpr auto robust = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_EXT;
  constexpr auto robust2 = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2_EXT;
  const VkPipelineRobustnessBufferBehaviorEXT behaviors[] = {
      info->storageBuffers, info->uniformBuffers, info->vertexInputs};
  for (VkPipelineRobustnessBufferBehaviorEXT behavior : behaviors) {
    options.robustBufferAccess |= behavior == robust || behavior == robust2;
    options.robustBufferAccess2 |= behavior == robust2;
  }
  options.robustImageAccess2 |=
      info->images == VK_PIPELINE_ROBUSTNESS_IMAGE_BEHAVIOR_ROBUST_IMAGE_ACCESS_2_EXT;
}

} // namespace

llpc::PipelineShaderInfo shaderInfoOf(Device &device, llpc::ShaderModule module,
                                      const VkPipelineShaderStageCreateInfo &stage) {
  llpc::PipelineShaderInfo info;
  info.module = std::move(module);
  info.entryTarget = stage.pName ? stage.pName : "main";
  const auto constants = specializationOf(stage.pSpecializationInfo);
  info.specialization.assign(constants.begin(), constants.end());
  info.options.subgroupSize = subgroupSizeOf(device, stage, info.module);
  info.options.requireFullSubgroups =
      stage.flags & VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
  info.options.vgprLimit = device.environment().vgprLimit;
  info.options.sgprLimit = device.environment().sgprLimit;
  return info;
}

llvm::Expected<llpc::PipelineShaderInfo>
shaderInfoOf(Device &device, const VkPipelineShaderStageCreateInfo &stage) {
  llpc::ShaderModule module = KILN_TRY(moduleOf(device, stage));
  if (!module)
    return llpc::PipelineShaderInfo();
  return shaderInfoOf(device, std::move(module), stage);
}

llvm::Expected<llpc::PipelineShaderInfo>
graphicsShaderOf(Device &device, const VkPipelineShaderStageCreateInfo &stage) {
  llpc::ShaderModule module = KILN_TRY(moduleOf(device, stage));
  if (!module)
    return llpc::PipelineShaderInfo();
  return graphicsShaderOf(device, std::move(module), stage);
}

llvm::Expected<llpc::PipelineShaderInfo>
graphicsShaderOf(Device &device, llpc::ShaderModule module,
                 const VkPipelineShaderStageCreateInfo &stage) {
  const llpc::ShaderStage known = llpc::stageOfVulkan(stage.stage);
  if (known >= llpc::ShaderStage::Compute)
    return lgc::invalidInput("shader stage " + llvm::Twine(stage.stage) + " is no graphics stage");
  llpc::PipelineShaderInfo shader = shaderInfoOf(device, std::move(module), stage);
  shader.entryStage = known;
  return shader;
}

llpc::PipelineOptions pipelineOptionsOf(Device &device, const void *pipelineNext,
                                        llvm::ArrayRef<VkPipelineShaderStageCreateInfo> stages,
                                        VkPipelineCreateFlags2KHR flags) {
  const EnabledFeatures &features = device.features();
  llpc::PipelineOptions options;
  options.robustBufferAccess = features.robustBufferAccess;
  options.robustBufferAccess2 = features.robustBufferAccess2;
  options.robustImageAccess2 = features.robustImageAccess2;
  options.nullDescriptor = features.nullDescriptor;
  options.scalarBlockLayout = features.scalarBlockLayout;
  options.primitivesGeneratedQuery = features.primitivesGeneratedQuery;
  options.meshShaderQueries = features.meshShaderQueries;
  applyRobustness(options, pipelineNext);
  for (const VkPipelineShaderStageCreateInfo &stage : stages)
    applyRobustness(options, stage.pNext);
  options.includeDisassembly = options.includeIr =
      flags & VK_PIPELINE_CREATE_2_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR;
  if (std::optional<unsigned> level = device.environment().optLevel)
    options.optLevel =
        static_cast<lgc::OptLevel>(std::min(*level, static_cast<unsigned>(lgc::OptLevel::Fast)));
  options.tier = device.environment().tier;
  if (flags & VK_PIPELINE_CREATE_2_DISABLE_OPTIMIZATION_BIT_KHR)
    options.optLevel = std::min(options.optLevel, lgc::OptLevel::Quick);
  return options;
}

VkPipelineCreateFlags2KHR pipelineFlagsOf(VkPipelineCreateFlags flags, const void *next) {
  auto *info = findInChain<VkPipelineCreateFlags2CreateInfoKHR>(
      next, VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR);
  return info ? info->flags : flags;
}

} // namespace icd
