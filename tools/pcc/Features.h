//===- Features.h - device features of a Vulkan SC pipeline ---------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "ScDecoder.h"

namespace pcc {

/// Names of the enabled features that change code beyond what SPIR-V says itself (robustness),
/// sorted, out of `PhysicalDeviceFeatures` and its chain. Structures that are not known here say
/// nothing about these; of a structure with another sType in front the contents do not count, as
/// old writers put reservations there. Errors: InvalidInput.
llvm::Expected<std::vector<std::string>> readFeatures(const ScDecoder &decoder, const Json &state,
                                                      const Place &place);

} // namespace pcc
