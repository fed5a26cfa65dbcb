//===- Pipelines.cpp - the pipelines of the picture, and their set --------===//
// SPDX-License-Identifier: MIT
#include "Pipelines.h"
#include "Scene.h"
#include "shadow_vert.spv.h"
#include "trefoil_frag.spv.h"
#include "trefoil_vert.spv.h"
#include <cstddef>

namespace {

template <size_t Count>
VkPipelineShaderStageCreateInfo shaderStage(const Device &d, VkShaderStageFlagBits stage,
                                            const uint32_t (&words)[Count]) {
  VkShaderModuleCreateInfo moduleInfo = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
  moduleInfo.codeSize = sizeof(words);
  moduleInfo.pCode = words;
  VkPipelineShaderStageCreateInfo info = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
  info.stage = stage;
  info.pName = "main";
  CHECK(vkCreateShaderModule(d.device, &moduleInfo, nullptr, &info.module));
  return info;
}

/// Everything about a pipeline that does not differ, or differs in few places.
struct FixedFunction {
  VkVertexInputBindingDescription binding = {0, sizeof(Vertex), VK_VERTEX_INPUT_RATE_VERTEX};
  VkVertexInputAttributeDescription attributes[3] = {
      {0, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(Vertex, position)},
      {1, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(Vertex, normal)},
      {2, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(Vertex, coordinate)}};
  VkPipelineVertexInputStateCreateInfo vertexInput = {
      VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  VkPipelineInputAssemblyStateCreateInfo assembly = {
      VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
  VkPipelineViewportStateCreateInfo viewport = {
      VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};
  VkPipelineRasterizationStateCreateInfo raster = {
      VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
  VkPipelineMultisampleStateCreateInfo samples = {
      VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
  VkPipelineDepthStencilStateCreateInfo depth = {
      VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
  VkPipelineColorBlendAttachmentState target = {};
  VkPipelineColorBlendStateCreateInfo blend = {
      VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
  VkDynamicState dynamicStates[3] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR,
                                     VK_DYNAMIC_STATE_CULL_MODE};
  VkPipelineDynamicStateCreateInfo dynamic = {VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};

  FixedFunction() {
    vertexInput.vertexBindingDescriptionCount = 1;
    vertexInput.pVertexBindingDescriptions = &binding;
    vertexInput.vertexAttributeDescriptionCount = 3;
    vertexInput.pVertexAttributeDescriptions = attributes;
    assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    viewport.viewportCount = viewport.scissorCount = 1;
    raster.lineWidth = 1;
    samples.rasterizationSamples = sampleCount;
    depth.depthTestEnable = depth.depthWriteEnable = VK_TRUE;
    depth.depthCompareOp = VK_COMPARE_OP_LESS;
    target.colorWriteMask = 0xF;
    target.srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA;
    target.dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
    target.srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
    target.dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
    blend.attachmentCount = 1;
    blend.pAttachments = &target;
    dynamic.dynamicStateCount = 3;
    dynamic.pDynamicStates = dynamicStates;
  }
  FixedFunction(const FixedFunction &) = delete; // it points into itself

  VkGraphicsPipelineCreateInfo pipelineInfo(VkPipelineLayout layout) const {
    VkGraphicsPipelineCreateInfo info = {VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
    info.pVertexInputState = &vertexInput;
    info.pInputAssemblyState = &assembly;
    info.pViewportState = &viewport;
    info.pRasterizationState = &raster;
    info.pMultisampleState = &samples;
    info.pDepthStencilState = &depth;
    info.pColorBlendState = &blend;
    info.pDynamicState = &dynamic;
    info.layout = layout;
    return info;
  }
};

VkPipeline createShadowPipeline(const Device &d, VkPipelineLayout layout) {
  FixedFunction fixed;
  fixed.vertexInput.vertexAttributeDescriptionCount = 1;
  fixed.samples.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
  fixed.raster.depthBiasEnable = VK_TRUE; // so that what is lit does not shadow itself
  fixed.raster.depthBiasConstantFactor = 40;
  fixed.raster.depthBiasSlopeFactor = 2.5F;
  fixed.blend.attachmentCount = 0;
  VkPipelineRenderingCreateInfo rendering = {VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
  rendering.depthAttachmentFormat = shadowFormat;
  VkPipelineShaderStageCreateInfo stage =
      shaderStage(d, VK_SHADER_STAGE_VERTEX_BIT, shadow_vert_spirv);
  VkGraphicsPipelineCreateInfo info = fixed.pipelineInfo(layout);
  info.pNext = &rendering;
  info.stageCount = 1;
  info.pStages = &stage;
  VkPipeline pipeline;
  CHECK(vkCreateGraphicsPipelines(d.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline));
  vkDestroyShaderModule(d.device, stage.module, nullptr);
  return pipeline;
}

VkPipeline createColourPipeline(const Device &d, VkPipelineLayout layout, VkBool32 isGround) {
  FixedFunction fixed;
  fixed.target.blendEnable = isGround;
  VkPipelineRenderingCreateInfo rendering = {VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
  rendering.colorAttachmentCount = 1;
  rendering.pColorAttachmentFormats = &colourFormat;
  rendering.depthAttachmentFormat = depthFormat;
  VkSpecializationMapEntry entry = {0, 0, sizeof(isGround)};
  VkSpecializationInfo specialization = {1, &entry, sizeof(isGround), &isGround};
  VkPipelineShaderStageCreateInfo stages[2] = {
      shaderStage(d, VK_SHADER_STAGE_VERTEX_BIT, trefoil_vert_spirv),
      shaderStage(d, VK_SHADER_STAGE_FRAGMENT_BIT, trefoil_frag_spirv)};
  stages[1].pSpecializationInfo = &specialization;
  VkGraphicsPipelineCreateInfo info = fixed.pipelineInfo(layout);
  info.pNext = &rendering;
  info.stageCount = 2;
  info.pStages = stages;
  VkPipeline pipeline;
  CHECK(vkCreateGraphicsPipelines(d.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline));
  for (const VkPipelineShaderStageCreateInfo &stage : stages)
    vkDestroyShaderModule(d.device, stage.module, nullptr);
  return pipeline;
}

/// Compares with the depth in the map, between texels too; outside of the map is light.
VkSampler createShadowSampler(const Device &d) {
  VkSamplerCreateInfo info = {VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  info.magFilter = info.minFilter = VK_FILTER_LINEAR;
  info.addressModeU = info.addressModeV = info.addressModeW =
      VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
  info.borderColor = VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE;
  info.compareEnable = VK_TRUE;
  info.compareOp = VK_COMPARE_OP_LESS_OR_EQUAL;
  VkSampler sampler;
  CHECK(vkCreateSampler(d.device, &info, nullptr, &sampler));
  return sampler;
}

} // namespace

Pipelines createPipelines(const Device &d) {
  Pipelines p = {};
  VkShaderStageFlags stages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;
  VkDescriptorSetLayoutBinding bindings[2] = {
      {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, stages, nullptr},
      {1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr}};
  VkDescriptorSetLayoutCreateInfo setInfo = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  setInfo.bindingCount = 2;
  setInfo.pBindings = bindings;
  CHECK(vkCreateDescriptorSetLayout(d.device, &setInfo, nullptr, &p.setLayout));
  VkPushConstantRange up = {stages, 0, sizeof(float)};
  VkPipelineLayoutCreateInfo layoutInfo = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  layoutInfo.setLayoutCount = 1;
  layoutInfo.pSetLayouts = &p.setLayout;
  layoutInfo.pushConstantRangeCount = 1;
  layoutInfo.pPushConstantRanges = &up;
  CHECK(vkCreatePipelineLayout(d.device, &layoutInfo, nullptr, &p.layout));
  p.shadow = createShadowPipeline(d, p.layout);
  p.knot = createColourPipeline(d, p.layout, VK_FALSE);
  p.ground = createColourPipeline(d, p.layout, VK_TRUE);
  return p;
}

void destroy(const Device &d, const Pipelines &p) {
  for (VkPipeline pipeline : {p.shadow, p.knot, p.ground})
    vkDestroyPipeline(d.device, pipeline, nullptr);
  vkDestroyPipelineLayout(d.device, p.layout, nullptr);
  vkDestroyDescriptorSetLayout(d.device, p.setLayout, nullptr);
}

BoundSet createSet(const Device &d, const Pipelines &p, VkBuffer block, VkImageView shadowMap) {
  BoundSet s = {createShadowSampler(d)};
  VkDescriptorPoolSize sizes[2] = {{VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1},
                                   {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1}};
  VkDescriptorPoolCreateInfo poolInfo = {VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  poolInfo.maxSets = 1;
  poolInfo.poolSizeCount = 2;
  poolInfo.pPoolSizes = sizes;
  CHECK(vkCreateDescriptorPool(d.device, &poolInfo, nullptr, &s.pool));
  VkDescriptorSetAllocateInfo setInfo = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
  setInfo.descriptorPool = s.pool;
  setInfo.descriptorSetCount = 1;
  setInfo.pSetLayouts = &p.setLayout;
  CHECK(vkAllocateDescriptorSets(d.device, &setInfo, &s.set));

  VkDescriptorBufferInfo bufferInfo = {block, 0, sizeof(SceneBlock)};
  VkDescriptorImageInfo imageInfo = {s.sampler, shadowMap,
                                     VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL};
  VkWriteDescriptorSet writes[2] = {};
  writes[0].sType = writes[1].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
  writes[0].dstSet = writes[1].dstSet = s.set;
  writes[0].descriptorCount = writes[1].descriptorCount = 1;
  writes[0].descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
  writes[0].pBufferInfo = &bufferInfo;
  writes[1].dstBinding = 1;
  writes[1].descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
  writes[1].pImageInfo = &imageInfo;
  vkUpdateDescriptorSets(d.device, 2, writes, 0, nullptr);
  return s;
}

void destroy(const Device &d, const BoundSet &s) {
  vkDestroyDescriptorPool(d.device, s.pool, nullptr);
  vkDestroySampler(d.device, s.sampler, nullptr);
}
