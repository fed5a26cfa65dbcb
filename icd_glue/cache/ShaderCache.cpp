//===- ShaderCache.cpp - the driver's own cache of compiled code ----------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/cache/ShaderCache.h"
#include <algorithm>

namespace icd {

CacheObject::~CacheObject() = default;
CacheLayer::~CacheLayer() = default;

/// What an entry costs besides its object: list, table, failure.
static constexpr size_t entryBytes = 256;

ShaderCache::ShaderCache(uint64_t budget, CacheLayer *below, Revive revive)
    : budget(budget), below(below), revive(revive) {}

static llvm::Error errorOf(const lgc::ErrorText &text) {
  return lgc::makeError(text.kind, text.message);
}

llvm::Expected<ShaderCache::Object> ShaderCache::resultOf(const Entry &entry) {
  if (entry.failure)
    return errorOf(*entry.failure);
  return entry.object;
}

ShaderCache::Entry *ShaderCache::lookUp(const CacheKey &key) {
  auto found = index.find(key);
  if (found == index.end())
    return nullptr;
  entries.splice(entries.begin(), entries, found->second);
  ++totals.hits;
  return &entries.front();
}

void ShaderCache::keep(Entry entry) {
  if (auto old = index.find(entry.key); old != index.end()) {
    totals.bytes -= old->second->bytes;
    entries.erase(old->second);
    index.erase(old);
  }
  entry.bytes = entryBytes + (entry.object ? entry.object->memoryBytes() : 0);
  if (entry.bytes > budget)
    return;
  totals.bytes += entry.bytes;
  entries.push_front(std::move(entry));
  index.emplace(entries.front().key, entries.begin());
  while (totals.bytes > budget) {
    totals.bytes -= entries.back().bytes;
    index.erase(entries.back().key);
    entries.pop_back();
    ++totals.evicted;
  }
}

ShaderCache::Object ShaderCache::find(const CacheKey &key) {
  std::lock_guard lock(mutex);
  Entry *entry = lookUp(key);
  return entry ? entry->object : nullptr;
}

bool ShaderCache::isMaking() const {
  const std::thread::id self = std::this_thread::get_id();
  return std::any_of(flights.begin(), flights.end(),
                     [&](const auto &flight) { return flight.second->maker == self; });
}

llvm::Expected<ShaderCache::Object> ShaderCache::waitFor(std::unique_lock<std::mutex> &lock,
                                                         std::shared_ptr<Flight> flight) {
  ++totals.waits;
  landed.wait(lock, [&] { return flight->done; });
  if (flight->failure)
    return errorOf(*flight->failure);
  return flight->object;
}

llvm::Expected<ShaderCache::Object> ShaderCache::findOrWait(const CacheKey &key) {
  std::unique_lock lock(mutex);
  if (Entry *entry = lookUp(key))
    return resultOf(*entry);
  auto flight = flights.find(key);
  if (flight == flights.end() || isMaking())
    return nullptr;
  return waitFor(lock, flight->second);
}

bool ShaderCache::isKnown(const CacheKey &key) {
  std::lock_guard lock(mutex);
  return index.count(key) || flights.count(key);
}

llvm::Expected<ShaderCache::Object> ShaderCache::obtain(const CacheKey &key, Make make,
                                                        Source *source) {
  Source unused;
  Source &how = source ? *source : unused;
  std::shared_ptr<Flight> flight;
  {
    std::unique_lock lock(mutex);
    how = Source::Memory;
    if (Entry *entry = lookUp(key))
      return resultOf(*entry);
    auto other = flights.find(key);
    if (other != flights.end() && !isMaking()) {
      how = Source::Waited;
      return waitFor(lock, other->second);
    }
    how = Source::Made;
    if (other == flights.end()) {
      flight = std::make_shared<Flight>();
      flight->maker = std::this_thread::get_id();
      flights.emplace(key, flight);
    }
  }
  if (!flight)
    return make();
  return makeAndKeep(key, flight, make, how);
}

llvm::Expected<ShaderCache::Object> ShaderCache::makeAndKeep(const CacheKey &key,
                                                             const std::shared_ptr<Flight> &flight,
                                                             Make make, Source &source) {
  if (below)
    if (std::optional<std::vector<uint8_t>> bytes = below->load(key)) {
      auto revived = revive(key, std::move(*bytes));
      if (revived) {
        flight->object = std::move(*revived);
        source = Source::Below;
      } else {
        llvm::consumeError(revived.takeError()); // as if it had not been there
      }
    }
  // Until `done` the flight is only touched by this thread.
  if (!flight->object) {
    auto made = make();
    if (made)
      flight->object = std::move(*made);
    else
      flight->failure = lgc::consumeToText(made.takeError());
  }
  {
    std::lock_guard lock(mutex);
    ++(flight->failure ? totals.failed : source == Source::Below ? totals.loaded : totals.made);
    if (flight->object || key.domain == CacheKey::Domain::Part)
      keep({key, flight->object, flight->failure});
    flights.erase(key);
    flight->done = true;
  }
  landed.notify_all();
  if (flight->failure)
    return errorOf(*flight->failure);
  if (below && source == Source::Made)
    below->store(key, flight->object->elf());
  return flight->object;
}

void ShaderCache::insert(const CacheKey &key, Object object) {
  if (below)
    below->store(key, object->elf());
  std::lock_guard lock(mutex);
  keep({key, std::move(object), std::nullopt});
}

ShaderCache::Counters ShaderCache::counters() const {
  std::lock_guard lock(mutex);
  Counters result = totals;
  result.objects = entries.size();
  return result;
}

} // namespace icd
