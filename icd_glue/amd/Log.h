//===- Log.h - what the adapter has to say --------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// AMD's interface returns numbers only. Reasons of failures, warnings of the compiler, and options
/// without effect go to a file, or to standard error, a line each: "kiln: ...".
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"
#include <mutex>
#include <string>

namespace icd::amd {

/// Threads: any number.
class Log {
public:
  /// \p fileName is appended to; empty: standard error.
  explicit Log(std::string fileName = {}) : fileName(std::move(fileName)) {}

  void line(const llvm::Twine &text);
  /// The same, once for each \p subject.
  void once(llvm::StringRef subject, const llvm::Twine &text);

private:
  const std::string fileName;
  std::mutex mutex;
  llvm::StringSet<> said;
};

} // namespace icd::amd
