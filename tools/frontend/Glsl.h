//===- Glsl.h - GLSL to SPIR-V through glslang ----------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace frontend {

struct GlslOptions {
  std::vector<std::string> includeDirs = {};
  std::vector<std::string> defines = {}; ///< NAME or NAME=VALUE
  std::string targetEnv = "vulkan1.3";   ///< "vulkan1.0" to "vulkan1.3"
  bool debugInfo = false;                ///< source locations and names
};

/// \p stage: the suffix of glslang's files, "comp", "frag"; \p name: in messages, and where the
/// files that it includes are looked for. \p text need not end in a newline. Errors: InvalidInput
/// with glslang's messages, Unsupported for other stages.
llvm::Expected<std::vector<uint8_t>> compileGlsl(const std::string &text, llvm::StringRef stage,
                                                 const GlslOptions &options = {},
                                                 const std::string &name = "shader");

/// The words of a module; a rest of less than four bytes is dropped.
std::vector<uint32_t> wordsOf(const std::vector<uint8_t> &spirv);

} // namespace frontend
