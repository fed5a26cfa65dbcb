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
#include <optional>
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
/// How \p pipeline came by its code between the two, in one word or the reason of a miss:
/// "library", which has none; "cached"; "linked", also when its first use does it; "linked late",
/// where something was built or waited for; "compiled: REASON".
std::string describeOrigin(VkPipeline pipeline, const Origins &before, const Origins &after);

/// A line for each counter of the device.
std::string countersOf(VkDevice device);
/// Nothing: the pipeline is a library. Empty: its code could not be made.
std::optional<llvm::ArrayRef<uint8_t>> codeOf(VkDevice device, VkPipeline pipeline);

} // namespace replay
