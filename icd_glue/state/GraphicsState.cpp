//===- GraphicsState.cpp - state of a graphics pipeline -------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/state/GraphicsState.h"
#include "icd_glue/Object.h"
#include "lgc/FieldCopy.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

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

DepthBiasUnit depthBiasUnitOf(const void *next) {
  const auto *info = findInChain<VkDepthBiasRepresentationInfoEXT>(
      next, VK_STRUCTURE_TYPE_DEPTH_BIAS_REPRESENTATION_INFO_EXT);
  return info ? enumOf(info->depthBiasRepresentation, DepthBiasUnit::One) : DepthBiasUnit::Format;
}

void setCullMode(RasterState &raster, VkCullModeFlags mode) {
  raster.cullFront = mode & VK_CULL_MODE_FRONT_BIT;
  raster.cullBack = mode & VK_CULL_MODE_BACK_BIT;
}

void setConservativeMode(RasterState &raster, VkConservativeRasterizationModeEXT mode) {
  // primitiveUnderestimation is false, and the extra size can be 0 only.
  raster.conservativeOverestimate = mode == VK_CONSERVATIVE_RASTERIZATION_MODE_OVERESTIMATE_EXT;
}

pal::device::Viewport viewportOf(const VkViewport &viewport) {
  return {viewport.x,      viewport.y,        viewport.width,
          viewport.height, viewport.minDepth, viewport.maxDepth};
}

Rect rectOf(const VkRect2D &rect) {
  return {rect.offset.x, rect.offset.y, rect.extent.width, rect.extent.height};
}

void setShadingRate(RasterState &raster, const VkExtent2D &size,
                    const VkFragmentShadingRateCombinerOpKHR *combiners) {
  auto log2Of = [](uint32_t side) {
    return static_cast<uint8_t>(llvm::Log2_32(std::clamp(side, 1u, 4u)));
  };
  raster.shadingRate.pipeline = {log2Of(size.width), log2Of(size.height)};
  raster.shadingRate.primitive = enumOf(combiners[0], RateCombiner::Multiply);
  raster.shadingRate.attachment = enumOf(combiners[1], RateCombiner::Multiply);
}

void setSampleLocations(DrawState &state, const VkSampleLocationsInfoEXT &info) {
  // A coordinate in units of hardware; what is no number is 0.
  auto place = [](float value) {
    constexpr float units = 1 << sampleLocationBits;
    return value > 0 ? std::floor(std::min(value, maxSampleLocation) * units) / units : 0;
  };
  const uint32_t count = std::min(info.sampleLocationsCount, maxSamples);
  state.sampleLocations = {};
  for (uint32_t i = 0; info.pSampleLocations && i < count; ++i)
    state.sampleLocations[i] = {place(info.pSampleLocations[i].x),
                                place(info.pSampleLocations[i].y)};
}

void setBlendEquation(ColorTargetState &target, const VkColorBlendEquationEXT &equation) {
  target.srcColor = enumOf(equation.srcColorBlendFactor, BlendFactor::OneMinusSrc1Alpha);
  target.dstColor = enumOf(equation.dstColorBlendFactor, BlendFactor::OneMinusSrc1Alpha);
  target.colorOp = enumOf(equation.colorBlendOp, BlendOp::Max);
  target.srcAlpha = enumOf(equation.srcAlphaBlendFactor, BlendFactor::OneMinusSrc1Alpha);
  target.dstAlpha = enumOf(equation.dstAlphaBlendFactor, BlendFactor::OneMinusSrc1Alpha);
  target.alphaOp = enumOf(equation.alphaBlendOp, BlendOp::Max);
}

void setColorWrites(DrawState &state, llvm::ArrayRef<VkBool32> enables) {
  for (auto [i, enable] : llvm::enumerate(enables.take_front(maxColorTargets)))
    state.colorWrites = enable ? state.colorWrites | 1u << i : state.colorWrites & ~(1u << i);
}

