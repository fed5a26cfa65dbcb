//===- SpecConstant.h - a value given to a specialization constant --------===//
// SPDX-License-Identifier: MIT
/// \file
/// Shared by the API, the reflection (array sizes) and the translator. No LLVM, no Vulkan.
#pragma once

#include <cstdint>

namespace llpc {

/// Value of one specialization constant: raw little-endian bytes as in VkSpecializationInfo.
struct SpecConstant {
  uint32_t constantId = 0;
  uint32_t size = 0; ///< bytes; at most 8 (of a constant that is declared: 1, 2, 4 or 8)
  uint64_t value = 0;

  bool operator==(const SpecConstant &) const = default;
};

} // namespace llpc
