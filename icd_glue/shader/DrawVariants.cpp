//===- DrawVariants.cpp - code for draws with shader objects --------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/shader/DrawVariants.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/pipeline/LibraryLink.h"
#include "icd_glue/state/GraphicsBuild.h"
#include "llpc/StateKey.h"
#include "pal_shim/abi/Try.h"

namespace icd {
namespace {

using pal::device::PrimitiveTopology;

/// One topology for all that are the same to shaders.
PrimitiveTopology classTopologyOf(PrimitiveTopology topology) {
  GraphicsState state;
  state.fixed.topology = topology;
  constexpr PrimitiveTopology topologies[] = {
      PrimitiveTopology::TriangleList, PrimitiveTopology::LineList, PrimitiveTopology::PointList};
  return topologies[static_cast<unsigned>(primitiveClassOf(state))];
}

/// The state that decides about the vertex fetch, and what the shaders behind it get.
GraphicsState inputStateOf(const VertexInputState &input, const DrawState &state,
                           const DrawShaders &shaders) {
  GraphicsState result;
  result.subsets = vertexInputSubset;
  result.fixed.topology = shaders.geometry || shaders.isTessellated()
                              ? state.topology
                              : classTopologyOf(state.topology);
  result.input = withStrides(input, state);
  return result;
}

DynamicStates dynamicStatesOf(llvm::ArrayRef<VkDynamicState> states, Subsets subsets) {
  VkPipelineDynamicStateCreateInfo info = {};
  info.dynamicStateCount = static_cast<uint32_t>(states.size());
  info.pDynamicStates = states.data();
  return DynamicStates(&info, subsets);
}

/// The state that decides about exports. Code takes all numbers of samples.
GraphicsState outputStateOf(const DrawState &state, const TargetFormats &formats) {
  GraphicsState result;
  result.subsets = fragmentOutputSubset;
  result.dynamic =
      dynamicStatesOf(VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT, fragmentOutputSubset);
  result.fixed.blend.targets = state.blend.targets;
  result.fixed.raster.alphaToCoverage = state.raster.alphaToCoverage;
  result.formats = formats;
  return result;
}

/// The shaders before rasterization as one piece.
llvm::Expected<std::shared_ptr<const ShaderPiece>>
preRasterizationOf(const DrawShaders &shaders, const ShaderConditions &conditions,
                   const DrawState &state) {
  std::shared_ptr<const ShaderPiece> piece;
  for (const ShaderData *shader : shaders.beforeRasterization()) {
    if (!shader)
      continue;
    std::shared_ptr<const ShaderPiece> next = shader->piece(conditions);
    piece = piece ? joinShaders(*piece, *next) : std::move(next);
    if (!piece)
      return lgc::limitExceeded("the layouts of the shaders before rasterization have more sets, "
                                "dynamic buffers and push constants than the limits allow");
  }
  if (!shaders.isTessellated() && !shaders.geometry)
    return piece;
  auto copy = piece->withoutParts();
  if (shaders.isTessellated()) {
    copy->state.dynamic =
        dynamicStatesOf(VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT, preRasterizationSubset);
    copy->state.fixed.lowerLeftOrigin = state.lowerLeftOrigin;
  }
  if (shaders.geometry)
    copy->state.fixed.rasterizationStream = state.rasterizationStream;
  return copy;
}

llpc::Hash128 keyOf(llvm::StringRef kind, const GraphicsState &state) {
  llpc::GraphicsPipelineBuildInfo build;
  setCompilerState(build, state);
  llpc::Hasher key(kind, 1);
  encodeGraphicsState(key, build);
  return key.finish();
}

/// What the fragment shader subset is when no fragment shader is bound.
std::shared_ptr<const ShaderPiece> makeNoFragmentShader() {
  auto piece = std::make_shared<ShaderPiece>();
  piece->state.subsets = fragmentShaderSubset;
  piece->layout = PipelineLayoutData::create({}, 0);
  return piece;
}

} // namespace

std::shared_ptr<const ShaderData> *DrawShaders::find(VkShaderStageFlagBits stage) {
  struct Place {
    VkShaderStageFlagBits stage;
    std::shared_ptr<const ShaderData> DrawShaders::*member;
  };
  constexpr Place places[] = {
      {VK_SHADER_STAGE_TASK_BIT_EXT, &DrawShaders::task},
      {VK_SHADER_STAGE_MESH_BIT_EXT, &DrawShaders::mesh},
      {VK_SHADER_STAGE_VERTEX_BIT, &DrawShaders::vertex},
      {VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, &DrawShaders::control},
      {VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, &DrawShaders::evaluation},
      {VK_SHADER_STAGE_GEOMETRY_BIT, &DrawShaders::geometry},
      {VK_SHADER_STAGE_FRAGMENT_BIT, &DrawShaders::fragment},
  };
  for (const Place &place : places)
    if (place.stage == stage)
      return &(this->*place.member);
  return nullptr;
}

DrawVariants::DrawVariants() : noFragmentShader(makeNoFragmentShader()) {}

std::shared_ptr<const StatePiece> DrawVariants::statePiece(const llpc::Hash128 &key,
                                                           GraphicsState state) {
  std::lock_guard lock(mutex);
  if (const auto *piece = states.find(key))
    return *piece;
  auto piece = std::make_shared<StatePiece>();
  piece->state = std::move(state);
  return states.add(key, std::move(piece));
}

/// What code depends on.
struct DrawVariants::Wanted {
  Wanted(const DrawShaders &shaders, const VertexInputState &input, const DrawState &state,
         const TargetFormats &formats);

