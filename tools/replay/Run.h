//===- Run.h - a list of captures, in one go ------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Creates pipelines as a program does that loads everything first: one device for each set of
/// enabled features, then modules and layouts of all captures in the chosen order, then the
/// pipelines one by one.
#pragma once

#include "RandomLayout.h"
#include "Replayer.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <functional>
#include <map>
#include <optional>

namespace replay {

using Captures = std::vector<std::shared_ptr<const Capture>>;

/// Those of \p paths, files, databases or folders, that can be read. Why others cannot is added to
/// \p faults.
Captures loadCaptures(llvm::ArrayRef<std::string> paths, std::vector<std::string> &faults);

/// By the features that their programs had enabled: each group has a device.
using FeatureGroups = std::map<std::vector<std::string>, Captures>;
llvm::Expected<FeatureGroups> byFeatures(const Captures &captures);

enum class Order : uint8_t { ModulesFirst, LayoutsFirst };

struct RunOptions {
  size_t device = 0;
  Order order = Order::ModulesFirst;
  std::optional<uint64_t> randomLayouts; ///< seed
  RandomLayoutOptions random;
  VkPipelineCreateFlags flags = 0; ///< for all pipelines
  // Called for each device: before its modules; when modules and layouts are there, before the
  // pipelines; after the pipelines.
  std::function<void(const Device &)> begin, settle, finish;
  std::function<void()> prepared; ///< called when modules, or the layout, of one more are there
  /// Asked before each step; false: the rest is left out.
  std::function<bool()> goesOn = [] { return true; };
};

struct RunRow {
  const Capture *capture = nullptr;
  std::string missing;           ///< why the device cannot have it; nothing was created then
  std::string fault;             ///< what of it cannot be had: a module, a library; likewise
  double moduleMicroseconds = 0; ///< CPU time of modules that no capture before had
  CreatedPipeline created;       ///< the pipeline is destroyed already
};

/// Calls \p row for each capture, in the order of the captures of a device, before the pipeline is
/// destroyed. What is wrong with one capture does not keep the others from being created. Errors:
/// those of devices.
llvm::Error runCaptures(const Driver &driver, const Captures &captures, const RunOptions &options,
                        llvm::function_ref<void(const Device &, const RunRow &)> row);

} // namespace replay
