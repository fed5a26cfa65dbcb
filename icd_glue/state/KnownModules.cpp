//===- KnownModules.cpp - modules that identifiers name -------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/state/KnownModules.h"

namespace icd {

void KnownModules::add(const ParsedModule &parsed) {
  std::lock_guard lock(mutex);
  Known &one = known[parsed.hash];
  if (!one.count++)
    one.module = parsed.module;
}

void KnownModules::remove(const llpc::Hash128 &hash) {
  std::lock_guard lock(mutex);
  if (auto it = known.find(hash); it != known.end() && !--it->second.count)
    known.erase(it);
}

llpc::ShaderModule KnownModules::find(const llpc::Hash128 &hash) const {
  std::lock_guard lock(mutex);
  auto it = known.find(hash);
  return it == known.end() ? llpc::ShaderModule() : it->second.module;
}

} // namespace icd
