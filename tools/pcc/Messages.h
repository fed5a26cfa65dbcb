//===- Messages.h - errors and warnings of a run --------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "Options.h"
#include "llvm/Support/raw_ostream.h"

namespace pcc {

struct Message {
  bool isError = false;
  std::string pipeline; ///< identifier; empty: not known, or none
  std::string file;     ///< empty: the text says where
  std::string text;
};

/// As a line of text, or of JSON with the members severity, file, pipeline, line, column, pointer
/// (in the file's JSON) and message, as far as they are known.
void print(llvm::raw_ostream &out, const Message &message, Diagnostics format);

/// \p text as a string of JSON, quotes included.
std::string quoteJson(llvm::StringRef text);

} // namespace pcc
