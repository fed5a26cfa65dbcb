//===- PipelineLibrary.cpp - what libraries of graphics pipelines hold ----===//
// SPDX-License-Identifier: MIT
#include "icd_glue/pipeline/PipelineLibrary.h"
#include "icd_glue/Environment.h"
#include "icd_glue/assemble/PartLookup.h"
#include "icd_glue/cache/CacheContent.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/partial/PartCounters.h"
#include "icd_glue/pipeline/LibraryBinary.h"
#include "icd_glue/pipeline/LibraryWarmer.h"
#include "icd_glue/pipeline/PipelineBinary.h"
#include "icd_glue/pipeline/PipelineCreation.h"
#include "icd_glue/state/GraphicsBuild.h"
#include "icd_glue/state/StageKey.h"
#include "llpc/StateKey.h"
#include "pal_shim/abi/Try.h"

namespace icd {
namespace {

/// The compiler cannot make a part of it, or only monolithic compiles can.
bool isNoPart(const lgc::ErrorText &error) {
  return error.kind == lgc::ErrorKind::Unsupported || error.kind == lgc::ErrorKind::LimitExceeded;
}

/// The state that a part is compiled with.
void setPartState(llpc::GraphicsPipelineBuildInfo &build, const ShaderPiece &piece,
                  PrimitiveClass primitives) {
  const bool isFragment = piece.kind() == lgc::PartKind::Fragment;
  setCompilerState(build, piece.state);
  constexpr lgc::Topology topologies[] = {lgc::Topology::TriangleList, lgc::Topology::LineList,
                                          lgc::Topology::PointList};
  if (!(piece.state.stages & VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT))
    build.iaState.topology = topologies[static_cast<unsigned>(primitives)];
  else
    build.iaState.topology = lgc::Topology::PatchList;
  // A fragment shader's part does for all primitives.
  build.iaState.dynamicTopology = isFragment;
}

llpc::GraphicsPipelineBuildInfo partBuildInfo(const ShaderPiece &piece, PrimitiveClass primitives) {
  llpc::GraphicsPipelineBuildInfo build;
  for (const llpc::PipelineShaderInfo &shader : piece.shaders)
    build.shader(shader.entryStage) = shader;
  const bool isFragment = piece.kind() == lgc::PartKind::Fragment;
  build.stageMask = stageBit(isFragment ? llpc::ShaderStage::Vertex : llpc::ShaderStage::Fragment);
  build.options = piece.options;
  build.resourceMapping = piece.layout->mapping;
  setPartState(build, piece, primitives);
  // The vertex input may not be known, and its class leaves out adjacency.
  if (build.gs.module)
    build.iaState.topology = llpc::Compiler::takenTopology(build);
  return build;
}

std::shared_ptr<const StatePiece> statePiece(const GraphicsState &state, Subsets subset) {
  auto piece = std::make_shared<StatePiece>();
  piece->state.merge(state, subset);
  return piece;
}

/// The stages of \p piece, in the order of their numbers.
llvm::SmallVector<VkPipelineShaderStageCreateInfo, 4>
stagesOf(const VkGraphicsPipelineCreateInfo &info, const ShaderPiece &piece) {
  llvm::SmallVector<VkPipelineShaderStageCreateInfo, 4> stages;
  for (uint32_t i = 0; piece.state.stages && i < info.stageCount; ++i)
    if (info.pStages[i].stage & piece.state.stages)
      stages.push_back(info.pStages[i]);
  std::sort(stages.begin(), stages.end(),
            [](const auto &a, const auto &b) { return a.stage < b.stage; });
  return stages;
}

bool readsDeviceAsView(const VkGraphicsPipelineCreateInfo &info, const ShaderPiece &piece) {
  return readsDeviceAsView(pipelineFlagsOf(info.flags, info.pNext), piece.state);
}

void addStageKey(ShaderPiece &piece, const llpc::Hash128 &module,
                 const VkGraphicsPipelineCreateInfo &info,
                 const VkPipelineShaderStageCreateInfo &stage) {
  llpc::Hasher key;
  encodeStage(key, module, stage, readsDeviceAsView(info, piece));
  piece.stageKeys.push_back({stage.stage, module, key.encoding().vec()});
}

/// Without shaders.
std::shared_ptr<ShaderPiece> describedPiece(Device &device,
                                            const VkGraphicsPipelineCreateInfo &info,
                                            const GraphicsState &state, Subsets subset) {
  auto piece = std::make_shared<ShaderPiece>();
  piece->state.merge(state, subset);
  piece->layout = layoutDataOf(info.layout);
  const VkPipelineCreateFlags2KHR flags = pipelineFlagsOf(info.flags, info.pNext);
  const auto stages = stagesOf(info, *piece);
  // Beside binaries, which have names of their own, modules and identifiers are ignored.
  if (!pipelineBinariesOf(info.pNext))
    for (const VkPipelineShaderStageCreateInfo &stage : stages)
      if (std::optional<llpc::Hash128> module = moduleHashOf(stage))
        addStageKey(*piece, *module, info, stage);
  piece->takesStandIns = !keepsCode(flags);
  piece->options = pipelineOptionsOf(device, info.pNext, stages,
                                     flags & VK_PIPELINE_CREATE_2_DISABLE_OPTIMIZATION_BIT_KHR);
  return piece;
}

struct Described {
  std::shared_ptr<const StatePiece> vertexInput, fragmentOutput;
  std::shared_ptr<ShaderPiece> preRasterization, fragmentShader;

