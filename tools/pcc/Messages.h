//===- Messages.h - errors, warnings and the summary of a run -------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "Faults.h"
#include "Options.h"
#include "llvm/Support/raw_ostream.h"

namespace pcc {

/// As a line of text, or of JSON with the members severity, file, pipeline, line, column, pointer
/// (in the file's JSON, RFC 6901) and message, as far as they are known.
void print(llvm::raw_ostream &out, const Message &message, Diagnostics format);

/// A message for each error, without a place of its own. Returns the exit code, 0 for success.
int printErrors(llvm::raw_ostream &out, llvm::Error errors, Diagnostics format);

/// A cache that was compiled.
struct Summary {
  std::string file, target;
  size_t pipelines = 0, unchanged = 0, bytes = 0;
};
/// As a line of text, or of JSON with the severity "note" and the members of the structure.
void print(llvm::raw_ostream &out, const Summary &summary, Diagnostics format);

} // namespace pcc
