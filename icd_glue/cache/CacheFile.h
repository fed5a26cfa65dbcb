//===- CacheFile.h - one file of the cache on disk ------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A database shared by threads and processes: connections, and what happens when it is damaged. It
/// is thrown away then and made anew, once for each CacheFile; what is damaged again is not used
/// any more. Nothing is ever waited for longer than a few times `waitMs`, and a file that made us
/// wait is left in peace for a second.
///
/// Threads: any number. No lock is held while SQLite works, except among writers.
#pragma once

#include "icd_glue/cache/CacheDatabase.h"
#include "icd_glue/cache/FileLock.h"
#include <atomic>
#include <functional>
#include <mutex>

namespace icd {

class CacheFile {
public:
  struct Options {
    std::string path; ///< its folder must exist; `path`-lock is made beside it
    CacheDatabase::Mode mode = CacheDatabase::Mode::ReadWrite;
    int readWaitMs = 20, writeWaitMs = 1000;
    std::function<void(llvm::StringRef)> log; ///< why it is not used, or what has been thrown away
  };
  explicit CacheFile(Options options);
  ~CacheFile();
  CacheFile(const CacheFile &) = delete;

  /// False: it is not used, and never will be.
  bool isUsed() const;
  /// See CacheDatabase::read.
  SqlResult read(int64_t id,
                 llvm::function_ref<void(int64_t used, llvm::ArrayRef<uint8_t> body)> use);
  /// See CacheDatabase::list and generations.
  SqlResult
  list(llvm::ArrayRef<uint8_t> generation, int64_t most,
       llvm::function_ref<bool(int64_t id, int64_t used, llvm::ArrayRef<uint8_t> body)> use);
  SqlResult generations(std::vector<CacheDatabase::Generation> &all);
  /// See CacheDatabase::apply. One at a time.
  SqlResult apply(CacheDatabase::Changes &changes);

private:
  enum class Condition : uint8_t {
    Used,
    Broken, ///< whoever gives the last connection back replaces the file
    Off,
  };
  void start();
  bool replace(CacheDatabase::State why);
  SqlResult query(llvm::function_ref<SqlResult(CacheDatabase &database)> ask);
  std::unique_ptr<CacheDatabase> acquire(int waitMs);
  void giveBack(std::unique_ptr<CacheDatabase> database, SqlResult result);
  CacheDatabase::Opened connect(int waitMs);
  void turnOff(const std::string &why);
  bool isQuiet() const;
  void beQuiet();

  const Options options;
  FileLock fileLock;
  uint64_t lockNumber = 0; ///< when the file was opened
  mutable std::mutex mutex;
  Condition condition = Condition::Used;
  bool wasReplaced = false;
  unsigned inUse = 0; ///< connections that are somewhere else than in `idle`
  std::vector<std::unique_ptr<CacheDatabase>> idle;
  std::mutex writing;
  std::atomic<int64_t> quietUntil = 0; ///< nanoseconds of the steady clock
};

} // namespace icd
