//===- BuiltIn.h - Kiln's driver inside of this program -------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What Vulkan does not tell about pipelines on Kiln: where their code came from, and when the
/// background has nothing more to do. Only in builds that have the driver (KILN_REPLAY_BUILT_IN).
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <map>
#include <string>
#include <vulkan/vulkan.h>

namespace replay {

PFN_vkGetInstanceProcAddr builtInDriver();

/// Until nothing is queued or compiled in the background.
void waitIdle(VkDevice device);

/// How pipelines of a device came by their code so far.
struct Origins {
  uint64_t cached = 0, linked = 0, linkedReady = 0, compiled = 0;
  std::map<std::string, uint64_t> misses; ///< by reason
};
Origins originsOf(VkDevice device);
/// What has happened between the two, in one word or the reason of a miss: "cached", "linked",
/// "linked late: something was built or waited for", "compiled: REASON".
std::string describeChange(const Origins &before, const Origins &after);

/// A line for each counter of the device.
std::string countersOf(VkDevice device);
/// Empty when the pipeline has no code.
llvm::ArrayRef<uint8_t> codeOf(VkDevice device, VkPipeline pipeline);

} // namespace replay
