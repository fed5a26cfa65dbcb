//===- PartCounters.h - how often compiling ahead has paid ----------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/Striped.h"
#include "icd_glue/cache/ShaderCache.h"
#include "icd_glue/partial/TaskPool.h"
#include "lgc/Part.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <atomic>
#include <map>
#include <mutex>
#include <string>

namespace icd {

/// How often what happened. Never more than some dozen reasons are kept apart.
class ReasonCounts {
public:
  void add(const std::string &reason);
  std::map<std::string, uint64_t> get() const;

private:
  mutable std::mutex mutex;
  std::map<std::string, uint64_t> counts;
};

/// Counters of one device; KILN_STATS prints them.
struct PartCounters {
  std::atomic<uint64_t> modules = 0; ///< that parts were wanted of
  // Compiled, wherever that happened.
  std::atomic<uint64_t> partsBuilt = 0, glueBuilt = 0;
  std::atomic<uint64_t> partsBuiltLate = 0, glueBuiltLate = 0; ///< of those while a pipeline waited
  /// Stages' parts that pipelines looked for, and that were there or about to be, by PartKind.
  std::array<std::atomic<uint64_t>, lgc::partKindCount> wanted = {}, there = {};
  // How pipelines came by their code.
  StripedCounter codeHits;                   ///< monolithic code was in the cache
  std::atomic<uint64_t> linked = 0;          ///< of parts
  std::atomic<uint64_t> linkedReady = 0;     ///< of these: nothing was compiled or waited for
  std::atomic<uint64_t> compiled = 0;        ///< monolithic code
  std::atomic<uint64_t> refused = 0;         ///< a compile was not allowed
  std::atomic<uint64_t> drawsThatWaited = 0; ///< for code (command/DrawPreparation.h)
  /// Microseconds that the parts of linked pipelines took to build, less what creating the
  /// pipelines took, with the parts that were built then; of those that saved some.
  std::atomic<int64_t> savedMicroseconds = 0;
  /// Pipelines that were written for after an update, and those that are compiled after one.
  std::atomic<uint64_t> recipesNoted = 0, recipesCompiled = 0;

  /// Monolithic code by the direct tier, and what it left to LLVM (KILN_TIER).
  std::atomic<uint64_t> direct = 0;
  ReasonCounts directRefusals;

  /// A part was not there, or a pipeline cannot be linked.
  void miss(const std::string &reason) { missReasons.add(reason); }
  /// The same, of an error's message without the place that it has in parentheses.
  void missFor(llvm::StringRef message, llvm::StringRef prefix = "");
  std::map<std::string, uint64_t> misses() const { return missReasons.get(); }

  /// A line for each counter.
  std::string text(const ShaderCache::Counters &cache, const TaskPool::Counters *pool) const;

private:
  ReasonCounts missReasons;
};

} // namespace icd
