//===- DeviceIds.h - PCI device ids of targets ----------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace icd {

/// Of one real part of each target; 0: none is known.
uint32_t deviceIdOf(llvm::StringRef target);
/// The target with that id; empty: none.
llvm::StringRef targetOfDevice(uint32_t id);

} // namespace icd
