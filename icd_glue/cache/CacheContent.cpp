//===- CacheContent.cpp - what a VkPipelineCache holds --------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/cache/CacheContent.h"
#include "icd_glue/cache/CacheData.h"
#include "icd_glue/cache/Record.h"
#include "llpc/Hasher.h"
#include <algorithm>
#include <map>

namespace icd {
using llvm::ArrayRef;

//===--- One record -------------------------------------------------------===//

/// Either an object that becomes a record when data is wanted, or the other way round. What was
/// there at first never changes.
class CacheContent::Content {
public:
  explicit Content(Object object) : made(std::move(object)), state(State::Usable) {}
  /// \p record is in \p data.
  Content(std::shared_ptr<const std::vector<uint8_t>> data, ArrayRef<uint8_t> record)
      : data(std::move(data)), bytes(record) {}

  /// Null: not asked for yet, or of no use.
  Object objectIfReady() const {
    return state.load(std::memory_order_acquire) == State::Usable ? made : nullptr;
  }
  bool isUseless() const { return state.load(std::memory_order_acquire) == State::Useless; }
  Object object(CacheContent &owner, CacheKey::Domain domain) {
    std::lock_guard lock(mutex);
    if (state.load(std::memory_order_relaxed) == State::Record) {
      if (auto deserialized = owner.deserialize({domain, {}}, bytes.vec()))
        made = std::move(*deserialized);
      else
        llvm::consumeError(deserialized.takeError());
      state.store(made ? State::Usable : State::Useless, std::memory_order_release);
    }
    return made;
  }

  /// With its hash; empty if it has no record that could replace the object.
  std::pair<llpc::Hash128, ArrayRef<uint8_t>> record() {
    std::lock_guard lock(mutex);
    if (!data && !made->isKeptInData())
      return {};
    if (!data) {
      data = std::make_shared<const std::vector<uint8_t>>(made->record());
      bytes = *data;
    }
    if (!hash)
      hash = contentHash(bytes);
    return {*hash, bytes};
  }

private:
  enum class State : uint8_t { Record, Usable, Useless };

  std::mutex mutex; ///< of everything but `made` and `state` once that is not Record
  Object made;
  std::shared_ptr<const std::vector<uint8_t>> data;
  ArrayRef<uint8_t> bytes;
  std::optional<llpc::Hash128> hash;
  std::atomic<State> state = State::Record;
};

//===--- Keys -------------------------------------------------------------===//

CacheContent::CacheContent(ShaderCache::Deserialize deserialize, bool isExternallySynchronized)
    : deserialize(std::move(deserialize)), isExternallySynchronized(isExternallySynchronized) {}
CacheContent::~CacheContent() = default;

std::unique_lock<std::shared_mutex> CacheContent::lockToWrite() {
  return isExternallySynchronized ? std::unique_lock<std::shared_mutex>() : std::unique_lock(mutex);
}

std::shared_lock<std::shared_mutex> CacheContent::lockToRead() {
  return isExternallySynchronized ? std::shared_lock<std::shared_mutex>() : std::shared_lock(mutex);
}

CacheContent::Object CacheContent::find(const CacheKey &key) {
  if (isExternallySynchronized)
    return findInContents(key);
  {
    Stripe &stripe = stripes[currentStripe()];
    std::lock_guard lock(stripe.mutex);
    if (auto found = stripe.found.find(key); found != stripe.found.end())
      return found->second;
  }
  Object object = findInContents(key);
  if (object)
    remember(key, object);
  return object;
}

CacheContent::Object CacheContent::findInContents(const CacheKey &key) {
  std::shared_ptr<Content> content;
  {
    auto lock = lockToRead();
    auto found = contents.find(key);
    if (found == contents.end())
      return nullptr;
    if (Object ready = found->second->objectIfReady())
      return ready;
    content = found->second;
  }
  return content->object(*this, key.domain);
}

void CacheContent::remember(const CacheKey &key, const Object &object) {
  auto lock = lockToRead();
  auto found = contents.find(key);
  if (found == contents.end() || found->second->objectIfReady() != object)
    return; // replaced in the meantime
  Stripe &stripe = stripes[currentStripe()];
  std::lock_guard stripeLock(stripe.mutex);
  stripe.found.try_emplace(key, ownApart(object));
}

void CacheContent::add(const CacheKey &key, const std::shared_ptr<Content> &content,
                       bool replaces) {
  auto lock = lockToWrite();
  std::shared_ptr<Content> &place = contents[key];
  if (place && !place->isUseless() && !replaces)
    return;
  if (place)
    for (Stripe &stripe : stripes) {
      std::lock_guard stripeLock(stripe.mutex);
      stripe.found.erase(key);
    }
  place = content;
}

void CacheContent::insert(const CacheKey &key, Object object) {
  forgetOffer();
  add(key, std::make_shared<Content>(std::move(object)));
}

void CacheContent::replace(const CacheKey &key, Object object) {
  forgetOffer();
  improve(key, std::move(object));
}

void CacheContent::improve(const CacheKey &key, Object object) {
  add(key, std::make_shared<Content>(std::move(object)), /*replaces=*/true);
}

void CacheContent::merge(CacheContent &from) {
  forgetOffer();
  for (const auto &[key, content] : from.all())
    if (!content->isUseless())
      add(key, content);
}

std::vector<std::pair<CacheKey, std::shared_ptr<CacheContent::Content>>> CacheContent::all() {
  auto lock = lockToRead();
  return {contents.begin(), contents.end()};
}

size_t CacheContent::size() {
  auto lock = lockToRead();
  return contents.size();
}

//===--- Data -------------------------------------------------------------===//

void CacheContent::read(ArrayRef<uint8_t> data) {
  if (isBeginOfCacheData(data))
    readEntries(std::make_shared<const std::vector<uint8_t>>(data.drop_front(cacheDataBegin)));
}

void CacheContent::readEntries(const std::shared_ptr<const std::vector<uint8_t>> &data) {
  // Behind a damaged entry the next one is where the next sound one begins. The budget keeps data
  // that is made of beginnings of long entries from taking quadratic time.
  ArrayRef<uint8_t> rest = *data;
  uint64_t budget = 4 * uint64_t(rest.size());
  while (rest.size() >= leastCacheEntry) {
    const std::optional<CacheEntryView> entry = cacheEntryAt(rest, budget);
    if (!entry) {
      rest = rest.drop_front(cacheDataAlignment);
      continue;
    }
    rest = rest.drop_front(entry->all.size());
    auto content = std::make_shared<Content>(data, entry->record);
    for (size_t at = 0; at < entry->keys.size(); at += sizeof(KeyBytes))
      add({entry->domain, hashOf(entry->keys.data() + at)}, content);
  }
}

/// A record and its keys.
struct CacheContent::Group {
  llpc::Hash128 hash;
  CacheKey::Domain domain;
  ArrayRef<uint8_t> record;
  std::shared_ptr<Content> keepsAlive;
  std::vector<llpc::Hash128> keys;

