//===- ModuleIdentifier.cpp - VK_EXT_shader_module_identifier -------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The identifier of a module is the hash that keys have of it (state/StageKey.h).
#include "icd_glue/key/KeyBytes.h"
#include "icd_glue/state/ShaderModule.h"
#include "icd_glue/state/StageKey.h"
#include <cstring>

namespace icd {

static_assert(sizeof(KeyBytes) <= VK_MAX_SHADER_MODULE_IDENTIFIER_SIZE_EXT);

static void write(VkShaderModuleIdentifierEXT &identifier, const llpc::Hash128 &hash) {
  const KeyBytes bytes = bytesOf(hash);
  identifier.identifierSize = bytes.size();
  std::memset(identifier.identifier, 0, sizeof(identifier.identifier));
  std::memcpy(identifier.identifier, bytes.data(), bytes.size());
}

VKAPI_ATTR void VKAPI_CALL GetShaderModuleIdentifierEXT(VkDevice, VkShaderModule shaderModule,
                                                        VkShaderModuleIdentifierEXT *identifier) {
  write(*identifier, fromHandle<ShaderModule>(shaderModule)->parsed.hash);
}

VKAPI_ATTR void VKAPI_CALL GetShaderModuleCreateInfoIdentifierEXT(
    VkDevice, const VkShaderModuleCreateInfo *info, VkShaderModuleIdentifierEXT *identifier) {
  write(*identifier, moduleHashOf(*info));
}

} // namespace icd
