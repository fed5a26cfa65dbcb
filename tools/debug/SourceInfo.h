//===- SourceInfo.h - statements, functions and variables of code ----------===//
// SPDX-License-Identifier: MIT
/// \file
/// What a code object that was compiled with `-g -O0` says of its source: at which instructions
/// statements begin, which functions were inlined there, and where their variables are in the
/// private memory of a lane.
#pragma once

#include "pal_shim/device/Debug.h"

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
  std::string shader;    ///< what the function that has no caller is: "VS", "FS", "CS"
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
  std::vector<Frame> framesAt(uint32_t address) const;
  /// Variables of frame number \p frame where \p wave has stopped, as \p lane has them.
  std::vector<Value> variablesOf(const pal::device::StoppedWave &wave, unsigned lane,
                                 size_t frame) const;

private:
  struct Impl;
  SourceInfo();
  std::unique_ptr<Impl> impl;
  std::vector<Frame> allStatements;
};

} // namespace debug
