//===- FilePlace.h - where the path of an output leads --------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace pcc {

struct FilePlace {
  /// Of the file itself, not of a link to it; absolute. There need not be such a file yet.
  std::string path;
  /// A file that this process has open, of which the path is a name (/dev/stdout).
  std::optional<int> descriptor;
};

/// Follows links, also those to files that are not there yet. Errors: InvalidInput, without the
/// path; links in a circle, a descriptor that is not open.
llvm::Expected<FilePlace> findPlace(llvm::StringRef path);

} // namespace pcc
