//===- Launches.h - kernels that a command runs ---------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/rays/Kernels.h"
#include "pal_shim/device/Device.h"
#include <vector>

namespace icd {

class CommandBuffer;

/// Kernels that one command runs, one after another.
class Launches {
public:
  explicit Launches(CommandBuffer &commandBuffer) : commandBuffer(commandBuffer) {}

  /// At least \p invocations of the kernel. 0: nothing.
  void add(Kernel kernel, const KernelArguments &arguments, uint64_t invocations);
  /// As many workgroups as the VkDispatchIndirectCommand at \p groups says.
  void addIndirect(Kernel kernel, const KernelArguments &arguments, pal::device::GpuAddress groups);
  /// Records all of it as the operation of a command, unless a kernel cannot be had, which is an
  /// error of the command buffer.
  void record(const char *command);

private:
  struct Launch {
    std::shared_ptr<const pal::device::Program> program;
    KernelArguments arguments;
    uint32_t groups;
    pal::device::GpuAddress indirect;
  };
  void append(Kernel kernel, const KernelArguments &arguments, uint32_t groups,
              pal::device::GpuAddress indirect);

  CommandBuffer &commandBuffer;
  std::vector<Launch> launches;
  bool isComplete = true;
};

} // namespace icd
