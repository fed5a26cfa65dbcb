//===- CodeAhead.cpp - parts of pipelines that do not exist yet -----------===//
// SPDX-License-Identifier: MIT
/// \file
/// Entry points that can be a part alone are compiled when their module is built; others with those
/// that their interfaces fit (partial/StageChains.h). Errors have nobody to tell: a pipeline that
/// needs the same runs into them again.
#include "icd_glue/amd/CodeStore.h"
#include "icd_glue/amd/Guesses.h"
#include "icd_glue/amd/PartPieces.h"
#include "llpc/Hasher.h"
#include "llpc/ShaderModuleData.h"
#include "llvm/ADT/STLExtras.h"

namespace icd::amd {
namespace {

using lgc::PartKind;

/// A driver frees modules without telling, so the oldest of more are forgotten.
constexpr uint64_t maxChainModules = 256;

/// Parts of one stage.
std::optional<PartKind> kindAlone(llpc::ShaderStage stage) {
  switch (stage) {
  case llpc::ShaderStage::Compute:
    return PartKind::Compute;
  case llpc::ShaderStage::Fragment:
    return PartKind::Fragment;
  case llpc::ShaderStage::Vertex:
  case llpc::ShaderStage::Mesh:
    return PartKind::PreRasterization;
  default:
    return std::nullopt;
  }
}

} // namespace

TaskSubject CodeStore::subjectOf(llvm::ArrayRef<const llpc::PipelineShaderInfo *> shaders) {
  llpc::Hasher hasher("amd-part-subject", 1);
  for (const llpc::PipelineShaderInfo *shader : shaders) {
    hasher.hash(shader->module.hash());
    hasher.enumeration(shader->entryStage);
    hasher.string(shader->entryTarget);
  }
  return {hasher.finish()};
}

void CodeStore::moduleBuilt(const llpc::ShaderModule &module,
                            const llpc::PipelineOptions &options) {
  // Parts have no texts of the compile.
  if (!settings.parts || options.includeIr || options.includeDisassembly)
    return;
  const uint64_t owner = ++modules;
  bool mayBeInChains = false;
  for (uint32_t i = 0; i < module.entries().size(); ++i) {
    const llpc::ShaderStage stage = module.entries()[i].stage;
    if (kindAlone(stage))
      enqueue(owner, {{module, i}}, options);
    mayBeInChains |= StageChains::isInChains(stage);
  }
  if (!mayBeInChains)
    return;
  if (owner > maxChainModules)
    chains.forget(owner - maxChainModules);
  chains.expect(owner);
  // Looking into a module takes longer than a driver should wait.
  pool.enqueue({owner, {}, 0, [this, owner, module, options](const TaskPool::Announce &) {
                  look(owner, module, options);
                }});
}

void CodeStore::look(uint64_t owner, const llpc::ShaderModule &module,
                     const llpc::PipelineOptions &options) {
  if (!chains.add(owner, module))
    return;
  for (StageChains::Chain &chain : chains.with(owner))
    enqueue(owner, std::move(chain), options);
}

void CodeStore::enqueue(uint64_t owner, StageChains::Chain stages,
                        const llpc::PipelineOptions &options) {
  std::vector<llpc::PipelineShaderInfo> shaders = shadersOf(stages);
  std::vector<const llpc::PipelineShaderInfo *> pointers;
  uint64_t bytes = 0;
  for (const llpc::PipelineShaderInfo &shader : shaders) {
    pointers.push_back(&shader);
    bytes += llpc::spirvWordsOf(shader.module).size() * 4;
  }
  const TaskSubject subject = subjectOf(pointers);
  if (pool.isPending(subject))
    return;
  pool.enqueue({owner, subject, bytes,
                [this, stages = std::move(stages), options](const TaskPool::Announce &announce) {
                  buildAhead(stages, options, announce);
                }});
}

std::vector<llpc::PipelineShaderInfo> CodeStore::shadersOf(const StageChains::Chain &stages) const {
  std::vector<llpc::PipelineShaderInfo> shaders;
  for (const EntryOfModule &stage : stages) {
    llpc::PipelineShaderInfo &shader = shaders.emplace_back();
    shader.module = stage.module;
    shader.entryTarget = stage.name().name;
    shader.entryStage = stage.name().stage;
    shader.options = guesses->optionsOf(shader.entryStage);
    if (stage.module.usage().useSubgroupSize)
      shader.options.subgroupSize = settings.subgroupSize;
  }
  return shaders;
}

void CodeStore::buildGuess(const Pieces &pieces, PartKind kind, llpc::SpecializedAt at,
                           const TaskPool::Announce &announce) {
  auto key = pieces.partKey(kind, at);
  if (!key)
    return llvm::consumeError(key.takeError());
  auto part = obtainPiece(cache, *key, [&] {
    announce();
    ++ahead;
    return pieces.buildPart(kind, at);
  });
  if (!part)
    llvm::consumeError(part.takeError());
}

/// With the values of the modules, and without any where pipelines may give others.
llvm::ArrayRef<llpc::SpecializedAt>
CodeStore::waysToSpecialize(llvm::ArrayRef<llpc::PipelineShaderInfo> shaders) const {
  static constexpr llpc::SpecializedAt all[] = {llpc::SpecializedAt::Compile,
                                                llpc::SpecializedAt::Link};
  const auto hasConstants = [](const llpc::PipelineShaderInfo &shader) {
    auto constants = llpc::Compiler::linkedConstants(shader);
    if (constants)
      return !constants->empty();
    // The module's own values need not be right, sizes of arrays for one: pipelines give others.
    llvm::consumeError(constants.takeError());
    return true;
  };
  const llvm::ArrayRef ways = all;
  return settings.linkConstants && llvm::any_of(shaders, hasConstants) ? ways : ways.take_front();
}

void CodeStore::buildAhead(const StageChains::Chain &stages, const llpc::PipelineOptions &options,
                           const TaskPool::Announce &announce) {
  const std::vector<llpc::PipelineShaderInfo> shaders = shadersOf(stages);
  const llpc::ShaderStage first = shaders.front().entryStage;
  const PartKind kind = shaders.size() == 1 ? kindAlone(first).value_or(PartKind::PreRasterization)
                                            : PartKind::PreRasterization;
  if (kind == PartKind::Compute)
    return buildCompute(shaders.front(), options, announce);
  llpc::GraphicsPipelineBuildInfo info;
  info.options = options;
  for (const llpc::PipelineShaderInfo &shader : shaders)
    info.shader(shader.entryStage) = shader;
  info.nggState = guesses->nggState();
  info.stageMask = stageBit(kind == PartKind::Fragment ? llpc::ShaderStage::Vertex
                                                       : llpc::ShaderStage::Fragment);
  llpc::Compiler::guessAssembly(info);
  info.iaState.enableMultiView = llvm::any_of(shaders, llpc::Compiler::guessMultiView);
  buildGraphics(info, shaders, kind, announce);
  const Guesses::VertexInput input = guesses->vertexInput();
  if (!info.vs.module || !input.isDescribed)
    return;
  info.enableUberFetchShader = true;
  info.useSoftwareVertexBufferDescriptors = input.hasSoftwareBuffers;
  buildGraphics(info, shaders, kind, announce);
}

void CodeStore::buildCompute(const llpc::PipelineShaderInfo &shader,
                             const llpc::PipelineOptions &options,
                             const TaskPool::Announce &announce) {
  auto layouts = guesses->layoutsOf(shader, /*describesVertexInput=*/false);
  if (!layouts)
    return llvm::consumeError(layouts.takeError());
  llpc::ComputePipelineBuildInfo info;
  info.cs = shader;
  info.options = options;
  for (llpc::ResourceMappingData &mapping : *layouts) {
    info.resourceMapping = std::move(mapping);
    for (const llpc::SpecializedAt at : waysToSpecialize(shader))
      buildGuess(ComputePieces(compiler, info), PartKind::Compute, at, announce);
  }
}

void CodeStore::buildGraphics(llpc::GraphicsPipelineBuildInfo &info,
                              llvm::ArrayRef<llpc::PipelineShaderInfo> shaders, PartKind kind,
                              const TaskPool::Announce &announce) {
  auto layouts = guesses->layoutsOf(shaders, info.enableUberFetchShader);
  if (!layouts)
    return llvm::consumeError(layouts.takeError());
  for (llpc::ResourceMappingData &mapping : *layouts) {
    info.resourceMapping = std::move(mapping);
    for (const llpc::SpecializedAt at : waysToSpecialize(shaders))
      buildGuess(GraphicsPieces(compiler, info), kind, at, announce);
  }
}

} // namespace icd::amd