  LibraryPieces pieces() const {
    return {vertexInput, fragmentOutput, preRasterization, fragmentShader};
  }
};

Described describe(Device &device, const VkGraphicsPipelineCreateInfo &info, Subsets own) {
  const GraphicsState state = graphicsStateOf(info, own);
  const bool discards = state.discardsEverything();
  Described described;
  if (own & vertexInputSubset)
    described.vertexInput = statePiece(state, vertexInputSubset);
  if (own & preRasterizationSubset)
    described.preRasterization = describedPiece(device, info, state, preRasterizationSubset);
  if ((own & fragmentShaderSubset) && !discards)
    described.fragmentShader = describedPiece(device, info, state, fragmentShaderSubset);
  if ((own & fragmentOutputSubset) && !discards)
    described.fragmentOutput = statePiece(state, fragmentOutputSubset);
  return described;
}

/// Modules of the stages. None when one is an identifier of a module that is not alive.
llvm::Error addShaders(Device &device, ShaderPiece &piece,
                       const VkGraphicsPipelineCreateInfo &info) {
  std::vector<llpc::PipelineShaderInfo> shaders;
  for (const VkPipelineShaderStageCreateInfo &stage : stagesOf(info, piece)) {
    auto shader = KILN_TRY(graphicsShaderOf(device, stage));
    if (!shader.module)
      return llvm::Error::success();
    shader.options.viewIndexFromDeviceIndex = readsDeviceAsView(info, piece);
    shaders.push_back(std::move(shader));
  }
  piece.shaders = std::move(shaders);
  return llvm::Error::success();
}

/// Names, modules and part of a binary instead of those of the stages.
llvm::Error addBinary(Device &device, ShaderPiece &piece, const VkGraphicsPipelineCreateInfo &info,
                      const LibraryBinary &binary) {
  if (binary.kind() != piece.kind() || binary.stages() != piece.state.stages)
    return lgc::invalidInput("the binary is one of a library with other stages");
  piece.stageKeys.clear();
  for (const VkPipelineShaderStageCreateInfo &stage : stagesOf(info, piece)) {
    const LibraryBinary::Shader *from = binary.shader(stage.stage);
    if (!from)
      return lgc::invalidInput("the binary is one of a library with other stages");
    addStageKey(piece, from->hash, info, stage);
    if (!from->module)
      continue; // the library was created from an identifier
    auto shader = KILN_TRY(graphicsShaderOf(device, from->module, stage));
    shader.options.viewIndexFromDeviceIndex = readsDeviceAsView(info, piece);
    piece.shaders.push_back(std::move(shader));
  }
  if (!piece.canCompile())
    piece.shaders.clear();
  piece.parts.add(binary.primitives(), binary.part());
  return llvm::Error::success();
}

/// A part whose warnings nobody has seen yet.
void reportWarnings(Device &device, const PartPointer &part) {
  if (part)
    for (const std::string &warning : part->warnings)
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

//===--- Parts ------------------------------------------------------------===//

std::optional<llpc::Hash128> partNameOf(Device &device, const ShaderPiece &piece,
                                        PrimitiveClass primitives) {
  if (!piece.hasNames())
    return std::nullopt;
  llpc::GraphicsPipelineBuildInfo build;
  setPartState(build, piece, piece.partClass(primitives));
  llpc::Hasher key("library-part", 2);
  key.hash(device.globalKey());
  key.u8(static_cast<uint8_t>(piece.kind()));
  key.hash(piece.layout->hash);
  encode(key, piece.options);
  key.u32(piece.state.stages);
  for (const ShaderPiece::StageKey &stage : piece.stageKeys)
    key.raw(stage.encoding);
  encodeGraphicsState(key, build);
  return key.finish();
}

namespace {

PartPointer ofKind(ShaderCache::Object object, lgc::PartKind kind) {
  auto part = std::static_pointer_cast<const PartObject>(std::move(object));
  return part && part->part->info().kind == kind ? part : nullptr;
}

/// Null: it is not there.
PartPointer findIn(CacheContent &content, const CacheKey &name, lgc::PartKind kind) {
  const PartPointer there = ofKind(content.find(name), kind);
  PartPointer best = bestOf(there);
  if (best != there)
    content.improve(name, best);
  return best;
}

/// Null: neither cache has it.
PartPointer findNamed(Device &device, const CacheKey &name, lgc::PartKind kind,
                      ApplicationCache *application) {
  PartPointer kept;
  if (application && application->content)
    kept = findIn(*application->content, name, kind);
  // Of a stand-in that comes from another process the driver's cache may have the better part.
  if (kept && !kept->lacksImprovement())
    return kept;
  if (application && !kept)
    application->hadAll = false;
  PartPointer part = bestOf(ofKind(device.shaderCache().findAlias(name), kind));
  if (kept && (!part || part->isStandIn()))
    return kept;
  if (kept)
    kept->setBetter(part);
  if (part && application && application->content)
    kept ? application->content->improve(name, part) : application->content->insert(name, part);
  return part;
}

/// The first use of the stand-in \p part has LLVM's part made in the background, as long as the
/// result is held. It may fail or never come: the stand-in is right, too.
PartPointer improvedWhenUsed(Device &device, PartPointer part,
                             const llpc::GraphicsPipelineBuildInfo &build, const llpc::Hash128 &key,
                             const std::optional<CacheKey> &name) {
  auto work = [&device, own = OwnBuildInfo(build), kind = part->part->info().kind, key, name,
               old = std::weak_ptr(part)] {
    auto better = makePart(device, key, [&] {
      return own.get().buildPart(device.compiler(), kind, llpc::SpecializedAt::Compile);
    });
    if (!better)
      return llvm::consumeError(better.takeError());
    const CacheKey cacheKey{CacheKey::Domain::Part, key};
    device.shaderCache().insert(cacheKey, *better);
    if (name)
      device.shaderCache().alias(*name, cacheKey, *better);
    if (PartPointer replaced = old.lock())
      replaced->setBetter(*better);
  };
  const auto improvement = std::make_shared<Improvement>(
      [&device, work = std::move(work)] { return device.later(work); });
  part->improveWhenUsed(improvement);
  return withImprovement(std::move(part), improvement);
}

/// By the compiler's key; compiled if it is not there. Null: that is not allowed.
llvm::Expected<PartPointer> findOrCompile(Device &device, const ShaderPiece &piece,
                                          PrimitiveClass primitives, bool mayCompile,
                                          const std::optional<CacheKey> &name,
                                          ApplicationCache *application) {
  const llpc::GraphicsPipelineBuildInfo build = partBuildInfo(piece, primitives);
  const llpc::Compiler &compiler = device.compiler();
  auto key = KILN_TRY(compiler.partKey(build, piece.kind()));
  // One part does for all primitives, unless its code looks at them.
  constexpr PrimitiveClass first = PrimitiveClass::Triangles;
  if (const PartPointer *there = primitives == first ? nullptr : piece.parts.find(first);
      there && *there &&
      key == KILN_TRY(compiler.partKey(partBuildInfo(piece, first), piece.kind())))
    return *there;
  llvm::SmallVector<const llpc::PipelineShaderInfo *, 4> shaders;
  for (const llpc::PipelineShaderInfo &shader : piece.shaders)
    shaders.push_back(&shader);
  llpc::GraphicsPipelineBuildInfo quick = build;
  if (device.environment().directFirst && piece.takesStandIns &&
      build.options.optLevel > lgc::OptLevel::Quick)
    quick.options.tier = lgc::Tier::Direct;
  PartPointer part = KILN_TRY(obtainNeeded(
      device, key, shaders, mayCompile, [&] { return compiler.buildPart(quick, piece.kind()); }));
  if (part && part->isStandIn() && !piece.takesStandIns) {
    const PartPointer better =
        KILN_TRY(makePart(device, key, [&] { return compiler.buildPart(build, piece.kind()); }));
    device.shaderCache().insert({CacheKey::Domain::Part, key}, better);
    part->setBetter(better);
    part = better;
  }
  if (part && name) {
    device.shaderCache().alias(*name, {CacheKey::Domain::Part, key}, part);
    if (application && application->content)
      application->content->insert(*name, part);
  }
  return part && part->lacksImprovement()
             ? improvedWhenUsed(device, std::move(part), build, key, name)
             : withImprovement(std::move(part));
}

} // namespace

/// Null: the compiler cannot make it, which is counted. Errors: others.
static llvm::Expected<PartPointer> nullIfImpossible(Device &device,
                                                    llvm::Expected<PartPointer> part) {
  if (part)
    return part;
  const lgc::ErrorText error = lgc::consumeToText(part.takeError());
  if (!isNoPart(error))
    return lgc::makeError(error.kind, error.message);
  device.counters().missFor(error.message, "library: ");
  return nullptr;
}

llvm::Expected<const PartPointer *> partOf(Device &device, const ShaderPiece &piece,
                                           PrimitiveClass primitives, bool mayCompile,
                                           ApplicationCache *application) {
  primitives = piece.partClass(primitives);
  if (const PartPointer *part = piece.parts.find(primitives)) {
    PartPointer best = bestOf(*part);
    return best == *part ? part : piece.parts.add(primitives, std::move(best));
  }
  std::optional<CacheKey> name;
  if (std::optional<llpc::Hash128> hash = partNameOf(device, piece, primitives))
    name = {CacheKey::Domain::Part, *hash};
  else if (application)
    application->hadAll = false;
  PartPointer part = name ? findNamed(device, *name, piece.kind(), application) : nullptr;
  if (!part || (part->isStandIn() && !piece.takesStandIns)) {
    if (!piece.canCompile())
      return nullptr;
    auto found = findOrCompile(device, piece, primitives, mayCompile, name, application);
    if (found && !*found)
      return nullptr;
    part = KILN_TRY(nullIfImpossible(device, std::move(found)));
  }
  if (part && part->lacksImprovement() && piece.canCompile()) {
    const llpc::GraphicsPipelineBuildInfo build = partBuildInfo(piece, primitives);
    part = improvedWhenUsed(device, std::move(part), build,
                            KILN_TRY(device.compiler().partKey(build, piece.kind())), name);
  }
  reportWarnings(device, part);
  return piece.parts.add(primitives, withImprovement(std::move(part)));
}

bool adoptPart(Device &device, const ShaderPiece &piece, PrimitiveClass primitives,
               PartPointer object) {
  if (object->part->info().kind != piece.kind())
    return false;
  reportWarnings(device, object);
  piece.parts.add(piece.partClass(primitives), std::move(object));
  return true;
}

llvm::Expected<const PartPointer *> glueOf(Device &device, const StatePiece &piece,
                                           const PartObject &part, bool mayCompile,
                                           ApplicationCache *application) {
  if (const PartPointer *glue = piece.glue.find(part.glueSignature))
    return glue;
  llpc::GraphicsPipelineBuildInfo build;
  setCompilerState(build, piece.state);
  const lgc::PartKind kind =
      piece.state.has(vertexInputSubset) ? lgc::PartKind::VertexFetch : lgc::PartKind::ColorExport;
  const llpc::Hash128 key = device.compiler().glueKey(*part.part, build, kind);
  const CacheKey name = {CacheKey::Domain::Part, key};
  CacheContent *content = application ? application->content : nullptr;
  if (auto kept = content ? findIn(*content, name, kind) : nullptr)
    return piece.glue.add(part.glueSignature, std::move(kept));
  if (application)
    application->hadAll = false;
  auto found = obtainGlue(device, key, *part.part, build, kind, mayCompile);
  if (found && !*found)
    return nullptr;
  if (found && content)
    content->insert(name, *found);
  auto glue = KILN_TRY(nullIfImpossible(device, std::move(found)));
  return piece.glue.add(part.glueSignature, std::move(glue));
}

LibraryPieces describedPieces(Device &device, const VkGraphicsPipelineCreateInfo &info,
                              Subsets own) {
  return describe(device, info, own).pieces();
}

llvm::Expected<LibraryPieces> describedPiecesWithShaders(Device &device,
                                                         const VkGraphicsPipelineCreateInfo &info,
                                                         Subsets own,
                                                         const VkPipelineBinaryInfoKHR *binaries) {
  const Described described = describe(device, info, own);
  LibraryPieces pieces = described.pieces();
  for (const auto &piece : {described.preRasterization, described.fragmentShader}) {
    if (!piece)
      continue;
    if (!binaries) {
      KILN_TRY(addShaders(device, *piece, info));
      continue;
    }
    auto binary = KILN_TRY(libraryBinaryOf(*binaries, pieces, *piece, /*first=*/1));
    KILN_TRY(addBinary(device, *piece, info, *binary));
  }
  return pieces;
}

llvm::Expected<bool> addPieces(const PipelineCreation &creation, LibraryPieces &pieces,
                               const VkGraphicsPipelineCreateInfo &info, Subsets own,
                               const VkPipelineBinaryInfoKHR *binaries) {
  Device &device = creation.device;
  const Described described = describe(device, info, own);
  const LibraryPieces added = described.pieces();
  pieces.merge(added);
  ApplicationCache application{creation.cache ? creation.cache->content.get() : nullptr};
  for (const auto &piece : {described.preRasterization, described.fragmentShader}) {
    if (!piece)
      continue;
    if (binaries) {
      auto binary = KILN_TRY(libraryBinaryOf(*binaries, pieces, *piece));
      KILN_TRY(addBinary(device, *piece, info, *binary));
    } else if (llvm::Error error = addShaders(device, *piece, info)) {
      return error;
    }
    auto part =
        KILN_TRY(partOf(device, *piece, pieces.primitives(), creation.mayCompile(), &application));
    if (!part)
      return false;
    creation.feedback.isFromApplicationCache = application.hadAll && !binaries;
  }
  if (creation.flags & VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR) // others may be linked with it
    device.libraryWarmer().add(device, added);
  return true;
}

} // namespace icd
