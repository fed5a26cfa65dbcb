//===- ScaleBench.h - time and memory against the length of a shader ------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/Pipeline.h"
#include "tools/radv/RadvPeer.h"

namespace llpc {
class Compiler;
}

namespace bench {

struct ScaleOptions {
  std::string work;
  unsigned rounds;
  lgc::OptLevel level;
  lgc::Tier tier;
  bool quiet; ///< no progress
};

/// Prints a line for each kind of shader and length: microseconds and KiB that an instruction of
/// SPIR-V takes, how fast they grow, and what the peer takes. \p peer may be null. Returns the exit
/// code: 1 where a shader does not compile.
int runScaleBench(const llpc::Compiler &compiler, const ScaleOptions &options,
                  radv::RadvPeer *peer);

} // namespace bench
