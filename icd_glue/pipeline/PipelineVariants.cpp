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

/// Null: there is none.
const llpc::PipelineShaderInfo *findShader(const std::shared_ptr<const ShaderPiece> &piece,
                                           llpc::ShaderStage stage) {
  if (piece)
    for (const llpc::PipelineShaderInfo &shader : piece->shaders)
      if (shader.entryStage == stage)
        return &shader;
  return nullptr;
}

/// The streams that the geometry shader of \p pieces emits vertices to, a bit each.
uint32_t emittedStreams(const LibraryPieces &pieces) {
  const auto *geometry = findShader(pieces.preRasterization, llpc::ShaderStage::Geometry);
  return geometry ? llpc::Compiler::emittedStreams(*geometry) : 0;
}

bool hasDynamicOrigin(const GraphicsState &pipeline) {
  return (pipeline.stages & VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT) &&
         pipeline.dynamic.has(VK_DYNAMIC_STATE_TESSELLATION_DOMAIN_ORIGIN_EXT);
}

/// A fragment shader may read a PrimitiveId, which the provoking vertex has.
bool hasDynamicProvokingVertex(const GraphicsState &pipeline) {
  constexpr VkShaderStageFlags shaded = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;
  return ((pipeline.stages & VK_SHADER_STAGE_GEOMETRY_BIT) ||
          (pipeline.stages & shaded) == shaded) &&
         pipeline.dynamic.has(VK_DYNAMIC_STATE_PROVOKING_VERTEX_MODE_EXT);
}

/// \p pieces have SPIR-V.
bool dependsOnProvokingVertex(const LibraryPieces &pieces, const GraphicsState &state) {
  if (!hasDynamicProvokingVertex(state))
    return false;
  const auto *shader = state.stages & VK_SHADER_STAGE_GEOMETRY_BIT
                           ? findShader(pieces.preRasterization, llpc::ShaderStage::Geometry)
                           : findShader(pieces.fragmentShader, llpc::ShaderStage::Fragment);
  return shader && llpc::Compiler::dependsOnProvokingVertex(*shader);
}

void setShaderState(DrawState &to, const CompiledShaderState &state) {
  to.rasterizationStream = state.rasterizationStream;
  to.raster.provokingVertexLast = state.provokingVertexLast;
  to.lowerLeftOrigin = state.lowerLeftOrigin;
}

/// Parts of it are linked, instead of its modules compiled.
bool linksVariants(const PipelineData &base) {
  return base.isOfParts() || hasDynamicInput(base.graphics()->state);
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
llvm::Expected<std::shared_ptr<const PipelineData>> makeVariant(Device &device,
                                                                const PipelineData &base,
                                                                const CompiledShaderState &shaders,
                                                                bool mayCompile) {
  GraphicsState state = base.graphics()->state;
  setShaderState(state.fixed, shaders);
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

bool hasDynamicShaderState(const GraphicsState &pipeline) {
  return hasDynamicStream(pipeline) || hasDynamicProvokingVertex(pipeline) ||
         hasDynamicOrigin(pipeline);
}

CompiledState compiledStateOf(const GraphicsState &pipeline, const DrawState &state,
                              const VertexInputState &input) {
  auto from = [&](bool isDynamic) -> const DrawState & {
    return isDynamic ? state : pipeline.fixed;
  };
  CompiledState compiled;
  compiled.shaders = {from(hasDynamicStream(pipeline)).rasterizationStream,
                      from(hasDynamicProvokingVertex(pipeline)).raster.provokingVertexLast,
                      from(hasDynamicOrigin(pipeline)).lowerLeftOrigin};
  if (hasDynamicInput(pipeline))
    compiled.input = withStrides(input, state);
  return compiled;
}

bool hasVariants(const GraphicsState &pipeline) {
  return hasDynamicShaderState(pipeline) || hasDynamicInput(pipeline);
}

llvm::Expected<bool> PipelineVariants::addVariant(Device &device, const PipelineData &base,
                                                  const CompiledShaderState &state,
                                                  bool mayCompile) {
  if (!linksVariants(base)) {
    auto made = KILN_TRY(makeVariant(device, base, state, mayCompile));
    if (!made)
      return false;
    variants.push_back({{.shaders = state}, std::move(made)});
    return true;
  }
  const LibraryPieces &pieces = base.pieces();
  auto piece = pieces.preRasterization->withoutParts();
  setShaderState(piece->state.fixed, state);
  auto part = KILN_TRY(partOf(device, *piece, pieces.primitives(), mayCompile));
  otherShaders.push_back({state, std::move(piece)});
  return part != nullptr;
}

llvm::Expected<bool> PipelineVariants::addShaders(Device &device, const PipelineData &base,
                                                  bool mayCompile) {
  const GraphicsState &state = base.graphics()->state;
  const LibraryPieces &pieces = base.pieces();
  const CompiledShaderState own = compiledStateOf(state, state.fixed).shaders;
  if (!pieces.preRasterization || !pieces.canCompile()) {
    // What it needs is not known, and draws with another state are errors. Code that was compiled
    // offline depends on the vertex with a geometry shader only.
    streams = ~0u;
    hasBothVertices = state.stages & VK_SHADER_STAGE_GEOMETRY_BIT;
    return true;
  }
  streams = 1u << own.rasterizationStream;
  if (hasDynamicStream(state))
    streams |= emittedStreams(pieces);
  hasBothVertices = dependsOnProvokingVertex(pieces, state);
  for (uint32_t rest = streams; rest; rest &= rest - 1)
    for (bool isLast : {own.provokingVertexLast, !own.provokingVertexLast})
      for (bool isLower : {own.lowerLeftOrigin, !own.lowerLeftOrigin}) {
        const CompiledShaderState other = {static_cast<uint32_t>(llvm::countr_zero(rest)), isLast,
                                           isLower};
        if (other == own || (isLast != own.provokingVertexLast && !hasBothVertices) ||
            (isLower != own.lowerLeftOrigin && !hasDynamicOrigin(state)))
          continue;
        auto isMade = KILN_TRY(addVariant(device, base, other, mayCompile));
        if (!isMade)
          return false;
      }
  return true;
}

std::shared_ptr<const ShaderPiece>
PipelineVariants::shadersFor(const PipelineData &base, const CompiledShaderState &state) const {
  const GraphicsState &own = base.graphics()->state;
  if (state == compiledStateOf(own, own.fixed).shaders)
    return base.pieces().preRasterization;
  for (const Shaders &other : otherShaders)
    if (other.state == state)
      return other.piece;
  return nullptr;
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
  const bool isInput = hasDynamicInput(base.graphics()->state);
  auto shaders = shadersFor(base, wanted.shaders);
  if (!linksVariants(base) || !shaders || (isInput && !base.pieces().vertexInput))
    return lgc::unsupported(
        "a draw with another dynamic vertex input, rasterization stream, provoking vertex or "
        "domain origin than the pipeline has code for: " +
        llvm::Twine(wanted.input.attributes.size()) + " attributes, stream " +
        llvm::Twine(wanted.shaders.rasterizationStream) + ", " +
        (wanted.shaders.provokingVertexLast ? "last" : "first") + " vertex, " +
        (wanted.shaders.lowerLeftOrigin ? "lower" : "upper") +
        " left; the pipeline was created without SPIR-V");
  LibraryPieces pieces = isInput ? piecesWithInput(base.pieces(), wanted.input) : base.pieces();
  pieces.preRasterization = std::move(shaders);
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
