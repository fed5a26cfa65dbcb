//===- CacheBench.h - what pipelines cost that are not compiled -----------===//
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace bench {

struct CacheOptions {
  std::string captures; ///< folder
  std::string replay;   ///< the program kiln-replay
  std::string work;     ///< folder for caches on disk, which are removed
  std::string target;   ///< of Kiln
  std::string family;   ///< of the peer
  unsigned rounds = 3;
  bool peer = true;
  bool quiet = false; ///< no progress
};

/// Hits in caches of every kind, pipeline binaries, keys, identifiers, fast links and the size of
/// cache data, of captured pipelines on Kiln and on Mesa's RADV. Returns the exit code: 1 when a
/// bar is missed that does not depend on the machine; 77: no captures.
int runCacheBench(const CacheOptions &options);

} // namespace bench
