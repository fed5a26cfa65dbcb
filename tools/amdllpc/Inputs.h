//===- Inputs.h - from command line arguments to SPIR-V words -------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "GitTrees.h"
#include "Options.h"

namespace amdllpc {

/// One file to compile.
struct Input {
  std::string path;  ///< "-" for standard input
  std::string shown; ///< for messages, where the path is a temporary one
  std::string entry; ///< empty: find out
  InputFormat format = InputFormat::Spirv;
  std::string
      stage; ///< GLSL: the file's suffix, "comp"; SPIR-V: the only one that is meant, if any

  std::string displayName() const; ///< as the report shows it
  const std::string &name() const { return shown.empty() ? path : shown; }
};

/// Files that are compiled together: one compute shader, one .pipe file, or shaders of a graphics
/// pipeline.
struct PipelineInput {
  std::vector<Input> files;

  std::string displayName() const; ///< "a.vert b.frag"
  std::string path() const;        ///< paths, separated by blanks
  std::string entry() const;       ///< of a single file
  /// Name for a file with the result, without folder and extension: "a.vert+b.frag".
  std::string outputName() const;
};

/// Expands folders, `FILE,ENTRY` and `git:REVISION:PATH`, of which \p trees keeps the files, and
/// puts the stages of a pipeline together. Errors: no such file, unknown kind of file.
llvm::Expected<std::vector<PipelineInput>> collectInputs(const Options &options, GitTrees &trees);

/// The files of one argument list, or of one folder, as pipelines: see Grouping.cpp.
std::vector<PipelineInput> groupInputs(std::vector<Input> inputs, const Options &options);

/// The entry points that an input means: the one that is asked for; else "main" or the only one
/// of the compute shaders, or of each graphics stage. Errors: InvalidInput when there is none or
/// the choice is not clear, Unsupported for ray tracing shaders. \p stage: the suffix of the only
/// one that counts.
llvm::Expected<std::vector<llpc::ShaderEntryName>>
chooseEntries(llvm::ArrayRef<llpc::ShaderEntryName> entries, const std::string &wanted,
              llvm::StringRef stage = {});

/// A module's bytes and what was said while making them.
struct LoadedInput {
  std::vector<uint8_t> spirv;
  double frontEndMs = 0; ///< GLSL or assembly to SPIR-V
  std::string text;      ///< GLSL or assembly, for -report
  bool isAssembly = false;
};

/// Reads a file or standard input. Errors: cannot be read, too large.
llvm::Expected<std::string> readInput(const std::string &path);
/// Reads the input; compiles GLSL, assembles text. Errors of all kinds, with the input's name.
llvm::Expected<LoadedInput> loadInput(const Input &input, const Options &options);
/// The same for text that has been read already.
llvm::Expected<LoadedInput> loadText(const Input &input, const std::string &text,
                                     const Options &options);

} // namespace amdllpc
