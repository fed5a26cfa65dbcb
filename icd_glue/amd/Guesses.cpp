//===- Guesses.cpp - what modules alone do not say ------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/amd/Guesses.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"

namespace icd::amd {

/// AMD's driver compiles for one compute unit and hands rounding on. On gfx11 and later it has
/// fragment and compute shaders in waves of 64, on gfx10 it leaves that to the compiler; on gfx10.3
/// primitive shaders cull.
CodeStore::Guesses::Guesses(llvm::StringRef target) {
  for (llpc::PipelineShaderOptions &stage : options) {
    stage.wgpMode = false;
    stage.forwardPropagateNoContract = true;
  }
  if (!target.starts_with("gfx10"))
    for (llpc::ShaderStage stage : {llpc::ShaderStage::Fragment, llpc::ShaderStage::Compute})
      options[static_cast<unsigned>(stage)].waveSize = 64;
  ngg.backfaceCulling = ngg.smallPrimitiveFilter = target.starts_with("gfx103");
}

void CodeStore::Guesses::learn(const llpc::PipelineShaderInfo &shader) {
  const auto stage = static_cast<unsigned>(shader.entryStage);
  if (!shader.module || stage >= options.size())
    return;
  options[stage] = shader.options;
  options[stage].clientHash[0] = options[stage].clientHash[1] = 0;
  // Of this shader alone: what looks at the size has the device's one.
  options[stage].subgroupSize = 0;
}

void CodeStore::Guesses::learn(const llpc::ResourceMappingData &mapping) {
  if (mapping.roots.empty())
    return;
  const auto isSame = [&](const auto &known) { return *known == mapping; };
  if (auto it = llvm::find_if(layouts, isSame); it != layouts.end()) {
    std::rotate(layouts.begin(), it, std::next(it));
    return;
  }
  layouts.push_front(std::make_shared<const llpc::ResourceMappingData>(mapping));
  if (layouts.size() > maxLayouts)
    layouts.pop_back();
}

void CodeStore::Guesses::learn(const llpc::ComputePipelineBuildInfo &info) {
  std::lock_guard lock(mutex);
  learn(info.cs);
  learn(info.resourceMapping);
}

void CodeStore::Guesses::learn(const llpc::GraphicsPipelineBuildInfo &info) {
  std::lock_guard lock(mutex);
  for (unsigned i = 0; i < llpc::graphicsStageCount; ++i)
    learn(info.shader(static_cast<llpc::ShaderStage>(i)));
  learn(info.resourceMapping);
  ngg = info.nggState;
  if (info.vs.module && info.enableUberFetchShader && info.vertexInput == llpc::VertexInputInfo())
    described = {true, info.useSoftwareVertexBufferDescriptors};
}

CodeStore::Guesses::VertexInput CodeStore::Guesses::vertexInput() const {
  std::lock_guard lock(mutex);
  return described;
}

llpc::PipelineShaderOptions CodeStore::Guesses::optionsOf(llpc::ShaderStage stage) const {
  std::lock_guard lock(mutex);
  return options[static_cast<unsigned>(stage)];
}

llpc::NggState CodeStore::Guesses::nggState() const {
  std::lock_guard lock(mutex);
  return ngg;
}

llvm::Expected<std::vector<llpc::ResourceMappingData>>
CodeStore::Guesses::layoutsOf(llvm::ArrayRef<llpc::PipelineShaderInfo> shaders,
                              bool describesVertexInput) const {
  std::vector<std::shared_ptr<const llpc::ResourceMappingData>> owners;
  {
    std::lock_guard lock(mutex);
    owners.assign(layouts.begin(), layouts.end());
  }
  std::vector<const llpc::ResourceMappingData *> known;
  for (const auto &owner : owners)
    known.push_back(owner.get());
  std::vector<llpc::ResourceMappingData> guesses;
  llpc::LayoutGuess guess;
  guess.describesVertexInput = describesVertexInput;
  auto alone = KILN_TRY(llpc::Compiler::guessLayout(shaders, guess));
  guess.known = known;
  guesses.push_back(KILN_TRY(llpc::Compiler::guessLayout(shaders, guess)));
  if (alone != guesses.front())
    guesses.push_back(std::move(alone));
  return guesses;
}

} // namespace icd::amd
