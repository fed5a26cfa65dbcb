//===- EntryTable.h - which commands exist, and when ----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The table of all commands that generate/entrypoints.py makes from vk.xml, and the look-up by
/// name that vkGetInstanceProcAddr and its relatives need. A command is in effect when its function
/// is defined somewhere in icd_glue (all are declared weakly in Entrypoints.h) and its core version
/// or one of its extensions is enabled.
#pragma once

#include "icd_glue/Entrypoints.h"
#include "icd_glue/context/Extensions.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace icd {

/// What a command's first parameter belongs to.
enum class EntryLevel : uint8_t { Global, Instance, PhysicalDevice, Device };

struct EntryPoint {
  const char *name;            ///< "vkCmdDispatchBaseKHR"
  PFN_vkVoidFunction function; ///< null: nobody defines it
  EntryLevel level;
  int8_t coreMinor; ///< minor version of the Vulkan core it is part of; -1: none
  /// Extensions that provide it, Extension::Count where there are fewer.
  Extension extensions[4];

  /// Whether a core version or an extension provides it.
  bool isProvided(uint32_t apiVersion, const ExtensionSet &enabled) const;
};

/// Every row, sorted by name.
llvm::ArrayRef<EntryPoint> allEntryPoints();

/// The row of that name, or null.
const EntryPoint *findEntryPoint(llvm::StringRef name);

} // namespace icd
