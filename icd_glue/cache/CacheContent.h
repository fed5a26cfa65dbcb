//===- CacheContent.h - what a VkPipelineCache holds ----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Keys -> compiled code that an application keeps. Objects that pipelines brought are shared with
/// them; what came as initial data stays a record until the first pipeline asks for it. As data:
///
///     u32 magic | u32 version | entries, each at a multiple of 8 bytes:
///     u64 XXH3-64 of all that follows | u32 magic | u8 domain of the keys | u8[3] zero |
///     u32 number of keys | u32 bytes of the record | u8[16] each key |
///     record (Record.h) | zeros up to a multiple of 8
///
/// Pipelines with the same code share an entry. Entries are in the order of the hashes of their
/// records, so equal contents give equal data.
///
/// The data may be anything. Entries are checked one by one, and what is damaged is as if it were
/// not there; reading goes on at the next entry that is sound. Whether an entry is code for this
/// device is checked when it is asked for (Record.h).
///
/// Threads: any number, for everything, unless the application promises to take care of that.
#pragma once

#include "icd_glue/Striped.h"
#include "icd_glue/cache/ShaderCache.h"
#include <shared_mutex>

namespace icd {

class CacheContent {
public:
  using Object = ShaderCache::Object;

  /// \p isExternallySynchronized: VK_PIPELINE_CACHE_CREATE_EXTERNALLY_SYNCHRONIZED_BIT.
  CacheContent(ShaderCache::Deserialize deserialize, bool isExternallySynchronized);
  ~CacheContent();

  /// Only the application's own threads may use it, one at a time.
  bool needsOwnThread() const { return isExternallySynchronized; }
  /// Null: it is not there, or cannot be used.
  Object find(const CacheKey &key);
  /// Leaves what is there and can be used as it is.
  void insert(const CacheKey &key, Object object);
  void replace(const CacheKey &key, Object object);
  /// The same with an object that is better and no newer: also by threads that the application
  /// does not know of.
  void improve(const CacheKey &key, Object object);
  /// Takes over what \p from has and this has not.
  void merge(CacheContent &from);

  /// Adds what is sound in \p data.
  void read(llvm::ArrayRef<uint8_t> data);
  /// Data for read(): as many whole entries as fit into \p limit bytes. \p isComplete: all did.
  /// Empty if not even the beginning fits.
  std::vector<uint8_t> write(size_t limit, bool &isComplete);
  /// Bytes that write() needs for everything: what is there now, unless something is added.
  size_t dataBytes();
  /// Keys that are there, sound or not.
  size_t size();

private:
  class Content;
  struct HashOfKey {
    size_t operator()(const CacheKey &key) const { return size_t(key.hash[0]) << 32 | key.hash[1]; }
  };
  using Contents = std::unordered_map<CacheKey, std::shared_ptr<Content>, HashOfKey>;
  /// Objects that a processor has found, to find again: readers of one mutex, and owners of one
  /// object, write to the same line of memory. All of them are in `contents` as well. Who locks
  /// both locks `mutex` first.
  struct alignas(memoryLineBytes) Stripe {
    std::mutex mutex;
    std::unordered_map<CacheKey, Object, HashOfKey> found;
  };
  struct Group;

  std::unique_lock<std::shared_mutex> lockToWrite();
  std::shared_lock<std::shared_mutex> lockToRead();
  Object findInContents(const CacheKey &key);
  void remember(const CacheKey &key, const Object &object);
  void add(const CacheKey &key, const std::shared_ptr<Content> &content, bool replaces = false);
  void readEntries(const std::shared_ptr<const std::vector<uint8_t>> &data);
  std::vector<std::pair<CacheKey, std::shared_ptr<Content>>> all();
  std::vector<Group> groups();
  static size_t dataBytesOf(const std::vector<Group> &groups);
  std::vector<Group> groupsFor(size_t limit);
  void forgetOffer();

  const ShaderCache::Deserialize deserialize;
  const bool isExternallySynchronized;
  std::shared_mutex mutex;
  Contents contents;
  std::array<Stripe, stripeCount> stripes;
  /// What dataBytes() has counted, so that an application that asks for the size first gets all,
  /// although code may be improved meanwhile. Null: something was added, or it has been written.
  std::mutex offerMutex;
  std::unique_ptr<const std::vector<Group>> offer;
};

} // namespace icd
