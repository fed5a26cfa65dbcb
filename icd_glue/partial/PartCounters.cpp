//===- PartCounters.cpp - how often compiling ahead has paid --------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/partial/PartCounters.h"
#include "llvm/Support/raw_ostream.h"

namespace icd {

void ReasonCounts::add(const std::string &reason) {
  constexpr size_t maxReasons = 64;
  std::lock_guard lock(mutex);
  const bool isKept = counts.size() < maxReasons || counts.count(reason);
  ++counts[isKept ? reason : "others"];
}

std::map<std::string, uint64_t> ReasonCounts::get() const {
  std::lock_guard lock(mutex);
  return counts;
}

void PartCounters::missFor(llvm::StringRef message, llvm::StringRef prefix) {
  miss((prefix + message.split(" (").first).str());
}

std::string PartCounters::text(const ShaderCache::Counters &cache,
                               const TaskPool::Counters *pool) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "modules " << modules << "\nparts built " << partsBuilt << ", while a pipeline waited "
     << partsBuiltLate << "\nglue built " << glueBuilt << ", while a pipeline waited "
     << glueBuiltLate << "\npipelines from the cache " << codeHits << "\npipelines linked "
     << linked << ", with everything ready " << linkedReady
     << "\npipelines compiled monolithically " << compiled << "\npipelines refused " << refused
     << "\ndraws that waited for code " << drawsThatWaited << "\nmicroseconds saved "
     << savedMicroseconds << "\nrecipes noted " << recipesNoted << ", compiled ahead "
     << recipesCompiled << '\n';
  for (unsigned kind = 0; kind < lgc::partKindCount; ++kind)
    if (wanted[kind])
      os << lgc::partKindName(static_cast<lgc::PartKind>(kind)) << " parts wanted " << wanted[kind]
         << ", there " << there[kind] << '\n';
  for (const auto &[reason, count] : misses())
    os << "miss " << count << ": " << reason << '\n';
  if (direct)
    os << "direct tier made " << direct << '\n';
  for (const auto &[reason, count] : directRefusals.get())
    os << "direct tier refused " << count << ": " << reason << '\n';
  os << "cache " << cache.objects << " objects, " << cache.bytes << " bytes, " << cache.hits
     << " hits, " << cache.waits << " waits, " << cache.made << " made, " << cache.failed
     << " failed, " << cache.evicted << " evicted\n";
  if (pool)
    os << "tasks " << pool->accepted << " accepted, " << pool->ended << " ended, " << pool->dropped
       << " dropped, " << pool->cancelled << " cancelled\n";
  return text;
}

} // namespace icd
