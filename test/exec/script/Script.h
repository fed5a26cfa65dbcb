//===- Script.h - an execution test in one file ---------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A test is a shader file (.comp: GLSL, .spvasm: SPIR-V assembly) whose lines `//! ...` or `;!
/// ...` say how to run it and what must come out; or a .draw file, which holds the shaders of a
/// graphics pipeline in sections `[vert]`, `[frag spvasm]`, or names the file of a module: `[geom
/// file NAME]`; or a .rays file with those of a ray tracing pipeline: `[rgen]`, `[rchit NAME]`.
/// test/exec/README.md describes every directive. parse() gives one Case for each combination of
/// `foreach` values and subgroup sizes.
#pragma once

#include "Values.h"
#include <map>
#include <set>

namespace exec {

/// Contents that a buffer or image must have afterwards.
struct Expectation {
  bool isImage = false;
  uint32_t resource = 0;
  std::string resourceName;
  uint64_t offset = 0; ///< bytes
  ScalarType type = ScalarType::U32;
  Tolerance tolerance;
  Bytes values;                 ///< packed; empty for sameAsReference
  bool sameAsReference = false; ///< as lavapipe has it, to the end of the resource
};

/// One run of a script.
struct Case {
  std::string name; ///< file and variant
  Job job;
  std::vector<Expectation> expectations;
};

/// One shader of a .draw or .rays file.
struct ShaderSection {
  VkShaderStageFlagBits stage = VK_SHADER_STAGE_VERTEX_BIT;
  std::string stageName; ///< "vert", as glslang has it
  std::string name;      ///< of a .rays file: what groups call it
  bool isGlsl = true;
  std::vector<uint32_t> words; ///< of a named file; else empty
  std::string text;            ///< with as many empty lines before it as make line numbers right
};

/// What is known before a device is chosen.
struct Script {
  std::string path;
  std::string shader; ///< the whole file
  bool isGlsl = true;
  std::vector<ShaderSection> sections; ///< of a .draw or .rays file
  bool tracesRays = false;             ///< a .rays file
  std::vector<std::string> lines;      ///< directives without their mark
  std::vector<std::string> features, extensions;
  std::vector<uint32_t> subgroupSizes; ///< empty: the driver's choice
  std::string targetEnv = "vulkan1.3";
  std::map<std::string, std::string> skips; ///< driver or target -> reason
  std::vector<std::pair<std::string, std::vector<std::string>>> loops; ///< foreach
};

/// \p modules: the folder of what sections name as `file`.
/// Errors: unreadable file; a directive that is not understood, with its line.
llvm::Expected<Script> loadScript(const std::string &path, const std::string &modules);

/// All combinations of `foreach` values; at least one, perhaps empty.
std::vector<std::map<std::string, std::string>> variantsOf(const Script &script);

/// Makes a case: \p subgroupSize is the required one, or 0; \p actualSize is what `SG` means.
/// Errors: GLSL or assembly messages, directives that do not fit together.
llvm::Expected<Case> buildCase(const Script &script,
                               const std::map<std::string, std::string> &variant,
                               uint32_t subgroupSize, uint32_t actualSize);

/// GLSL, assembly (.spvasm) or words (.spv) to words. \p stage: of GLSL.
llvm::Expected<std::vector<uint32_t>> compileShader(llvm::StringRef path, const std::string &text,
                                                    llvm::ArrayRef<std::string> defines,
                                                    const std::string &targetEnv = "vulkan1.3",
                                                    llvm::StringRef stage = "comp");

} // namespace exec
