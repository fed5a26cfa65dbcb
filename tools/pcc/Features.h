//===- Features.h - device features of a Vulkan SC pipeline ---------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "ScDecoder.h"

namespace pcc {

/// Names of the enabled features that change code beyond what SPIR-V says itself (robustness,
/// queries), sorted, out of `PhysicalDeviceFeatures` and its chain. Other structures of features
/// say nothing about these; of the reservations that old writers put in front the contents do not
/// count. What is neither is passed over with a warning. Errors: what is no chain, and values.
llvm::Expected<std::vector<std::string>> readFeatures(ScDecoder &decoder, const Json &state,
                                                      const Place &place);

} // namespace pcc
