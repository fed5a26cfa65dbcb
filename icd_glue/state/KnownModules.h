//===- KnownModules.h - modules that identifiers name ---------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/state/ShaderModule.h"
#include <map>
#include <mutex>

namespace icd {

/// The modules that are alive, by the hash that identifiers are (ModuleIdentifier.cpp): a pipeline
/// of identifiers finds the parts of these modules, not only code that had its name before. Any
/// number of threads.
class KnownModules {
public:
  /// Once more; remove() as often.
  void add(const ParsedModule &parsed);
  void remove(const llpc::Hash128 &hash);
  /// Null: there is none.
  llpc::ShaderModule find(const llpc::Hash128 &hash) const;

private:
  struct Known {
    llpc::ShaderModule module;
    unsigned count = 0;
  };
  mutable std::mutex mutex;
  std::map<llpc::Hash128, Known> known;
};

} // namespace icd
