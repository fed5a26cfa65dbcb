//===- Pipelines.h - a compute and a graphics pipeline to create often ----===//
// SPDX-License-Identifier: MIT
/// \file
/// Create infos whose parts tests may change, and what the pipelines compute: creating the same by
/// way of a cache, of binaries or of identifiers must give the same result.
#pragma once

#include "Gpu.h"
#include "test/vulkan/GraphicsInfo.h"
#include <optional>

namespace api {

using vktest::vkStruct;

/// How a pipeline's shaders are given.
enum class Source { Module, Inline, Identifier, None };

/// A shader that may be given in any way.
class Shader {
public:
  /// \p stage: "comp", "vert", "frag", or one of ray tracing.
  Shader(Gpu &gpu, const std::string &glsl, const std::string &stage);
  /// The stage; the object must not move or die before it is used.
  VkPipelineShaderStageCreateInfo stage(Source source);

  VkShaderModule module = VK_NULL_HANDLE;
  VkShaderModuleCreateInfo inlined;
  VkShaderModuleIdentifierEXT identifier;

private:
  std::vector<uint32_t> words;
  VkShaderStageFlagBits flag;
  VkPipelineShaderStageModuleIdentifierCreateInfoEXT byIdentifier;
};

/// The stages of a create info with identifiers of their modules. Must not move.
struct IdentifiedStages {
  IdentifiedStages(Gpu &gpu, const VkGraphicsPipelineCreateInfo &info);

  std::vector<VkPipelineShaderStageCreateInfo> stages;
  std::vector<VkShaderModuleIdentifierEXT> names;

private:
  std::vector<VkPipelineShaderStageModuleIdentifierCreateInfoEXT> chained;
};

/// What the specialization constant of a case is used for. A size has to be known when code is
/// compiled; a value does not, so that parts of all values are at hand.
enum class Constant : uint8_t { Size, Value };

/// A pipeline that writes numbers, which depend on a specialization constant, to a buffer.
class ComputeCase {
public:
  explicit ComputeCase(Gpu &gpu, Constant constant = Constant::Size);
  /// Valid until the next call. \p number: specialization.
  VkComputePipelineCreateInfo &info(uint32_t number, Source source = Source::Module,
                                    const void *next = nullptr);
  /// Executes the pipeline, if the device can. Is what it writes what it should?
  bool works(VkPipeline pipeline, uint32_t number);

  Shader shader;

private:
  Gpu &gpu;
  VkDescriptorSetLayout setLayout;
  VkPipelineLayout layout;
  // Made when something is executed: a driver without a GPU has no memory for it.
  VkDescriptorSet set = VK_NULL_HANDLE;
  Buffer buffer;
  uint32_t value = 0;
  VkSpecializationMapEntry entry = {3, 0, sizeof(value)};
  VkSpecializationInfo specialization = {1, &entry, sizeof(value), &value};
  VkComputePipelineCreateInfo create;
};

/// A pipeline that fills a target with a colour that depends on a specialization constant.
class DrawCase {
public:
  explicit DrawCase(Gpu &gpu, Constant constant = Constant::Size);
  VkGraphicsPipelineCreateInfo &info(uint32_t number, Source source = Source::Module,
                                     const void *next = nullptr);
  bool works(VkPipeline pipeline, uint32_t number);

  Shader vertex, fragment;

private:
  static constexpr uint32_t side = 4;
  static constexpr VkFormat format = VK_FORMAT_R32G32B32A32_UINT;
  Gpu &gpu;
  Image target;
  Buffer picture;
  uint32_t value = 0;
  VkSpecializationMapEntry entry = {3, 0, sizeof(value)};
  VkSpecializationInfo specialization = {1, &entry, sizeof(value), &value};
  VkPipelineLayout layout;
  std::optional<vktest::GraphicsInfo> create;
  VkGraphicsPipelineCreateInfo made;
};

/// Creates one pipeline; null unless the result is \p expected. \p expected none: any success.
VkPipeline create(Gpu &gpu, const VkComputePipelineCreateInfo &info,
                  VkPipelineCache cache = VK_NULL_HANDLE, VkResult expected = VK_SUCCESS);
VkPipeline create(Gpu &gpu, const VkGraphicsPipelineCreateInfo &info,
                  VkPipelineCache cache = VK_NULL_HANDLE, VkResult expected = VK_SUCCESS);

} // namespace api
