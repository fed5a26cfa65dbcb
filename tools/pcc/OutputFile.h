//===- OutputFile.h - files that are written as a whole or not at all -----===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace pcc {

/// A file that is complete, beside the one that it is going to replace. Nobody sees it before
/// keep(), and without keep() it vanishes. Through links the file itself is replaced. The new file
/// has the mode of the old one. Pipes,
/// devices and what is open already (/dev/stdout) cannot be: those have everything as soon as it is
/// created.
class OutputFile {
public:
  /// Errors: InvalidInput with the path; the disk may be full.
  static llvm::Expected<OutputFile> create(llvm::StringRef path, llvm::ArrayRef<uint8_t> bytes);
  /// Is there a file to be replaced by keep()?
  static bool isReplaced(llvm::StringRef path);
  OutputFile(OutputFile &&other);
  OutputFile &operator=(OutputFile &&) = delete;
  ~OutputFile();

  /// Whoever reads sees the old file or the whole new one. Errors: InvalidInput; the old one is as
  /// it was.
  llvm::Error keep();
  /// What was there before keep() is there again. Errors: InvalidInput; it is gone, on file systems
  /// that cannot exchange files, or it is no file that could be replaced.
  llvm::Error takeBack();

private:
  enum class State : uint8_t {
    Written,   ///< not kept
    Exchanged, ///< kept, and `temporary` has the old one
    New,       ///< kept, and there was none before
    Replaced,  ///< kept for good
  };
  OutputFile(llvm::StringRef path, std::string place, std::string temporary);

  std::string path;      ///< as it was given
  std::string place;     ///< of the file that is replaced
  std::string temporary; ///< empty when there is nothing left to do
  State state = State::Written;
};

/// keep() of all, or of none: where one fails those before it are taken back. Errors: as keep(),
/// and the names of files that could not be taken back.
llvm::Error keepAll(llvm::MutableArrayRef<OutputFile> files);

/// takeBack() of all. Errors: \p error, and the names of files that could not be taken back.
llvm::Error takeBackAll(llvm::MutableArrayRef<OutputFile> files, llvm::Error error);

/// Both steps for one file.
llvm::Error writeFile(llvm::StringRef path, llvm::ArrayRef<uint8_t> bytes);

} // namespace pcc
