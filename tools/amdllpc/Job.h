//===- Job.h - compiling one pipeline for every target --------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "Inputs.h"
#include "llpc/Kernels.h"
#include "llpc/RayTracing.h"
#include "tools/report/Compare.h"
#include "tools/report/Report.h"
#include <optional>
#include <variant>

namespace amdllpc {

/// What came of one pipeline for one target.
struct JobResult {
  std::string name; ///< as the report shows it
  std::string path;
  std::string entry;      ///< of a compute pipeline
  std::string outputName; ///< see PipelineInput
  std::string target;
  std::optional<lgc::ErrorText> error;
  std::vector<std::string> warnings;
  llpc::PipelineHashes hashes;
  llpc::ShaderStatistics statistics;                        ///< of a compute pipeline
  std::vector<llpc::RayTracingShaderStatistics> rayShaders; ///< of a ray tracing pipeline
  std::optional<llpc::KernelInterface> kernel;              ///< of OpenCL kernels
  bool isGraphics = false;
  std::vector<llpc::HardwareStageStatistics> stages; ///< of a graphics pipeline
  llpc::PhaseTimes times;
  bool isDirect = false; ///< see llpc::PipelineResult
  std::string directRefusal;
  double frontEndMs = 0;                      ///< GLSL or assembly to SPIR-V, and validation
  std::string log;                            ///< -v
  std::string bytes;                          ///< result, when one was asked for
  std::optional<report::PipelineFacts> facts; ///< for -report
  std::vector<report::PlainStage> radv;       ///< -compare=radv: what RADV made of it
};

using Compilers = std::vector<std::unique_ptr<llpc::Compiler>>;
/// One result for each compiler. Safe to call from several threads.
std::vector<JobResult> runJob(const PipelineInput &input, const Options &options,
                              const Compilers &compilers);

/// A pipeline with all that it was made of, for who executes it.
struct BuiltPipeline {
  std::variant<llpc::ComputePipelineBuildInfo, llpc::GraphicsPipelineBuildInfo> info;
  std::vector<uint8_t> elf;
  std::array<uint32_t, 3> workgroupSize = {}; ///< of a compute pipeline
  std::vector<std::string> warnings;
};
/// Errors of all kinds.
llvm::Expected<BuiltPipeline> buildPipeline(const PipelineInput &input, const Options &options,
                                            const llpc::Compiler &compiler);

/// `-spec` arguments as bytes of their constants' types; those that the module does not declare are
/// left out, and \p used has a flag per argument that is set when it is not. Errors: not a value of
/// the constant's type.
llvm::Expected<std::vector<llpc::SpecConstant>>
convertSpecialization(llvm::ArrayRef<SpecArgument> arguments, const llpc::spirv::Module &module,
                      std::vector<bool> &used);

} // namespace amdllpc