  size_t bytes() const { return cacheEntryBytes(keys.size(), record.size()); }
};

std::vector<CacheContent::Group> CacheContent::groups() {
  std::map<std::pair<CacheKey::Domain, llpc::Hash128>, Group> byHash;
  for (const auto &[key, content] : all()) {
    if (content->isUseless())
      continue;
    const auto [hash, record] = content->record();
    if (record.empty() || record.size() > UINT32_MAX)
      continue;
    Group &group = byHash[{key.domain, hash}];
    // Whichever of several equal ones comes first: their bytes are the same or as good.
    if (!group.keepsAlive)
      group = {hash, key.domain, record, content, {}};
    group.keys.push_back(key.hash);
  }
  std::vector<Group> result;
  for (auto &[hash, group] : byHash) {
    std::sort(group.keys.begin(), group.keys.end());
    result.push_back(std::move(group));
  }
  return result;
}

size_t CacheContent::dataBytesOf(const std::vector<Group> &groups) {
  size_t bytes = cacheDataBegin;
  for (const Group &group : groups)
    bytes += group.bytes();
  return bytes;
}

void CacheContent::forgetOffer() {
  std::lock_guard lock(offerMutex);
  offer = nullptr;
}

size_t CacheContent::dataBytes() {
  auto now = std::make_unique<const std::vector<Group>>(groups());
  const size_t bytes = dataBytesOf(*now);
  std::lock_guard lock(offerMutex);
  offer = std::move(now);
  return bytes;
}

/// What is there now, or was when dataBytes() gave \p limit.
std::vector<CacheContent::Group> CacheContent::groupsFor(size_t limit) {
  std::unique_ptr<const std::vector<Group>> offered;
  {
    std::lock_guard lock(offerMutex);
    offered = std::move(offer);
  }
  std::vector<Group> now = groups();
  return offered && dataBytesOf(now) > limit && dataBytesOf(*offered) == limit ? *offered : now;
}

std::vector<uint8_t> CacheContent::write(size_t limit, bool &isComplete) {
  std::vector<uint8_t> data;
  isComplete = false;
  if (limit < cacheDataBegin)
    return data;
  data = beginOfCacheData();
  isComplete = true;
  for (const Group &group : groupsFor(limit)) {
    if (group.bytes() > limit - data.size()) {
      isComplete = false;
      continue;
    }
    appendCacheEntry(data, group.domain, group.keys, group.record);
  }
  return data;
}

} // namespace icd
