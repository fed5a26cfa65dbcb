//===- LinkBench.h - how long links of parts take -------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llpc/Parts.h"
#include <map>
#include <string>
#include <vector>

namespace bench {

/// Parts of pipelines, compiled once, linked many times.
class LinkBench {
public:
  /// The target must be known.
  explicit LinkBench(const llpc::Compiler &compiler);
  void measure(const llpc::ComputePipelineBuildInfo &info);
  void measure(const llpc::GraphicsPipelineBuildInfo &info);
  void print(const char *what) const;

private:
  using Part = std::shared_ptr<const lgc::Part>;
  llvm::Error compute(const llpc::ComputePipelineBuildInfo &info);
  llvm::Error graphics(const llpc::GraphicsPipelineBuildInfo &info);
  llvm::Expected<Part> create(llvm::Expected<llpc::PartResult> built);
  llvm::Error link(const lgc::LinkParts &parts, const llpc::ResourceMappingData &mapping);
  void note(llvm::Error error);

  struct GlueTimes {
    std::vector<double> directUs, llvmUs;
  };
  llvm::Error measureGlue(const lgc::Part &part, const llpc::GraphicsPipelineBuildInfo &info,
                          lgc::PartKind kind, GlueTimes &times) const;

  const llpc::Compiler &compiler;
  std::unique_ptr<llpc::Compiler> llvmGlue; ///< generates glue with LLVM
  GlueTimes fetch, exports;
  std::vector<double> createUs, layoutUs, linkUs, megabytesPerSecond;
  std::map<std::string, unsigned> refused; ///< pipelines by reason
};

} // namespace bench
