//===- LiteralField.h - a number in code that a link gives ----------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "pal_shim/abi/ElfObject.h"
#include "pal_shim/abi/TargetInfo.h"
#include <optional>

namespace pal::remap {

/// Bits of a 32-bit word of code which the value of a symbol is added to: a whole literal, or the
/// immediate offset of a scalar load.
class LiteralField {
public:
  LiteralField() = default;
  /// Of a relocation in `section`, whose code is for `target`. Errors: Unsupported for relocations
  /// of other types, Malformed when the word is outside of the section, or the section is no code.
  static llvm::Expected<LiteralField> of(const abi::ElfRelocation &relocation,
                                         const abi::ElfSection &section,
                                         const abi::GpuTarget *target);
  /// The word; none when the sum does not fit.
  std::optional<uint32_t> word(uint32_t value) const {
    uint64_t sum = uint64_t(addend) + value;
    if (mask != ~0u && sum > mask >> 1) // signed, and never negative
      return std::nullopt;
    return rest | (static_cast<uint32_t>(sum) & mask);
  }

private:
  uint32_t mask = ~0u;
  uint32_t rest = 0; ///< the other bits
  uint32_t addend = 0;
};

} // namespace pal::remap
