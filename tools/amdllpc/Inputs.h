//===- Inputs.h - from command line arguments to SPIR-V words -------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "Options.h"

namespace amdllpc {

/// One file to compile.
struct Input {
  std::string path;  ///< "-" for standard input
  std::string entry; ///< empty: find out
  InputFormat format = InputFormat::Spirv;
  std::string stage; ///< GLSL: the file's suffix, "comp"

  std::string displayName() const; ///< as the report shows it
};

/// Expands folders and `FILE,ENTRY`. \p notes gets a line about files that a folder holds and that
/// are skipped. Errors: no such file, unknown kind of file.
llvm::Expected<std::vector<Input>> collectInputs(const Options &options,
                                                 std::vector<std::string> &notes);

/// A module's bytes and what was said while making them.
struct LoadedInput {
  std::vector<uint8_t> spirv;
  double frontEndMs = 0; ///< GLSL or assembly to SPIR-V
};

/// Reads the input; compiles GLSL, assembles text. Errors of all kinds, with the input's name.
llvm::Expected<LoadedInput> loadInput(const Input &input, const Options &options);

/// GLSL to SPIR-V. \p text need not end in a newline. Errors: InvalidInput with glslang's messages.
llvm::Expected<std::vector<uint8_t>> compileGlsl(const Input &input, const std::string &text,
                                                 const Options &options);

} // namespace amdllpc
