//===- EntryReflection.h - all that reflection knows of an entry point ----===//
// SPDX-License-Identifier: MIT
/// \file
/// Resources, traits and interface of one entry point from one walk over its code. What automatic
/// layouts, keys of parts and ShaderModuleDataEx are made of.
#pragma once

#include "llpc/reflect/EntryTraits.h"
#include "llpc/reflect/ResourceUsage.h"
#include "llpc/reflect/StageInterface.h"
#include <optional>

namespace llpc {

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

/// Linear in the code that \p entry, which must belong to \p module, reaches; no recursion.
EntryReflection reflectEntry(const spirv::Module &module, const spirv::EntryPoint &entry);

} // namespace llpc
