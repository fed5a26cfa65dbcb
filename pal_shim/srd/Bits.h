//===- Bits.h - bit fields of a descriptor --------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A descriptor under construction, addressed by bit number, as the manuals' tables do: dword 3,
/// bit 12 is 96 + 12. A field may cross dwords.
#pragma once

#include "llvm/Support/ErrorHandling.h"
#include <cstdint>

namespace pal::srd {

template <unsigned dwords> class Fields {
public:
  /// Ors `value` into bits [first, first + width). Values that do not fit are our own bug: callers
  /// check their input.
  void set(unsigned first, unsigned width, uint64_t value) {
    if (first + width > 32 * dwords || (width < 64 && value >> width != 0))
      llvm::report_fatal_error("descriptor field out of range");
    while (width > 0) {
      const unsigned bit = first % 32, part = width < 32 - bit ? width : 32 - bit;
      const uint64_t mask = (uint64_t(1) << part) - 1;
      words[first / 32] |= static_cast<uint32_t>((value & mask) << bit);
      value >>= part;
      first += part;
      width -= part;
    }
  }
  void copyTo(uint32_t *out) const {
    for (unsigned i = 0; i < dwords; ++i)
      out[i] = words[i];
  }

private:
  uint32_t words[dwords] = {};
};

} // namespace pal::srd