  GraphicsState inputState, outputState;
  llpc::Hash128 inputKey, outputKey;
  ShaderConditions conditions;
  ShaderIds ids = {};
  llpc::Hash128 key; ///< of all
};

DrawVariants::Wanted::Wanted(const DrawShaders &shaders, const VertexInputState &input,
                             const DrawState &state, const TargetFormats &formats)
    : inputState(inputStateOf(input, state, shaders)), outputState(outputStateOf(state, formats)),
      inputKey(keyOf("vertex-input", inputState)), outputKey(keyOf("fragment-output", outputState)),
      // Which vertex is the provoking one matters to strips that geometry shaders make.
      conditions{formats.viewMask != 0, shaders.geometry && state.raster.provokingVertexLast} {
  for (auto [id, shader] : llvm::zip_equal(ids, shaders.all()))
    id = shader ? shader->id : 0;
  llpc::Hasher writer("draw-variant", 6);
  for (uint64_t id : ids)
    writer.u64(id);
  writer.hash(inputKey);
  writer.hash(outputKey);
  writer.boolean(conditions.isMultiview);
  writer.boolean(conditions.provokingVertexLast);
  writer.boolean(shaders.isTessellated() && state.lowerLeftOrigin);
  writer.u32(shaders.geometry ? state.rasterizationStream : 0);
  key = writer.finish();
}

std::shared_ptr<const PipelineData> DrawVariants::find(const Wanted &wanted) {
  std::lock_guard lock(mutex);
  const Variant *variant = variants.find(wanted.key);
  return variant ? variant->pipeline : nullptr;
}

std::shared_ptr<const PipelineData> DrawVariants::find(const DrawShaders &shaders,
                                                       const VertexInputState &input,
                                                       const DrawState &state,
                                                       const TargetFormats &formats) {
  return find(Wanted(shaders, input, state, formats));
}

llvm::Expected<std::shared_ptr<const PipelineData>>
DrawVariants::obtain(Device &device, const DrawShaders &shaders, const VertexInputState &input,
                     const DrawState &state, const TargetFormats &formats) {
  Wanted wanted(shaders, input, state, formats);
  if (auto pipeline = find(wanted); pipeline && !pipeline->isOutdated())
    return pipeline;
  LibraryPieces pieces;
  pieces.vertexInput = statePiece(wanted.inputKey, std::move(wanted.inputState));
  pieces.fragmentOutput = statePiece(wanted.outputKey, std::move(wanted.outputState));
  pieces.preRasterization = KILN_TRY(preRasterizationOf(shaders, wanted.conditions, state));
  pieces.fragmentShader = shaders.fragment
                              ? shaders.fragment->piece({wanted.conditions.isMultiview, false})
                              : noFragmentShader;
  auto made = KILN_TRY(pipelineOfPieces(device, std::move(pieces)));
  std::lock_guard lock(mutex);
  return variants.add(wanted.key, {wanted.ids, std::move(made)}).pipeline;
}

void DrawVariants::forget(const ShaderData &shader) {
  std::lock_guard lock(mutex);
  variants.eraseIf(
      [&](const Variant &variant) { return llvm::is_contained(variant.shaderIds, shader.id); });
}

size_t DrawVariants::variantCount() const {
  std::lock_guard lock(mutex);
  return variants.size();
}

} // namespace icd
