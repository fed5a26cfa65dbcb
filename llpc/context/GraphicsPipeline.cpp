//===- GraphicsPipeline.cpp - a graphics pipeline, or a part of one -------===//
// SPDX-License-Identifier: MIT
/// \file
/// All stages that are given are translated into one module, because the hardware merges some of
/// them; the modes that they declare and the state of the build info become lgc::GraphicsState. A
/// part is the same with fewer shaders: GraphicsState::stageMask says what the pipeline has, the
/// module what is compiled.
#include "lgc/Shader.h"
#include "llpc/Formats.h"
#include "llpc/context/CompilerImpl.h"
#include "llpc/context/GraphicsChecks.h"
#include "llpc/context/GraphicsHalves.h"
#include "llpc/context/PipelineBuild.h"
#include "llpc/context/PipelineKey.h"
#include "llpc/context/WholeInput.h"
#include "pal_shim/abi/Try.h"
#include <array>

namespace llpc {

using llvm::Error;

namespace {

PipelineShaderInfo GraphicsPipelineBuildInfo::*const shaderMembers[graphicsStageCount] = {
    &GraphicsPipelineBuildInfo::task, &GraphicsPipelineBuildInfo::vs,
    &GraphicsPipelineBuildInfo::tcs,  &GraphicsPipelineBuildInfo::tes,
    &GraphicsPipelineBuildInfo::gs,   &GraphicsPipelineBuildInfo::mesh,
    &GraphicsPipelineBuildInfo::fs};

void setVertexInput(lgc::GraphicsState &state, const GraphicsPipelineBuildInfo &info) {
  state.vertexBindings = info.vertexInput.bindings;
  for (const VertexAttributeInfo &from : info.vertexInput.attributes) {
    lgc::VertexAttribute to;
    to.location = from.location;
    to.binding = from.binding;
    to.offset = from.offset;
    to.format = texelFormatOf(from.format).value_or(lgc::TexelFormat());
    state.vertexAttributes.push_back(to);
  }
  state.dynamicVertexStride = info.dynamicVertexStride;
  state.robustUnboundVertex = info.enableRobustUnboundVertex;
  state.unalignedVertexFetch = info.unalignedVertexFetch;
  state.useSoftwareVertexBufferDescriptors = info.useSoftwareVertexBufferDescriptors;
  state.enableUberFetchShader = isUberFetch(info);
}

void setTargets(lgc::GraphicsState &state, const ColorBlendState &blend) {
  for (unsigned i = 0; i < maxColorTargets; ++i) {
    const ColorTargetState &from = blend.target[i];
    lgc::ColorTarget &to = state.targets[i];
    to.format = texelFormatOf(from.format).value_or(lgc::TexelFormat());
    to.writeMask = from.channelWriteMask;
    to.blendEnable = from.blendEnable;
    to.blendSrcAlphaToColor = from.blendSrcAlphaToColor;
  }
  state.cbState = blend;
}

void setStatistics(GraphicsPipelineResult &result, const lgc::CompileResult &compiled,
                   const lgc::PipelineState &state, uint32_t compiledStages) {
  for (const lgc::StageStatistics &from : compiled.stages) {
    HardwareStageStatistics to;
    to.stage = from.stage;
    to.statistics = statisticsOf(from.stats);
    for (lgc::ShaderStage stage : lgc::shadersIn(from.stage, state)) {
      if (!(compiledStages >> static_cast<unsigned>(stage) & 1))
        continue;
      to.shaders.push_back(static_cast<ShaderStage>(stage));
      if (stage == lgc::ShaderStage::Task || stage == lgc::ShaderStage::Mesh)
        to.statistics.workgroupSize = state.shader(stage).workgroupSize;
    }
    result.stages.push_back(std::move(to));
  }
}

/// Those that are to be compiled.
struct GraphicsShaders {
  llvm::SmallVector<const PipelineShaderInfo *, graphicsStageCount> shaders;
  uint32_t compiledStages = 0;

