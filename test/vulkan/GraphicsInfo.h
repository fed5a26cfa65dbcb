//===- GraphicsInfo.h - create infos of graphics pipelines for tests ------===//
// SPDX-License-Identifier: MIT
/// \file
/// The structures of one VkGraphicsPipelineCreateInfo with values that draw something: triangles,
/// one sample, one colour target. Tests change what they are about:
///
///     GraphicsInfo graphics;
///     graphics.addStage(VK_SHADER_STAGE_VERTEX_BIT, module);
///     graphics.assembly.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
///     vkCreateGraphicsPipelines(device, cache, 1, &graphics.done(), nullptr, &pipeline);
#pragma once

#include <vector>
#include <vulkan/vulkan_core.h>

namespace vktest {

/// A zeroed Vulkan structure.
template <typename T> T vkStruct(VkStructureType type, const void *next = nullptr) {
  T made = {};
  made.sType = type;
  made.pNext = const_cast<void *>(next);
  return made;
}

struct GraphicsInfo {
  explicit GraphicsInfo(uint32_t side = 8) {
    viewport = {0, 0, float(side), float(side), 0, 1};
    scissor = {{0, 0}, {side, side}};
    assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    viewports.viewportCount = viewports.scissorCount = 1;
    raster.lineWidth = 1;
    samples.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
    addTarget(VK_FORMAT_R8G8B8A8_UNORM);
  }
  GraphicsInfo(const GraphicsInfo &) = delete;

  VkPipelineShaderStageCreateInfo &addStage(VkShaderStageFlagBits stage, VkShaderModule module,
                                            const void *next = nullptr) {
    stages.push_back(vkStruct<VkPipelineShaderStageCreateInfo>(
        VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, next));
    stages.back().stage = stage;
    stages.back().module = module;
    stages.back().pName = "main";
    return stages.back();
  }
  void addTarget(VkFormat format) {
    formats.push_back(format);
    attachments.emplace_back();
    attachments.back().colorWriteMask = 0xF;
  }

  /// With the pointers set. Counts that a test has set stay.
  const VkGraphicsPipelineCreateInfo &done() {
    auto list = [](uint32_t &count, const auto *&pointer, const auto &vector) {
      count = count ? count : static_cast<uint32_t>(vector.size());
      pointer = vector.data();
    };
    list(input.vertexBindingDescriptionCount, input.pVertexBindingDescriptions, bindings);
    list(input.vertexAttributeDescriptionCount, input.pVertexAttributeDescriptions, attributes);
    list(blend.attachmentCount, blend.pAttachments, attachments);
    list(rendering.colorAttachmentCount, rendering.pColorAttachmentFormats, formats);
    list(dynamic.dynamicStateCount, dynamic.pDynamicStates, dynamics);
    list(info.stageCount, info.pStages, stages);
    viewports.pViewports = &viewport;
    viewports.pScissors = &scissor;
    if (info.pNext != &rendering)
      rendering.pNext = info.pNext;
    info.pNext = &rendering;
    info.pVertexInputState = &input;
    info.pInputAssemblyState = &assembly;
    info.pViewportState = &viewports;
    info.pRasterizationState = &raster;
    info.pMultisampleState = &samples;
    info.pDepthStencilState = &depth;
    info.pColorBlendState = &blend;
    info.pDynamicState = &dynamic;
    return info;
  }

  std::vector<VkPipelineShaderStageCreateInfo> stages;
  std::vector<VkVertexInputBindingDescription> bindings;
  std::vector<VkVertexInputAttributeDescription> attributes;
  std::vector<VkPipelineColorBlendAttachmentState> attachments;
  std::vector<VkFormat> formats;
  std::vector<VkDynamicState> dynamics;
  VkViewport viewport;
  VkRect2D scissor;
  VkPipelineVertexInputStateCreateInfo input = vkStruct<VkPipelineVertexInputStateCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO);
  VkPipelineInputAssemblyStateCreateInfo assembly =
      vkStruct<VkPipelineInputAssemblyStateCreateInfo>(
          VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO);
  VkPipelineViewportStateCreateInfo viewports = vkStruct<VkPipelineViewportStateCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO);
  VkPipelineRasterizationStateCreateInfo raster = vkStruct<VkPipelineRasterizationStateCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO);
  VkPipelineMultisampleStateCreateInfo samples = vkStruct<VkPipelineMultisampleStateCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO);
  VkPipelineDepthStencilStateCreateInfo depth = vkStruct<VkPipelineDepthStencilStateCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO);
  VkPipelineColorBlendStateCreateInfo blend = vkStruct<VkPipelineColorBlendStateCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO);
  VkPipelineDynamicStateCreateInfo dynamic = vkStruct<VkPipelineDynamicStateCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO);
  VkPipelineRenderingCreateInfo rendering =
      vkStruct<VkPipelineRenderingCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO);
  VkGraphicsPipelineCreateInfo info =
      vkStruct<VkGraphicsPipelineCreateInfo>(VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO);
};

} // namespace vktest
