//===- PipelineVariants.cpp - draws with state that is compiled in --------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/pipeline/PipelineVariants.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/pipeline/LibraryLink.h"
#include "icd_glue/pipeline/PipelineCreation.h"
#include "icd_glue/state/GraphicsBuild.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"

namespace icd {
namespace {

bool variesStream(const GraphicsState &pipeline) {
  return (pipeline.stages & VK_SHADER_STAGE_GEOMETRY_BIT) &&
         pipeline.dynamic.has(VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT);
}

/// The pipeline's pieces with the vertex input of a draw.
LibraryPieces piecesWithInput(const LibraryPieces &pieces, const VertexInputState &input) {
  auto piece = std::make_shared<StatePiece>();
  piece->state = pieces.vertexInput->state;
  piece->state.input = input;
  // Its strides are those of the draw.
  piece->state.dynamic.remove(VK_DYNAMIC_STATE_VERTEX_INPUT_EXT);
  piece->state.dynamic.remove(VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE);
  LibraryPieces result = pieces;
  result.vertexInput = std::move(piece);
  return result;
}

/// A variant with \p input and what the pipeline has itself.
llvm::Expected<std::shared_ptr<const PipelineData>>
linkVariant(Device &device, const PipelineData &base, const VertexInputState &input) {
  const LibraryPieces pieces = piecesWithInput(base.pieces(), input);
  GraphicsState state = pieces.state();
  auto data = std::make_shared<PipelineData>(PipelineData::Kind::Graphics, base.sharedLayout());
  data->setCode(KILN_TRY(codeOfPieces(device, pieces, state, base.sharedLayout())));
  data->setGraphics(std::make_shared<const GraphicsPipelineData>(std::move(state)));
  return data;
}

/// A variant that is compiled monolithically.
llvm::Expected<std::shared_ptr<const PipelineData>>
compileVariant(Device &device, const PipelineData &base, const CompiledState &wanted) {
  const bool hasInput = hasDynamicInput(base.graphics()->state);
  const LibraryPieces pieces = hasInput && base.pieces().vertexInput
                                   ? piecesWithInput(base.pieces(), wanted.input)
                                   : base.pieces();
  GraphicsState state = hasInput ? pieces.state() : base.graphics()->state;
  if (!pieces.preRasterization || !pieces.canCompile() || (hasInput && !pieces.vertexInput))
    return lgc::unsupported(
        "a draw with another dynamic vertex input, other dynamic patch control points or another "
        "dynamic rasterization stream than the pipeline has code for: " +
        llvm::Twine(wanted.input.attributes.size()) + " attributes, " +
        llvm::Twine(wanted.patchControlPoints) + " control points, stream " +
        llvm::Twine(wanted.rasterizationStream) + "; the pipeline was created without SPIR-V");
  if (hasDynamicPatches(state))
    state.fixed.patchControlPoints = wanted.patchControlPoints;
  if (variesStream(state))
    state.fixed.rasterizationStream = wanted.rasterizationStream;
  const llpc::GraphicsPipelineBuildInfo build =
      monolithicBuildInfo(pieces, state, base.layout(),
                          monolithicOptions(pieces, pipelineOptionsOf(device, nullptr, {}, 0)));
  auto code = codeOf({.device = device,
                      .places = {{}, nullptr, state.stages},
                      .layout = base.sharedLayout(),
                      .name = programNameOf(build)},
                     build);
  auto data = std::make_shared<PipelineData>(PipelineData::Kind::Graphics, base.sharedLayout());
  data->setGraphics(std::make_shared<const GraphicsPipelineData>(std::move(state)));
  return finishData(std::move(data), std::move(code));
}

} // namespace

bool hasDynamicPatches(const GraphicsState &pipeline) {
  return (pipeline.stages & VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT) &&
         pipeline.dynamic.has(VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT);
}

bool hasDynamicInput(const GraphicsState &pipeline) {
  return (pipeline.stages & VK_SHADER_STAGE_VERTEX_BIT) &&
         pipeline.dynamic.has(VK_DYNAMIC_STATE_VERTEX_INPUT_EXT);
}

CompiledState compiledStateOf(const GraphicsState &pipeline, const DrawState &state,
                              const VertexInputState &input) {
  CompiledState compiled;
  if (hasDynamicPatches(pipeline))
    compiled.patchControlPoints = state.patchControlPoints;
  if (variesStream(pipeline))
    compiled.rasterizationStream = state.rasterizationStream;
  if (hasDynamicInput(pipeline))
    compiled.input = withStrides(input, state);
  return compiled;
}

bool hasVariants(const GraphicsState &pipeline) {
  return hasDynamicPatches(pipeline) || variesStream(pipeline) || hasDynamicInput(pipeline);
}

llvm::Expected<std::shared_ptr<const PipelineData>>
PipelineVariants::obtain(Device &device, const PipelineData &base, const CompiledState &wanted) {
  auto find = [&]() -> std::shared_ptr<const PipelineData> {
    auto *found =
        llvm::find_if(variants, [&](const Variant &variant) { return variant.state == wanted; });
    return found == variants.end() ? nullptr : found->pipeline;
  };
  {
    std::lock_guard lock(mutex);
    if (auto pipeline = find())
      return pipeline;
  }
  const GraphicsState &own = base.graphics()->state;
  const bool isOfParts = hasDynamicInput(own) && !hasDynamicPatches(own) && !variesStream(own) &&
                         base.pieces().vertexInput && base.pieces().preRasterization;
  auto made = KILN_TRY(isOfParts ? linkVariant(device, base, wanted.input)
                                 : compileVariant(device, base, wanted));
  std::lock_guard lock(mutex);
  // Another thread may have been faster.
  if (auto pipeline = find())
    return pipeline;
  if (variants.size() == maxVariants)
    variants.erase(variants.begin());
  variants.push_back({wanted, made});
  return made;
}

} // namespace icd
