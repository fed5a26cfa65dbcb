//===- StageInterface.h - locations that an entry point reads and writes --===//
// SPDX-License-Identifier: MIT
/// \file
/// The user-defined inputs and outputs of an entry point by location, without compiling: what
/// vertex attributes a vertex shader takes, what colour targets a fragment shader writes. Built-ins
/// are left out. No LLVM IR.
#pragma once

#include "llpc/EntryReflection.h"
#include "llpc/spirv/Module.h"
#include <vector>

namespace llpc {

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
