//===- SourceMap.h - which source line an instruction was made of ---------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <vector>

namespace report {

struct SourcePlace {
  std::string file;     ///< as the line table names it
  uint32_t line = 0;    ///< 0: none
  uint32_t column = 0;  ///< 0: unknown
  std::string function; ///< of the shader; empty: the entry point
  std::string variable; ///< of the source, for which a value is computed; empty: not known
};

/// The line table of a code object that was compiled with -g.
class SourceMap {
public:
  /// Errors: bytes that LLVM takes for no object file. An object without a line table has no
  /// places.
  static llvm::Expected<std::unique_ptr<SourceMap>> read(llvm::ArrayRef<uint8_t> elf);
  ~SourceMap();
  /// Where the instruction at \p address of .text comes from, and behind it where that was called
  /// from, by functions that were inlined. Empty: not known. Only the first one has a variable.
  std::vector<SourcePlace> at(uint64_t address) const;

private:
  SourceMap();
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace report
