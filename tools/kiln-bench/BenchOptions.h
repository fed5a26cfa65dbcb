//===- BenchOptions.h - kiln-bench's command line -------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace bench {

struct Options {
  std::string corpus, work, target = "gfx1100", family = "navi31", opt = "default", tier = "llvm";
  unsigned rounds = 7, cacheRounds = 3, memoryCompiles = 10000;
  bool peer = true, perShader = false, device = false, graphics = false, culling = false,
       links = false, reflect = false, scale = false, matrices = false;
  bool pipelines = false, check = false, hitsOnly = false, busy = false, caches = false,
       radvServer = false, quiet = false;
  uint64_t seed = 1;
};

/// Errors: what is wrong with an argument.
llvm::Error parseOptions(llvm::ArrayRef<const char *> arguments, Options &options, bool &help);
void printUsage(llvm::raw_ostream &os);

} // namespace bench
