//===- ShaderModule.h - VkShaderModule ------------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/Object.h"
#include "llpc/Compiler.h"

namespace icd {

class Device;

/// A parsed module, or why it could not be parsed: Vulkan has no result for a bad module, so its
/// pipelines fail instead.
struct ParsedModule {
  llpc::ShaderModule module;
  std::string error;       ///< empty if `module` is usable
  uint64_t spirvBytes = 0; ///< of what was parsed
  llpc::Hash128 hash =
      {}; ///< of these bytes, whether they could be parsed or not (state/StageKey.h)
};
ParsedModule parseModule(const Device &device, const VkShaderModuleCreateInfo &info);

class ShaderModule : public Object {
public:
  using Handle = VkShaderModule;
  static constexpr VkObjectType type = VK_OBJECT_TYPE_SHADER_MODULE;
  explicit ShaderModule(ParsedModule parsed) : Object(type), parsed(std::move(parsed)) {}

  const ParsedModule parsed;
};

} // namespace icd
