//===- GraphicsBench.h - graphics pipelines of the corpus -----------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llpc/Compiler.h"
#include "tools/radv/RadvPeer.h"

namespace bench {

struct GraphicsOptions {
  std::string corpus, work, target, opt;
  unsigned rounds = 7;
  bool perPipeline = false;
  bool culling = false; ///< also compile with NGG culling and print what it costs
  bool quiet = false;   ///< no progress
};

/// Compiles every pipeline of the corpus' manifest that has several stages, in turn with the peer
/// (may be null), and prints times, code sizes and registers. Returns the exit code.
int runGraphicsBench(const llpc::Compiler &compiler, const GraphicsOptions &options,
                     radv::RadvPeer *peer);

/// Links parts of every pipeline instead, and prints how long that takes.
int runGraphicsLinkBench(const llpc::Compiler &compiler, const GraphicsOptions &options);

lgc::OptLevel optLevelOf(llvm::StringRef name);

} // namespace bench
