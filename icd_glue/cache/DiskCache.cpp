//===- DiskCache.cpp - compiled code that outlives a process --------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/cache/DiskCache.h"
#include "llvm/Support/Endian.h"
#include <ctime>
// Inlined: LLVM has functions of similar names.
#define XXH_INLINE_ALL
#include <xxhash.h>

using namespace llvm;

namespace icd {

/// So exact is the time of the last use, and so seldom hits cause a write.
constexpr int64_t secondsUnmarked = 3600;
/// A process that only reads marks so many entries at once.
constexpr size_t marksAtOnce = 64;
/// Marks that nobody writes are forgotten.
constexpr size_t mostMarks = 4096;
/// One transaction; others wait for it.
constexpr size_t storesAtOnce = 32;
constexpr uint64_t bytesAtOnce = 4 << 20;

static int64_t secondsNow() { return static_cast<int64_t>(std::time(nullptr)); }

static CacheDatabase::Mode modeOf(const DiskCache::Options &options) {
  return options.isReadOnly ? CacheDatabase::Mode::ReadOnly : CacheDatabase::Mode::ReadWrite;
}

DiskCache::DiskCache(Options given) : options(std::move(given)) {
  if (!options.path.empty())
    primary = std::make_unique<CacheFile>(CacheFile::Options{
        options.path, modeOf(options), options.readWaitMs, options.writeWaitMs, options.log});
  for (const std::string &path : options.readOnlyPaths)
    readOnly.push_back(std::make_unique<CacheFile>(
        CacheFile::Options{path, CacheDatabase::Mode::Immutable, 0, 0, options.log}));
}

DiskCache::~DiskCache() {
  {
    std::lock_guard lock(mutex);
    isStopping = true;
  }
  wake.notify_all();
  writer.join();
  if (!used.empty() || !removed.empty())
    apply({});
}

bool DiskCache::isUsed() const {
  return (primary && primary->isUsed()) ||
         any_of(readOnly, [](const auto &file) { return file->isUsed(); });
}

DiskCache::Counters DiskCache::counters() const {
  std::lock_guard lock(mutex);
  return totals;
}

/// The whole identity: domain, key and generation. The database's key is one half of it; the
/// checksum covers all.
llpc::Hash128 DiskCache::hashOf(const CacheKey &key) const {
  std::vector<uint8_t> bytes(20 + options.generation.size());
  support::endian::write32le(bytes.data(), static_cast<uint32_t>(key.domain));
  for (unsigned index = 0; index < 4; ++index)
    support::endian::write32le(&bytes[4 + 4 * index], key.hash[index]);
  copy(options.generation, bytes.begin() + 20);
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {static_cast<uint32_t>(hash.low64), static_cast<uint32_t>(hash.low64 >> 32),
          static_cast<uint32_t>(hash.high64), static_cast<uint32_t>(hash.high64 >> 32)};
}

static int64_t idOf(const llpc::Hash128 &hash) {
  return static_cast<int64_t>(uint64_t(hash[1]) << 32 | hash[0]);
}

//===--- Reading ----------------------------------------------------------===//

DiskCache::Found DiskCache::find(CacheFile &file, const llpc::Hash128 &hash) {
  Found found;
  const SqlResult result = file.read(idOf(hash), [&](int64_t lastUse, ArrayRef<uint8_t> body) {
    if (const auto bytes = checkedBytes(hash, body))
      found.bytes = bytes->vec();
    found.isDamaged = !found.bytes;
    found.isStale = std::abs(secondsNow() - lastUse) >= secondsUnmarked;
  });
  if (!isGood(result)) {
    std::lock_guard lock(mutex);
    ++totals.busy;
  }
  return found;
}

/// An entry was used, or must go. Hits write nothing by themselves.
void DiskCache::note(const llpc::Hash128 &hash, bool isDamaged) {
  bool isEnough = false;
  {
    std::lock_guard lock(mutex);
    totals.damaged += isDamaged;
    std::unordered_set<int64_t> &marks = isDamaged ? removed : used;
    if (options.isReadOnly || marks.size() >= mostMarks)
      return;
    marks.insert(idOf(hash));
    isEnough = used.size() + removed.size() >= marksAtOnce;
    if (isEnough && options.writesLater && startWriter())
      wakeWriter();
  }
  if (isEnough && !options.writesLater)
    apply({});
}

std::optional<std::vector<uint8_t>> DiskCache::load(const CacheKey &key) {
  const llpc::Hash128 hash = hashOf(key);
  Found found;
  if (primary) {
    found = find(*primary, hash);
    if (found.isDamaged || found.isStale)
      note(hash, found.isDamaged);
  }
  const bool isPrimary = found.bytes.has_value();
  for (size_t index = 0; index < readOnly.size() && !found.bytes; ++index)
    found = find(*readOnly[index], hash);
  std::lock_guard lock(mutex);
  ++(found.bytes ? totals.hits : totals.misses);
  totals.readOnlyHits += found.bytes && !isPrimary;
  return std::move(found.bytes);
}

//===--- Writing ----------------------------------------------------------===//

/// One transaction with \p stores and all marks.
bool DiskCache::apply(ArrayRef<Waiting> stores) {
  CacheDatabase::Changes changes;
  changes.generation = options.generation;
  changes.now = secondsNow();
  changes.maxBytes = std::max<uint64_t>(options.maxBytes, 1 << 20);
  for (const Waiting &store : stores) {
    if (store.bytes.size() > std::min<uint64_t>(changes.maxBytes / 16, mostCheckedBytes))
      continue;
    const llpc::Hash128 hash = hashOf(store.key);
    changes.stored.push_back({idOf(hash), withChecksum(hash, store.bytes)});
  }
  {
    std::lock_guard lock(mutex);
    changes.used.assign(used.begin(), used.end());
    changes.removed.assign(removed.begin(), removed.end());
    used.clear();
    removed.clear();
  }
  const bool isDone = isGood(primary->apply(changes));
  std::lock_guard lock(mutex);
  isWritable = isDone;
  const size_t count = isDone ? changes.stored.size() : 0;
  totals.stored += count;
  totals.notStored += stores.size() - count;
  totals.evicted += isDone ? changes.evicted : 0;
  return isDone && count == stores.size();
}

bool DiskCache::storeNow(const CacheKey &key, ArrayRef<uint8_t> bytes) {
  if (!primary || options.isReadOnly || !primary->isUsed())
    return false;
  return apply(Waiting{key, bytes.vec()});
}

void DiskCache::store(const CacheKey &key, ArrayRef<uint8_t> bytes) {
  if (options.writesLater)
    enqueue({key, bytes.vec()});
  else
    storeNow(key, bytes);
}

void DiskCache::storeRecordOf(const CacheKey &key, std::shared_ptr<const CacheObject> object) {
  if (options.writesLater)
    enqueue({key, {}, std::move(object)});
  else
    storeNow(key, object->record());
}

void DiskCache::enqueue(Waiting store) {
  if (!primary || options.isReadOnly || !primary->isUsed())
    return;
  std::lock_guard lock(mutex);
  const size_t size = store.size();
  if (size > options.queueBytes - std::min(options.queueBytes, queuedBytes) || !startWriter()) {
    ++totals.notStored;
    return;
  }
  queuedBytes += size;
  queue.push_back(std::move(store));
  wakeWriter();
}

/// False: the system gives no thread. The caller holds the lock.
bool DiskCache::startWriter() {
  return writer.isRunning() || writer.start([this] { write(); }, options.createThread);
}

/// The caller holds the lock.
void DiskCache::wakeWriter() {
  if (isWriting) // it looks by itself
    return;
  isWriting = true;
  wake.notify_one();
}

/// What the thread does.
void DiskCache::write() {
  std::unique_lock lock(mutex);
  while (true) {
    wake.wait(lock, [&] { return isWriting || isStopping; });
    std::vector<Waiting> stores;
    uint64_t bytes = 0;
    while (!queue.empty() && stores.size() < storesAtOnce && bytes < bytesAtOnce) {
      bytes += queue.front().size();
      stores.push_back(std::move(queue.front()));
      queue.pop_front();
    }
    if (stores.empty() && used.size() + removed.size() < marksAtOnce) {
      isWriting = false;
      written.notify_all();
      if (isStopping)
        return;
      continue;
    }
    lock.unlock();
    for (Waiting &store : stores)
      if (store.object)
        store.bytes = std::exchange(store.object, nullptr)->record();
    apply(stores);
    lock.lock();
    queuedBytes -= bytes;
    if (isWritable || !(isStopping || awaiting))
      continue;
    // Whoever waits does not wait for others' lock more than once.
    totals.notStored += queue.size();
    queue.clear();
    queuedBytes = 0;
  }
}

void DiskCache::flush() {
  std::unique_lock lock(mutex);
  ++awaiting;
  written.wait(lock, [&] { return !isWriting; });
  --awaiting;
}

} // namespace icd
