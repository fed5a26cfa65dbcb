//===- Planner.h - inputs become a plan -----------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "Plan.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <functional>

namespace farm {

using Words = std::shared_ptr<const std::vector<uint32_t>>;
/// Reads a module that an input names by a file, relative to its folder.
using LoadFile = llvm::function_ref<llvm::Expected<Words>(llvm::StringRef name)>;

struct PlanOptions {
  std::string folder; ///< is made; must not have a plan
  std::string compiler;
  std::vector<std::string> targets, inputs;
  std::optional<unsigned> optLevel;
  /// Reads a pipeline of Vulkan SC; null: they are not supported.
  std::function<llvm::Error(const std::string &name, const std::string &json, LoadFile load)>
      readSc;
  /// Called for inputs that there will be no code of: why. The others are planned.
  std::function<void(llvm::StringRef)> fault;
  std::function<void(size_t inputs)> progress;
  std::function<bool()> goesOn = [] { return true; };
};

struct Planned {
  Plan plan;
  uint64_t inputs = 0;  ///< pipelines that were found
  uint64_t modules = 0; ///< different ones
  uint64_t faults = 0;
};

/// Errors: the folder has a plan, cannot be written; no input at all.
llvm::Expected<Planned> makePlan(const PlanOptions &options);

} // namespace farm
