//===- PipelineBench.h - creation of captured pipelines -------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace bench {

struct PipelineOptions {
  std::string captures; ///< folder
  std::string replay;   ///< the program kiln-replay
  std::string work;     ///< folder for a cache on disk
  std::string target;   ///< of Kiln
  std::string family;   ///< of the peer
  unsigned rounds = 3;
  uint64_t seed = 1; ///< of random layouts
  bool peer = true;
  /// Only what does not depend on the machine: hit rates, code, valid code objects. The exit code
  /// says whether the bars are met.
  bool check = false;
  bool hitsOnly = false; ///< of this, without the amount of code
  bool quiet = false;    ///< no progress
};

/// Times of vkCreate...Pipelines and vkCreateShaderModule on Kiln and on Mesa's RADV, cold and with
/// parts that are ready; hit rates; code of linked pipelines against monolithic ones; the
/// background's time. Returns the exit code; 77: no captures.
int runPipelineBench(const PipelineOptions &options);

} // namespace bench
