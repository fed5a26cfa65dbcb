//===- FozCaptures.h - captures out of Fossilize databases ----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A database (FozArchive.h) has an entry for each object, in JSON whose members are named as in
/// captures; enumerations and masks are numbers there, bytes base64, and objects refer to one
/// another by hashes. What becomes a capture has them in place.
#pragma once

#include "Capture.h"
#include "FozArchive.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace replay {

/// A pipeline before it is read.
struct FozPipeline {
  std::string name, json;
  std::shared_ptr<const CaptureSource> source;
};
/// Errors: InvalidInput.
llvm::Expected<std::shared_ptr<const Capture>> captureOf(FozPipeline pipeline);

/// Calls \p use for each pipeline: graphics, compute and ray tracing ones, each ascending by hash;
/// and \p fault with the reason why one cannot be had.
void eachInFoz(std::unique_ptr<FozArchive> archive, llvm::function_ref<void(std::string)> fault,
               llvm::function_ref<void(FozPipeline)> use);

/// The pipelines of a database, in the order of eachInFoz(). Why others cannot be had is added to
/// \p faults.
std::vector<std::shared_ptr<const Capture>> loadFoz(std::unique_ptr<FozArchive> archive,
                                                    std::vector<std::string> &faults);
/// The same of a file.
std::vector<std::shared_ptr<const Capture>> loadFoz(const std::string &path,
                                                    std::vector<std::string> &faults);

} // namespace replay
