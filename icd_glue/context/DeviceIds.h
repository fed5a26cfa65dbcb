//===- DeviceIds.h - one real part of each target --------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace icd {

/// What a chip is made of.
struct ChipShape {
  uint32_t engines = 1, arraysPerEngine = 1, cusPerArray = 2;
  uint32_t cus() const { return engines * arraysPerEngine * cusPerArray; }
};

/// PCI device id of one real part of each target; 0: none is known.
uint32_t deviceIdOf(llvm::StringRef target);
/// Of the same part; one WGP, if none is known.
ChipShape chipShapeOf(llvm::StringRef target);
/// The target with that id; empty: none.
llvm::StringRef targetOfDevice(uint32_t id);

} // namespace icd
