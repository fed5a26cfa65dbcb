//===- RadvSide.h - what RADV makes of the same pipelines -----------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "Job.h"
#include "tools/radv/RadvPeer.h"
#include <map>
#include <mutex>

namespace amdllpc {

/// Mesa's RADV without a GPU, in a process for each target. For any thread.
class RadvSide {
public:
  /// Adds figures of RADV's code to \p result.radv, by our hardware stages. Errors: there is no
  /// such driver; Unsupported: specialization constants; it did not take the pipeline.
  llvm::Error add(const llpc::ComputePipelineBuildInfo &info, JobResult &result);
  llvm::Error add(const llpc::GraphicsPipelineBuildInfo &info, JobResult &result);

private:
  llvm::Expected<radv::RadvPeer *> peerFor(const std::string &target);

  std::mutex mutex;
  std::map<std::string, std::unique_ptr<radv::RadvPeer>> peers; ///< by target
};

} // namespace amdllpc
