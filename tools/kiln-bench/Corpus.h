//===- Corpus.h - shaders of a corpus as modules --------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace bench {

struct CorpusOptions {
  std::string corpus; ///< a folder with MANIFEST.tsv
  std::string work;   ///< modules stay here for the next time
  bool quiet = false;
};

/// A row of the manifest.
struct CorpusShader {
  llvm::SmallVector<std::string, 12> columns;
  std::string spirvFile;
  std::vector<uint8_t> spirv; ///< empty: there is none
  const std::string &name() const { return columns[0]; }
};

/// The rows that are wanted, of those with four columns or more. Sources are compiled as the
/// manifest says. After Ctrl-C, those so far.
std::vector<CorpusShader>
loadCorpus(const CorpusOptions &options,
           llvm::function_ref<bool(llvm::ArrayRef<llvm::StringRef> columns)> isWanted);

} // namespace bench
