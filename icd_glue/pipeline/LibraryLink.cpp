//===- LibraryLink.cpp - pipelines of libraries ---------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/pipeline/LibraryLink.h"
#include "icd_glue/Environment.h"
#include "icd_glue/assemble/PipelineDump.h"
#include "icd_glue/assemble/RecipeBook.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/partial/PartCounters.h"
#include "icd_glue/pipeline/PipelineBinary.h"
#include "icd_glue/pipeline/PipelineKey.h"
#include "icd_glue/state/GraphicsBuild.h"
#include "llpc/Hasher.h"
#include "pal_shim/abi/Try.h"

namespace icd {
namespace {

/// How the parts of a pipeline were found.
enum class Found : uint8_t {
  All,
  CannotBe,    ///< something of it can only be compiled monolithically
  NeedsCompile ///< which is not allowed
};

struct Collected {
  Found found = Found::All;
  PartSet parts;
};

/// Parts and glue for a pipeline of \p pieces, which are complete.
class PartCollector {
public:
  PartCollector(Device &device, const LibraryPieces &pieces, bool mayCompile,
                CacheContent *cache = nullptr)
      : device(device), pieces(pieces), mayCompile(mayCompile), application{cache} {}

  llvm::Expected<Collected> run() {
    KILN_TRY(takeBoth(*pieces.preRasterization, pieces.vertexInput.get()));
    if (result.found != Found::All || pieces.preRasterization->state.discardsEverything())
      return result;
    KILN_TRY(takeBoth(*pieces.fragmentShader, pieces.fragmentOutput.get()));
    return result;
  }

private:
  llvm::Error take(lgc::PartKind kind, llvm::Expected<const PartPointer *> part) {
    if (!part)
      return part.takeError();
    if (!*part)
      result.found = Found::NeedsCompile;
    else if (!**part)
      result.found = Found::CannotBe;
    else
      result.parts[kind] = (*part)->get();
    return llvm::Error::success();
  }
  /// The part of \p shaders, and the glue that it has with \p state.
  llvm::Error takeBoth(const ShaderPiece &shaders, const StatePiece *state) {
    const lgc::PartKind kind = shaders.kind();
    KILN_TRY(take(kind, partOf(device, shaders, pieces.primitives(), mayCompile)));
    const PartObject *part = result.parts[kind];
    if (!part || !part->needsGlue() || !state)
      return llvm::Error::success();
    return take(lgc::glueKindOf(kind), glueOf(device, *state, *part, mayCompile, &application));
  }

