//===- Guesses.h - what modules alone do not say --------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/amd/CodeStore.h"
#include <deque>

namespace icd::amd {

/// Options and layouts of the last pipelines. Threads: any number.
class CodeStore::Guesses {
public:
  /// Of each kind; a module fits few of them.
  static constexpr size_t maxLayouts = 16;

  /// What AMD's driver asks for on \p target ("gfx1030") unless it is told otherwise.
  explicit Guesses(llvm::StringRef target);
  void learn(const llpc::ComputePipelineBuildInfo &info);
  void learn(const llpc::GraphicsPipelineBuildInfo &info);

  /// Options of a stage, without those that name a shader.
  llpc::PipelineShaderOptions optionsOf(llpc::ShaderStage stage) const;
  llpc::NggState nggState() const;
  /// Likeliest first: of the layouts that fit the shaders, else what the modules suggest. At most
  /// two, each of which makes other code.
  /// \p describesVertexInput: memory describes attributes.
  llvm::Expected<std::vector<llpc::ResourceMappingData>>
  layoutsOf(llvm::ArrayRef<llpc::PipelineShaderInfo> shaders, bool describesVertexInput) const;
  /// How vertex shaders find their attributes, besides with what a pipeline says: whether any
  /// pipeline had them described in memory, and how the last one of those had its buffers.
  struct VertexInput {
    bool isDescribed = false, hasSoftwareBuffers = false;
  };
  VertexInput vertexInput() const;

private:
  void learn(const llpc::PipelineShaderInfo &shader);
  void learn(const llpc::ResourceMappingData &mapping);

  mutable std::mutex mutex;
  std::array<llpc::PipelineShaderOptions, lgc::shaderStageCount> options;
  llpc::NggState ngg;
  VertexInput described;
  std::deque<std::shared_ptr<const llpc::ResourceMappingData>> layouts; ///< last one first
};

} // namespace icd::amd
