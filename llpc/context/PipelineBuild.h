//===- PipelineBuild.h - what builds of all kinds of pipelines share ------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/Compile.h"
#include "llpc/Compiler.h"

namespace llpc {

struct TranslateOptions;

/// Wave and subgroup sizes are sizes, or 0. Errors: InvalidInput.
llvm::Error checkOptions(const PipelineShaderInfo &shader);
/// Error when the module is absent, the stage is not `stage`, or the module has no such entry
/// point.
llvm::Error checkShader(const PipelineShaderInfo &shader, ShaderStage stage);

/// "tessellation control" -> "a tessellation control", "evaluation" -> "an evaluation".
std::string withArticle(llvm::StringRef noun);

/// What is special about shaders of ray tracing: any number of a stage, which share one state.
class RayShaderHooks {
public:
  virtual ~RayShaderHooks() = default;
  /// Before shader \p index is translated: \p state is to be its own.
  virtual void begin(unsigned index, TranslateOptions &options, lgc::PipelineState &state) = 0;
  /// After that: \p state becomes what all have so far. Errors: modes that do not fit together.
  virtual llvm::Error end(unsigned index, llvm::Module &module, lgc::PipelineState &state) = 0;
};

/// One build: every shader of the pipeline into one LLVM module, state on top, the back end.
///
///     PipelineBuild build(info, shaders, target, backend, result);
///     if (Error e = build.run([&](lgc::PipelineState &state) { ... what info says ... }))
class PipelineBuild {
public:
  /// `result` gets binary, times, warnings; all references must outlive the build.
  PipelineBuild(const PipelineBuildInfo &info, llvm::ArrayRef<const PipelineShaderInfo *> shaders,
                llvm::StringRef target, lgc::Backend &backend, PipelineResult &result)
      : info(info), shaders(shaders), target(target), sharedBackend(backend), result(result) {}

  /// Adds to a state that holds what the shaders declare. Errors: modes that do not fit together.
  using CompleteState = llvm::function_ref<llvm::Error(lgc::PipelineState &)>;
  /// `result.hashes` must be set. Errors of every kind.
  llvm::Error run(CompleteState complete);
  /// The same to two code objects, which `result` does not get. Its times are those of what both
  /// share.
  llvm::Expected<lgc::HalfResults> runHalves(CompleteState complete, lgc::RunBoth runBoth);

  /// Before run(), of graphics pipelines: GraphicsState::stageMask. Shaders are translated as parts
  /// of the whole.
  void setStages(uint32_t stageMask) { pipelineState.graphics.stageMask = stageMask; }
  /// Before run(), of parts. Without any shader the module gets a fragment shader that does
  /// nothing.
  void setPart(const lgc::PartState &part) { pipelineState.part = part; }
  /// Before run(), of ray tracing pipelines.
  void setRays(RayShaderHooks &hooks) { rays = &hooks; }
  /// After run(): the state that the module was compiled with, and what the back end reports. The
  /// latter is empty when only the IR was asked for.
  const lgc::PipelineState &state() const { return pipelineState; }
  const lgc::CompileResult &compiled() const { return compileResult; }

private:
  lgc::ContextLease lendContext() const;
  llvm::Error runOnce(CompleteState complete);
  llvm::Expected<lgc::HalfResults> runHalvesOnce(CompleteState complete, lgc::RunBoth runBoth);
  void startAgain(const lgc::PipelineState &initial);
  llvm::Error prepare(llvm::Module &module, CompleteState complete);
  llvm::Error translate(llvm::Module &module, CompleteState complete);
  llvm::Expected<lgc::CompileResult> compile(std::unique_ptr<llvm::Module> module);
  llvm::Error finish(std::vector<uint8_t> data);

  const PipelineBuildInfo &info;
  llvm::ArrayRef<const PipelineShaderInfo *> shaders;
  llvm::StringRef target;
  lgc::Backend &sharedBackend;
  PipelineResult &result;
  lgc::PipelineState pipelineState;
  lgc::CompileResult compileResult;
  RayShaderHooks *rays = nullptr;
  bool isForLlvm = false; ///< the direct tier has refused the pipeline
};

/// buildComputePipeline() and buildGraphicsPipeline() without their checks. \p info may be the
/// input of a part, which \p part says.
llvm::Expected<ComputePipelineResult> buildCompute(const ComputePipelineBuildInfo &info,
                                                   const lgc::PartState &part,
                                                   const PipelineHashes &hashes,
                                                   llvm::StringRef target, lgc::Backend &backend);
/// Both halves of a graphics pipeline, as parts.
struct HalfBuilds {
  GraphicsPipelineResult preRasterization, fragment;
};
llvm::Expected<HalfBuilds> buildHalves(const GraphicsPipelineBuildInfo &info,
                                       const PipelineHashes &hashes, llvm::StringRef target,
                                       lgc::Backend &backend, lgc::RunBoth runBoth);
llvm::Expected<GraphicsPipelineResult> buildGraphics(const GraphicsPipelineBuildInfo &info,
                                                     const lgc::PartState &part,
                                                     const PipelineHashes &hashes,
                                                     llvm::StringRef target, lgc::Backend &backend);

/// The middle end's name of a stage.
inline lgc::ShaderStage lgcStage(ShaderStage stage) {
  static_assert(static_cast<unsigned>(ShaderStage::Compute) ==
                static_cast<unsigned>(lgc::ShaderStage::Compute));
  return static_cast<lgc::ShaderStage>(stage);
}

/// `.internal_pipeline_hash` as the caller wants it, else of \p hashes.
void setPipelineHash(uint64_t (&hash)[2], const PipelineBuildInfo &info,
                     const PipelineHashes &hashes);
/// A result in the memory that the caller wants. Error: there is none.
llvm::Expected<PipelineBinary> outputBinary(std::vector<uint8_t> data,
                                            const PipelineBuildInfo &info);

/// The API's form of the back end's figures.
ShaderStatistics statisticsOf(const lgc::Statistics &from);

} // namespace llpc
