//===- GraphicsBuild.cpp - graphics pipeline state for the compiler -------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/pipeline/GraphicsBuild.h"
#include "icd_glue/Object.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

namespace icd {
namespace {

using pal::device::BlendFactor;

/// Entries of a pattern in the driver's table of sample positions.
constexpr uint32_t samplesPerPattern = 16;

void setVertexInput(llpc::GraphicsPipelineBuildInfo &build,
                    const VkPipelineVertexInputStateCreateInfo &info) {
  llpc::VertexInputInfo &input = build.vertexInput;
  for (uint32_t i = 0; i < info.vertexBindingDescriptionCount; ++i) {
    const VkVertexInputBindingDescription &from = info.pVertexBindingDescriptions[i];
    const bool perInstance = from.inputRate == VK_VERTEX_INPUT_RATE_INSTANCE;
    input.bindings.push_back({from.binding, from.stride, perInstance, 1});
  }
  for (uint32_t i = 0; i < info.vertexAttributeDescriptionCount; ++i) {
    const VkVertexInputAttributeDescription &from = info.pVertexAttributeDescriptions[i];
    input.attributes.push_back(
        {from.location, from.binding, static_cast<uint32_t>(from.format), from.offset});
  }
  auto *divisors = findInChain<VkPipelineVertexInputDivisorStateCreateInfo>(
      info.pNext, VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO);
  for (uint32_t i = 0; divisors && i < divisors->vertexBindingDivisorCount; ++i)
    for (lgc::VertexBinding &binding : input.bindings)
      if (binding.binding == divisors->pVertexBindingDivisors[i].binding)
        binding.divisor = divisors->pVertexBindingDivisors[i].divisor;
}

void setInputAssembly(llpc::GraphicsPipelineBuildInfo &build,
                      const VkGraphicsPipelineCreateInfo &info, const TargetFormats &formats,
                      const DrawState &fixed, const DynamicStates &dynamic) {
  llpc::InputAssemblyState &ia = build.iaState;
  ia.topology = static_cast<lgc::Topology>(fixed.topology);
  ia.patchControlPoints = fixed.patchControlPoints;
  ia.enableMultiView = formats.viewMask != 0;
  build.dynamicTopology = dynamic.has(VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY);
  build.dynamicVertexStride = dynamic.has(VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE);
  if (!build.tes.module || !info.pTessellationState)
    return;
  auto *origin = findInChain<VkPipelineTessellationDomainOriginStateCreateInfo>(
      info.pTessellationState->pNext,
      VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_DOMAIN_ORIGIN_STATE_CREATE_INFO);
  ia.switchWinding = origin && origin->domainOrigin == VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT;
}

/// Samples that an invocation may not share with others, as minSampleShading says.
bool needsSampleShading(const VkPipelineMultisampleStateCreateInfo &info, bool samplesAreDynamic) {
  if (!info.sampleShadingEnable)
    return false;
  return samplesAreDynamic
             ? info.minSampleShading > 0
             : std::ceil(info.minSampleShading * static_cast<float>(info.rasterizationSamples)) > 1;
}

void setRaster(llpc::GraphicsPipelineBuildInfo &build, const VkGraphicsPipelineCreateInfo &info,
               const DrawState &fixed, const DynamicStates &dynamic) {
  build.vpState.depthClipEnable =
      fixed.depthClipFollowsClamp ? !fixed.raster.depthClampEnable : fixed.raster.depthClipEnable;
  llpc::RasterizerState &raster = build.rsState;
  raster.provokingVertexMode = fixed.raster.provokingVertexLast ? llpc::ProvokingVertexMode::Last
                                                                : llpc::ProvokingVertexMode::First;
  raster.rasterizerDiscardEnable =
      fixed.raster.rasterizerDiscard && !dynamic.has(VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE);
  raster.dynamicSampleInfo = dynamic.has(VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT);
  if (raster.rasterizerDiscardEnable)
    return;
  if (!raster.dynamicSampleInfo) {
    raster.numSamples = fixed.raster.samples;
    raster.samplePatternIdx = llvm::Log2_32(std::max(raster.numSamples, 1u)) * samplesPerPattern;
  }
  // One invocation for each sample, or for all: what lies between is allowed to be more than asked.
  raster.perSampleShading = info.pMultisampleState &&
                            needsSampleShading(*info.pMultisampleState, raster.dynamicSampleInfo);
  if (raster.perSampleShading)
    raster.pixelShaderSamples = raster.numSamples;
}

bool readsSourceAlpha(const pal::device::ColorTargetState &target) {
  auto is = [](BlendFactor factor) {
    return factor == BlendFactor::SrcAlpha || factor == BlendFactor::OneMinusSrcAlpha ||
           factor == BlendFactor::SrcAlphaSaturate;
  };
  return is(target.srcColor) || is(target.dstColor);
}

void setTargets(llpc::ColorBlendState &blend, const TargetFormats &formats, const DrawState &fixed,
                const DynamicStates &dynamic) {
  const bool anyEnable = dynamic.has(VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT);
  const bool anyEquation = dynamic.has(VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT);
  const bool anyMask = dynamic.has(VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT);
  blend.alphaToCoverageEnable =
      fixed.raster.alphaToCoverage || dynamic.has(VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT);
  for (uint32_t i = 0; i < formats.colorCount && i < llpc::maxColorTargets; ++i) {
    const pal::device::ColorTargetState &from = fixed.blend.targets[i];
    llpc::ColorTargetState &to = blend.target[i];
    to.format = static_cast<uint32_t>(formats.colors[i]);
    to.channelWriteMask = anyMask ? 0xF : from.writeMask;
    to.blendEnable = from.blendEnable || anyEnable;
    to.blendSrcAlphaToColor = to.blendEnable && (anyEquation || readsSourceAlpha(from));
  }
  // Beside other targets nobody may ask for two sources.
  if (!blend.target[0].blendEnable || formats.colorCount > 1)
    return;
  const bool isDual = isDualSource(fixed.blend.targets[0]);
  blend.dualSourceBlendEnable = isDual && !anyEnable && !anyEquation;
  blend.dualSourceBlendDynamic = anyEquation || (anyEnable && isDual);
}

} // namespace

bool isDualSource(const pal::device::ColorTargetState &target) {
  const BlendFactor factors[] = {target.srcColor, target.dstColor, target.srcAlpha,
                                 target.dstAlpha};
  return std::any_of(std::begin(factors), std::end(factors),
                     [](BlendFactor factor) { return factor >= BlendFactor::Src1Color; });
}

void setCompilerState(llpc::GraphicsPipelineBuildInfo &build,
                      const VkGraphicsPipelineCreateInfo &info, const TargetFormats &formats,
                      const DrawState &fixed, const DynamicStates &dynamic) {
  if (build.vs.module && info.pVertexInputState)
    setVertexInput(build, *info.pVertexInputState);
  setInputAssembly(build, info, formats, fixed, dynamic);
  setRaster(build, info, fixed, dynamic);
  if (!build.rsState.rasterizerDiscardEnable)
    setTargets(build.cbState, formats, fixed, dynamic);
}

} // namespace icd