  explicit GraphicsShaders(const GraphicsPipelineBuildInfo &info) {
    for (unsigned i = 0; i < graphicsStageCount; ++i) {
      const PipelineShaderInfo &shader = info.shader(static_cast<ShaderStage>(i));
      if (!shader.module)
        continue;
      shaders.push_back(&shader);
      compiledStages |= 1u << i;
    }
  }
};

llvm::Error setState(lgc::PipelineState &state, const GraphicsPipelineBuildInfo &info,
                     uint32_t compiledStages) {
  lgc::GraphicsState &graphics = state.graphics;
  setVertexInput(graphics, info);
  graphics.iaState = info.iaState;
  graphics.vpState = info.vpState;
  graphics.rsState = info.rsState;
  setTargets(graphics, info.cbState);
  graphics.nggState = info.nggState;
  return checkGraphicsModes(graphics, compiledStages);
}

} // namespace

GraphicsPipelineBuildInfo::GraphicsPipelineBuildInfo() {
  for (unsigned i = 0; i < graphicsStageCount; ++i)
    (this->*shaderMembers[i]).entryStage = static_cast<ShaderStage>(i);
}

PipelineShaderInfo &GraphicsPipelineBuildInfo::shader(ShaderStage stage) {
  KILN_CHECK(static_cast<unsigned>(stage) < graphicsStageCount, "no graphics stage");
  return this->*shaderMembers[static_cast<unsigned>(stage)];
}

const PipelineShaderInfo &GraphicsPipelineBuildInfo::shader(ShaderStage stage) const {
  return const_cast<GraphicsPipelineBuildInfo *>(this)->shader(stage);
}

uint32_t GraphicsPipelineBuildInfo::allStages() const {
  uint32_t mask = stageMask;
  for (unsigned i = 0; i < graphicsStageCount; ++i)
    if (shader(static_cast<ShaderStage>(i)).module)
      mask |= 1u << i;
  return mask;
}

llvm::Expected<GraphicsPipelineResult>
buildGraphics(const GraphicsPipelineBuildInfo &info, const lgc::PartState &part,
              const PipelineHashes &hashes, llvm::StringRef target, lgc::Backend &backend) {
  GraphicsPipelineResult result;
  result.hashes = hashes;
  const GraphicsShaders given(info);
  PipelineBuild build(info, given.shaders, target, backend, result);
  build.setStages(info.allStages());
  build.setPart(part);
  KILN_TRY(build.run(
      [&](lgc::PipelineState &state) { return setState(state, info, given.compiledStages); }));
  setStatistics(result, build.compiled(), build.state(), given.compiledStages);
  return result;
}

llvm::Expected<HalfBuilds> buildHalves(const GraphicsPipelineBuildInfo &info,
                                       const PipelineHashes &hashes, llvm::StringRef target,
                                       lgc::Backend &backend, lgc::RunBoth runBoth) {
  HalfBuilds builds;
  builds.fragment.hashes = builds.preRasterization.hashes = hashes;
  const GraphicsShaders given(info);
  PipelineBuild build(info, given.shaders, target, backend, builds.fragment);
  build.setStages(info.allStages());
  lgc::PartState part;
  part.half = lgc::PartState::Half::Fragment;
  build.setPart(part);
  auto compiled = KILN_TRY(build.runHalves(
      [&](lgc::PipelineState &state) { return setState(state, info, given.compiledStages); },
      runBoth));
  auto take = [&](GraphicsPipelineResult &result, lgc::CompileResult &half) {
    result.times.lgc = half.times.lower;
    result.times.optimise = half.times.optimize;
    result.times.codegen = half.times.codegen;
    result.times.link = half.times.object;
    result.isDirect = half.isDirect;
    result.directRefusal = half.directRefusal;
    result.elf = PipelineBinary::own(std::move(half.data));
    setStatistics(result, half, build.state(), given.compiledStages);
  };
  take(builds.preRasterization, compiled.preRasterization);
  take(builds.fragment, compiled.fragment);
  return builds;
}

llvm::Expected<GraphicsPipelineResult>
Compiler::buildGraphicsPipeline(const GraphicsPipelineBuildInfo &info) const {
  KILN_TRY(checkGraphicsInfo(info));
  const PipelineHashes hashes = graphicsPipelineHashes(info, impl->target.name);
  const GraphicsPipelineBuildInfo input = wholeInput(info, impl->target.name);
  // The direct tier is done before another thread has read what it needs.
  const bool isDirect = info.options.tier == lgc::Tier::Direct;
  // Debug sections are not linked.
  if (impl->threadsPerPipeline > 1 && hasHalves(input) && !isDirect && !input.options.debugInfo)
    if (auto result = buildGraphicsHalves(input, hashes, impl->target.name, impl->backend))
      return std::move(*result);
  return buildGraphics(input, {}, hashes, impl->target.name, impl->backend);
}

PipelineHashes Compiler::hashGraphicsPipeline(const GraphicsPipelineBuildInfo &info) const {
  return graphicsPipelineHashes(info, impl->target.name);
}

} // namespace llpc
