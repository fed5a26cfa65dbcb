//===- Launches.cpp - kernels that a command runs -------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/rays/Launches.h"
#include "icd_glue/command/CommandBuffer.h"
#include "icd_glue/context/Device.h"
#include "pal_shim/abi/Try.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

namespace icd {

void Launches::append(Kernel kernel, const KernelArguments &arguments, uint32_t groups,
                      pal::device::GpuAddress indirect) {
  auto program = commandBuffer.device().kernels().program(kernel);
  isComplete = isComplete && program;
  launches.push_back({std::move(program), arguments, groups, indirect});
}

void Launches::add(Kernel kernel, const KernelArguments &arguments, uint64_t invocations) {
  if (invocations)
    append(kernel, arguments,
           static_cast<uint32_t>(llvm::divideCeil(invocations, scratch::groupSize)), 0);
}

void Launches::addIndirect(Kernel kernel, const KernelArguments &arguments,
                           pal::device::GpuAddress groups) {
  append(kernel, arguments, 0, groups);
}

void Launches::record(const char *command) {
  if (!isComplete)
    return commandBuffer.setError(VK_ERROR_UNKNOWN);
  commandBuffer.record(command, [all = std::move(launches)](Execution &execution) -> llvm::Error {
    pal::device::SoftwareDevice &gpu = execution.device.gpu();
    for (const Launch &launch : all) {
      std::array<uint32_t, sizeof(KernelArguments) / sizeof(uint32_t)> words;
      std::memcpy(words.data(), &launch.arguments, sizeof(words));
      const pal::device::DispatchInfo info = {
          .program = launch.program.get(), .groups = {launch.groups, 1, 1}, .userData = words};
      KILN_TRY(launch.indirect ? gpu.dispatchIndirect(info, launch.indirect) : gpu.dispatch(info));
    }
    return llvm::Error::success();
  });
}

} // namespace icd
