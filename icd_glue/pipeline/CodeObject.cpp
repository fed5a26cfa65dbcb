//===- CodeObject.cpp - a pipeline's code ---------------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/pipeline/CodeObject.h"

namespace icd {

size_t CodeObject::memoryBytes() const {
  size_t bytes = sizeof(*this) + binary.bytes().size() + description.name.size();
  for (const ExecutableInfo &info : description.executables)
    bytes += sizeof(info) + info.disassembly.size() + info.llvmIr.size();
  return bytes;
}

llvm::Expected<std::shared_ptr<const pal::device::Program>>
CodeObject::load(pal::device::SoftwareDevice &gpu) const {
  std::lock_guard lock(loading);
  if (auto program = loaded.lock())
    return program;
  auto program = gpu.loadProgram(elf(), description.name);
  if (program)
    loaded = *program;
  return program;
}

std::vector<ExecutableInfo> CodeObject::executables(const pal::abi::GpuTarget &target,
                                                    const pal::device::Program &program) const {
  if (!description.executables.empty())
    return description.executables;
  return describe(elf(), description.stages, description.pipelineHash, target, program);
}

} // namespace icd
