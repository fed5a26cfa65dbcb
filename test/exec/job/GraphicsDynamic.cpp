//===- GraphicsDynamic.cpp - state that commands set -----------------------===//
// SPDX-License-Identifier: MIT
#include "../script/Formats.h"
#include "Resources.h"
#include "llvm/ADT/STLExtras.h"

namespace exec {

namespace {

/// States that Vulkan 1.3 has commands for; the last one is the stride.
constexpr VkDynamicState coreStates[] = {
    VK_DYNAMIC_STATE_LINE_WIDTH,
    VK_DYNAMIC_STATE_DEPTH_BIAS,
    VK_DYNAMIC_STATE_BLEND_CONSTANTS,
    VK_DYNAMIC_STATE_DEPTH_BOUNDS,
    VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK,
    VK_DYNAMIC_STATE_STENCIL_WRITE_MASK,
    VK_DYNAMIC_STATE_STENCIL_REFERENCE,
    VK_DYNAMIC_STATE_CULL_MODE,
    VK_DYNAMIC_STATE_FRONT_FACE,
    VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY,
    VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT,
    VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT,
    VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE,
    VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE,
    VK_DYNAMIC_STATE_DEPTH_COMPARE_OP,
    VK_DYNAMIC_STATE_DEPTH_BOUNDS_TEST_ENABLE,
    VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE,
    VK_DYNAMIC_STATE_STENCIL_OP,
    VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE,
    VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE,
    VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE,
    VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE,
};

/// States of extensions for `dynamic=2`, and the features that let them be dynamic.
struct ExtendedState {
  VkDynamicState state;
  llvm::StringLiteral feature;
};
constexpr ExtendedState extendedStates[] = {
    {VK_DYNAMIC_STATE_LOGIC_OP_EXT, "extendedDynamicState2LogicOp"},
    {VK_DYNAMIC_STATE_DEPTH_CLAMP_ENABLE_EXT, "extendedDynamicState3DepthClampEnable"},
    {VK_DYNAMIC_STATE_POLYGON_MODE_EXT, "extendedDynamicState3PolygonMode"},
    {VK_DYNAMIC_STATE_SAMPLE_MASK_EXT, "extendedDynamicState3SampleMask"},
    {VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT, "extendedDynamicState3AlphaToCoverageEnable"},
    {VK_DYNAMIC_STATE_ALPHA_TO_ONE_ENABLE_EXT, "extendedDynamicState3AlphaToOneEnable"},
    {VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT, "extendedDynamicState3LogicOpEnable"},
    {VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT, "extendedDynamicState3ColorBlendEnable"},
    {VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT, "extendedDynamicState3ColorBlendEquation"},
    {VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT, "extendedDynamicState3ColorWriteMask"},
    {VK_DYNAMIC_STATE_DEPTH_CLIP_ENABLE_EXT, "extendedDynamicState3DepthClipEnable"},
    {VK_DYNAMIC_STATE_DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT,
     "extendedDynamicState3DepthClipNegativeOneToOne"},
    {VK_DYNAMIC_STATE_PROVOKING_VERTEX_MODE_EXT, "extendedDynamicState3ProvokingVertexMode"},
    {VK_DYNAMIC_STATE_TESSELLATION_DOMAIN_ORIGIN_EXT,
     "extendedDynamicState3TessellationDomainOrigin"},
    {VK_DYNAMIC_STATE_LINE_RASTERIZATION_MODE_EXT, "extendedDynamicState3LineRasterizationMode"},
    {VK_DYNAMIC_STATE_LINE_STIPPLE_ENABLE_EXT, "extendedDynamicState3LineStippleEnable"},
    {VK_DYNAMIC_STATE_LINE_STIPPLE_EXT, "stippledBresenhamLines"},
};

void flip(VkBool32 &value) { value = !value; }

/// Another topology of the same class, which is what may be set without further features.
VkPrimitiveTopology otherTopology(VkPrimitiveTopology topology) {
  switch (topology) {
  case VK_PRIMITIVE_TOPOLOGY_LINE_LIST:
    return VK_PRIMITIVE_TOPOLOGY_LINE_STRIP;
  case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP:
    return VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
  case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST:
    return VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
  case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP:
  case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN:
    return VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  default: // the only one, or that with adjacency, which geometry shaders must fit
    return topology;
  }
}

/// Wrong values for what Vulkan 1.3 has commands for.
void spoilCoreState(GraphicsSpec &spec) {
  VkPipelineRasterizationStateCreateInfo &raster = spec.raster;
  raster.lineWidth = 5;
  raster.cullMode ^= VK_CULL_MODE_FRONT_AND_BACK;
  raster.frontFace = raster.frontFace == VK_FRONT_FACE_CLOCKWISE ? VK_FRONT_FACE_COUNTER_CLOCKWISE
                                                                 : VK_FRONT_FACE_CLOCKWISE;
  raster.depthBiasConstantFactor += 1000;
  raster.depthBiasSlopeFactor += 10;
  flip(raster.depthBiasEnable);
  flip(raster.rasterizerDiscardEnable);
  spec.topology = otherTopology(spec.topology);
  spec.primitiveRestart = !spec.primitiveRestart;
  VkPipelineDepthStencilStateCreateInfo &tests = spec.depthStencil;
  flip(tests.depthTestEnable);
  flip(tests.depthWriteEnable);
  flip(tests.depthBoundsTestEnable);
  flip(tests.stencilTestEnable);
  tests.depthCompareOp =
      tests.depthCompareOp == VK_COMPARE_OP_NEVER ? VK_COMPARE_OP_ALWAYS : VK_COMPARE_OP_NEVER;
  std::swap(tests.minDepthBounds, tests.maxDepthBounds);
  for (VkStencilOpState *face : {&tests.front, &tests.back})
    *face = {VK_STENCIL_OP_INVERT,
             VK_STENCIL_OP_INVERT,
             VK_STENCIL_OP_INVERT,
             VK_COMPARE_OP_NOT_EQUAL,
             0x11,
             0x22,
             0x33};
  for (float &constant : spec.colorBlend.blendConstants)
    constant = 1 - constant;
}

/// Wrong blending, logic operations and masks for what \p has says.
void spoilColors(GraphicsSpec &spec, llvm::function_ref<bool(VkDynamicState)> has) {
  if (has(VK_DYNAMIC_STATE_LOGIC_OP_EXT))
    spec.colorBlend.logicOp =
        spec.colorBlend.logicOp == VK_LOGIC_OP_SET ? VK_LOGIC_OP_CLEAR : VK_LOGIC_OP_SET;
  if (has(VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT))
    flip(spec.colorBlend.logicOpEnable);
  for (VkPipelineColorBlendAttachmentState &target : spec.blend) {
    if (has(VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT))
      flip(target.blendEnable);
    if (has(VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT))
      target.colorWriteMask ^= 0xF;
    if (has(VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT))
      target = {target.blendEnable,   VK_BLEND_FACTOR_ZERO, VK_BLEND_FACTOR_DST_ALPHA,
                VK_BLEND_OP_SUBTRACT, VK_BLEND_FACTOR_ZERO, VK_BLEND_FACTOR_DST_COLOR,
                VK_BLEND_OP_SUBTRACT, target.colorWriteMask};
  }
}

/// Wrong values for everything else.
void spoilRaster(GraphicsSpec &spec, llvm::function_ref<bool(VkDynamicState)> has) {
  if (has(VK_DYNAMIC_STATE_DEPTH_CLIP_ENABLE_EXT))
    spec.depthClip = !spec.clipsDepth();
  if (has(VK_DYNAMIC_STATE_DEPTH_CLAMP_ENABLE_EXT))
    flip(spec.raster.depthClampEnable);
  if (has(VK_DYNAMIC_STATE_DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT))
    spec.negativeOneToOne = !spec.negativeOneToOne.value_or(false);
  if (has(VK_DYNAMIC_STATE_POLYGON_MODE_EXT))
    spec.raster.polygonMode = spec.raster.polygonMode == VK_POLYGON_MODE_FILL
                                  ? VK_POLYGON_MODE_POINT
                                  : VK_POLYGON_MODE_FILL;
  if (has(VK_DYNAMIC_STATE_PROVOKING_VERTEX_MODE_EXT))
    spec.provoking = spec.provoking == VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT
                         ? VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT
                         : VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT;
  if (has(VK_DYNAMIC_STATE_TESSELLATION_DOMAIN_ORIGIN_EXT))
    spec.domainOrigin = spec.domainOrigin == VK_TESSELLATION_DOMAIN_ORIGIN_UPPER_LEFT
                            ? VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT
                            : VK_TESSELLATION_DOMAIN_ORIGIN_UPPER_LEFT;
  if (has(VK_DYNAMIC_STATE_LINE_RASTERIZATION_MODE_EXT))
    spec.lineMode = spec.lineMode == VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT
                        ? VK_LINE_RASTERIZATION_MODE_RECTANGULAR_EXT
                        : VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT;
  if (has(VK_DYNAMIC_STATE_LINE_STIPPLE_ENABLE_EXT))
    spec.stipple = !spec.stipple;
  if (has(VK_DYNAMIC_STATE_LINE_STIPPLE_EXT)) {
    spec.stippleFactor = 7;
    spec.stipplePattern ^= 0x00FF;
  }
  if (has(VK_DYNAMIC_STATE_DISCARD_RECTANGLE_MODE_EXT))
    spec.discardsInside = !spec.discardsInside;
  VkPipelineMultisampleStateCreateInfo &samples = spec.multisample;
  if (has(VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT))
    samples.rasterizationSamples = samples.rasterizationSamples == VK_SAMPLE_COUNT_1_BIT
                                       ? VK_SAMPLE_COUNT_4_BIT
                                       : VK_SAMPLE_COUNT_1_BIT;
  if (has(VK_DYNAMIC_STATE_SAMPLE_MASK_EXT))
    spec.sampleMask = ~spec.sampleMask;
  if (has(VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT))
    flip(samples.alphaToCoverageEnable);
  if (has(VK_DYNAMIC_STATE_ALPHA_TO_ONE_ENABLE_EXT))
    flip(samples.alphaToOneEnable);
}

} // namespace

std::vector<VkDynamicState> JobObjects::dynamicStates() const {
  const GraphicsSpec &spec = *job.graphics;
  std::vector<VkDynamicState> list;
  // The last one is of use with vertex buffers only, and an error without.
  if (spec.dynamicState)
    list.assign(std::begin(coreStates), std::end(coreStates) - spec.vertexBuffers.empty());
  if (spec.dynamicState > 1)
    for (const ExtendedState &row : extendedStates)
      if (device.hasFeature(row.feature))
        list.push_back(row.state);
  if (spec.dynamicState > 1 && !spec.vertexBuffers.empty() &&
      device.hasFeature("vertexInputDynamicState"))
    list.push_back(VK_DYNAMIC_STATE_VERTEX_INPUT_EXT);
  if (spec.dynamicState > 2)
    list.push_back(VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT);
  if (spec.dynamicState && spec.fragmentSize)
    list.push_back(VK_DYNAMIC_STATE_FRAGMENT_SHADING_RATE_KHR);
  if (spec.dynamicState && spec.conservative)
    list.insert(list.end(), {VK_DYNAMIC_STATE_CONSERVATIVE_RASTERIZATION_MODE_EXT,
                             VK_DYNAMIC_STATE_EXTRA_PRIMITIVE_OVERESTIMATION_SIZE_EXT});
  if (spec.dynamicState && !spec.sampleLocations.empty())
    list.insert(list.end(), {VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_EXT,
                             VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_ENABLE_EXT});
  if (spec.dynamicState && spec.clampRange)
    list.push_back(VK_DYNAMIC_STATE_DEPTH_CLAMP_RANGE_EXT);
  if (spec.dynamicState && !spec.discardRectangles.empty())
    list.push_back(VK_DYNAMIC_STATE_DISCARD_RECTANGLE_EXT);
  if (spec.dynamicState > 1 && !spec.discardRectangles.empty())
    list.insert(list.end(), {VK_DYNAMIC_STATE_DISCARD_RECTANGLE_ENABLE_EXT,
                             VK_DYNAMIC_STATE_DISCARD_RECTANGLE_MODE_EXT});
  if (spec.hasDynamicPatches())
    list.push_back(VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT);
  if (spec.hasDynamicStream())
    list.push_back(VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT);
  return list;
}

GraphicsSpec JobObjects::pipelineState() const {
  GraphicsSpec spec = *job.graphics;
  spec.multisample.rasterizationSamples = sampleCount();
  if (spec.dynamicState)
    spoilCoreState(spec);
  const std::vector<VkDynamicState> list = dynamicStates();
  auto has = [&](VkDynamicState state) { return llvm::is_contained(list, state); };
  spoilColors(spec, has);
  spoilRaster(spec, has);
  // Not even a value that does not matter may say that integers are blended.
  const std::vector<VkFormat> formats = colorFormats();
  for (size_t i = 0; i < formats.size(); ++i)
    if (const FormatRow *row = findFormat(formats[i]); row && row->name.contains("int"))
      spec.blend[i].blendEnable = VK_FALSE;
  return spec;
}

void JobObjects::setDynamicState(VkCommandBuffer commands) const {
  const GraphicsSpec &spec = *job.graphics;
  const VkPipelineRasterizationStateCreateInfo &raster = spec.raster;
  const VkPipelineDepthStencilStateCreateInfo &tests = spec.depthStencil;
  api.CmdSetLineWidth(commands, raster.lineWidth);
  api.CmdSetDepthBias(commands, raster.depthBiasConstantFactor, raster.depthBiasClamp,
                      raster.depthBiasSlopeFactor);
  api.CmdSetBlendConstants(commands, spec.colorBlend.blendConstants);
  api.CmdSetDepthBounds(commands, tests.minDepthBounds, tests.maxDepthBounds);
  for (auto [face, state] : {std::pair(VK_STENCIL_FACE_FRONT_BIT, &tests.front),
                             std::pair(VK_STENCIL_FACE_BACK_BIT, &tests.back)}) {
    api.CmdSetStencilCompareMask(commands, face, state->compareMask);
    api.CmdSetStencilWriteMask(commands, face, state->writeMask);
    api.CmdSetStencilReference(commands, face, state->reference);
    api.CmdSetStencilOp(commands, face, state->failOp, state->passOp, state->depthFailOp,
                        state->compareOp);
  }
  api.CmdSetCullMode(commands, raster.cullMode);
  api.CmdSetFrontFace(commands, raster.frontFace);
  api.CmdSetPrimitiveTopology(commands, spec.topology);
  api.CmdSetViewportWithCount(commands, viewports.size(), viewports.data());
  api.CmdSetScissorWithCount(commands, scissors.size(), scissors.data());
  api.CmdSetDepthTestEnable(commands, tests.depthTestEnable);
  api.CmdSetDepthWriteEnable(commands, tests.depthWriteEnable);
  api.CmdSetDepthCompareOp(commands, tests.depthCompareOp);
  api.CmdSetDepthBoundsTestEnable(commands, tests.depthBoundsTestEnable);
  api.CmdSetStencilTestEnable(commands, tests.stencilTestEnable);
  api.CmdSetRasterizerDiscardEnable(commands, raster.rasterizerDiscardEnable);
  api.CmdSetDepthBiasEnable(commands, raster.depthBiasEnable);
  api.CmdSetPrimitiveRestartEnable(commands, spec.primitiveRestart);
  if (spec.fragmentSize)
    api.CmdSetFragmentShadingRateKHR(commands, &*spec.fragmentSize, spec.rateCombiners.data());
  if (spec.conservative) {
    api.CmdSetConservativeRasterizationModeEXT(commands, *spec.conservative);
    api.CmdSetExtraPrimitiveOverestimationSizeEXT(commands, 0);
  }
  if (!spec.sampleLocations.empty()) {
    const VkSampleLocationsInfoEXT locations = sampleLocations();
    api.CmdSetSampleLocationsEXT(commands, &locations);
    api.CmdSetSampleLocationsEnableEXT(commands, VK_TRUE);
  }
  if (spec.clampRange)
    api.CmdSetDepthClampRangeEXT(commands, VK_DEPTH_CLAMP_MODE_USER_DEFINED_RANGE_EXT,
                                 &*spec.clampRange);
  if (!spec.discardRectangles.empty())
    api.CmdSetDiscardRectangleEXT(commands, 0, spec.discardRectangles.size(),
                                  spec.discardRectangles.data());
  if (spec.dynamicState > 1 && !spec.discardRectangles.empty()) {
    api.CmdSetDiscardRectangleEnableEXT(commands, VK_TRUE);
    api.CmdSetDiscardRectangleModeEXT(commands, spec.discardRectangleMode());
  }
  if (spec.dynamicState > 1)
    setExtendedState(commands);
}

void JobObjects::setVertexInput(VkCommandBuffer commands) const {
  std::vector<VkVertexInputBindingDescription2EXT> bindings;
  for (const VertexBuffer &buffer : job.graphics->vertexBuffers)
    bindings.push_back(
        {VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT, nullptr, buffer.binding,
         buffer.stride,
         buffer.perInstance ? VK_VERTEX_INPUT_RATE_INSTANCE : VK_VERTEX_INPUT_RATE_VERTEX,
         buffer.perInstance ? buffer.divisor : 1});
  std::vector<VkVertexInputAttributeDescription2EXT> attributes;
  for (const VkVertexInputAttributeDescription &from : job.graphics->attributes)
    attributes.push_back({VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT, nullptr,
                          from.location, from.binding, from.format, from.offset});
  api.CmdSetVertexInputEXT(commands, bindings.size(), bindings.data(), attributes.size(),
                           attributes.data());
}

void JobObjects::setExtendedState(VkCommandBuffer commands) const {
  const GraphicsSpec &spec = *job.graphics;
  const std::vector<VkDynamicState> list = dynamicStates();
  if (llvm::is_contained(list, VK_DYNAMIC_STATE_VERTEX_INPUT_EXT))
    setVertexInput(commands);
  auto set = [&](VkDynamicState state, auto command, auto... values) {
    if (llvm::is_contained(list, state))
      command(commands, values...);
  };
  const VkPipelineMultisampleStateCreateInfo &samples = spec.multisample;
  set(VK_DYNAMIC_STATE_LOGIC_OP_EXT, api.CmdSetLogicOpEXT, spec.colorBlend.logicOp);
  set(VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT, api.CmdSetLogicOpEnableEXT,
      spec.colorBlend.logicOpEnable);
  set(VK_DYNAMIC_STATE_DEPTH_CLAMP_ENABLE_EXT, api.CmdSetDepthClampEnableEXT,
      spec.raster.depthClampEnable);
  set(VK_DYNAMIC_STATE_DEPTH_CLIP_ENABLE_EXT, api.CmdSetDepthClipEnableEXT,
      VkBool32(spec.clipsDepth()));
  set(VK_DYNAMIC_STATE_DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT, api.CmdSetDepthClipNegativeOneToOneEXT,
      VkBool32(spec.negativeOneToOne.value_or(false)));
  set(VK_DYNAMIC_STATE_POLYGON_MODE_EXT, api.CmdSetPolygonModeEXT, spec.raster.polygonMode);
  set(VK_DYNAMIC_STATE_PROVOKING_VERTEX_MODE_EXT, api.CmdSetProvokingVertexModeEXT, spec.provoking);
  set(VK_DYNAMIC_STATE_TESSELLATION_DOMAIN_ORIGIN_EXT, api.CmdSetTessellationDomainOriginEXT,
      spec.domainOrigin);
  set(VK_DYNAMIC_STATE_LINE_RASTERIZATION_MODE_EXT, api.CmdSetLineRasterizationModeEXT,
      spec.lineMode);
  set(VK_DYNAMIC_STATE_LINE_STIPPLE_ENABLE_EXT, api.CmdSetLineStippleEnableEXT,
      VkBool32(spec.stipple));
  set(VK_DYNAMIC_STATE_LINE_STIPPLE_EXT, api.CmdSetLineStippleEXT, spec.stippleFactor,
      spec.stipplePattern);
  set(VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT, api.CmdSetRasterizationSamplesEXT, sampleCount());
  set(VK_DYNAMIC_STATE_SAMPLE_MASK_EXT, api.CmdSetSampleMaskEXT, sampleCount(), &spec.sampleMask);
  set(VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT, api.CmdSetAlphaToCoverageEnableEXT,
      samples.alphaToCoverageEnable);
  set(VK_DYNAMIC_STATE_ALPHA_TO_ONE_ENABLE_EXT, api.CmdSetAlphaToOneEnableEXT,
      samples.alphaToOneEnable);
  for (uint32_t i = 0; i < colorFormats().size(); ++i) {
    const VkPipelineColorBlendAttachmentState &target = spec.blend[i];
    const VkColorBlendEquationEXT equation = {
        target.srcColorBlendFactor, target.dstColorBlendFactor, target.colorBlendOp,
        target.srcAlphaBlendFactor, target.dstAlphaBlendFactor, target.alphaBlendOp};
    set(VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT, api.CmdSetColorBlendEnableEXT, i, 1u,
        &target.blendEnable);
    set(VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT, api.CmdSetColorBlendEquationEXT, i, 1u,
        &equation);
    set(VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT, api.CmdSetColorWriteMaskEXT, i, 1u,
        &target.colorWriteMask);
  }
}

} // namespace exec
