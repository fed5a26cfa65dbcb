//===- AddressSum.h - addresses as sums ------------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Code that is repeated by hand or by an unroller computes many addresses that differ by
/// constants, and nobody has put the constants together. Where one of them is in a register, others
/// need only an offset in their instructions:
///   ((y + 4) * 32 + x) * 8  is  256 * y + 8 * x, and 1024 more
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace llvm {
class DataLayout;
class Value;
} // namespace llvm

namespace lgc::direct {

/// Values times constants, and a constant, all in 32 bits; each value once, in an order of its own.
struct AddressSum {
  llvm::SmallVector<std::pair<const llvm::Value *, uint32_t>, 8> terms;
  uint32_t constant = 0;
};

/// Of an integer of 32 bits, or of a pointer of as many. \p placeOf: of a variable, the address
/// where it begins; none: not known.
AddressSum addressSumOf(const llvm::Value *value, const llvm::DataLayout &layout,
                        llvm::function_ref<std::optional<uint32_t>(const llvm::Value *)> placeOf);

} // namespace lgc::direct