  Device &device;
  const LibraryPieces &pieces;
  const bool mayCompile;
  ApplicationCache application;
  Collected result;
};

llvm::Error checkComplete(const LibraryPieces &pieces) {
  auto missing = [](const char *what) {
    return lgc::invalidInput(llvm::Twine("a pipeline of libraries has no ") + what);
  };
  if (!pieces.preRasterization)
    return missing("pre-rasterization shaders");
  const GraphicsState &state = pieces.preRasterization->state;
  if (!pieces.vertexInput && (state.stages & VK_SHADER_STAGE_VERTEX_BIT))
    return missing("vertex input interface");
  if (state.discardsEverything())
    return llvm::Error::success();
  if (!pieces.fragmentShader)
    return missing("fragment shader");
  if (!pieces.fragmentOutput)
    return missing("fragment output interface");
  return llvm::Error::success();
}

/// "vertex main, fragment main".
std::string linkedNameOf(const LibraryPieces &pieces, VkShaderStageFlags stages) {
  std::string name;
  for (const auto &piece : {pieces.preRasterization, pieces.fragmentShader})
    if (piece)
      for (const llpc::PipelineShaderInfo &shader : piece->shaders)
        if (stages & flagOf(shader.entryStage))
          name += (name.empty() ? "" : ", ") + llpc::shaderStageName(shader.entryStage).str() +
                  " " + shader.entryTarget;
  return name;
}

/// The name of linked code: of what it is made.
llpc::Hash128 hashOfLinked(const PartSet &parts, std::optional<lgc::OutputPrimitive> primitive,
                           const PipelineLayoutData &layout) {
  llpc::Hasher key("linked-libraries", 3);
  parts.encodeTo(key);
  key.u8(primitive ? static_cast<uint8_t>(*primitive) : UINT8_MAX);
  for (const SetUserData &set : layout.userData.sets) {
    key.u32(set.tableOffset);
    key.u32(set.dynamicOffset);
    key.u32(set.dynamicCount);
  }
  key.u32(layout.userData.pushOffset);
  key.u32(layout.userData.pushDwords);
  return key.finish();
}

/// Of a monolithic pipeline of the same state.
llpc::GraphicsPipelineBuildInfo buildInfoOfLinked(Device &device, const LibraryPieces &pieces,
                                                  const GraphicsState &state,
                                                  const PipelineLayoutData &layout) {
  return monolithicBuildInfo(pieces, state, layout,
                             monolithicOptions(pieces, pipelineOptionsOf(device, nullptr, {}, 0)));
}

/// What a monolithic pipeline of the same state would be dumped as.
void dumpLinked(Device &device, const LibraryPieces &pieces, const GraphicsState &state,
                const PipelineLayoutData &layout) {
  if (device.environment().dumpFolder.empty() || !pieces.canCompile())
    return;
  const llpc::GraphicsPipelineBuildInfo build = buildInfoOfLinked(device, pieces, state, layout);
  dumpPipeline(device, build, device.compiler().hashGraphicsPipeline(build));
}

/// As llpc::outputPrimitiveOf().
std::optional<lgc::OutputPrimitive> outputPrimitiveOf(const GraphicsState &state) {
  if (state.stages & (VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT | VK_SHADER_STAGE_GEOMETRY_BIT |
                      VK_SHADER_STAGE_MESH_BIT_EXT))
    return std::nullopt;
  switch (primitiveClassOf(state)) {
  case PrimitiveClass::Points:
    return lgc::OutputPrimitive::Points;
  case PrimitiveClass::Lines:
    return lgc::OutputPrimitive::Lines;
  case PrimitiveClass::Triangles:
    break;
  }
  return lgc::OutputPrimitive::Triangles;
}

llvm::Expected<std::shared_ptr<const CodeObject>>
linkPieces(Device &device, const LibraryPieces &pieces, const PartSet &parts,
           const GraphicsState &state, const PipelineLayoutData &layout) {
  dumpLinked(device, pieces, state, layout);
  const std::optional<lgc::OutputPrimitive> primitive = outputPrimitiveOf(state);
  const llpc::Hash128 name = hashOfLinked(parts, primitive, layout);
  const lgc::LinkOptions options = {
      .pipelineHash = {uint64_t(name[0]) << 32 | name[1], uint64_t(name[2]) << 32 | name[3]},
      .outputPrimitive = primitive};
  // Warnings have been reported when the libraries were made.
  auto code = linkCode(
      device, parts, layout.linkLayout, options,
      {.name = linkedNameOf(pieces, state.stages), .stages = state.stages, .pipelineHash = name});
  if (!code)
    return code;
  ++device.counters().linked;
  if (RecipeBook *recipes = device.recipes(); recipes && pieces.canCompile())
    recipes->note(name,
                  [&] { return OwnBuildInfo(buildInfoOfLinked(device, pieces, state, layout)); });
  return code;
}

CodeRequest monolithicRequest(Device &device, const CodePlaces &places,
                              const std::shared_ptr<const PipelineLayoutData> &layout,
                              const llpc::GraphicsPipelineBuildInfo &build, bool mayCompile) {
  return {.device = device,
          .places = places,
          .layout = layout,
          .name = programNameOf(build),
          .mayCompile = mayCompile};
}

/// Null: the application gave none, and its libraries have the layout.
std::shared_ptr<const PipelineLayoutData> givenLayout(const VkGraphicsPipelineCreateInfo &info) {
  return info.layout ? layoutDataOf(info.layout) : nullptr;
}

/// Without code.
llvm::Expected<std::shared_ptr<PipelineData>> dataOf(const VkGraphicsPipelineCreateInfo &info,
                                                     const LibraryPieces &pieces) {
  std::shared_ptr<const PipelineLayoutData> layout = givenLayout(info);
  if (!layout)
    layout = pieces.layout();
  if (!layout)
    return lgc::limitExceeded("the layouts of the libraries have more sets, dynamic buffers and "
                              "push constants than the limits allow");
  auto data = std::make_shared<PipelineData>(PipelineData::Kind::Graphics, layout);
  data->setGraphics(std::make_shared<const GraphicsPipelineData>(pieces.state()));
  if (hasVariants(data->graphics()->state))
    data->setPieces(pieces);
  return data;
}

llvm::Expected<std::shared_ptr<const PipelineData>>
buildMonolithic(const PipelineCreation &creation, const VkGraphicsPipelineCreateInfo &info,
                const LibraryPieces &pieces) {
  Device &device = creation.device;
  std::shared_ptr<PipelineData> data = KILN_TRY(dataOf(info, pieces));
  const GraphicsState &state = data->graphics()->state;
  if (hasVariants(state) && !pieces.canCompile())
    return nullptr; // draws may have to compile
  const llpc::PipelineOptions options =
      monolithicOptions(pieces, pipelineOptionsOf(device, info.pNext, {}, creation.flags));
  CodePlaces places =
      creation.places(pipelineKeyOf(device, pieces, state, data->layout(), options), state.stages);
  places.mustBeMonolithic = true;
  auto code = findCode(creation, places);
  if (code)
    data->setCode(code);
  if (code && (!code->lacksImprovement() || !pieces.canCompile()))
    return data;
  if (!pieces.canCompile())
    return nullptr;
  const llpc::GraphicsPipelineBuildInfo build =
      monolithicBuildInfo(pieces, state, data->layout(), options);
  const CodeRequest request =
      monolithicRequest(device, places, data->sharedLayout(), build, creation.mayCompile());
  if (!code)
    return finishData(std::move(data), codeOf(request, build));
  data->setCode(improvedWhenUsed(request, build, std::move(code)));
  return data;
}

/// Linking comes with the first use, when it is too late for what takes a compile.
bool interfacesLink(const PartSet &parts) {
  const PartObject *fragment = parts[lgc::PartKind::Fragment];
  return !fragment ||
         lgc::interfacesLink(*parts[lgc::PartKind::PreRasterization]->part, *fragment->part);
}

/// A pipeline of libraries whose code is a binary.
llvm::Expected<std::shared_ptr<const PipelineData>>
buildOfBinary(const VkGraphicsPipelineCreateInfo &info, const LibraryPieces &pieces,
              const VkPipelineBinaryInfoKHR &binaries) {
  KILN_TRY(checkComplete(pieces));
  auto data = KILN_TRY(dataOf(info, pieces));
  const GraphicsState &state = data->graphics()->state;
  auto code = codeOf(binaries, state.stages, hasVariants(state));
  return finishData(std::move(data), std::move(code));
}

/// Linked now, because a compile later on is not allowed. Null: it cannot be linked.
llvm::Expected<std::shared_ptr<const CodeObject>>
linkAtOnce(Device &device, const PipelineData &data, const PartSet &parts) {
  auto code = linkPieces(device, data.pieces(), parts, data.graphics()->state, data.layout());
  if (code)
    return code;
  llvm::consumeError(code.takeError());
  return nullptr;
}

llvm::Expected<std::shared_ptr<const PipelineData>>
buildExecutable(const PipelineCreation &creation, const VkGraphicsPipelineCreateInfo &info,
                LibraryPieces pieces) {
  KILN_TRY(checkComplete(pieces));
  if (hasVariants(pieces.preRasterization->state) && !pieces.canCompile())
    return nullptr; // draws may have to compile
  if (mustBeMonolithic(creation.flags))
    return buildMonolithic(creation, info, pieces);
  llvm::Expected<Collected> collected =
      PartCollector(creation.device, pieces, creation.mayCompile(),
                    creation.cache ? creation.cache->content.get() : nullptr)
          .run();
  if (!collected)
    return collected.takeError();
  if (collected->found == Found::NeedsCompile)
    return nullptr;
  if (collected->found == Found::CannotBe || !interfacesLink(collected->parts))
    return buildMonolithic(creation, info, pieces);
  auto data = std::make_shared<PipelineData>(PipelineData::Kind::Graphics, givenLayout(info));
  data->setPieces(std::move(pieces), collected->parts);
  if (creation.mayCompile())
    return data;
  auto code = KILN_TRY(linkAtOnce(creation.device, *data, collected->parts));
  if (!code)
    return buildMonolithic(creation, info, data->pieces());
  data->setCode(std::move(code));
  return data;
}

} // namespace

bool mustBeMonolithic(VkPipelineCreateFlags2KHR flags) {
  return flags & (VK_PIPELINE_CREATE_2_LINK_TIME_OPTIMIZATION_BIT_EXT |
                  VK_PIPELINE_CREATE_2_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR);
}

LibraryInfo::LibraryInfo(const VkGraphicsPipelineCreateInfo &info, VkPipelineCreateFlags2KHR flags)
    : isLibrary(flags & VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR) {
  for (auto *link = static_cast<const VkBaseInStructure *>(info.pNext); link; link = link->pNext) {
    if (link->sType == VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR)
      libraries = reinterpret_cast<const VkPipelineLibraryCreateInfoKHR *>(link);
    if (link->sType == VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT)
      given = reinterpret_cast<const VkGraphicsPipelineLibraryCreateInfoEXT *>(link);
  }
  if (libraries && !libraries->libraryCount)
    libraries = nullptr;
  if (given)
    own = given->flags;
  else if (isOfLibraries())
    own = 0;
}

LibraryPieces LibraryInfo::linked() const {
  LibraryPieces pieces;
  for (uint32_t i = 0; libraries && i < libraries->libraryCount; ++i)
    if (auto *pipeline = fromHandle<Pipeline>(libraries->pLibraries[i]))
      pieces.merge(pipeline->data->pieces());
  return pieces;
}

llvm::Expected<std::shared_ptr<const PipelineData>>
buildOfLibraries(const PipelineCreation &creation, const VkGraphicsPipelineCreateInfo &info,
                 const LibraryInfo &library) {
  const bool isLibrary = creation.flags & VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR;
  auto *binaries = pipelineBinariesOf(info.pNext);
  LibraryPieces pieces = library.linked();
  const Subsets own = library.own & ~pieces.subsets();
  if (binaries && !isLibrary) {
    // Behind the code is what draws need that link parts to their vertex input.
    if (binaries->binaryCount > 1 && own)
      pieces.merge(KILN_TRY(describedPiecesWithShaders(creation.device, info, own, binaries)));
    else
      pieces.merge(describedPieces(creation.device, info, own));
    return buildOfBinary(info, pieces, *binaries);
  }
  if (own) {
    bool added = KILN_TRY(addPieces(creation, pieces, info, own, binaries));
    if (!added)
      return nullptr;
  }
  if (!isLibrary)
    return buildExecutable(creation, info, std::move(pieces));
  auto data = std::make_shared<PipelineData>(PipelineData::Kind::Library, nullptr);
  data->setPieces(std::move(pieces));
  return data;
}

llvm::Expected<std::shared_ptr<const PipelineData>> pipelineOfPieces(Device &device,
                                                                     LibraryPieces pieces) {
  PipelineFeedback feedback(nullptr);
  const PipelineCreation creation{device, nullptr, 0, feedback};
  return buildExecutable(creation, VkGraphicsPipelineCreateInfo(), std::move(pieces));
}

/// \p parts: null: they cannot be linked.
static llvm::Expected<std::shared_ptr<const CodeObject>>
linkOrCompile(Device &device, const LibraryPieces &pieces, const PartSet *parts,
              const GraphicsState &state, const std::shared_ptr<const PipelineLayoutData> &layout) {
  if (parts) {
    auto linked = linkPieces(device, pieces, *parts, state, *layout);
    if (linked)
      return linked;
    const lgc::ErrorText why = lgc::consumeToText(linked.takeError());
    device.counters().missFor(why.message, "link: ");
    if (!pieces.canCompile())
      return lgc::makeError(why.kind, "of module identifiers: " + why.message);
  }
  const llpc::GraphicsPipelineBuildInfo build = monolithicBuildInfo(
      pieces, state, *layout, monolithicOptions(pieces, pipelineOptionsOf(device, nullptr, {}, 0)));
  const CodePlaces places{{}, nullptr, state.stages, /*mustBeMonolithic=*/true};
  return codeOf(monolithicRequest(device, places, layout, build, /*mayCompile=*/true), build);
}

llvm::Expected<std::shared_ptr<const CodeObject>>
codeOfLinked(Device &device, const LibraryPieces &pieces, const PartSet &parts,
             const GraphicsState &state, const std::shared_ptr<const PipelineLayoutData> &layout) {
  return linkOrCompile(device, pieces, &parts, state, layout);
}

llvm::Expected<std::shared_ptr<const CodeObject>>
codeOfPieces(Device &device, const LibraryPieces &pieces, const GraphicsState &state,
             const std::shared_ptr<const PipelineLayoutData> &layout) {
  const Collected collected = KILN_TRY(PartCollector(device, pieces, /*mayCompile=*/true).run());
  const bool links = collected.found == Found::All && interfacesLink(collected.parts);
  if (!links && !pieces.canCompile())
    return lgc::unsupported("a draw whose parts cannot be linked; the pipeline was created without "
                            "SPIR-V");
  return linkOrCompile(device, pieces, links ? &collected.parts : nullptr, state, layout);
}

} // namespace icd
