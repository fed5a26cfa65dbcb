//===- OutputFile.h - files that are written as a whole or not at all -----===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include <optional>
#include <string>

namespace pcc {

/// A file that is complete, beside the one that it is going to replace. Nobody sees it before
/// keep(), and without keep() it vanishes. Pipes and devices cannot be replaced: those have
/// everything as soon as it is created.
class OutputFile {
public:
  /// Errors: InvalidInput with the path; the disk may be full.
  static llvm::Expected<OutputFile> create(llvm::StringRef path, llvm::ArrayRef<uint8_t> bytes);
  OutputFile(OutputFile &&other);
  OutputFile &operator=(OutputFile &&) = delete;
  ~OutputFile();

  /// Whoever reads sees the old file or the whole new one.
  llvm::Error keep();

private:
  OutputFile(llvm::StringRef path, std::optional<llvm::sys::fs::TempFile> file);

  std::string path;
  std::optional<llvm::sys::fs::TempFile> file; ///< nothing when there is nothing left to do
};

/// Both steps for one file.
llvm::Error writeFile(llvm::StringRef path, llvm::ArrayRef<uint8_t> bytes);

} // namespace pcc
