//===- ShaderCache.h - the driver's own cache of compiled code ------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Key -> immutable, shared object: whole code objects, and parts and glue of pipelines. Nothing of
/// it belongs to an API object. What is asked for while it is being made is waited for, so that
/// nothing is compiled twice:
///
///     auto part = cache.obtain(key, [&] { return compile(); });
///
/// A memory layer with a budget in bytes, least recently used first out. Below it another layer
/// may keep the bytes of the code objects (CacheLayer).
///
/// Threads: any number, for everything. No lock is held while an object is made or a layer below is
/// asked. Nobody waits in circles: a thread that makes one object waits for no other one, but makes
/// it itself, unshared.
#pragma once

#include "lgc/CompileError.h"
#include "llpc/Compiler.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <atomic>
#include <condition_variable>
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
    Code, ///< whole code objects
    Part, ///< parts and glue
  };
  Domain domain = Domain::Code;
  llpc::Hash128 hash = {};

  bool operator==(const CacheKey &) const = default;
};

/// What a cache holds. Immutable for everybody who can see it.
class CacheObject {
public:
  virtual ~CacheObject();
  /// The bytes that a layer below keeps.
  virtual llvm::ArrayRef<uint8_t> elf() const = 0;
  /// For the budget.
  virtual size_t memoryBytes() const = 0;
};

/// Somewhere to keep code objects for longer. Called by many threads at once.
class CacheLayer {
public:
  virtual ~CacheLayer();
  virtual std::optional<std::vector<uint8_t>> load(const CacheKey &key) = 0;
  virtual void store(const CacheKey &key, llvm::ArrayRef<uint8_t> elf) = 0;
};

class ShaderCache {
public:
  using Object = std::shared_ptr<const CacheObject>;
  using Make = llvm::function_ref<llvm::Expected<Object>()>;
  /// Makes an object of bytes that load() found; an error means that they are of no use.
  using Revive = llvm::Expected<Object> (*)(const CacheKey &key, std::vector<uint8_t> elf);

  /// \p budget in bytes. \p below may be null; it must outlive the cache, and \p revive goes with
  /// it.
  explicit ShaderCache(uint64_t budget, CacheLayer *below = nullptr, Revive revive = nullptr);

  /// How obtain() came by what it returned.
  enum class Source : uint8_t { Memory, Below, Waited, Made };

  /// What is there at once, else null. Never waits, asks no layer below.
  Object find(const CacheKey &key);
  /// The same, but what is being made is waited for. The error is the maker's. A failure that is
  /// remembered is an error, too.
  llvm::Expected<Object> findOrWait(const CacheKey &key);
  /// Is it there, or being made, or known to fail?
  bool isKnown(const CacheKey &key);
  /// What is there, what somebody else is making, or else what \p make gives. Failures of parts are
  /// remembered like objects: they come from the same input again. All who wait get the error.
  llvm::Expected<Object> obtain(const CacheKey &key, Make make, Source *source = nullptr);
  /// Puts an object there, in place of what is there.
  void insert(const CacheKey &key, Object object);

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
    size_t bytes = 0;
  };
  /// Something that is being made.
  struct Flight {
    std::thread::id maker;
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
  llvm::Expected<Object> waitFor(std::unique_lock<std::mutex> &lock,
                                 std::shared_ptr<Flight> flight);
  bool isMaking() const;
  Entry *lookUp(const CacheKey &key);
  void keep(Entry entry);
  llvm::Expected<Object> makeAndKeep(const CacheKey &key, const std::shared_ptr<Flight> &flight,
                                     Make make, Source &source);

  const uint64_t budget;
  CacheLayer *const below;
  const Revive revive;
  mutable std::mutex mutex;
  std::condition_variable landed;
  std::list<Entry> entries; ///< most recently used first
  std::unordered_map<CacheKey, std::list<Entry>::iterator, HashOfKey> index;
  std::unordered_map<CacheKey, std::shared_ptr<Flight>, HashOfKey> flights;
  Counters totals;
};

} // namespace icd
