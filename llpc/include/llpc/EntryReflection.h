//===- EntryReflection.h - all that reflection knows of an entry point ----===//
// SPDX-License-Identifier: MIT
/// \file
/// Resources, traits and interface of one entry point (Compiler.h, ShaderModule::reflection). What
/// automatic layouts, keys of parts and ShaderModuleDataEx are made of.
///
/// Most fields of a pipeline's state matter only to shaders that ask for them: the sample count to
/// one that reads SamplePosition, multiview to one that reads ViewIndex. Keys of separately
/// compiled parts leave out what cannot matter, and find that here, as one bit for each reason.
///
/// A trait is there when code that the entry point reaches through calls names the variable (or the
/// member of a block), even if a branch around it is never taken; so the absence of a trait is a
/// promise and its presence is not. Outputs with an initializer count as written.
#pragma once

#include "lgc/CompileError.h"
#include "llpc/ShaderModuleData.h"
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

namespace llpc {

enum class EntryTrait : uint8_t {
#define KILN_ENTRY_TRAIT(name) name,
#include "llpc/EntryTraits.def"
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

/// Descriptors and push constants that an entry point statically uses, directly or through calls.
struct ResourceUsage {
  /// Sorted by set, then binding; one entry per binding. Variables that share a binding are merged:
  /// image + sampler -> DescriptorCombinedTexture, uniform + storage buffer -> DescriptorBuffer,
  /// other mixtures -> DescriptorMutable; the largest array counts.
  std::vector<ResourceNodeData> nodes;
  /// Bytes from offset 0 to the end of the last push constant member; 0 when there are none.
  uint32_t pushConstSize = 0;
  /// Specialization constants are part of an array size, so that others may give another result.
  bool isSpecialized = false;

  bool operator==(const ResourceUsage &) const = default;
};

/// Of the user-defined inputs and outputs, one location (and index, for fragment outputs) with all
/// components that variables put into it.
struct InterfaceSlot {
  enum class Base : uint8_t { Float, Sint, Uint };
  uint32_t location = 0;
  uint32_t index = 0;
  Base base = Base::Float;
  uint8_t bits = 32;      ///< of a component: 8, 16, 32, 64
  uint8_t components = 0; ///< up to and including the highest one that is used, 1..4

  bool operator==(const InterfaceSlot &) const = default;
};

struct EntryReflection {
  EntryTraits traits;
  /// With the module's own values of specialization constants; usage.isSpecialized says whether
  /// others can change it, or inputs and outputs.
  ResourceUsage usage;
  std::vector<InterfaceSlot> inputs;  ///< vertex shaders only
  std::vector<InterfaceSlot> outputs; ///< fragment shaders only
  /// Why usage, inputs and outputs are empty: the first error of collecting them. Traits are there
  /// all the same.
  std::optional<lgc::ErrorText> error;
  uint64_t visitedInstructions = 0; ///< the work that it took
};

} // namespace llpc
