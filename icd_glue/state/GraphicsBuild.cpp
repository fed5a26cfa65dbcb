//===- GraphicsBuild.cpp - graphics pipeline state for the compiler -------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/state/GraphicsBuild.h"
#include "lgc/TaskView.h"
#include "llpc/Formats.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

namespace icd {
namespace {

using pal::device::BlendFactor;

/// Entries of a pattern in the driver's table of sample positions.
constexpr uint32_t samplesPerPattern = 16;

void setVertexInput(llpc::GraphicsPipelineBuildInfo &build, const GraphicsState &state) {
  const VertexInputState &input = state.input;
  build.vertexInput.attributes.assign(input.attributes.begin(), input.attributes.end());
  build.unalignedVertexFetch = input.isUnaligned;
  if (!hasAttributeDescriptors(state)) {
    build.vertexInput.bindings.assign(input.bindings.begin(), input.bindings.end());
    return;
  }
  for (llpc::VertexAttributeInfo &attribute : build.vertexInput.attributes)
    for (lgc::VertexBinding binding : input.bindings)
      if (binding.binding == attribute.binding) {
        attribute.binding = binding.binding = attribute.location;
        build.vertexInput.bindings.push_back(binding);
        break;
      }
}

void setInputAssembly(llpc::GraphicsPipelineBuildInfo &build, const GraphicsState &state) {
  setVertexInput(build, state);
  llpc::InputAssemblyState &ia = build.iaState;
  ia.topology = static_cast<lgc::Topology>(state.fixed.topology);
  ia.dynamicPatchControlPoints = (state.stages & VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT) &&
                                 state.dynamic.has(VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT);
  if (!ia.dynamicPatchControlPoints)
    ia.patchControlPoints = state.fixed.patchControlPoints;
  ia.enableMultiView = state.formats.viewMask != 0;
  ia.switchWinding =
      state.fixed.lowerLeftOrigin && (state.stages & VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT);
  // Draws keep to the class of the pipeline's topology (dynamicPrimitiveTopologyUnrestricted is
  // false), which is all that code depends on; but adjacency, which is none to classes, must be
  // what a geometry shader takes, and then comes with the draw.
  ia.dynamicTopology = state.dynamic.has(VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY) &&
                       (state.stages & VK_SHADER_STAGE_GEOMETRY_BIT);
  build.dynamicVertexStride = state.dynamic.has(VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE);
}

/// Samples that an invocation may not share with others, as minSampleShading says.
bool needsSampleShading(const GraphicsState &state) {
  if (!state.rsState.perSampleShading)
    return false;
  return state.knowsSamples
             ? std::ceil(state.minSampleShading * static_cast<float>(state.fixed.raster.samples)) >
                   1
             : state.minSampleShading > 0;
}

void setRaster(llpc::GraphicsPipelineBuildInfo &build, const GraphicsState &state) {
  const DrawState &fixed = state.fixed;
  build.vpState.depthClipEnable =
      fixed.depthClipFollowsClamp ? !fixed.raster.depthClampEnable : fixed.raster.depthClipEnable;
  llpc::RasterizerState &raster = build.rsState;
  raster = state.rsState;
  raster.perSampleShading = false;
  raster.provokingVertexMode = fixed.raster.provokingVertexLast ? llpc::ProvokingVertexMode::Last
                                                                : llpc::ProvokingVertexMode::First;
  raster.rasterizerDiscardEnable = state.discardsEverything();
  if (raster.rasterizerDiscardEnable)
    return;
  if (state.stages & VK_SHADER_STAGE_GEOMETRY_BIT)
    raster.rasterStream = fixed.rasterizationStream;
  raster.dynamicSampleInfo = !state.knowsSamples;
  if (!raster.dynamicSampleInfo) {
    raster.numSamples = fixed.raster.samples;
    raster.samplePatternIdx = llvm::Log2_32(std::max(raster.numSamples, 1u)) * samplesPerPattern;
  }
  // One invocation for each sample, or for all: what lies between is allowed to be more than asked.
  raster.perSampleShading = needsSampleShading(state);
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

void setTargets(llpc::ColorBlendState &blend, const GraphicsState &state) {
  const DrawState &fixed = state.fixed;
  // Shaders know locations, not attachments.
  const auto formats = state.formats.locations.arrange(state.formats.colors, VK_FORMAT_UNDEFINED);
  const auto targets = state.formats.locations.arrange(fixed.blend.targets, {});
  const DynamicStates &dynamic = state.dynamic;
  const bool anyEnable = dynamic.has(VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT);
  const bool anyEquation = dynamic.has(VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT);
  const bool anyMask = dynamic.has(VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT);
  blend.alphaToCoverageEnable =
      fixed.raster.alphaToCoverage || dynamic.has(VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT);
  for (uint32_t i = 0; i < llpc::maxColorTargets; ++i) {
    if (!formats[i])
      continue;
    const pal::device::ColorTargetState &from = targets[i];
    llpc::ColorTargetState &to = blend.target[i];
    to.format = static_cast<uint32_t>(formats[i]);
    to.channelWriteMask = anyMask ? 0xF : from.writeMask;
    to.blendEnable = from.blendEnable || anyEnable;
    to.blendSrcAlphaToColor = to.blendEnable && (anyEquation || readsSourceAlpha(from));
  }
  // Beside others that are written nobody may ask for two sources.
  const auto others = llvm::drop_begin(llvm::MutableArrayRef(blend.target));
  if (!blend.target[0].blendEnable ||
      llvm::any_of(others, [](const llpc::ColorTargetState &target) {
        return target.format && target.channelWriteMask;
      }))
    return;
  const bool isDual = isDualSource(targets[0]);
  blend.dualSourceBlendEnable = isDual && !anyEnable && !anyEquation;
  blend.dualSourceBlendDynamic = anyEquation || (anyEnable && isDual);
  if (blend.dualSourceBlendEnable || blend.dualSourceBlendDynamic)
    llvm::fill(others, llpc::ColorTargetState());
}

/// Vertices of a primitive, as CompositeData counts them; 0 for patches.
uint32_t verticesOf(pal::device::PrimitiveTopology topology) {
  using pal::device::PrimitiveTopology;
  switch (topology) {
  case PrimitiveTopology::PointList:
    return 1;
  case PrimitiveTopology::LineList:
  case PrimitiveTopology::LineStrip:
  case PrimitiveTopology::LineListAdjacency:
  case PrimitiveTopology::LineStripAdjacency:
    return 2;
  case PrimitiveTopology::PatchList:
    return 0;
  default:
    return 3;
  }
}

} // namespace

bool hasAttributeDescriptors(const GraphicsState &state) {
  if (state.dynamic.has(VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE))
    return false;
  return llvm::any_of(state.input.attributes, [&](const llpc::VertexAttributeInfo &attribute) {
    const uint64_t end = uint64_t(attribute.offset) + llpc::vertexElementBytes(attribute.format);
    return llvm::any_of(state.input.bindings, [&](const lgc::VertexBinding &binding) {
      return binding.binding == attribute.binding && end > binding.stride;
    });
  });
}

std::string programNameOf(const llpc::GraphicsPipelineBuildInfo &build) {
  std::string name;
  for (unsigned i = 0; i < llpc::graphicsStageCount; ++i) {
    const auto stage = static_cast<llpc::ShaderStage>(i);
    if (const llpc::PipelineShaderInfo &shader = build.shader(stage); shader.module)
      name += (name.empty() ? "" : ", ") + llpc::shaderStageName(stage).str() + " " +
              shader.entryTarget;
  }
  return name;
}

bool isDualSource(const pal::device::ColorTargetState &target) {
  const BlendFactor factors[] = {target.srcColor, target.dstColor, target.srcAlpha,
                                 target.dstAlpha};
  return std::any_of(std::begin(factors), std::end(factors),
                     [](BlendFactor factor) { return factor >= BlendFactor::Src1Color; });
}

void setCompilerState(llpc::GraphicsPipelineBuildInfo &build, const GraphicsState &state) {
  setInputAssembly(build, state);
  setRaster(build, state);
  if (!build.rsState.rasterizerDiscardEnable)
    setTargets(build.cbState, state);
}

uint32_t compositeDataOf(const DrawState &state, const pal::device::BlendState &byLocation) {
  return verticesOf(state.topology) | (state.raster.samples & 0x1F) << 2 |
         uint32_t(isDualSource(byLocation.targets[0])) << 7 |
         (state.patchControlPoints & 0x3F) << 11;
}

bool hasTaskViews(const GraphicsState &state) {
  return (state.stages & VK_SHADER_STAGE_TASK_BIT_EXT) && state.formats.viewMask;
}

lgc::ResourceMapping mappingFor(const PipelineLayoutData &layout, const GraphicsState &state) {
  lgc::ResourceMapping mapping = layout.mapping;
  if (hasTaskViews(state)) {
    lgc::ResourceNode view;
    view.type = lgc::ResourceNodeType::InlineBuffer;
    view.set = lgc::internalSet;
    view.binding = lgc::taskViewBinding;
    view.offsetInDwords = taskViewDword(layout.userData);
    view.sizeInDwords = 1;
    mapping.roots.push_back(view);
  }
  return mapping;
}

} // namespace icd
