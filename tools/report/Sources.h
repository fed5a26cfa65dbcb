//===- Sources.h - source text of a shader --------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace report {

struct Source {
  std::string name;     ///< as OpString, and so the line table, has it
  std::string language; ///< "GLSL", "HLSL", "SPIR-V" ...
  std::string text;
  bool operator==(const Source &) const = default;
};

/// The texts that OpSource and NonSemantic.Shader.DebugInfo.100 carry. Names of files in a module
/// are only names: nothing is read. \p words: a module that the compiler has read.
std::vector<Source> sourcesOf(llvm::ArrayRef<uint32_t> words);

/// Adds a source to those of a pipeline. Two of one name whose lines are in different places, as
/// those of a .pipe file's sections are, become one text: names are all that line tables have.
void addSource(std::vector<Source> &sources, Source added);

/// Does the module say which lines it was made of (OpLine or DebugLine)?
bool hasLines(llvm::ArrayRef<uint32_t> words);

/// A module whose instructions have the lines of its own disassembly.
struct DisassemblyLines {
  Source source;               ///< \p text as it was given
  std::vector<uint32_t> words; ///< with OpLine in front of what functions consist of
};
/// \p text: assembly of \p words, a module without OpLine. None if it has not a line for each
/// instruction.
std::optional<DisassemblyLines> addDisassemblyLines(llvm::ArrayRef<uint32_t> words,
                                                    llvm::StringRef text, llvm::StringRef name);

} // namespace report
