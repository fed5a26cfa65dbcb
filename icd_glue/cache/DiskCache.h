//===- DiskCache.h - compiled code that outlives a process ----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The layer below the ShaderCache: key -> bytes in files that all processes share. First the file
/// that is read and written, then others that are only read, such as those that somebody compiled
/// in advance.
///
/// What was stored survives the end of the process, however it ends, and everything else costs a
/// compile at most: damaged entries are removed, damaged files are made anew, and locks, full disks
/// and errors make a miss.
///
/// Threads: any number.
#pragma once

#include "icd_glue/cache/CacheFile.h"
#include "icd_glue/cache/ShaderCache.h"
#include "llpc/Thread.h"
#include <condition_variable>
#include <deque>
#include <unordered_set>

namespace icd {

class DiskCache final : public CacheLayer {
public:
  struct Options {
    std::string path; ///< of the file that is written; its folder must exist; empty: none
    bool isReadOnly = false;
    std::vector<std::string> readOnlyPaths; ///< asked in this order
    uint64_t maxBytes = uint64_t(1) << 30;  ///< of the file that is written; at least 1 MB
    /// All that code depends on besides its key: entries of other generations are never found.
    std::vector<uint8_t> generation;
    /// A thread does all writing, and store() returns at once; it drops what is more than so much.
    bool writesLater = false;
    uint64_t queueBytes = 64 << 20;
    llpc::ThreadCreate createThread = pthread_create; ///< without a thread nothing is stored
    int readWaitMs = 20, writeWaitMs = 1000;
    std::function<void(llvm::StringRef)> log; ///< by any thread, seldom
  };
  explicit DiskCache(Options options);
  /// Writes what waits.
  ~DiskCache() override;
  DiskCache(const DiskCache &) = delete;

  std::optional<std::vector<uint8_t>> load(const CacheKey &key) override;
  void store(const CacheKey &key, llvm::ArrayRef<uint8_t> bytes) override;
  void storeRecordOf(const CacheKey &key, std::shared_ptr<const CacheObject> object) override;
  /// Stores at once. False: it is not stored. True: not even the end of the process takes it away.
  bool storeNow(const CacheKey &key, llvm::ArrayRef<uint8_t> bytes);
  /// Waits until everything is written.
  void flush();

  /// Is there a file to read or to write?
  bool isUsed() const;

  struct Counters {
    uint64_t hits = 0, misses = 0;
    uint64_t readOnlyHits = 0; ///< of `hits`
    uint64_t stored = 0, notStored = 0, evicted = 0;
    uint64_t damaged = 0; ///< entries that were not what had been stored
    uint64_t busy = 0;    ///< misses because others had locked the file, or because it is not used
  };
  Counters counters() const;

private:
  struct Waiting {
    CacheKey key;
    std::vector<uint8_t> bytes;
    std::shared_ptr<const CacheObject> object = nullptr; ///< whose record `bytes` will be
    size_t size() const { return object ? object->memoryBytes() : bytes.size(); }
  };
  void enqueue(Waiting store);
  struct Found {
    std::optional<std::vector<uint8_t>> bytes;
    bool isDamaged = false;
    bool isStale = false; ///< its last use was long ago
  };
  llpc::Hash128 hashOf(const CacheKey &key) const;
  Found find(CacheFile &file, const llpc::Hash128 &hash);
  void note(const llpc::Hash128 &hash, bool isDamaged);
  bool apply(llvm::ArrayRef<Waiting> stores);
  bool startWriter();
  void wakeWriter();
  void write();

  const Options options;
  std::unique_ptr<CacheFile> primary; ///< null: none
  std::vector<std::unique_ptr<CacheFile>> readOnly;

  mutable std::mutex mutex; ///< of all that follows
  std::condition_variable wake, written;
  std::unordered_set<int64_t> used, removed; ///< entries that the next transaction marks or removes
  std::deque<Waiting> queue;
  uint64_t queuedBytes = 0;
  bool isWriting = false, isStopping = false;
  bool isWritable = true; ///< the last transaction was not refused
  unsigned awaiting = 0;  ///< threads in flush()
  llpc::Thread writer;
  Counters totals;
};

} // namespace icd
