//===- PipelineFile.h - a pipeline of Vulkan SC, out of its JSON ----------===//
// SPDX-License-Identifier: MIT
/// \file
/// Reads what vksc_pipeline_schema.json describes, and what writers really write. The pipeline's
/// create infos become a replay::Capture, so that everything that knows captures can create it.
#pragma once

#include "icd_glue/sc/ScCache.h"
#include "tools/replay/Capture.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace pcc {

using Words = std::shared_ptr<const std::vector<uint32_t>>;
/// The module in a file whose name is relative to that of the JSON. Errors: InvalidInput.
using LoadModule = llvm::function_ref<llvm::Expected<Words>(llvm::StringRef name)>;

struct PipelineFile {
  std::string name; ///< of the file
  std::string json; ///< as it is in the file
  icd::sc::Uuid identifier = {};
  /// Also holds the modules, in the order of pStages; `modules` are their files' names.
  std::shared_ptr<const replay::Capture> capture;
  /// Robustness features that are enabled, by name, sorted.
  std::vector<std::string> features;
  std::vector<std::string> warnings; ///< with places

  /// Errors: InvalidInput with file, line and place in the JSON; Unsupported.
  static llvm::Expected<PipelineFile> read(std::string name, std::string json, LoadModule load);
};

} // namespace pcc
