//===- PipelineLibrary.cpp - what libraries of graphics pipelines hold ----===//
// SPDX-License-Identifier: MIT
#include "icd_glue/pipeline/PipelineLibrary.h"
#include "icd_glue/device/Device.h"
#include "icd_glue/key/StageKey.h"
#include "icd_glue/partial/PartialPipeline.h"
#include "icd_glue/pipeline/GraphicsBuild.h"
#include "icd_glue/pipeline/PipelineCreation.h"

namespace icd {
namespace {

/// What glue depends on of a part.
llpc::Hash128 signatureOf(const lgc::PartInfo &part) {
  lgc::PartInfo signature;
  signature.kind = part.kind;
  signature.fetch = part.fetch;
  signature.colorExport = part.colorExport;
  if (!signature.fetch && !signature.colorExport)
    return {};
  return hashBytes(lgc::encodePartInfo(signature));
}

/// The compiler cannot make a part of it, or whole compiles only can.
bool isNoPart(const lgc::ErrorText &error) {
  return error.kind == lgc::ErrorKind::Unsupported || error.kind == lgc::ErrorKind::LimitExceeded;
}

/// What is in the cache, what the background is about to make, or what is built here. Null: a
/// compile is not allowed.
llvm::Expected<std::shared_ptr<const PartObject>>
obtain(Device &device, const llpc::Hash128 &key, llvm::ArrayRef<llpc::PipelineShaderInfo> shaders,
       bool mayCompile, BuildPart build) {
  if (auto object = findPart(device, key))
    return object;
  if (!mayCompile) // what is on disk needs no compile
    return std::static_pointer_cast<const PartObject>(
        device.shaderCache().findOrLoad({CacheKey::Domain::Part, key}));
  if (PartialPipeline *partial = device.partial();
      partial && !device.shaderCache().isKnown({CacheKey::Domain::Part, key}))
    for (const llpc::PipelineShaderInfo &shader : shaders)
      if (std::optional<TaskSubject> subject = PartialPipeline::subjectOf(shader))
        partial->takeOut(*subject);
  return obtainPart(device, key, build);
}

llpc::GraphicsPipelineBuildInfo partBuildInfo(const ShaderPiece &piece, PrimitiveClass primitives) {
  llpc::GraphicsPipelineBuildInfo build;
  for (const llpc::PipelineShaderInfo &shader : piece.shaders)
    build.shader(shader.entryStage) = shader;
  const bool isFragment = piece.kind() == lgc::PartKind::Fragment;
  build.stageMask = stageBit(isFragment ? llpc::ShaderStage::Vertex : llpc::ShaderStage::Fragment);
  build.options = piece.options;
  build.resourceMapping = piece.layout->mapping;
  setCompilerState(build, piece.state);
  constexpr lgc::Topology topologies[] = {lgc::Topology::TriangleList, lgc::Topology::LineList,
                                          lgc::Topology::PointList};
  if (!(piece.state.stages & VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT))
    build.iaState.topology = topologies[static_cast<unsigned>(primitives)];
  else
    build.iaState.topology = lgc::Topology::PatchList;
  // A fragment shader's part does for all primitives.
  build.dynamicTopology = isFragment;
  return build;
}

llvm::Expected<std::vector<llpc::PipelineShaderInfo>>
shadersOf(Device &device, const VkGraphicsPipelineCreateInfo &info, VkShaderStageFlags wanted) {
  std::vector<llpc::PipelineShaderInfo> shaders;
  for (uint32_t i = 0; i < info.stageCount; ++i) {
    if (!(info.pStages[i].stage & wanted))
      continue;
    auto shader = graphicsShaderOf(device, info.pStages[i]);
    if (!shader)
      return shader.takeError();
    shaders.push_back(std::move(*shader));
  }
  return shaders;
}

std::shared_ptr<const StatePiece> statePiece(const GraphicsState &state, Subsets subset) {
  auto piece = std::make_shared<StatePiece>();
  piece->state.merge(state, subset);
  return piece;
}

llvm::Expected<std::shared_ptr<const ShaderPiece>>
shaderPiece(Device &device, const VkGraphicsPipelineCreateInfo &info, const GraphicsState &state,
            Subsets subset) {
  auto piece = std::make_shared<ShaderPiece>();
  piece->state.merge(state, subset);
  auto shaders = shadersOf(device, info, piece->state.stages);
  if (!shaders)
    return shaders.takeError();
  piece->shaders = std::move(*shaders);
  piece->layout = layoutDataOf(info.layout);
  llvm::SmallVector<VkPipelineShaderStageCreateInfo, 4> stages;
  for (uint32_t i = 0; i < info.stageCount; ++i)
    if (info.pStages[i].stage & piece->state.stages)
      stages.push_back(info.pStages[i]);
  for (const VkPipelineShaderStageCreateInfo &stage : stages) {
    KeyWriter key;
    if (encodeStage(key, stage))
      piece->stageKeys.push_back({stage.stage, key.encoding().vec()});
  }
  piece->options = pipelineOptionsOf(device, info.pNext, stages,
                                     pipelineFlagsOf(info.flags, info.pNext) &
                                         VK_PIPELINE_CREATE_2_DISABLE_OPTIMIZATION_BIT_KHR);
  return piece;
}

/// A part whose warnings nobody has seen yet.
void reportWarnings(Device &device, const LibraryPart &part) {
  if (part.object)
    for (const std::string &warning : part.object->warnings)
      device.reportWarning("KILN-compile", warning);
}

} // namespace

PrimitiveClass primitiveClassOf(const GraphicsState &vertexInput) {
  using pal::device::PrimitiveTopology;
  switch (vertexInput.fixed.topology) {
  case PrimitiveTopology::PointList:
    return PrimitiveClass::Points;
  case PrimitiveTopology::LineList:
  case PrimitiveTopology::LineStrip:
  case PrimitiveTopology::LineListAdjacency:
  case PrimitiveTopology::LineStripAdjacency:
    return PrimitiveClass::Lines;
  default:
    return PrimitiveClass::Triangles;
  }
}

//===--- Pieces -----------------------------------------------------------===//

Subsets LibraryPieces::subsets() const {
  return (vertexInput ? vertexInputSubset : 0) | (preRasterization ? preRasterizationSubset : 0) |
         (fragmentShader ? fragmentShaderSubset : 0) | (fragmentOutput ? fragmentOutputSubset : 0);
}

void LibraryPieces::merge(const LibraryPieces &from) {
  auto take = [](auto &to, const auto &piece) {
    if (!to)
      to = piece;
  };
  take(vertexInput, from.vertexInput);
  take(preRasterization, from.preRasterization);
  take(fragmentShader, from.fragmentShader);
  take(fragmentOutput, from.fragmentOutput);
}

GraphicsState LibraryPieces::state() const {
  GraphicsState state;
  auto add = [&](const auto &piece) {
    if (piece)
      state.merge(piece->state);
  };
  add(vertexInput);
  add(preRasterization);
  add(fragmentOutput);
  add(fragmentShader);
  return state;
}

std::shared_ptr<const PipelineLayoutData> LibraryPieces::layout() const {
  const auto first = preRasterization ? preRasterization->layout : nullptr;
  const auto second = fragmentShader ? fragmentShader->layout : nullptr;
  if (!first || !second || first == second)
    return first ? first : second;
  std::vector<std::shared_ptr<const SetLayout>> sets(first->sets);
  sets.resize(std::max(first->sets.size(), second->sets.size()));
  for (size_t i = 0; i < second->sets.size(); ++i)
    if (!sets[i])
      sets[i] = second->sets[i];
  return PipelineLayoutData::create(std::move(sets), std::max(first->pushBytes, second->pushBytes));
}

llvm::Expected<const LibraryPart *> partOf(Device &device, const ShaderPiece &piece,
                                           PrimitiveClass primitives, bool mayCompile) {
  if (piece.kind() == lgc::PartKind::Fragment)
    primitives = PrimitiveClass::Triangles;
  if (const LibraryPart *part = piece.parts.find(primitives))
    return part;
  const llpc::GraphicsPipelineBuildInfo build = partBuildInfo(piece, primitives);
  const llpc::Compiler &compiler = device.compiler();
  LibraryPart part;
  auto make = [&]() -> llvm::Expected<std::shared_ptr<const PartObject>> {
    auto key = compiler.partKey(build, piece.kind());
    if (!key)
      return key.takeError();
    part.key = *key;
    return obtain(device, *key, piece.shaders, mayCompile,
                  [&] { return compiler.buildPart(build, piece.kind()); });
  };
  if (auto object = make()) {
    if (!*object)
      return nullptr;
    part.object = std::move(*object);
    part.signature = signatureOf(part.object->part->info());
  } else {
    const lgc::ErrorText error = lgc::consumeToText(object.takeError());
    if (!isNoPart(error))
      return lgc::makeError(error.kind, error.message);
    device.counters().miss("library: " + llvm::StringRef(error.message).split(" (").first.str());
  }
  reportWarnings(device, part);
  return piece.parts.add(primitives, std::move(part));
}

llvm::Expected<const LibraryPart *> glueOf(Device &device, const StatePiece &piece,
                                           const LibraryPart &part, bool mayCompile) {
  if (const LibraryPart *glue = piece.glue.find(part.signature))
    return glue;
  llpc::GraphicsPipelineBuildInfo build;
  setCompilerState(build, piece.state);
  const lgc::PartKind kind =
      piece.state.has(vertexInputSubset) ? lgc::PartKind::VertexFetch : lgc::PartKind::ColorExport;
  const llpc::Compiler &compiler = device.compiler();
  const lgc::Part &made = *part.object->part;
  LibraryPart glue;
  glue.key = compiler.glueKey(made, build, kind);
  auto object = obtain(device, glue.key, {}, mayCompile,
                       [&] { return compiler.buildGlue(made, build, kind); });
  if (object) {
    if (!*object)
      return nullptr;
    glue.object = std::move(*object);
  } else {
    const lgc::ErrorText error = lgc::consumeToText(object.takeError());
    if (!isNoPart(error))
      return lgc::makeError(error.kind, error.message);
    device.counters().miss("library: " + llvm::StringRef(error.message).split(" (").first.str());
  }
  return piece.glue.add(part.signature, std::move(glue));
}

llvm::Expected<bool> addPieces(Device &device, LibraryPieces &pieces,
                               const VkGraphicsPipelineCreateInfo &info, Subsets own,
                               bool mayCompile) {
  const GraphicsState state = graphicsStateOf(info, own);
  // Parts have no names that are made of identifiers.
  for (uint32_t i = 0; state.stages && i < info.stageCount; ++i)
    if ((info.pStages[i].stage & state.stages) && isIdentifierOnly(info.pStages[i]))
      return false;
  LibraryPieces added;
  if (own & vertexInputSubset)
    added.vertexInput = statePiece(state, vertexInputSubset);
  if ((own & fragmentOutputSubset) && !state.discardsEverything())
    added.fragmentOutput = statePiece(state, fragmentOutputSubset);
  for (auto [subset, piece] : {std::pair(preRasterizationSubset, &added.preRasterization),
                               std::pair(fragmentShaderSubset, &added.fragmentShader)}) {
    if (!(own & subset) || (subset == fragmentShaderSubset && state.discardsEverything()))
      continue;
    auto made = shaderPiece(device, info, state, subset);
    if (!made)
      return made.takeError();
    *piece = std::move(*made);
  }
  pieces.merge(added);
  // Without a vertex input, most are used for triangles.
  const PrimitiveClass primitives =
      pieces.vertexInput ? primitiveClassOf(pieces.vertexInput->state) : PrimitiveClass::Triangles;
  for (const auto &piece : {added.preRasterization, added.fragmentShader}) {
    if (!piece)
      continue;
    auto part = partOf(device, *piece, primitives, mayCompile);
    if (!part)
      return part.takeError();
    if (!*part)
      return false;
  }
  device.libraryWarmer().add(device, added);
  return true;
}

llpc::PipelineOptions wholeOptions(const LibraryPieces &pieces, llpc::PipelineOptions options) {
  for (const auto &piece : {pieces.preRasterization, pieces.fragmentShader}) {
    if (!piece)
      continue;
    options.robustBufferAccess |= piece->options.robustBufferAccess;
    options.robustBufferAccess2 |= piece->options.robustBufferAccess2;
    options.robustImageAccess2 |= piece->options.robustImageAccess2;
  }
  return options;
}

llpc::GraphicsPipelineBuildInfo wholeBuildInfo(const LibraryPieces &pieces,
                                               const GraphicsState &state,
                                               const PipelineLayoutData &layout,
                                               const llpc::PipelineOptions &options) {
  llpc::GraphicsPipelineBuildInfo build;
  for (const auto &piece : {pieces.preRasterization, pieces.fragmentShader}) {
    if (!piece)
      continue;
    for (const llpc::PipelineShaderInfo &shader : piece->shaders)
      if (state.stages & flagOf(shader.entryStage))
        build.shader(shader.entryStage) = shader;
  }
  build.options = options;
  build.resourceMapping = layout.mapping;
  setCompilerState(build, state);
  return build;
}

//===--- In advance -------------------------------------------------------===//

template <typename Piece>
void LibraryWarmer::Ring<Piece>::add(const std::shared_ptr<const Piece> &piece) {
  if (!piece)
    return;
  if (pieces.size() < maxPieces)
    pieces.push_back(piece);
  else
    pieces[next++ % maxPieces] = piece;
}

template <typename Piece>
std::vector<std::shared_ptr<const Piece>> LibraryWarmer::Ring<Piece>::alive() const {
  std::vector<std::shared_ptr<const Piece>> all;
  for (const std::weak_ptr<const Piece> &piece : pieces)
    if (auto locked = piece.lock())
      all.push_back(std::move(locked));
  return all;
}

/// Nobody waits for it; pipelines that need it run into the same error.
template <typename T> static const LibraryPart *ignoreError(llvm::Expected<T> part) {
  if (part)
    return *part;
  llvm::consumeError(part.takeError());
  return nullptr;
}

static void warmPair(Device &device, const StatePiece &state, const ShaderPiece &shader) {
  const bool isInput = state.state.has(vertexInputSubset);
  const PrimitiveClass primitives =
      isInput ? primitiveClassOf(state.state) : PrimitiveClass::Triangles;
  const LibraryPart *part = ignoreError(partOf(device, shader, primitives, true));
  if (part && part->object && part->needsGlue())
    ignoreError(glueOf(device, state, *part, true));
}

void LibraryWarmer::warm(Device &device, const StatePiece &piece) {
  std::vector<std::shared_ptr<const ShaderPiece>> others;
  {
    std::lock_guard lock(mutex);
    others = (piece.state.has(vertexInputSubset) ? preRasterizations : fragmentShaders).alive();
  }
  for (const auto &other : others)
    warmPair(device, piece, *other);
}

void LibraryWarmer::warm(Device &device, const ShaderPiece &piece) {
  std::vector<std::shared_ptr<const StatePiece>> others;
  {
    std::lock_guard lock(mutex);
    others =
        (piece.kind() == lgc::PartKind::PreRasterization ? vertexInputs : fragmentOutputs).alive();
  }
  for (const auto &other : others)
    warmPair(device, *other, piece);
}

void LibraryWarmer::add(Device &device, const LibraryPieces &added) {
  PartialPipeline *partial = device.partial();
  if (!partial)
    return;
  {
    std::lock_guard lock(mutex);
    vertexInputs.add(added.vertexInput);
    fragmentOutputs.add(added.fragmentOutput);
    preRasterizations.add(added.preRasterization);
    fragmentShaders.add(added.fragmentShader);
  }
  auto warmLater = [&](const auto &piece) {
    if (piece)
      partial->later([this, &device, weak = std::weak_ptr(piece)] {
        if (auto alive = weak.lock())
          warm(device, *alive);
      });
  };
  warmLater(added.vertexInput);
  warmLater(added.fragmentOutput);
  warmLater(added.preRasterization);
  warmLater(added.fragmentShader);
}

} // namespace icd