void setDepthClampRange(RasterState &raster, VkDepthClampModeEXT mode,
                        const VkDepthClampRangeEXT *range) {
  raster.depthClampRange.reset();
  if (mode == VK_DEPTH_CLAMP_MODE_USER_DEFINED_RANGE_EXT && range)
    raster.depthClampRange = {range->minDepthClamp, range->maxDepthClamp};
}

namespace {

void setVertexInput(GraphicsState &state, const VkPipelineVertexInputStateCreateInfo &info) {
  for (uint32_t i = 0; i < info.vertexBindingDescriptionCount; ++i) {
    const VkVertexInputBindingDescription &from = info.pVertexBindingDescriptions[i];
    if (from.binding < state.fixed.strides.size())
      state.fixed.strides[from.binding] = from.stride;
    state.input.bindings.push_back({from.binding, from.stride, inputRateOf(from.inputRate), 1});
  }
  for (uint32_t i = 0; i < info.vertexAttributeDescriptionCount; ++i) {
    const VkVertexInputAttributeDescription &from = info.pVertexAttributeDescriptions[i];
    state.input.attributes.push_back(
        {from.location, from.binding, static_cast<uint32_t>(from.format), from.offset});
  }
  auto *divisors = findInChain<VkPipelineVertexInputDivisorStateCreateInfo>(
      info.pNext, VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO);
  for (uint32_t i = 0; divisors && i < divisors->vertexBindingDivisorCount; ++i)
    for (lgc::VertexBinding &binding : state.input.bindings)
      if (binding.binding == divisors->pVertexBindingDivisors[i].binding)
        binding.divisor = divisors->pVertexBindingDivisors[i].divisor;
}

void setTessellation(GraphicsState &state, const VkPipelineTessellationStateCreateInfo &info) {
  state.fixed.patchControlPoints = info.patchControlPoints;
  auto *origin = findInChain<VkPipelineTessellationDomainOriginStateCreateInfo>(
      info.pNext, VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_DOMAIN_ORIGIN_STATE_CREATE_INFO);
  state.fixed.lowerLeftOrigin =
      origin && origin->domainOrigin == VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT;
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
  raster.depthBiasUnit = depthBiasUnitOf(info.pNext);
  raster.lineWidth = info.lineWidth;
  if (auto *clip = findInChain<VkPipelineRasterizationDepthClipStateCreateInfoEXT>(
          info.pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT)) {
    raster.depthClipEnable = clip->depthClipEnable;
    state.depthClipFollowsClamp = false;
  }
  if (auto *stream = findInChain<VkPipelineRasterizationStateStreamCreateInfoEXT>(
          info.pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_STREAM_CREATE_INFO_EXT))
    state.rasterizationStream = stream->rasterizationStream;
  if (auto *line = findInChain<VkPipelineRasterizationLineStateCreateInfo>(
          info.pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO)) {
    raster.lineMode = enumOf(line->lineRasterizationMode, LineMode::RectangularSmooth);
    raster.stippleEnable = line->stippledLineEnable;
    raster.stippleFactor = line->lineStippleFactor;
    raster.stipplePattern = line->lineStipplePattern;
  }
  if (auto *conservative = findInChain<VkPipelineRasterizationConservativeStateCreateInfoEXT>(
          info.pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_CONSERVATIVE_STATE_CREATE_INFO_EXT))
    setConservativeMode(raster, conservative->conservativeRasterizationMode);
  if (auto *provoking = findInChain<VkPipelineRasterizationProvokingVertexStateCreateInfoEXT>(
          info.pNext,
          VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT))
    raster.provokingVertexLast =
        provoking->provokingVertexMode == VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT;
}

/// How many there are is not dynamic: without a structure all that commands set.
void setDiscardRectangles(RasterState &raster, const VkGraphicsPipelineCreateInfo &info,
                          const DynamicStates &dynamic) {
  using pal::device::DiscardRectangles;
  auto *from = findInChain<VkPipelineDiscardRectangleStateCreateInfoEXT>(
      info.pNext, VK_STRUCTURE_TYPE_PIPELINE_DISCARD_RECTANGLE_STATE_CREATE_INFO_EXT);
  const bool isDynamic = dynamic.has(VK_DYNAMIC_STATE_DISCARD_RECTANGLE_EXT);
  DiscardRectangles &to = raster.discardRectangles;
  to.count = isDynamic ? DiscardRectangles::max : 0;
  if (!from)
    return;
  to.count =
      static_cast<uint8_t>(std::min<uint32_t>(from->discardRectangleCount, DiscardRectangles::max));
  to.enable = to.count;
  to.exclusive = from->discardRectangleMode == VK_DISCARD_RECTANGLE_MODE_EXCLUSIVE_EXT;
  for (uint32_t i = 0; !isDynamic && from->pDiscardRectangles && i < to.count; ++i)
    to.rects[i] = rectOf(from->pDiscardRectangles[i]);
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
  auto *clamp = findInChain<VkPipelineViewportDepthClampControlCreateInfoEXT>(
      info.pNext, VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLAMP_CONTROL_CREATE_INFO_EXT);
  if (clamp && !dynamic.has(VK_DYNAMIC_STATE_DEPTH_CLAMP_RANGE_EXT))
    setDepthClampRange(raster, clamp->depthClampMode, clamp->pDepthClampRange);
}

void setSamples(DrawState &state, const VkPipelineMultisampleStateCreateInfo &info,
                const DynamicStates &dynamic) {
  RasterState &raster = state.raster;
  raster.samples = info.rasterizationSamples;
  if (info.pSampleMask && !dynamic.has(VK_DYNAMIC_STATE_SAMPLE_MASK_EXT))
    raster.sampleMask = *info.pSampleMask;
  raster.alphaToCoverage = info.alphaToCoverageEnable;
  raster.alphaToOne = info.alphaToOneEnable;
  if (auto *locations = findInChain<VkPipelineSampleLocationsStateCreateInfoEXT>(
          info.pNext, VK_STRUCTURE_TYPE_PIPELINE_SAMPLE_LOCATIONS_STATE_CREATE_INFO_EXT)) {
    state.hasSampleLocations = locations->sampleLocationsEnable;
    const bool mayBeEnabled = locations->sampleLocationsEnable ||
                              dynamic.has(VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_ENABLE_EXT);
    if (mayBeEnabled && !dynamic.has(VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_EXT))
      setSampleLocations(state, locations->sampleLocationsInfo);
  }
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

void setBlend(DrawState &state, const VkPipelineColorBlendStateCreateInfo &info,
              const DynamicStates &dynamic) {
  BlendState &blend = state.blend;
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
  const auto *writes = findInChain<VkPipelineColorWriteCreateInfoEXT>(
      info.pNext, VK_STRUCTURE_TYPE_PIPELINE_COLOR_WRITE_CREATE_INFO_EXT);
  if (writes && !dynamic.has(VK_DYNAMIC_STATE_COLOR_WRITE_ENABLE_EXT))
    setColorWrites(state, {writes->pColorWriteEnables, writes->attachmentCount});
}

//===--- Subsets ----------------------------------------------------------===//

void fillVertexInput(GraphicsState &state, const VkGraphicsPipelineCreateInfo &info) {
  // Without a vertex shader nothing is fetched; a library without shaders cannot tell.
  if (state.has(preRasterizationSubset) && !(state.stages & VK_SHADER_STAGE_VERTEX_BIT))
    return;
  if (info.pVertexInputState && !state.dynamic.has(VK_DYNAMIC_STATE_VERTEX_INPUT_EXT))
    setVertexInput(state, *info.pVertexInputState);
  if (info.pInputAssemblyState) {
    state.fixed.topology = enumOf(info.pInputAssemblyState->topology, PrimitiveTopology::PatchList);
    state.fixed.primitiveRestart = info.pInputAssemblyState->primitiveRestartEnable;
  }
}

/// What the code that is made with the pipeline is for, where that is dynamic.
void setCompiledState(GraphicsState &state) {
  // The number may be anything, but there is code for some stream.
  uint32_t &stream = state.fixed.rasterizationStream;
  if (state.dynamic.has(VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT) &&
      stream >= pal::device::vertexStreams)
    stream = 0;
  if (state.dynamic.has(VK_DYNAMIC_STATE_PROVOKING_VERTEX_MODE_EXT))
    state.fixed.raster.provokingVertexLast = false;
  if (state.dynamic.has(VK_DYNAMIC_STATE_TESSELLATION_DOMAIN_ORIGIN_EXT))
    state.fixed.lowerLeftOrigin = false;
}

void fillPreRasterization(GraphicsState &state, const VkGraphicsPipelineCreateInfo &info) {
  if ((state.stages & VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT) && info.pTessellationState)
    setTessellation(state, *info.pTessellationState);
  if (info.pRasterizationState)
    setRaster(state.fixed, *info.pRasterizationState);
  setCompiledState(state);
  if (!state.discardsEverything() && info.pViewportState)
    setViewports(state.fixed.raster, *info.pViewportState, state.dynamic);
  setDiscardRectangles(state.fixed.raster, info, state.dynamic);
  // Also state of the fragment shader subset, which must say the same.
  if (auto *rate = findInChain<VkPipelineFragmentShadingRateStateCreateInfoKHR>(
          info.pNext, VK_STRUCTURE_TYPE_PIPELINE_FRAGMENT_SHADING_RATE_STATE_CREATE_INFO_KHR))
    setShadingRate(state.fixed.raster, rate->fragmentSize, rate->combinerOps);
}

/// Whether the depth and stencil state is there. Without the fragment output subset the formats
/// of a dynamic rendering are not known, and the pointer says it.
bool hasDepthStencil(const GraphicsState &state, const VkGraphicsPipelineCreateInfo &info) {
  if (!info.renderPass && !state.has(fragmentOutputSubset))
    return info.pDepthStencilState;
  return (state.formats.hasDepth() || state.formats.hasStencil()) && info.pDepthStencilState;
}

void fillFragmentShader(GraphicsState &state, const VkGraphicsPipelineCreateInfo &info) {
  if (hasDepthStencil(state, info))
    setDepthStencil(state.fixed.depthStencil, *info.pDepthStencilState);
  if (const VkPipelineMultisampleStateCreateInfo *samples = info.pMultisampleState) {
    state.rsState.perSampleShading = samples->sampleShadingEnable;
    state.minSampleShading = samples->minSampleShading;
    state.fixed.raster.samples = samples->rasterizationSamples;
    // With the fragment output subset, that says it.
    state.knowsSamples =
        !state.has(fragmentOutputSubset) &&
        !DynamicStates(info.pDynamicState).has(VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT);
  }
}

/// There is some colour attachment.
bool hasColors(const TargetFormats &formats) {
  return llvm::any_of(formats.colors,
                      [](VkFormat format) { return format != VK_FORMAT_UNDEFINED; });
}

void fillFragmentOutput(GraphicsState &state, const VkGraphicsPipelineCreateInfo &info) {
  if (info.pMultisampleState)
    setSamples(state.fixed, *info.pMultisampleState, state.dynamic);
  state.knowsSamples = !state.dynamic.has(VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT);
  // Without a single colour attachment the pointer is ignored.
  if (hasColors(state.formats) && info.pColorBlendState)
    setBlend(state.fixed, *info.pColorBlendState, state.dynamic);
}

VkShaderStageFlags stagesOf(const VkGraphicsPipelineCreateInfo &info, Subsets subsets) {
  VkShaderStageFlags stages = 0;
  for (uint32_t i = 0; i < info.stageCount; ++i) {
    const bool isFragment = info.pStages[i].stage == VK_SHADER_STAGE_FRAGMENT_BIT;
    if (subsets & (isFragment ? fragmentShaderSubset : preRasterizationSubset))
      stages |= info.pStages[i].stage;
  }
  return stages;
}

} // namespace

GraphicsState graphicsStateOf(const VkGraphicsPipelineCreateInfo &info, Subsets subsets) {
  GraphicsState state;
  state.subsets = subsets;
  state.dynamic = DynamicStates(info.pDynamicState, subsets);
  if (subsets & (preRasterizationSubset | fragmentShaderSubset))
    state.stages = stagesOf(info, subsets);
  if (state.has(vertexInputSubset))
    fillVertexInput(state, info);
  if (state.has(preRasterizationSubset))
    fillPreRasterization(state, info);
  // Behind a rasteriser that discards everything nothing else is looked at, formats neither.
  const bool discards = state.discardsEverything();
  state.formats = targetFormatsOf(info, discards ? subsets & ~fragmentOutputSubset : subsets);
  if (discards) {
    state.stages &= ~VkShaderStageFlags(VK_SHADER_STAGE_FRAGMENT_BIT);
    return state;
  }
  if (state.has(fragmentShaderSubset))
    fillFragmentShader(state, info);
  if (state.has(fragmentOutputSubset))
    fillFragmentOutput(state, info);
  return state;
}

//===--- Merging ----------------------------------------------------------===//

namespace {

void mergeCompilerState(GraphicsState &to, const GraphicsState &from, lgc::FieldHalf half) {
  lgc::copyFields(to.rsState, from.rsState, [half](const lgc::Field &field) {
    return field.half == half || field.half == lgc::FieldHalf::Both;
  });
}

void mergeFragmentShader(GraphicsState &to, const GraphicsState &from) {
  mergeCompilerState(to, from, lgc::FieldHalf::Fragment);
  to.minSampleShading = from.minSampleShading;
  if (!to.has(fragmentOutputSubset)) {
    to.knowsSamples = from.knowsSamples;
    to.fixed.raster.samples = from.fixed.raster.samples;
  }
}

void mergeFragmentOutput(GraphicsState &to, const GraphicsState &from) {
  to.knowsSamples = from.knowsSamples;
  const uint32_t viewMask = to.formats.viewMask;
  to.formats = from.formats;
  to.formats.viewMask = viewMask;
}

} // namespace

void GraphicsState::merge(const GraphicsState &from, Subsets wanted) {
  const Subsets added = from.subsets & wanted & ~subsets;
  fixed.merge(from.fixed, added);
  if (added & vertexInputSubset)
    input = from.input;
  if (added & preRasterizationSubset)
    mergeCompilerState(*this, from, lgc::FieldHalf::PreRasterization);
  if (added & fragmentShaderSubset)
    mergeFragmentShader(*this, from);
  if (added & fragmentOutputSubset)
    mergeFragmentOutput(*this, from);
  if (added & ~vertexInputSubset)
    formats.viewMask |= from.formats.viewMask;
  dynamic.merge(added == from.subsets ? from.dynamic : from.dynamic.of(added));
  constexpr VkShaderStageFlags fragment = VK_SHADER_STAGE_FRAGMENT_BIT;
  if (added & preRasterizationSubset)
    stages |= from.stages & ~fragment;
  if (added & fragmentShaderSubset)
    stages |= from.stages & fragment;
  subsets |= added;
  if (discardsEverything())
    stages &= ~fragment;
}

VertexInputState withStrides(VertexInputState input, const DrawState &state) {
  for (lgc::VertexBinding &binding : input.bindings)
    if (binding.binding < state.strides.size())
      binding.stride = state.strides[binding.binding];
  return input;
}

bool GraphicsState::isComplete() const {
  if (!has(preRasterizationSubset))
    return false;
  if ((stages & VK_SHADER_STAGE_VERTEX_BIT) && !has(vertexInputSubset))
    return false;
  return discardsEverything() || has(fragmentShaderSubset | fragmentOutputSubset);
}

} // namespace icd
