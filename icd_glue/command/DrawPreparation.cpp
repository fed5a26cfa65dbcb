//===- DrawPreparation.cpp - code before draws need it --------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/command/DrawPreparation.h"
#include "icd_glue/Environment.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/partial/PartCounters.h"
#include "icd_glue/pipeline/Pipeline.h"

namespace icd {
namespace {

constexpr uint16_t bitsOf(DrawPiece piece) { return static_cast<uint16_t>(piece); }
template <typename... Pieces> constexpr uint16_t bitsOf(DrawPiece first, Pieces... rest) {
  return static_cast<uint16_t>(bitsOf(first) | bitsOf(rest...));
}

/// What draws with the bound shader objects must have been given: what Vulkan wants to be set, of
/// what code depends on.
uint16_t neededPieces(Device &device, const DrawBindings &bindings) {
  const DrawShaders &shaders = bindings.shaders;
  uint16_t needed = bitsOf(DrawPiece::Formats);
  if (shaders.vertex)
    needed |= bitsOf(DrawPiece::Topology, DrawPiece::VertexInput);
  if (shaders.evaluation)
    needed |= bitsOf(DrawPiece::DomainOrigin);
  if (shaders.geometry && device.features().geometryStreams)
    needed |= bitsOf(DrawPiece::RasterizationStream);
  if (shaders.geometry && device.features().provokingVertexLast)
    needed |= bitsOf(DrawPiece::ProvokingVertex);
  if (!shaders.fragment)
    return needed;
  needed |= bitsOf(DrawPiece::AlphaToCoverage);
  bool isAnyTarget = false, isAnyBlended = false;
  for (unsigned i = 0; i < bindings.formats.colors.size(); ++i)
    if (bindings.formats.colors[i]) {
      isAnyTarget = true;
      isAnyBlended |= bindings.dynamic.blend.targets[i].blendEnable;
    }
  if (isAnyTarget)
    needed |= bitsOf(DrawPiece::BlendEnable, DrawPiece::WriteMask);
  if (isAnyBlended)
    needed |= bitsOf(DrawPiece::BlendEquation);
  return needed;
}

/// Whoever draws runs into the error again and says it.
void forgetError(llvm::Error error) { llvm::consumeError(std::move(error)); }

void prepareShaders(CommandBuffer &commandBuffer) {
  Device &device = commandBuffer.device();
  DrawBindings &bindings = commandBuffer.drawBindings();
  if (!bindings.shaders.canDraw() || (neededPieces(device, bindings) & ~bindings.given))
    return;
  noteAlignment(device, bindings);
  auto made = device.drawVariants().obtain(device, bindings.shaders, bindings.vertexInput,
                                           bindings.dynamic, bindings.formats);
  if (!made)
    return forgetError(made.takeError());
  if (llvm::Error error = (*made)->prepareCode(device))
    return forgetError(std::move(error));
  bindings.shaderPipeline = std::move(*made);
}

void preparePipeline(CommandBuffer &commandBuffer, const PipelineData &pipeline, DrawPiece piece) {
  constexpr uint16_t counts =
      bitsOf(DrawPiece::Shaders, DrawPiece::VertexInput, DrawPiece::VertexBuffers,
             DrawPiece::RasterizationStream, DrawPiece::ProvokingVertex, DrawPiece::DomainOrigin);
  if (pipeline.kind != PipelineData::Kind::Graphics || !(bitsOf(piece) & counts))
    return;
  Device &device = commandBuffer.device();
  DrawBindings &bindings = commandBuffer.drawBindings();
  const GraphicsState &own = pipeline.graphics()->state;
  if (!hasVariants(own)) {
    if (piece == DrawPiece::Shaders)
      forgetError(pipeline.prepareCode(device));
    return;
  }
  if (hasDynamicInput(own) && !(bindings.given & bitsOf(DrawPiece::VertexInput)))
    return;
  noteAlignment(device, bindings);
  auto variant = pipeline.variantFor(device, stateOfDraw(pipeline, bindings), bindings.vertexInput);
  if (!variant)
    return forgetError(variant.takeError());
  forgetError((*variant ? **variant : pipeline).prepareCode(device));
}

/// A draw makes code.
void noteWait(CommandBuffer &commandBuffer) {
  Device &device = commandBuffer.device();
  ++device.counters().drawsThatWaited;
  if (!device.environment().readyDraws)
    return;
  device.reportError("KILN-draw", "a draw has to wait for its code", &commandBuffer);
  commandBuffer.setError(VK_ERROR_UNKNOWN);
}

} // namespace

void prepareDraws(CommandBuffer &commandBuffer, DrawPiece piece) {
  commandBuffer.drawBindings().given |= bitsOf(piece);
  commandBuffer.drawBindings().shaderPipeline = nullptr;
  const auto &pipeline = commandBuffer.state(VK_PIPELINE_BIND_POINT_GRAPHICS).pipeline;
  if (pipeline)
    preparePipeline(commandBuffer, *pipeline, piece);
  else
    prepareShaders(commandBuffer);
}

std::shared_ptr<const PipelineData> pipelineOfShaders(CommandBuffer &commandBuffer) {
  Device &device = commandBuffer.device();
  DrawBindings &bindings = commandBuffer.drawBindings();
  if (!bindings.shaders.canDraw())
    return nullptr;
  noteAlignment(device, bindings);
  if (bindings.shaderPipeline)
    return bindings.shaderPipeline;
  if (!device.drawVariants().find(bindings.shaders, bindings.vertexInput, bindings.dynamic,
                                  bindings.formats))
    noteWait(commandBuffer);
  auto pipeline = device.drawVariants().obtain(device, bindings.shaders, bindings.vertexInput,
                                               bindings.dynamic, bindings.formats);
  if (pipeline) {
    forgetError((*pipeline)->prepareCode(device));
    return bindings.shaderPipeline = std::move(*pipeline);
  }
  device.reportError("KILN-compile",
                     "a draw with shader objects: " + llvm::toString(pipeline.takeError()),
                     &commandBuffer);
  commandBuffer.setError(VK_ERROR_UNKNOWN);
  return nullptr;
}

DrawState stateOfDraw(const PipelineData &pipeline, const DrawBindings &bindings) {
  const GraphicsState &own = pipeline.graphics()->state;
  DrawState state = own.dynamic.resolve(own.fixed, bindings.dynamic);
  if (pipeline.hasStream(state.rasterizationStream))
    return state;
  state.rasterizationStream = own.fixed.rasterizationStream;
  state.raster.rasterizerDiscard = true;
  return state;
}

std::shared_ptr<const PipelineData> variantOf(CommandBuffer &commandBuffer,
                                              const std::shared_ptr<const PipelineData> &pipeline,
                                              const DrawState &state) {
  Device &device = commandBuffer.device();
  const VertexInputState &input = commandBuffer.drawBindings().vertexInput;
  noteAlignment(device, commandBuffer.drawBindings());
  if (!pipeline->hasVariantFor(state, input))
    noteWait(commandBuffer);
  auto variant = pipeline->variantFor(device, state, input);
  if (variant)
    return *variant ? *variant : pipeline;
  device.reportError("KILN-compile", llvm::toString(variant.takeError()), &commandBuffer);
  return nullptr;
}

std::shared_ptr<const pal::device::Program> programOfDraw(CommandBuffer &commandBuffer,
                                                          const PipelineData &pipeline) {
  if (!pipeline.hasCode())
    noteWait(commandBuffer);
  return pipeline.program(commandBuffer.device());
}

} // namespace icd
