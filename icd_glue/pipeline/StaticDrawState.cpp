//===- StaticDrawState.cpp - state that a pipeline is created with --------===//
// SPDX-License-Identifier: MIT
/// \file
/// VkGraphicsPipelineCreateInfo -> DrawState. Which structures may be looked at follows the
/// description of that structure in the Vulkan specification: pointers to others may dangle.
#include "icd_glue/Object.h"
#include "icd_glue/pipeline/DrawState.h"
#include <algorithm>

namespace icd {

using namespace pal::device;

StencilFace stencilFaceOf(const VkStencilOpState &state) {
  StencilFace face;
  face.fail = enumOf(state.failOp, StencilOp::DecrementWrap);
  face.pass = enumOf(state.passOp, StencilOp::DecrementWrap);
  face.depthFail = enumOf(state.depthFailOp, StencilOp::DecrementWrap);
  face.compare = enumOf(state.compareOp, CompareOp::Always);
  face.compareMask = static_cast<uint8_t>(state.compareMask);
  face.writeMask = static_cast<uint8_t>(state.writeMask);
  face.reference = static_cast<uint8_t>(state.reference);
  return face;
}

void setCullMode(RasterState &raster, VkCullModeFlags mode) {
  raster.cullFront = mode & VK_CULL_MODE_FRONT_BIT;
  raster.cullBack = mode & VK_CULL_MODE_BACK_BIT;
}

pal::device::Viewport viewportOf(const VkViewport &viewport) {
  return {viewport.x,      viewport.y,        viewport.width,
          viewport.height, viewport.minDepth, viewport.maxDepth};
}

Rect rectOf(const VkRect2D &rect) {
  return {rect.offset.x, rect.offset.y, rect.extent.width, rect.extent.height};
}

void setBlendEquation(ColorTargetState &target, const VkColorBlendEquationEXT &equation) {
  target.srcColor = enumOf(equation.srcColorBlendFactor, BlendFactor::OneMinusSrc1Alpha);
  target.dstColor = enumOf(equation.dstColorBlendFactor, BlendFactor::OneMinusSrc1Alpha);
  target.colorOp = enumOf(equation.colorBlendOp, BlendOp::Max);
  target.srcAlpha = enumOf(equation.srcAlphaBlendFactor, BlendFactor::OneMinusSrc1Alpha);
  target.dstAlpha = enumOf(equation.dstAlphaBlendFactor, BlendFactor::OneMinusSrc1Alpha);
  target.alphaOp = enumOf(equation.alphaBlendOp, BlendOp::Max);
}

namespace {

void setVertexInput(DrawState &state, const VkPipelineVertexInputStateCreateInfo &info) {
  for (uint32_t i = 0; i < info.vertexBindingDescriptionCount; ++i) {
    const VkVertexInputBindingDescription &binding = info.pVertexBindingDescriptions[i];
    if (binding.binding < state.strides.size())
      state.strides[binding.binding] = binding.stride;
  }
}

void setRaster(DrawState &state, const VkPipelineRasterizationStateCreateInfo &info) {
  RasterState &raster = state.raster;
  raster.rasterizerDiscard = info.rasterizerDiscardEnable;
  raster.depthClampEnable = info.depthClampEnable;
  raster.polygonMode = enumOf(info.polygonMode, PolygonMode::Point);
  setCullMode(raster, info.cullMode);
  raster.frontClockwise = info.frontFace == VK_FRONT_FACE_CLOCKWISE;
  raster.depthBiasEnable = info.depthBiasEnable;
  raster.depthBiasConstant = info.depthBiasConstantFactor;
  raster.depthBiasClamp = info.depthBiasClamp;
  raster.depthBiasSlope = info.depthBiasSlopeFactor;
  raster.lineWidth = info.lineWidth;
  if (auto *clip = findInChain<VkPipelineRasterizationDepthClipStateCreateInfoEXT>(
          info.pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT)) {
    raster.depthClipEnable = clip->depthClipEnable;
    state.depthClipFollowsClamp = false;
  }
  if (auto *line = findInChain<VkPipelineRasterizationLineStateCreateInfo>(
          info.pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO)) {
    raster.lineMode = enumOf(line->lineRasterizationMode, LineMode::RectangularSmooth);
    raster.stippleEnable = line->stippledLineEnable;
    raster.stippleFactor = line->lineStippleFactor;
    raster.stipplePattern = line->lineStipplePattern;
  }
  if (auto *provoking = findInChain<VkPipelineRasterizationProvokingVertexStateCreateInfoEXT>(
          info.pNext,
          VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT))
    raster.provokingVertexLast =
        provoking->provokingVertexMode == VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT;
}

void setViewports(RasterState &raster, const VkPipelineViewportStateCreateInfo &info,
                  const DynamicStates &dynamic) {
  const bool hasViewports = !dynamic.has(VK_DYNAMIC_STATE_VIEWPORT) &&
                            !dynamic.has(VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT) && info.pViewports;
  const bool hasScissors = !dynamic.has(VK_DYNAMIC_STATE_SCISSOR) &&
                           !dynamic.has(VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT) && info.pScissors;
  for (uint32_t i = 0; hasViewports && i < info.viewportCount && i < maxViewports; ++i)
    raster.viewports[i] = viewportOf(info.pViewports[i]);
  for (uint32_t i = 0; hasScissors && i < info.scissorCount && i < maxViewports; ++i)
    raster.scissors[i] = rectOf(info.pScissors[i]);
  if (auto *control = findInChain<VkPipelineViewportDepthClipControlCreateInfoEXT>(
          info.pNext, VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLIP_CONTROL_CREATE_INFO_EXT))
    raster.negativeOneToOne = control->negativeOneToOne;
}

void setSamples(RasterState &raster, const VkPipelineMultisampleStateCreateInfo &info,
                bool sampleMaskIsDynamic) {
  raster.samples = info.rasterizationSamples;
  if (info.pSampleMask && !sampleMaskIsDynamic)
    raster.sampleMask = *info.pSampleMask;
  raster.alphaToCoverage = info.alphaToCoverageEnable;
  raster.alphaToOne = info.alphaToOneEnable;
}

void setDepthStencil(DepthStencilState &state, const VkPipelineDepthStencilStateCreateInfo &info) {
  state.depthTest = info.depthTestEnable;
  state.depthWrite = info.depthWriteEnable;
  state.depthCompare = enumOf(info.depthCompareOp, CompareOp::Always);
  state.depthBounds = info.depthBoundsTestEnable;
  state.minDepthBounds = info.minDepthBounds;
  state.maxDepthBounds = info.maxDepthBounds;
  state.stencilTest = info.stencilTestEnable;
  state.front = stencilFaceOf(info.front);
  state.back = stencilFaceOf(info.back);
}

void setBlend(BlendState &blend, const VkPipelineColorBlendStateCreateInfo &info,
              const DynamicStates &dynamic) {
  blend.logicOpEnable = info.logicOpEnable;
  blend.logicOp = enumOf(info.logicOp, LogicOp::Set);
  std::copy(std::begin(info.blendConstants), std::end(info.blendConstants),
            blend.constants.begin());
  const bool hasTargets = !(dynamic.has(VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT) &&
                            dynamic.has(VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT) &&
                            dynamic.has(VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT)) &&
                          info.pAttachments;
  for (uint32_t i = 0; hasTargets && i < info.attachmentCount && i < maxColorTargets; ++i) {
    const VkPipelineColorBlendAttachmentState &from = info.pAttachments[i];
    ColorTargetState &to = blend.targets[i];
    to.writeMask = from.colorWriteMask & 0xF;
    to.blendEnable = from.blendEnable;
    setBlendEquation(to, {from.srcColorBlendFactor, from.dstColorBlendFactor, from.colorBlendOp,
                          from.srcAlphaBlendFactor, from.dstAlphaBlendFactor, from.alphaBlendOp});
  }
}

} // namespace

DrawState staticDrawState(const VkGraphicsPipelineCreateInfo &info, const TargetFormats &formats) {
  DrawState state;
  const DynamicStates dynamic(info.pDynamicState);
  VkShaderStageFlags stages = 0;
  for (uint32_t i = 0; i < info.stageCount; ++i)
    stages |= info.pStages[i].stage;
  if (stages & VK_SHADER_STAGE_VERTEX_BIT) {
    if (info.pVertexInputState)
      setVertexInput(state, *info.pVertexInputState);
    if (info.pInputAssemblyState) {
      state.topology = enumOf(info.pInputAssemblyState->topology, PrimitiveTopology::PatchList);
      state.primitiveRestart = info.pInputAssemblyState->primitiveRestartEnable;
    }
  }
  if ((stages & VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT) && info.pTessellationState)
    state.patchControlPoints = info.pTessellationState->patchControlPoints;
  if (info.pRasterizationState)
    setRaster(state, *info.pRasterizationState);
  // Behind a rasteriser that discards everything nothing else is looked at.
  if (state.raster.rasterizerDiscard && !dynamic.has(VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE))
    return state;
  if (info.pViewportState)
    setViewports(state.raster, *info.pViewportState, dynamic);
  if (info.pMultisampleState)
    setSamples(state.raster, *info.pMultisampleState,
               dynamic.has(VK_DYNAMIC_STATE_SAMPLE_MASK_EXT));
  if ((formats.hasDepth() || formats.hasStencil()) && info.pDepthStencilState)
    setDepthStencil(state.depthStencil, *info.pDepthStencilState);
  if (formats.colorCount && info.pColorBlendState)
    setBlend(state.blend, *info.pColorBlendState, dynamic);
  return state;
}

} // namespace icd
