//===- PipelineFile.h - a pipeline of Vulkan SC, out of its JSON ----------===//
// SPDX-License-Identifier: MIT
/// \file
/// Reads what vksc_pipeline_schema.json describes, and what writers really write. The pipeline's
/// create infos become a replay::Capture, so that everything that knows captures can create it.
#pragma once

#include "InputFile.h"
#include "LayoutReader.h"
#include "icd_glue/sc/ScCache.h"
#include "tools/replay/Capture.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace pcc {

/// The module in a file whose name is relative to that of the JSON. Errors: InvalidInput.
using LoadModule = llvm::function_ref<llvm::Expected<Words>(llvm::StringRef name)>;

/// What a pipeline is called; known long before the rest of its file.
struct Identity {
  std::optional<icd::sc::Uuid> uuid;
  TextPlace place; ///< of the identifier in the JSON
};

struct PipelineFile {
  std::string name; ///< of the file
  std::string json; ///< as it is in the file
  icd::sc::Uuid identifier = {};
  /// Also holds the modules, in the order of pStages; `modules` are their files' names.
  std::shared_ptr<const replay::Capture> capture;
  /// Robustness features that are enabled, by name, sorted.
  std::vector<std::string> features;
  std::vector<ConvertedFormat> conversions;
  TextPlace placeOf(const ConvertedFormat &conversion) const; ///< of its `format`
  TextPlace statePlace; ///< "cube.json:12:4: /ComputePipelineState/ComputePipeline"

  /// Nothing if there are errors, which \p faults gets with their places, all that can be found.
  /// \p identity gets the pipeline's one as soon as it is known, so that errors can name it.
  static std::optional<PipelineFile> read(std::string name, std::string json, LoadModule load,
                                          Identity &identity, Faults &faults);

private:
  std::shared_ptr<const replay::JsonText> text; ///< null without conversions
};

} // namespace pcc
