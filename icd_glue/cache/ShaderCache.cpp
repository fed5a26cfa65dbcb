//===- ShaderCache.cpp - the driver's own cache of compiled code ----------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/cache/ShaderCache.h"
#include "icd_glue/cache/Record.h"
#include <algorithm>

namespace icd {

CacheObject::~CacheObject() = default;
CacheLayer::~CacheLayer() = default;
void CacheLayer::storeRecordOf(const CacheKey &key, std::shared_ptr<const CacheObject> object) {
  store(key, object->record());
}

/// What an entry costs besides its object: list, table, failure.
static constexpr size_t entryBytes = 256;

ShaderCache::ShaderCache(uint64_t budget, CacheLayer *below, Deserialize deserialize)
    : budget(budget), below(below), deserialize(std::move(deserialize)) {}

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

void ShaderCache::drop(std::list<Entry>::iterator entry) {
  totals.bytes -= entryBytes;
  if (entry->object) {
    auto use = uses.find(entry->object.get());
    if (!--use->second.entries) {
      totals.bytes -= use->second.bytes;
      uses.erase(use);
    }
  }
  index.erase(entry->key);
  entries.erase(entry);
}

void ShaderCache::keep(Entry entry) {
  const size_t bytes = entry.object ? entry.object->memoryBytes() : 0;
  if (auto old = index.find(entry.key); old != index.end())
    drop(old->second);
  if (entryBytes + bytes > budget || !keeps(entry.key))
    return;
  if (entry.object) {
    Use &use = uses[entry.object.get()];
    if (!use.entries++)
      totals.bytes += use.bytes = bytes;
  }
  totals.bytes += entryBytes;
  entries.push_front(std::move(entry));
  index.emplace(entries.front().key, entries.begin());
  while (totals.bytes > budget) {
    drop(std::prev(entries.end()));
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

/// Nothing: whoever waits is faster alone.
std::optional<llvm::Expected<ShaderCache::Object>>
ShaderCache::waitFor(std::unique_lock<std::mutex> &lock, std::shared_ptr<Flight> flight) {
  constexpr std::chrono::milliseconds lookAgain(20);
  ++totals.waits;
  const bool goesFirst = flight->progress.givesWayToCaller();
  (void)flight->progress.isStarved(); // from now on
  while (!landed.wait_for(lock, lookAgain, [&] { return flight->done; }))
    if (goesFirst && flight->progress.isStarved())
      return std::nullopt;
  if (flight->failure)
    return errorOf(*flight->failure);
  return flight->object;
}

/// What the layer below has. Called without a lock.
ShaderCache::Object ShaderCache::load(const CacheKey &key) {
  std::optional<std::vector<uint8_t>> record;
  if (CacheLayer *layer = layerFor(key))
    record = layer->load(key);
  if (!record)
    return nullptr;
  auto deserialized = deserialize(key, std::move(*record));
  if (deserialized)
    return std::move(*deserialized);
  llvm::consumeError(deserialized.takeError()); // as if it had not been there
  return nullptr;
}

ShaderCache::Object ShaderCache::findOrLoad(const CacheKey &key) {
  {
    std::lock_guard lock(mutex);
    if (Entry *entry = lookUp(key))
      return entry->object;
    if (!layerFor(key) || flights.count(key))
      return nullptr;
  }
  // Two threads may load the same: that is as good as one that waits.
  Object loaded = load(key);
  if (loaded) {
    std::lock_guard lock(mutex);
    ++totals.loaded;
    keep({key, loaded, std::nullopt});
  }
  return loaded;
}

void ShaderCache::alias(const CacheKey &name, const CacheKey &key, Object object) {
  if (CacheLayer *layer = layerFor(name); layer && object->isKeptBelow())
    layer->store(name, encodeAlias(key));
  std::lock_guard lock(mutex);
  keep({name, std::move(object), std::nullopt});
}

ShaderCache::Object ShaderCache::findAlias(const CacheKey &name, bool inMemory) {
  if (Object object = find(name))
    return object;
  CacheLayer *layer = layerFor(name);
  if (inMemory || !layer)
    return nullptr;
  std::optional<std::vector<uint8_t>> record = layer->load(name);
  if (!record)
    return nullptr;
  std::optional<CacheKey> key = decodeAlias(*record);
  const bool isPart = name.domain == CacheKey::Domain::Part;
  if (!key || isPart != (key->domain == CacheKey::Domain::Part))
    return nullptr; // not what alias() wrote
  Object object = findOrLoad(*key);
  if (object) {
    std::lock_guard lock(mutex);
    keep({name, object, std::nullopt});
  }
  return object;
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
  bool wasMaking = false;
  {
    std::unique_lock lock(mutex);
    how = Source::Memory;
    if (Entry *entry = lookUp(key))
      return resultOf(*entry);
    auto other = flights.find(key);
    wasMaking = isMaking();
    if (other != flights.end() && !wasMaking) {
      how = Source::Waited;
      if (auto result = waitFor(lock, other->second))
        return std::move(*result);
    }
    how = flights.count(key) ? Source::MadeToo : Source::Made;
    if (how == Source::Made) {
      flight = std::make_shared<Flight>();
      flights.emplace(key, flight);
    }
  }
  if (flight)
    return makeAndKeep(key, flight, make, how);
  auto made = make();
  if (made && !wasMaking) {
    std::lock_guard lock(mutex);
    keep({key, *made, std::nullopt});
  }
  return made;
}

llvm::Expected<ShaderCache::Object> ShaderCache::makeAndKeep(const CacheKey &key,
                                                             const std::shared_ptr<Flight> &flight,
                                                             Make make, Source &source) {
  flight->object = load(key);
  if (flight->object)
    source = Source::Below;
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
    const bool isThere = index.count(key); // of somebody who did not wait
    if (!isThere && (flight->object || key.domain == CacheKey::Domain::Part))
      keep({key, flight->object, flight->failure});
    flights.erase(key);
    flight->done = true;
  }
  landed.notify_all();
  if (flight->failure)
    return errorOf(*flight->failure);
  if (source == Source::Made)
    storeBelow(key, flight->object);
  return flight->object;
}

void ShaderCache::storeBelow(const CacheKey &key, const Object &object) {
  if (CacheLayer *layer = layerFor(key); layer && object->isKeptBelow())
    layer->storeRecordOf(key, object);
}

void ShaderCache::insert(const CacheKey &key, Object object) {
  storeBelow(key, object);
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
