//===- StageInterface.h - locations that an entry point reads and writes --===//
// SPDX-License-Identifier: MIT
/// \file
/// The user-defined inputs and outputs of an entry point by location, without compiling: what
/// vertex attributes a vertex shader takes, what colour targets a fragment shader writes. Built-ins
/// are left out. No LLVM IR.
#pragma once

#include "llpc/spirv/Module.h"
#include <vector>

namespace llpc {

/// One location (and index, for fragment outputs) with all components that variables put into it.
struct InterfaceSlot {
  enum class Base : uint8_t { Float, Sint, Uint };
  uint32_t location = 0;
  uint32_t index = 0;
  Base base = Base::Float;
  uint8_t bits = 32;      ///< of a component: 8, 16, 32, 64
  uint8_t components = 0; ///< up to and including the highest one that is used, 1..4

  bool operator==(const InterfaceSlot &) const = default;
};

/// Sorted by location, then index. Locations that one 64-bit vector of three or four components
/// takes beside its first are not listed: they carry no format of their own.
/// Errors: InvalidInput for a variable without Location or with a type that has none;
/// LimitExceeded beyond 4096 locations.
llvm::Expected<std::vector<InterfaceSlot>> collectInputs(const spirv::Module &module,
                                                         const spirv::EntryPoint &entry);
llvm::Expected<std::vector<InterfaceSlot>> collectOutputs(const spirv::Module &module,
                                                          const spirv::EntryPoint &entry);

/// Does a specialization constant decide the length of an array that is such an input or output?
/// The lists above have the module's own lengths.
bool interfaceIsSpecialized(const spirv::Module &module, const spirv::EntryPoint &entry,
                            spv::StorageClass storage);

/// What stages in front of rasterization hand to each other: the locations of a vertex, whether or
/// not the stage sees arrays of vertices, and those of a patch.
struct HandedSlots {
  std::vector<InterfaceSlot> ofVertices, ofPatches;
};
/// \p storage is Input or Output. Errors as above.
llvm::Expected<HandedSlots> collectHanded(const spirv::Module &module,
                                          const spirv::EntryPoint &entry,
                                          spv::StorageClass storage);

} // namespace llpc
