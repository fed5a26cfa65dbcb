//===- ShaderCache.h - the driver's own cache of compiled code ------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Key -> immutable, shared object: complete code objects, and parts and glue of pipelines. Nothing
/// of it belongs to an API object. What is asked for while it is being made is waited for, so that
/// nothing is compiled twice, unless the maker is a thread of low priority that gets no processor:
///
///     auto part = cache.obtain(key, [&] { return compile(); });
///
/// A memory layer with a budget in bytes, least recently used first out. Below it another layer
/// may keep records of the objects (CacheLayer, Record.h).
///
/// An object may have further names: keys that are made of what Vulkan says of a pipeline, which
/// are cheaper to come by than the compiler's own (alias()).
///
/// Threads: any number, for everything. No lock is held while an object is made or a layer below is
/// asked. Nobody waits in circles: a thread that makes one object waits for no other one, but makes
/// it itself, unshared.
#pragma once

#include "icd_glue/cache/MakerProgress.h"
#include "lgc/CompileError.h"
#include "llpc/Compiler.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <atomic>
#include <condition_variable>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>
#include <vector>

namespace icd {

struct CacheKey {
  /// Hashes of different domains have nothing to do with each other.
  enum class Domain : uint8_t {
    Code,     ///< complete code objects
    Part,     ///< parts and glue, also under further names
    Pipeline, ///< further names of complete code objects, of what Vulkan says (icd_glue/key)
    Linked,   ///< complete code objects that were linked of parts, by the keys of those in Code
    Recipes, ///< on disk only: a mark that a program's recipes are compiled (assemble/RecipeBook.h)
  };
  Domain domain = Domain::Code;
  llpc::Hash128 hash = {};

  bool operator==(const CacheKey &) const = default;
};

/// What a cache holds. Immutable for everybody who can see it.
class CacheObject {
public:
  virtual ~CacheObject();
  /// The bytes that everybody keeps who keeps it for longer than a process lives (Record.h).
  virtual std::vector<uint8_t> record() const = 0;
  /// Does a layer below keep it, and the data of a pipeline cache? Not what was made for somebody
  /// who wants to look into it: records have no texts.
  virtual bool isKeptBelow() const { return true; }
  /// Does the data of pipeline caches have it?
  virtual bool isKeptInData() const { return isKeptBelow(); }
  /// For the budget.
  virtual size_t memoryBytes() const = 0;
};

/// Somewhere to keep records for longer: key -> bytes. Called by many threads at once. What load()
/// gives may be damaged or of another build; who reads it finds out.
class CacheLayer {
public:
  virtual ~CacheLayer();
  virtual std::optional<std::vector<uint8_t>> load(const CacheKey &key) = 0;
  virtual void store(const CacheKey &key, llvm::ArrayRef<uint8_t> record) = 0;
  /// The same with the object's record. Making it takes longer than linking does, and so a layer
  /// may do it later, on a thread of its own.
  virtual void storeRecordOf(const CacheKey &key, std::shared_ptr<const CacheObject> object);
};

class ShaderCache {
public:
  using Object = std::shared_ptr<const CacheObject>;
  using Make = llvm::function_ref<llvm::Expected<Object>()>;
  /// Makes an object of a record that load() found; an error means that it is of no use.
  using Deserialize =
      std::function<llvm::Expected<Object>(const CacheKey &key, std::vector<uint8_t> record)>;

  /// \p budget in bytes. \p below may be null; it must outlive the cache, and \p deserialize goes
  /// with it.
  explicit ShaderCache(uint64_t budget, CacheLayer *below = nullptr, Deserialize deserialize = {});

  /// Complete code objects are no longer kept, here or below. Before anything else is called.
  void keepPartsOnly() { keepsCode = false; }

  /// How obtain() came by what it returned.
  enum class Source : uint8_t {
    Memory,
    Below,
    Waited,
    Made,
    MadeToo, ///< although another thread is making it
  };

  /// What is there at once, else null. Never waits, asks no layer below.
  Object find(const CacheKey &key);
  /// What is there, or what a layer below has, else null. Does not wait for makers.
  Object findOrLoad(const CacheKey &key);
  /// Is it there, or being made, or known to fail?
  bool isKnown(const CacheKey &key);
  /// What is there, what somebody else is making, or else what \p make gives. Failures of parts are
  /// remembered like objects: they come from the same input again. All who wait get the error.
  llvm::Expected<Object> obtain(const CacheKey &key, Make make, Source *source = nullptr);
  /// Puts an object there, in place of what is there.
  void insert(const CacheKey &key, Object object);

  /// Makes \p name another name of \p object, which \p key is the name of: in Pipeline of
  /// monolithic code, in Part of parts. The layer below keeps no second record, but which object it
  /// is.
  void alias(const CacheKey &name, const CacheKey &key, Object object);
  /// What alias() has named so, if it is there or a layer below has it; else null. \p inMemory:
  /// without asking the layer below.
  Object findAlias(const CacheKey &name, bool inMemory = false);

  struct Counters {
    uint64_t hits = 0, waits = 0, made = 0, failed = 0, loaded = 0, evicted = 0;
    uint64_t objects = 0; ///< now
    uint64_t bytes = 0;   ///< now
  };
  Counters counters() const;

private:
  struct Entry {
    CacheKey key;
    Object object;
    std::optional<lgc::ErrorText> failure; ///< then `object` is null
  };
  /// An object may have several entries; the budget pays for it once.
  struct Use {
    unsigned entries = 0;
    size_t bytes = 0;
  };
  /// Something that is being made.
  struct Flight {
    std::thread::id maker = std::this_thread::get_id();
    MakerProgress progress;
    bool done = false;
    Object object;
    std::optional<lgc::ErrorText> failure;
  };
  struct HashOfKey {
    size_t operator()(const CacheKey &key) const {
      return (size_t(key.hash[0]) << 32 | key.hash[1]) ^ static_cast<size_t>(key.domain);
    }
  };

  llvm::Expected<Object> resultOf(const Entry &entry);
  std::optional<llvm::Expected<Object>> waitFor(std::unique_lock<std::mutex> &lock,
                                                std::shared_ptr<Flight> flight);
  bool isMaking() const;
  Entry *lookUp(const CacheKey &key);
  void keep(Entry entry);
  void drop(std::list<Entry>::iterator entry);
  Object load(const CacheKey &key);
  void storeBelow(const CacheKey &key, const Object &object);
  llvm::Expected<Object> makeAndKeep(const CacheKey &key, const std::shared_ptr<Flight> &flight,
                                     Make make, Source &source);

  bool keeps(const CacheKey &key) const {
    return keepsCode || key.domain == CacheKey::Domain::Part;
  }
  CacheLayer *layerFor(const CacheKey &key) const { return keeps(key) ? below : nullptr; }

  const uint64_t budget;
  CacheLayer *const below;
  const Deserialize deserialize;
  bool keepsCode = true;
  mutable std::mutex mutex;
  std::condition_variable landed;
  std::list<Entry> entries; ///< most recently used first
  std::unordered_map<CacheKey, std::list<Entry>::iterator, HashOfKey> index;
  std::unordered_map<const CacheObject *, Use> uses;
  std::unordered_map<CacheKey, std::shared_ptr<Flight>, HashOfKey> flights;
  Counters totals;
};

} // namespace icd
