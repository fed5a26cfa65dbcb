//===- OpenCl.h - OpenCL C to SPIR-V through clang ------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace frontend {

struct OpenClOptions {
  std::vector<std::string> includeDirs = {};
  std::vector<std::string> defines = {}; ///< NAME or NAME=VALUE
  std::string standard = "CL1.2";        ///< of clang's -cl-std
  /// SPIRV-LLVM-Translator's llvm-spirv, which writes SPIR-V of clang's bitcode. "off": clang
  /// writes it; empty: the program that fits clang, of the search path or of ./kiln setup, if there
  /// is one.
  std::string translator = {};
  /// File with the functions that OpenCL.std's instructions need (llpc::KernelLibrary). "off":
  /// none; empty: libclc's, beside the program or where the system has it.
  std::string library = {};
  bool debugInfo = false; ///< source locations
};

/// SPIR-V of the Kernel dialect. clang, and the translator, are child processes with limits of time
/// and memory, because both end at inputs that they do not expect. \p name: in messages, and where
/// the files that it includes are looked for. Errors: InvalidInput with clang's messages;
/// Unsupported without clang; with the program and how it ended.
llvm::Expected<std::vector<uint8_t>>
compileOpenCl(const std::string &text, const OpenClOptions &options, const std::string &name);

/// Bytes of OpenClOptions::library; empty: there is none. Error: the file that it names is missing.
llvm::Expected<std::vector<uint8_t>> readOpenClLibrary(const OpenClOptions &options);

/// A parameter as OpenCL C declares it: "float*" and "y".
struct KernelParameter {
  std::string type, name;
};
/// The parameters of \p kernel, as \p text declares it; empty when there is no such kernel. Errors
/// as above.
llvm::Expected<std::vector<KernelParameter>> kernelParameters(const std::string &text,
                                                              const OpenClOptions &options,
                                                              const std::string &name,
                                                              llvm::StringRef kernel);

} // namespace frontend
