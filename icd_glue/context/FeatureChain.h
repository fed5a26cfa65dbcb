//===- FeatureChain.h - feature and property structures of pNext chains ---===//
// SPDX-License-Identifier: MIT
/// \file
/// Moves values between Features / Properties, which have one member per name, and the many Vulkan
/// structures that hold them. The tables come from vk.xml (generate/physicalDeviceStructs.py).
#pragma once

#include "icd_glue/context/PhysicalDeviceStructs.h"
#include <string>

namespace icd {

/// VkPhysicalDeviceFeatures of \p features.
VkPhysicalDeviceFeatures coreFeaturesOf(const Features &features);

/// Fills in every known feature structure of the chain.
void writeFeatureChain(void *next, const Features &features);

/// Fills in every known property structure of the chain.
void writePropertyChain(void *next, const Properties &properties);

/// Reads what vkCreateDevice asks for: pEnabledFeatures, or VkPhysicalDeviceFeatures2 in the chain,
/// and all feature structures there. Returns the names of those that are not supported, for a
/// message; empty when all are.
std::string readEnabledFeatures(const VkDeviceCreateInfo &info, const Features &supported,
                                Features &enabled);

} // namespace icd
