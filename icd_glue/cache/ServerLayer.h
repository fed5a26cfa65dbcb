//===- ServerLayer.h - code that others have compiled ---------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Behind memory and disk: a server that is asked for pipelines that are in neither. Only read, and
/// only for the keys of pipelines, so that one request decides. Whatever the server does, the worst
/// is a compile and a wait that is known beforehand: a request has its deadlines, after some
/// failures nobody asks for a while, and who waits in front of it does not wait longer than that.
/// A server that answers slowly must be worth its time in hits, or else it is asked no more.
///
/// What it has is signed (server/ServerEntry.h), and goes to the cache on disk.
///
/// Threads: any number. One request at a time.
#pragma once

#include "icd_glue/cache/DiskCache.h"
#include "icd_glue/server/RespClient.h"
#include "icd_glue/server/ServerEntry.h"
#include <map>

namespace icd {

class ServerLayer final : public CacheLayer {
public:
  struct Options {
    RespClient::Options server;
    Key32 nameKey = {};
    std::unique_ptr<Verifier> verifier;
    std::string compiler, target;
    /// That may be waited for answers altogether, before there are hits, and more for each of them.
    double patience = 2, patiencePerHit = 0.02;
  };
  /// \p disk may be null; it must outlive the layer.
  ServerLayer(Options options, DiskCache *disk);
  ~ServerLayer() override;

  std::optional<std::vector<uint8_t>> load(const CacheKey &key) override;
  /// For the disk; the server is not told.
  void store(const CacheKey &key, llvm::ArrayRef<uint8_t> record) override;
  void storeRecordOf(const CacheKey &key, std::shared_ptr<const CacheObject> object) override;

  struct Counters {
    uint64_t hits = 0, misses = 0;
    uint64_t forged = 0;  ///< values that nobody has signed who is trusted
    uint64_t unknown = 0; ///< no answer: not misses
    uint64_t failures = 0;
    double waited = 0; ///< seconds
  };
  Counters counters() const;

private:
  std::optional<std::string> ask(const std::string &name);
  std::optional<std::vector<uint8_t>> find(const CacheKey &name);

  const Options options;
  DiskCache *const disk;
  mutable std::timed_mutex asking; ///< of `client`
  RespClient client;
  mutable std::mutex mutex; ///< of all that follows
  /// What was found, by content; and what before that, when there were too many.
  std::map<llpc::Hash128, std::vector<uint8_t>> found, foundBefore;
  Counters totals;
};

/// A line for KILN_STATS.
std::string textOf(const ServerLayer::Counters &counters);

} // namespace icd
