//===- Compare.h - what a sample wrote, on two drivers --------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Files of what one driver wrote, and comparisons with them: of all resources of a compute shader
/// (diff/Sample.h), or of the attachments of a draw (diff/PairSample.h).
#pragma once

#include "../diff/Sample.h"

namespace exec {

/// How results are compared with the reference's.
struct Comparison {
  bool isExact = false; ///< all bits count
  /// Path of pictures where attachments differ, without suffix.
  std::string picturePath;
};

/// What the reference has of \p sample, as one block of bytes.
Bytes resourcesOf(const Sample &sample, const JobResult &result);
Bytes attachmentsOf(const Sample &sample, const JobResult &result);

/// The first difference, or empty. \p reference is such a block.
std::string compareResources(const Sample &sample, const JobResult &result,
                             llvm::StringRef reference, const Comparison &how);
std::string compareAttachments(const Sample &sample, const JobResult &result,
                               llvm::StringRef reference, const Comparison &how);

/// Images of the job: colours by their place in the scene, resolved where they have samples; then
/// depth, or stencil, if it has none.
std::vector<uint32_t> attachments(const Sample &sample);

/// Errors: the file cannot be written.
llvm::Error writeBytes(const std::string &path, const Bytes &bytes);

} // namespace exec
