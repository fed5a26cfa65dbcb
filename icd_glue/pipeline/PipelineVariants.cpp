//===- PipelineVariants.cpp - draws with state that is compiled in --------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/pipeline/PipelineVariants.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/pipeline/LibraryLink.h"
#include "icd_glue/pipeline/PipelineCreation.h"
#include "icd_glue/state/GraphicsBuild.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

namespace icd {
namespace {

/// The streams that the geometry shader of \p shaders emits vertices to, a bit each.
uint32_t emittedStreams(const ShaderPiece &shaders) {
  for (const llpc::PipelineShaderInfo &shader : shaders.shaders)
    if (shader.entryStage == llpc::ShaderStage::Geometry)
      return llpc::Compiler::emittedStreams(shader);
  return 0;
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

/// A variant that is linked of \p pieces.
llvm::Expected<std::shared_ptr<const PipelineData>>
linkVariant(Device &device, const PipelineData &base, const LibraryPieces &pieces) {
  GraphicsState state = pieces.state();
  auto data = std::make_shared<PipelineData>(PipelineData::Kind::Graphics, base.sharedLayout());
  data->setCode(KILN_TRY(codeOfPieces(device, pieces, state, base.sharedLayout())));
  data->setGraphics(std::make_shared<const GraphicsPipelineData>(std::move(state)));
  return data;
}

/// A variant that is made as pipelines are. Null: it would have to be compiled, and must not.
llvm::Expected<std::shared_ptr<const PipelineData>>
makeVariant(Device &device, const PipelineData &base, uint32_t stream, bool mayCompile) {
  GraphicsState state = base.graphics()->state;
  state.fixed.rasterizationStream = stream;
  const llpc::GraphicsPipelineBuildInfo build = monolithicBuildInfo(
      base.pieces(), state, base.layout(),
      monolithicOptions(base.pieces(), pipelineOptionsOf(device, nullptr, {}, 0)));
  auto code = codeOf({.device = device,
                      .places = {{}, nullptr, state.stages},
                      .layout = base.sharedLayout(),
                      .name = programNameOf(build),
                      .mayCompile = mayCompile},
                     build);
  auto data = std::make_shared<PipelineData>(PipelineData::Kind::Graphics, base.sharedLayout());
  data->setGraphics(std::make_shared<const GraphicsPipelineData>(std::move(state)));
  return finishData(std::move(data), std::move(code));
}

} // namespace

bool hasDynamicStream(const GraphicsState &pipeline) {
  return (pipeline.stages & VK_SHADER_STAGE_GEOMETRY_BIT) &&
         pipeline.dynamic.has(VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT);
}

bool hasDynamicInput(const GraphicsState &pipeline) {
  return (pipeline.stages & VK_SHADER_STAGE_VERTEX_BIT) &&
         pipeline.dynamic.has(VK_DYNAMIC_STATE_VERTEX_INPUT_EXT);
}

CompiledState compiledStateOf(const GraphicsState &pipeline, const DrawState &state,
                              const VertexInputState &input) {
  CompiledState compiled;
  if (hasDynamicStream(pipeline))
    compiled.rasterizationStream = state.rasterizationStream;
  if (hasDynamicInput(pipeline))
    compiled.input = withStrides(input, state);
  return compiled;
}

bool hasVariants(const GraphicsState &pipeline) {
  return hasDynamicStream(pipeline) || hasDynamicInput(pipeline);
}

llvm::Expected<bool> PipelineVariants::addStream(Device &device, const PipelineData &base,
                                                 uint32_t stream, bool mayCompile) {
  const LibraryPieces &pieces = base.pieces();
  streams |= 1u << stream;
  if (!hasDynamicInput(base.graphics()->state)) {
    auto made = KILN_TRY(makeVariant(device, base, stream, mayCompile));
    if (!made)
      return false;
    variants.push_back({{.rasterizationStream = stream}, std::move(made)});
    return true;
  }
  auto piece = pieces.preRasterization->withoutParts();
  piece->state.fixed.rasterizationStream = stream;
  auto part = KILN_TRY(partOf(device, *piece, pieces.primitives(), mayCompile));
  shadersOfStream[stream] = std::move(piece);
  return part != nullptr;
}

llvm::Expected<bool> PipelineVariants::addStreams(Device &device, const PipelineData &base,
                                                  bool mayCompile) {
  const GraphicsState &state = base.graphics()->state;
  streams = 1u << state.fixed.rasterizationStream;
  const LibraryPieces &pieces = base.pieces();
  if (!pieces.preRasterization || !pieces.canCompile()) {
    streams = ~0u; // which it emits to is not known, and draws with others are errors
    return true;
  }
  uint32_t others = emittedStreams(*pieces.preRasterization) & ~streams;
  for (; others; others &= others - 1) {
    auto isMade = KILN_TRY(
        addStream(device, base, static_cast<uint32_t>(llvm::countr_zero(others)), mayCompile));
    if (!isMade)
      return false;
  }
  return true;
}

/// With the lock held. Null: not there.
std::shared_ptr<const PipelineData> PipelineVariants::find(const CompiledState &wanted) const {
  auto *found =
      llvm::find_if(variants, [&](const Variant &variant) { return variant.state == wanted; });
  return found == variants.end() ? nullptr : found->pipeline;
}

bool PipelineVariants::has(const CompiledState &wanted) const {
  std::lock_guard lock(mutex);
  return find(wanted) != nullptr;
}

llvm::Expected<std::shared_ptr<const PipelineData>>
PipelineVariants::obtain(Device &device, const PipelineData &base, const CompiledState &wanted) {
  {
    std::lock_guard lock(mutex);
    if (auto pipeline = find(wanted))
      return pipeline;
  }
  const GraphicsState &own = base.graphics()->state;
  const uint32_t stream = wanted.rasterizationStream;
  const bool isOtherStream = stream != compiledStateOf(own, own.fixed).rasterizationStream;
  if (!hasDynamicInput(own) || !base.pieces().vertexInput || !base.pieces().preRasterization ||
      (isOtherStream && !shadersOfStream[stream]))
    return lgc::unsupported("a draw with another dynamic vertex input or another dynamic "
                            "rasterization stream than the pipeline has code for: " +
                            llvm::Twine(wanted.input.attributes.size()) + " attributes, stream " +
                            llvm::Twine(stream) + "; the pipeline was created without SPIR-V");
  LibraryPieces pieces = piecesWithInput(base.pieces(), wanted.input);
  if (isOtherStream)
    pieces.preRasterization = shadersOfStream[stream];
  auto made = KILN_TRY(linkVariant(device, base, pieces));
  std::lock_guard lock(mutex);
  // Another thread may have been faster.
  if (auto pipeline = find(wanted))
    return pipeline;
  if (variants.size() == maxVariants)
    variants.erase(variants.begin());
  variants.push_back({wanted, made});
  return made;
}

} // namespace icd
