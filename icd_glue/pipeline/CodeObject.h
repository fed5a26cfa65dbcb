//===- CodeObject.h - a pipeline's code -----------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A whole code object in the driver's cache. Pipelines that need the same code share it, and the
/// program that the device makes of it as long as any of them lives. The device decodes code when
/// it is first needed, because that takes longer than linking.
#pragma once

#include "icd_glue/cache/ShaderCache.h"
#include "icd_glue/pipeline/Executable.h"

namespace icd {

class Device;

class CodeObject final : public CacheObject {
public:
  /// What is known besides the bytes.
  struct Description {
    std::string name; ///< of the program, for messages
    VkShaderStageFlags stages = 0;
    llpc::Hash128 pipelineHash = {};
    std::vector<std::string> warnings; ///< for each pipeline that uses it
    /// Of a compile; empty: read out of the code object.
    std::vector<ExecutableInfo> executables;
  };
  CodeObject(llpc::PipelineBinary binary, Description description)
      : binary(std::move(binary)), description(std::move(description)) {}

  llvm::ArrayRef<uint8_t> elf() const override { return binary.bytes(); }
  size_t memoryBytes() const override;
  const std::vector<std::string> &warnings() const { return description.warnings; }

  /// Errors: what SoftwareDevice::loadProgram says.
  llvm::Expected<std::shared_ptr<const pal::device::Program>>
  load(pal::device::SoftwareDevice &gpu) const;
  /// \p program: what load() gave.
  std::vector<ExecutableInfo> executables(const pal::abi::GpuTarget &target,
                                          const pal::device::Program &program) const;

private:
  const llpc::PipelineBinary binary;
  const Description description;
  mutable std::mutex loading;
  mutable std::weak_ptr<const pal::device::Program> loaded;
};

} // namespace icd
