//===- ShaderRun.h - a pipeline that is to be debugged ----------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "pal_shim/device/Debug.h"
#include "tools/amdllpc/Job.h"
#include "tools/debug/SourceInfo.h"

namespace debug {

struct LaunchOptions {
  std::vector<std::string> files; ///< a shader, those of a pipeline's stages, or a .pipe file
  std::string entry;              ///< empty: main, or the only one
  std::string target = "gfx1100"; ///< LLVM's name
};

/// A pipeline, compiled with its shaders' variables in memory, and its generated inputs.
class ShaderRun {
public:
  /// Errors: what amdllpc says of such files, Unsupported for pipelines that lack stages.
  static llvm::Expected<std::unique_ptr<ShaderRun>> prepare(const LaunchOptions &options);
  const SourceInfo &info() const { return *sourceInfo; }
  const std::vector<std::string> &warnings() const { return built.warnings; }
  /// Where a file is that debug information names.
  std::string pathOf(llvm::StringRef file) const;
  /// Of a compute shader.
  std::array<uint32_t, 3> groupSize() const { return built.workgroupSize; }
  /// Three workgroups or more, or a draw. Errors: inputs that cannot be generated, and faults.
  llvm::Error execute(pal::device::Debugger &debugger) const;

private:
  ShaderRun() = default;
  LaunchOptions options;
  amdllpc::BuiltPipeline built;
  std::unique_ptr<SourceInfo> sourceInfo;
};

} // namespace debug
