//===- GraphicsChecks.cpp - rules for what a graphics pipeline may be given ===//
// SPDX-License-Identifier: MIT
/// \file
/// Vulkan leaves most of these undefined; here each is an error that says what is wrong, because a
/// driver may be handed anything and a command line tool is handed everything. The limits are those
/// of the hardware.
#include "llpc/context/GraphicsChecks.h"
#include "llpc/Formats.h"
#include "llpc/context/PipelineBuild.h"
#include "llpc/context/ShaderModule.h"
#include "llpc/reflect/StageInterface.h"
#include "pal_shim/abi/Try.h"
#include <bit>

namespace llpc {

using lgc::InputPrimitive;
using lgc::Topology;
using llvm::Error;
using llvm::Twine;

namespace {

constexpr uint32_t maxVertexInputs = 32; ///< bindings, and locations
constexpr uint32_t maxPatchControlPoints = 32;
constexpr uint32_t maxStreams = 4;

bool has(uint32_t mask, ShaderStage stage) { return mask & stageBit(stage); }

/// Stages that stand in the way of each other, and stages that need another one.
struct StageRule {
  ShaderStage stage, other;
  bool needs; ///< else: excludes
};
constexpr StageRule stageRules[] = {
    {ShaderStage::Mesh, ShaderStage::Vertex, false},
    {ShaderStage::Mesh, ShaderStage::TessControl, false},
    {ShaderStage::Mesh, ShaderStage::TessEval, false},
    {ShaderStage::Mesh, ShaderStage::Geometry, false},
    {ShaderStage::Task, ShaderStage::Mesh, true},
    {ShaderStage::TessControl, ShaderStage::TessEval, true},
    {ShaderStage::TessEval, ShaderStage::TessControl, true},
    {ShaderStage::TessControl, ShaderStage::Vertex, true},
    {ShaderStage::Geometry, ShaderStage::Vertex, true},
};

Error checkStages(const GraphicsPipelineBuildInfo &info) {
  const uint32_t mask = info.allStages();
  if (mask >> graphicsStageCount)
    return lgc::invalidInput("stageMask has bits of stages that are no graphics stages");
  bool isEmpty = true;
  for (unsigned i = 0; i < graphicsStageCount; ++i) {
    auto stage = static_cast<ShaderStage>(i);
    const PipelineShaderInfo &shader = info.shader(stage);
    if (!shader.module)
      continue;
    isEmpty = false;
    KILN_TRY(checkShader(shader, stage));
  }
  if (isEmpty)
    return lgc::invalidInput("a graphics pipeline needs a shader");
  for (const StageRule &rule : stageRules) {
    if (!has(mask, rule.stage) || has(mask, rule.other) == rule.needs)
      continue;
    return lgc::invalidInput(withArticle(shaderStageName(rule.stage)) +
                             (rule.needs ? " shader needs " : " shader excludes ") +
                             withArticle(shaderStageName(rule.other)) + " shader");
  }
  if (!has(mask, ShaderStage::Vertex) && !has(mask, ShaderStage::Mesh))
    return lgc::invalidInput("a graphics pipeline needs a vertex or a mesh shader");
  return Error::success();
}

Error checkVertexInput(const VertexInputInfo &input) {
  uint32_t bindings = 0, locations = 0;
  for (const lgc::VertexBinding &binding : input.bindings) {
    if (binding.binding >= maxVertexInputs)
      return lgc::limitExceeded("vertex binding " + Twine(binding.binding) + "; the limit is " +
                                Twine(maxVertexInputs - 1));
    if (bindings >> binding.binding & 1)
      return lgc::invalidInput("vertex binding " + Twine(binding.binding) + " is described twice");
    bindings |= 1u << binding.binding;
  }
  for (const VertexAttributeInfo &attribute : input.attributes) {
    if (attribute.location >= maxVertexInputs)
      return lgc::limitExceeded("vertex attribute at location " + Twine(attribute.location) +
                                "; the limit is " + Twine(maxVertexInputs - 1));
    const std::string name = "vertex attribute at location " + std::to_string(attribute.location);
    if (locations >> attribute.location & 1)
      return lgc::invalidInput(name + " is described twice");
    locations |= 1u << attribute.location;
    if (attribute.binding >= maxVertexInputs || !(bindings >> attribute.binding & 1))
      return lgc::invalidInput(name + " names binding " + Twine(attribute.binding) +
                               ", which is not described");
    if (attribute.format == vkFormatUndefined)
      return lgc::invalidInput(name + " has no format");
    if (!texelFormatOf(attribute.format))
      return unknownFormat(name, attribute.format);
  }
  return Error::success();
}

Error checkTessellation(const GraphicsPipelineBuildInfo &info) {
  const bool hasTess = has(info.allStages(), ShaderStage::TessEval);
  const bool isPatches = info.iaState.topology == Topology::PatchList;
  if (!has(info.allStages(), ShaderStage::Vertex)) // a mesh shader has no topology
    return Error::success();
  if (hasTess && !isPatches)
    return lgc::invalidInput("tessellation needs the topology patch list");
  if (!hasTess && isPatches)
    return lgc::invalidInput("the topology patch list needs tessellation shaders");
  const uint32_t points = info.iaState.patchControlPoints;
  if (hasTess && !info.iaState.dynamicPatchControlPoints &&
      (points == 0 || points > maxPatchControlPoints))
    return lgc::invalidInput("patches of " + Twine(points) + " control points; 1 to " +
                             Twine(maxPatchControlPoints) + " are possible");
  return Error::success();
}

bool isSampleCount(uint32_t samples) { return std::has_single_bit(samples) && samples <= 16; }

Error checkRaster(const RasterizerState &raster) {
  if (!isSampleCount(raster.numSamples))
    return lgc::invalidInput("numSamples is " + Twine(raster.numSamples) +
                             "; 1, 2, 4, 8 and 16 are possible");
  if (raster.pixelShaderSamples > raster.numSamples && !raster.dynamicSampleInfo)
    return lgc::invalidInput("pixelShaderSamples is " + Twine(raster.pixelShaderSamples) + " of " +
                             Twine(raster.numSamples) + " samples");
  if (raster.rasterStream >= maxStreams)
    return lgc::invalidInput("rasterStream is " + Twine(raster.rasterStream) +
                             "; streams are 0 to 3");
  return Error::success();
}

Error checkTargets(const ColorBlendState &blend) {
  for (unsigned i = 0; i < maxColorTargets; ++i) {
    const ColorTargetState &target = blend.target[i];
    if (!texelFormatOf(target.format))
      return unknownFormat("colour target " + Twine(i), target.format);
    if (target.channelWriteMask > 0xF)
      return lgc::invalidInput("colour target " + Twine(i) +
                               ": channelWriteMask has more than "
                               "four bits");
    if (i && target.format && (blend.dualSourceBlendEnable && !blend.dualSourceBlendDynamic))
      return lgc::invalidInput("dual source blending has one colour target; target " + Twine(i) +
                               " has a format");
  }
  return Error::success();
}

/// Locations of the fragment shader's outputs.
Error checkOutputs(const PipelineShaderInfo &fs) {
  if (!fs.module)
    return Error::success();
  const spirv::Module &module = fs.module.spirvModule();
  auto outputs =
      collectOutputs(module, *module.findEntryPoint(spv::ExecutionModel::Fragment, fs.entryTarget));
  if (!outputs)
    return outputs.takeError();
  for (const InterfaceSlot &slot : *outputs) {
    if (slot.location >= maxColorTargets)
      return lgc::invalidInput("the fragment shader writes location " + Twine(slot.location) +
                               "; there are " + Twine(maxColorTargets) + " colour targets");
    if (slot.index > 1 || (slot.index == 1 && slot.location != 0))
      return lgc::invalidInput("the fragment shader writes location " + Twine(slot.location) +
                               ", index " + Twine(slot.index) + "; only location 0 has an index 1");
  }
  return Error::success();
}

llvm::StringRef primitiveName(InputPrimitive primitive) {
  static constexpr llvm::StringLiteral names[] = {"points", "lines", "lines with adjacency",
                                                  "triangles", "triangles with adjacency"};
  return names[static_cast<unsigned>(primitive)];
}

InputPrimitive primitiveOf(Topology topology) {
  switch (topology) {
  case Topology::PointList:
    return InputPrimitive::Points;
  case Topology::LineList:
  case Topology::LineStrip:
    return InputPrimitive::Lines;
  case Topology::LineListAdjacency:
  case Topology::LineStripAdjacency:
    return InputPrimitive::LinesAdjacency;
  case Topology::TriangleListAdjacency:
  case Topology::TriangleStripAdjacency:
    return InputPrimitive::TrianglesAdjacency;
  default:
    return InputPrimitive::Triangles;
  }
}

/// What the geometry shader is handed: by the tessellator, or by the input assembly.
InputPrimitive assembledPrimitive(const lgc::GraphicsState &state) {
  if (!state.has(lgc::ShaderStage::TessEval))
    return primitiveOf(state.iaState.topology);
  if (state.tess.pointMode)
    return InputPrimitive::Points;
  return state.tess.domain == lgc::TessModes::Domain::Isolines ? InputPrimitive::Lines
                                                               : InputPrimitive::Triangles;
}

} // namespace

Error unknownFormat(const Twine &user, uint32_t format) {
  return lgc::unsupported(user + ": VkFormat " + Twine(format) +
                          " is neither a vertex nor a colour format");
}

Error checkGraphicsInfo(const GraphicsPipelineBuildInfo &info) {
  KILN_TRY(checkStages(info));
  for (unsigned i = 0; i < graphicsStageCount; ++i)
    KILN_TRY(checkOptions(info.shader(static_cast<ShaderStage>(i))));
  KILN_TRY(checkVertexInput(info.vertexInput));
  KILN_TRY(checkTessellation(info));
  KILN_TRY(checkRaster(info.rsState));
  KILN_TRY(checkTargets(info.cbState));
  return checkOutputs(info.fs);
}

Error checkGlueState(const GraphicsPipelineBuildInfo &info, lgc::PartKind kind) {
  return kind == lgc::PartKind::VertexFetch ? checkVertexInput(info.vertexInput)
                                            : checkTargets(info.cbState);
}

Error checkGraphicsModes(const lgc::GraphicsState &state, uint32_t compiledStages) {
  using lgc::ShaderStage;
  auto isCompiled = [&](ShaderStage stage) {
    return compiledStages >> static_cast<unsigned>(stage) & 1;
  };
  const bool bothTess = isCompiled(ShaderStage::TessControl) && isCompiled(ShaderStage::TessEval);
  if (bothTess && state.tess.domain == lgc::TessModes::Domain::None)
    return lgc::invalidInput("neither tessellation shader declares Triangles, Quads or Isolines");
  if (isCompiled(ShaderStage::TessControl) && state.tess.outputVertices == 0)
    return lgc::invalidInput("the tessellation control shader declares no OutputVertices");
  if (isCompiled(ShaderStage::TessControl) && state.tess.outputVertices > maxPatchControlPoints)
    return lgc::limitExceeded("patches of " + Twine(state.tess.outputVertices) +
                              " output vertices; the limit is " + Twine(maxPatchControlPoints));
  // A part does not know what stands before its geometry shader.
  const bool knowsInput = isCompiled(ShaderStage::Vertex) &&
                          (!state.has(ShaderStage::TessEval) || bothTess) &&
                          !state.iaState.dynamicTopology;
  if (isCompiled(ShaderStage::Geometry) && knowsInput &&
      assembledPrimitive(state) != state.geometry.input)
    return lgc::invalidInput("the geometry shader takes " + primitiveName(state.geometry.input) +
                             ", but is given " + primitiveName(assembledPrimitive(state)));
  return Error::success();
}

} // namespace llpc
