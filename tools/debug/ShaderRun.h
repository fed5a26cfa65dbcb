//===- ShaderRun.h - a shader that is to be debugged ------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llpc/Compiler.h"
#include "pal_shim/device/Debug.h"
#include "tools/debug/SourceInfo.h"

namespace debug {

struct LaunchOptions {
  std::string file;
  std::string entry;              ///< empty: main, or the only one
  std::string target = "gfx1100"; ///< LLVM's name
};

/// A compute shader, compiled with its variables in memory, and its generated inputs.
class ShaderRun {
public:
  /// Errors: what amdllpc says of such a file, Unsupported for shaders that are no compute shaders.
  static llvm::Expected<std::unique_ptr<ShaderRun>> prepare(const LaunchOptions &options);
  const SourceInfo &info() const { return *sourceInfo; }
  /// Where a file is that debug information names.
  std::string pathOf(llvm::StringRef file) const;
  std::array<uint32_t, 3> groupSize() const { return workgroupSize; }
  /// Three workgroups or more. Errors: inputs that cannot be generated, and faults.
  llvm::Error execute(pal::device::Debugger &debugger) const;

private:
  ShaderRun() = default;
  LaunchOptions options;
  llpc::ComputePipelineBuildInfo build;
  std::vector<uint8_t> elf;
  std::unique_ptr<SourceInfo> sourceInfo;
  std::array<uint32_t, 3> workgroupSize = {1, 1, 1};
};

} // namespace debug
