//===- Options.h - AMD's options: which ones have an effect ---------------===//
// SPDX-License-Identifier: MIT
/// \file
/// One table for each of AMD's structures with options, a row for each field. Of a row is known
/// what becomes of it, so that whatever a driver asks for in vain is said once, and hashes see all
/// of them. A field that is not in the tables is one that a newer interface has brought: the sizes
/// in Interface.h no longer fit then.
#pragma once

#include "icd_glue/amd/Interface.h"
#include "icd_glue/amd/Log.h"
#include "llpc/Hasher.h"

namespace icd::amd {

/// What an option does here.
enum class Effect : uint8_t {
  Applied, ///< what it asks for happens
  None,    ///< nothing has to happen: what it is about is so anyway, or is only a name
  Results, ///< it has no effect, and results may differ from what the driver wants
  Speed,   ///< it has no effect: code may be slower
  Tools,   ///< it has no effect: debuggers and profilers see less
};

template <typename Options> struct OptionRow {
  llvm::StringLiteral name;
  Effect effect;
  /// The value as a number. Pointers: the count of what they point to.
  uint64_t (*value)(const Options &options);
  uint64_t harmless = 0; ///< besides 0: a value that asks for nothing
};
llvm::ArrayRef<OptionRow<Vkgc::PipelineOptions>> pipelineOptionRows();
llvm::ArrayRef<OptionRow<Vkgc::PipelineShaderOptions>> shaderOptionRows();
llvm::ArrayRef<OptionRow<Vkgc::NggState>> nggOptionRows();
/// Of the state of pipelines, what is an option and nothing that the compiler has.
llvm::ArrayRef<OptionRow<Vkgc::ComputePipelineBuildInfo>> computeOptionRows();
llvm::ArrayRef<OptionRow<Vkgc::GraphicsPipelineBuildInfo>> graphicsOptionRows();

/// Says of every option that is set and has no effect so, once. \p gfxMajor: of the GPU.
void warnOfOptions(Log &log, const Vkgc::ComputePipelineBuildInfo &info, unsigned gfxMajor);
void warnOfOptions(Log &log, const Vkgc::GraphicsPipelineBuildInfo &info, unsigned gfxMajor);

/// All values in the order of the tables.
void hashOptions(llpc::Hasher &hasher, const Vkgc::PipelineOptions &options);
void hashOptions(llpc::Hasher &hasher, const Vkgc::PipelineShaderOptions &options);
void hashOptions(llpc::Hasher &hasher, const Vkgc::NggState &options);

/// The compiler's options.
llpc::PipelineOptions pipelineOptionsOf(const Vkgc::PipelineOptions &from);
/// \p subgroupSize: of shaders that may not choose. \p module: what it depends on.
llpc::PipelineShaderOptions shaderOptionsOf(const Vkgc::PipelineShaderOptions &from,
                                            uint32_t subgroupSize,
                                            const llpc::ShaderModuleUsage &usage);
llpc::NggState nggStateOf(const Vkgc::NggState &from);

} // namespace icd::amd
