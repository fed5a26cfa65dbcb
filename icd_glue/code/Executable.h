//===- Executable.h - VK_KHR_pipeline_executable_properties ---------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What may be told about the shaders of a pipeline. It is read out of the code object when
/// somebody asks, so that the same code is described alike, wherever it came from.
#pragma once

#include "icd_glue/Object.h"
#include "icd_glue/RayStages.h"
#include "llpc/StageNames.h"
#include "pal_shim/abi/AbiNames.h"
#include "pal_shim/abi/TargetInfo.h"

namespace icd {

/// What VK_KHR_pipeline_executable_properties reports about one executable.
struct ExecutableInfo {
  std::string name; ///< "compute", "vertex", "vertex + geometry"
  std::string description;
  VkShaderStageFlags stages = 0;
  pal::abi::HardwareStage hardwareStage = pal::abi::HardwareStage::Cs;
  uint32_t subgroupSize = 0;
  llpc::ShaderStatistics statistics;
  /// Texts; empty unless the pipeline was created to capture them.
  std::string disassembly, llvmIr;
};

/// 0 for a stage that is not there.
VkShaderStageFlags flagOf(llpc::ShaderStage stage);

/// Executables of a code object, or of a part, whose pipeline has \p stages. Empty for bytes that
/// no loader would take.
std::vector<ExecutableInfo> describe(llvm::ArrayRef<uint8_t> elf, VkShaderStageFlags stages,
                                     const pal::abi::GpuTarget &target);

/// Text of the machine code of \p executable, which describe() gave for \p elf. Empty for bytes
/// that are no instructions.
std::string disassemblyOf(llvm::ArrayRef<uint8_t> elf, const ExecutableInfo &executable,
                          const pal::abi::GpuTarget &target);

} // namespace icd
