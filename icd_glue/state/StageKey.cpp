//===- StageKey.cpp - what code depends on in a shader stage --------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/state/StageKey.h"
#include "icd_glue/key/KeyBytes.h"
#include "icd_glue/state/ShaderModule.h"
#include "icd_glue/state/Specialization.h"
#include "llpc/StateKey.h"

namespace icd {

llpc::Hash128 moduleHashOf(const VkShaderModuleCreateInfo &info) {
  return llpc::hashBytes({reinterpret_cast<const uint8_t *>(info.pCode), info.codeSize});
}

static const VkPipelineShaderStageModuleIdentifierCreateInfoEXT *
identifierOf(const VkPipelineShaderStageCreateInfo &stage) {
  return findInChain<VkPipelineShaderStageModuleIdentifierCreateInfoEXT>(
      stage.pNext, VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT);
}

std::optional<llpc::Hash128> moduleHashOf(const VkPipelineShaderStageCreateInfo &stage) {
  if (auto *module = fromHandle<ShaderModule>(stage.module))
    return module->parsed.hash;
  if (auto *info = findInChain<VkShaderModuleCreateInfo>(
          stage.pNext, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO))
    return moduleHashOf(*info);
  auto *identifier = identifierOf(stage);
  if (!identifier || identifier->identifierSize != sizeof(KeyBytes))
    return std::nullopt;
  return hashOf(identifier->pIdentifier);
}

bool isIdentifierOnly(const VkPipelineShaderStageCreateInfo &stage) {
  if (stage.module || findInChain(stage.pNext, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO))
    return false;
  auto *identifier = identifierOf(stage);
  return identifier && identifier->identifierSize;
}

bool encodeStage(llpc::Hasher &key, const VkPipelineShaderStageCreateInfo &stage,
                 bool viewIsDevice) {
  const std::optional<llpc::Hash128> module = moduleHashOf(stage);
  if (module)
    encodeStage(key, *module, stage, viewIsDevice);
  return module.has_value();
}

void encodeStage(llpc::Hasher &key, const llpc::Hash128 &module,
                 const VkPipelineShaderStageCreateInfo &stage, bool viewIsDevice) {
  // The size that a stage without any of these gets depends on its module.
  constexpr VkPipelineShaderStageCreateFlags codeFlags =
      VK_PIPELINE_SHADER_STAGE_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT |
      VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
  auto *size = findInChain<VkPipelineShaderStageRequiredSubgroupSizeCreateInfo>(
      stage.pNext, VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO);
  key.hash(module);
  key.u32(stage.stage);
  key.u32(stage.flags & codeFlags);
  key.u32(size ? size->requiredSubgroupSize : 0);
  key.boolean(viewIsDevice);
  key.string(stage.pName ? stage.pName : "main");
  encode(key, specializationOf(stage.pSpecializationInfo));
}

} // namespace icd
