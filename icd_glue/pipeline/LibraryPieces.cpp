//===- LibraryPieces.cpp - pieces put together ----------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/context/Device.h"
#include "icd_glue/pipeline/PipelineLibrary.h"
#include "icd_glue/state/GraphicsBuild.h"
#include "lgc/FieldCount.h"
#include "llvm/ADT/STLExtras.h"
#include <tuple>

namespace icd {

std::shared_ptr<ShaderPiece> ShaderPiece::withoutParts() const {
  auto copy = std::make_shared<ShaderPiece>();
  std::tie(copy->state, copy->layout, copy->shaders, copy->stageKeys, copy->options,
           copy->takesStandIns) =
      std::tie(state, layout, shaders, stageKeys, options, takesStandIns);
  return copy;
}

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

std::vector<ExecutableInfo> LibraryPieces::executables(Device &device) const {
  std::vector<ExecutableInfo> all;
  for (const auto &piece : {preRasterization, fragmentShader}) {
    const PartPointer *part = piece ? piece->parts.find(piece->partClass(primitives())) : nullptr;
    if (part && *part)
      llvm::append_range(all, describe((*part)->part->elf(), piece->state.stages, device.target()));
  }
  return all;
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

/// Null: both are, or there is more than the limits allow.
static std::shared_ptr<const PipelineLayoutData>
joinLayouts(const std::shared_ptr<const PipelineLayoutData> &first,
            const std::shared_ptr<const PipelineLayoutData> &second) {
  if (!first || !second || first == second)
    return first ? first : second;
  std::vector<std::shared_ptr<const SetLayout>> sets(first->sets);
  sets.resize(std::max(first->sets.size(), second->sets.size()));
  for (size_t i = 0; i < second->sets.size(); ++i)
    if (!sets[i])
      sets[i] = second->sets[i];
  return PipelineLayoutData::create(std::move(sets), std::max(first->pushBytes, second->pushBytes));
}

std::shared_ptr<const PipelineLayoutData> LibraryPieces::layout() const {
  return joinLayouts(preRasterization ? preRasterization->layout : nullptr,
                     fragmentShader ? fragmentShader->layout : nullptr);
}

static void addRobustness(llpc::PipelineOptions &options, const llpc::PipelineOptions &from) {
  static_assert(lgc::fieldCount<llpc::PipelineOptions>() == 13,
                "a field was added: may shaders of a pipeline differ in it?");
  options.robustBufferAccess |= from.robustBufferAccess;
  options.robustBufferAccess2 |= from.robustBufferAccess2;
  options.robustImageAccess2 |= from.robustImageAccess2;
}

std::shared_ptr<const ShaderPiece> joinShaders(const ShaderPiece &first,
                                               const ShaderPiece &second) {
  auto piece = std::make_shared<ShaderPiece>();
  piece->layout = joinLayouts(first.layout, second.layout);
  if (!piece->layout)
    return nullptr;
  piece->state = first.state;
  piece->state.stages |= second.state.stages;
  piece->takesStandIns = first.takesStandIns && second.takesStandIns;
  piece->options = first.options;
  addRobustness(piece->options, second.options);
  for (const ShaderPiece *from : {&first, &second}) {
    llvm::append_range(piece->shaders, from->shaders);
    llvm::append_range(piece->stageKeys, from->stageKeys);
  }
  return piece;
}

llpc::PipelineOptions monolithicOptions(const LibraryPieces &pieces,
                                        llpc::PipelineOptions options) {
  for (const auto &piece : {pieces.preRasterization, pieces.fragmentShader})
    if (piece)
      addRobustness(options, piece->options);
  return options;
}

llpc::GraphicsPipelineBuildInfo monolithicBuildInfo(const LibraryPieces &pieces,
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
  build.resourceMapping = mappingFor(layout, state);
  setCompilerState(build, state);
  return build;
}

} // namespace icd
