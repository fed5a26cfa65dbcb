//===- Extensions.h - the extensions that the ICD has ---------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Extensions.def as an enumeration, a set of enabled ones, and a table.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <bitset>
#include <cstdint>
#include <optional>

namespace icd {

/// Names are those of Vulkan without "VK_".
enum class Extension : uint16_t {
#define KILN_EXTENSION(name, isDevice, version) name,
#include "icd_glue/context/EntryTable.inc"
  Count
};

inline constexpr size_t extensionCount = static_cast<size_t>(Extension::Count);

/// Which extensions are enabled.
class ExtensionSet {
public:
  bool has(Extension extension) const { return bits.test(static_cast<size_t>(extension)); }
  void add(Extension extension) { bits.set(static_cast<size_t>(extension)); }
  ExtensionSet operator|(const ExtensionSet &other) const {
    ExtensionSet both = *this;
    both.bits |= other.bits;
    return both;
  }

private:
  std::bitset<extensionCount> bits;
};

struct ExtensionRow {
  const char *name; ///< "VK_KHR_..."
  bool isDevice;
  uint32_t specVersion;
};

/// One row per Extension, in its order.
llvm::ArrayRef<ExtensionRow> allExtensions();

/// The device or instance extension of that name.
std::optional<Extension> findExtension(llvm::StringRef name, bool isDevice);

} // namespace icd
