//===- Smem.h - scalar memory operations -----------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace pal::device {

/// OpEntry::kernel of scalar memory operations.
struct SmemOp {
  uint8_t baseDwords = 2;   ///< SGPRs of the base: 2 address, 4 V#, 0 none
  uint8_t resultDwords = 0; ///< SGPRs written
  uint8_t bytes = 0;        ///< loaded
  bool isSigned = false;    ///< 1- and 2-byte loads
};

} // namespace pal::device
