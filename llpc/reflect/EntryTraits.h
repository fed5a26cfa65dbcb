//===- EntryTraits.h - what an entry point's code may depend on -----------===//
// SPDX-License-Identifier: MIT
/// \file
/// Most fields of a pipeline's state matter only to shaders that ask for them: the sample count to
/// one that reads SamplePosition, multiview to one that reads ViewIndex. Keys of separately
/// compiled parts leave out what cannot matter, and find that here, as one bit for each reason.
///
/// A trait is there when code that the entry point reaches through calls names the variable (or the
/// member of a block), even if a branch around it is never taken; so the absence of a trait is a
/// promise and its presence is not. Outputs with an initializer count as written.
#pragma once

#include "llpc/spirv/Module.h"

namespace llpc {

enum class EntryTrait : uint8_t {
#define KILN_ENTRY_TRAIT(name) name,
#include "llpc/reflect/EntryTraits.def"
  Count
};
static_assert(static_cast<unsigned>(EntryTrait::Count) <= 64, "EntryTraits holds 64 bits");

/// A set of traits.
class EntryTraits {
public:
  constexpr EntryTraits() = default;
  constexpr EntryTraits(std::initializer_list<EntryTrait> list) {
    for (EntryTrait trait : list)
      set(trait);
  }
  static constexpr EntryTraits fromBits(uint64_t bits) {
    EntryTraits traits;
    traits.set_ = bits;
    return traits;
  }

  constexpr bool has(EntryTrait trait) const { return set_ >> static_cast<unsigned>(trait) & 1; }
  constexpr bool hasAny(EntryTraits of) const { return (set_ & of.set_) != 0; }
  constexpr void set(EntryTrait trait) { set_ |= 1ull << static_cast<unsigned>(trait); }
  constexpr uint64_t bits() const { return set_; } ///< bit n: EntryTrait n
  constexpr EntryTraits &operator|=(EntryTraits other) {
    set_ |= other.set_;
    return *this;
  }
  constexpr bool operator==(const EntryTraits &) const = default;

private:
  uint64_t set_ = 0;
};

} // namespace llpc
