//===- ServerLayer.cpp - code that others have compiled -------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/cache/ServerLayer.h"
#include "icd_glue/cache/Record.h"
#include "icd_glue/key/KeyBytes.h"
#include "llvm/Support/FormatVariadic.h"
#include <chrono>

using namespace llvm;

namespace icd {

/// Records that are kept: the name of a pipeline leads to one at once, but other threads find
/// theirs in between.
static constexpr size_t mostFound = 64;

ServerLayer::ServerLayer(Options given, DiskCache *disk)
    : options(std::move(given)), disk(disk), client(options.server) {}
ServerLayer::~ServerLayer() = default;

std::optional<std::vector<uint8_t>> ServerLayer::load(const CacheKey &key) {
  if (disk)
    if (std::optional<std::vector<uint8_t>> record = disk->load(key))
      return record;
  if (key.domain == CacheKey::Domain::Pipeline)
    return find(key);
  std::lock_guard lock(mutex);
  if (key.domain == CacheKey::Domain::Code)
    for (const auto *records : {&found, &foundBefore})
      if (const auto record = records->find(key.hash); record != records->end())
        return record->second;
  return std::nullopt;
}

void ServerLayer::store(const CacheKey &key, ArrayRef<uint8_t> record) {
  if (disk)
    disk->store(key, record);
}

void ServerLayer::storeRecordOf(const CacheKey &key, std::shared_ptr<const CacheObject> object) {
  if (disk)
    disk->storeRecordOf(key, std::move(object));
}

ServerLayer::Counters ServerLayer::counters() const {
  std::scoped_lock lock(asking, mutex);
  Counters result = totals;
  result.failures = client.counters().failures();
  return result;
}

/// The value; an empty one: the server has none. Nothing: no answer.
std::optional<std::string> ServerLayer::ask(const std::string &name) {
  {
    std::lock_guard lock(mutex);
    const double patience =
        options.patience + options.patiencePerHit * static_cast<double>(totals.hits);
    if (totals.waited > patience)
      return std::nullopt;
  }
  const double began = steadySeconds();
  std::optional<RespClient::Values> values;
  if (std::unique_lock lock(asking, std::chrono::duration<double>(options.server.callSeconds));
      lock)
    values = client.get(name);
  std::lock_guard lock(mutex);
  totals.waited += steadySeconds() - began;
  if (!values)
    return std::nullopt;
  return values->front() ? std::move(*values->front()) : std::string();
}

/// What alias() would have stored for the name, and the record in `found`.
std::optional<std::vector<uint8_t>> ServerLayer::find(const CacheKey &key) {
  const KeyBytes bytes = bytesOf(key.hash);
  const std::string name =
      serverNameOf(options.nameKey, options.compiler, options.target, ArrayRef<uint8_t>(bytes));
  const std::optional<std::string> value = ask(name);
  const auto record = value ? recordOf(*options.verifier, name, *value) : std::nullopt;
  std::unique_lock lock(mutex);
  if (!record) {
    ++(!value ? totals.unknown : value->empty() ? totals.misses : totals.forged);
    return std::nullopt;
  }
  ++totals.hits;
  const CacheKey content{CacheKey::Domain::Code, contentHash(*record)};
  std::vector<uint8_t> alias = encodeAlias(content);
  if (found.size() >= mostFound)
    foundBefore = std::exchange(found, {});
  found[content.hash] = record->vec();
  lock.unlock();
  store(content, *record);
  store(key, alias);
  return alias;
}

std::string textOf(const ServerLayer::Counters &counters) {
  return formatv("server {0} hits, {1} misses, {2} forged, {3} without an answer, {4} failures, "
                 "{5:f3} s",
                 counters.hits, counters.misses, counters.forged, counters.unknown,
                 counters.failures, counters.waited)
      .str();
}

} // namespace icd
