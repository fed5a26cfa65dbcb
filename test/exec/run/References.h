//===- References.h - what the control computed ---------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "../script/Script.h"
#include "llvm/ADT/Twine.h"

namespace exec {

/// Files of lavapipe's results for test files, one per case and expectation; where it has none, a
/// file with the reason, so that its absence is told from a run that never was.
class References {
public:
  /// An empty \p folder: nothing is kept.
  explicit References(std::string folder) : folder(std::move(folder)) {}

  llvm::Error write(const Case &test, size_t index, const Bytes &bytes) const;
  /// Errors: there is none.
  llvm::Expected<Bytes> read(const Case &test, size_t index) const;

  /// There are no results of a test file, or of one of its cases. \p name: the file's or the
  /// case's.
  void writeAbsence(llvm::StringRef name, const llvm::Twine &why) const;
  void removeAbsence(llvm::StringRef name) const;
  /// Why there are none; empty: there are, or lavapipe has not run.
  std::string absence(llvm::StringRef name) const;

  /// The file that runs now, for whoever goes on when lavapipe ends the process; empty: none.
  void noteRunning(llvm::StringRef path) const;

  static std::string fileName(const Case &test, size_t index);

private:
  std::string path(const Case &test, size_t index) const;
  std::string absencePath(llvm::StringRef name) const;
  std::string folder;
};

} // namespace exec
