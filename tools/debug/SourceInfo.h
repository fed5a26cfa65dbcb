//===- SourceInfo.h - statements, functions and variables of code ----------===//
// SPDX-License-Identifier: MIT
/// \file
/// What a code object that was compiled with `-g -O0` says of its source: at which instructions
/// statements begin, which functions were inlined there, and where their variables are in the
/// private memory of a lane.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace debug {

/// Memory in terms of the source.
struct Value {
  std::string name; ///< of a variable; of a part: "x", "[2]", "color"
  std::string type; ///< "vec3"; empty: none is known
  std::string text; ///< "3.5", "(1, 2, 3)"
  std::vector<Value> parts;
};

/// A function that is being executed.
struct Frame {
  std::string function;
  std::string file;
  uint32_t line = 0, column = 0;
  uint64_t instance = 0; ///< tells calls of the same function apart
};

/// "light.color.x", "values[3]" among variables; null: there is no such part.
const Value *findValue(llvm::ArrayRef<Value> values, llvm::StringRef expression);

class SourceInfo {
public:
  /// Errors: bytes that are no code object.
  static llvm::Expected<std::unique_ptr<SourceInfo>> read(llvm::ArrayRef<uint8_t> elf);
  ~SourceInfo();

  /// Lines with statements, with their files.
  const std::vector<Frame> &statements() const { return allStatements; }
  /// The functions at an address of the section of code, the innermost first; empty: nothing is
  /// known.
  std::vector<Frame> framesAt(uint64_t address) const;
  /// Variables of frame number \p frame there, with what is in \p memory, which is a lane's private
  /// memory.
  std::vector<Value> variablesAt(uint64_t address, size_t frame,
                                 llvm::ArrayRef<uint8_t> memory) const;

private:
  struct Impl;
  SourceInfo();
  std::unique_ptr<Impl> impl;
  std::vector<Frame> allStatements;
};

} // namespace debug
