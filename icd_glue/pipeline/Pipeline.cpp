//===- Pipeline.cpp - VkPipeline ------------------------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/pipeline/Pipeline.h"
#include "icd_glue/device/Device.h"

namespace icd {

std::shared_ptr<const pal::device::Program> PipelineData::program(Device &device) const {
  std::call_once(programOnce, [&] {
    if (auto program = code->load(device.gpu()))
      loadedProgram = std::move(*program);
    else
      device.reportError("KILN-load", llvm::toString(program.takeError()));
  });
  return loadedProgram;
}

const std::vector<ExecutableInfo> &PipelineData::executables(Device &device) const {
  std::call_once(executablesOnce, [&] {
    if (auto loaded = program(device))
      executableList = code->executables(*loaded);
  });
  return executableList;
}

void PipelineData::setProgram(std::shared_ptr<const pal::device::Program> program) {
  std::call_once(programOnce, [&] { loadedProgram = std::move(program); });
}

} // namespace icd
