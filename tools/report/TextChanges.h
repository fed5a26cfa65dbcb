//===- TextChanges.h - what a pass changed in a text ----------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace report {

/// Lines [begin, begin + removed) of the text before become \p added.
struct TextChange {
  uint32_t begin = 0, removed = 0;
  std::vector<std::string> added;
};

/// What makes \p after of \p before, in the order of lines. The fewest changes where that is found
/// quickly, else larger ones.
std::vector<TextChange> changesOf(llvm::ArrayRef<llvm::StringRef> before,
                                  llvm::ArrayRef<llvm::StringRef> after);

/// A text in LLVM IR for people: without metadata, and with the source line of each line that has
/// one (0: none).
struct ReadableIr {
  std::vector<std::string> lines;
  std::vector<uint32_t> sourceLines;
  std::vector<std::string> files; ///< of the source lines, each once
  std::vector<uint32_t> fileOf;   ///< by line: index in `files`, if there is a source line
};
ReadableIr readableIr(llvm::StringRef ir);

} // namespace report
