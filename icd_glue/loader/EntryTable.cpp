//===- EntryTable.cpp - which commands exist, and when --------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/loader/EntryTable.h"
#include <algorithm>

using namespace llvm;

namespace icd {
namespace {

// Fills the places up to the fourth, so that a list of any length initialises the array.
template <typename... Rest>
EntryPoint row(const char *name, PFN_vkVoidFunction function, EntryLevel level, int8_t coreMinor,
               Rest... extensions) {
  static_assert(sizeof...(extensions) <= 4);
  EntryPoint entry = {name,
                      function,
                      level,
                      coreMinor,
                      {Extension::Count, Extension::Count, Extension::Count, Extension::Count}};
  [[maybe_unused]] size_t index = 0;
  ((entry.extensions[index++] = extensions), ...);
  return entry;
}

const EntryPoint table[] = {
#define KILN_ENTRY(name, function, level, coreMinor, ...)                                          \
  row(name, reinterpret_cast<PFN_vkVoidFunction>(icd::function), EntryLevel::level,                \
      coreMinor __VA_OPT__(, ) __VA_ARGS__),
#include "icd_glue/context/EntryTable.inc"
};

const ExtensionRow extensionRows[] = {
#define KILN_EXTENSION(name, isDevice, version) {"VK_" #name, isDevice, version},
#include "icd_glue/context/EntryTable.inc"
};

} // namespace

ArrayRef<ExtensionRow> allExtensions() { return extensionRows; }

std::optional<Extension> findExtension(StringRef name, bool isDevice) {
  for (size_t index = 0; index < extensionCount; ++index)
    if (extensionRows[index].isDevice == isDevice && name == extensionRows[index].name)
      return static_cast<Extension>(index);
  return std::nullopt;
}

bool EntryPoint::isProvided(uint32_t apiVersion, const ExtensionSet &enabled) const {
  if (coreMinor >= 0 && VK_API_VERSION_MINOR(apiVersion) >= static_cast<uint32_t>(coreMinor))
    return true;
  return std::any_of(std::begin(extensions), std::end(extensions), [&](Extension extension) {
    return extension != Extension::Count && enabled.has(extension);
  });
}

ArrayRef<EntryPoint> allEntryPoints() { return table; }

const EntryPoint *findEntryPoint(StringRef name) {
  const EntryPoint *found = std::lower_bound(
      std::begin(table), std::end(table), name,
      [](const EntryPoint &entry, StringRef wanted) { return StringRef(entry.name) < wanted; });
  return found != std::end(table) && name == found->name ? found : nullptr;
}

} // namespace icd
