//===- SpecDefaults.h - specialization constants of a module --------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llpc/spirv/Module.h"
#include <vector>

namespace llpc {

/// One specialization constant: an OpSpecConstant, OpSpecConstantTrue or -False with a SpecId.
struct SpecDefault {
  uint32_t constantId = 0;
  uint32_t size = 0;  ///< bytes that data for it must have; 0: bool, any size will do
  uint64_t value = 0; ///< when nothing is given; of bool 0 or 1

  bool operator==(const SpecDefault &) const = default;
};

/// Ascending by constantId. Ids that several constants share are there as often.
std::vector<SpecDefault> collectSpecDefaults(const spirv::Module &module);

} // namespace llpc
