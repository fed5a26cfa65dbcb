//===- CacheDatabase.h - a connection to a file of the cache on disk ------===//
// SPDX-License-Identifier: MIT
/// \file
/// The tables of the cache on disk, and all statements:
///
///   generation: id | name: what the code depends on besides its key | when it was last in use
///   entry:      id: half of a hash of generation and key | generation | last use | packed bytes
///
/// It only moves bytes: whether they are right is for CheckedBytes to say. SQLite detects some
/// damage by itself; what it does not detect gives wrong bytes, or none, but nothing worse.
///
/// Threads: one at a time for each connection; any number of connections and processes.
#pragma once

#include "icd_glue/cache/CheckedBytes.h"
#include "icd_glue/cache/Sqlite.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <memory>
#include <string>

namespace icd {

class CacheDatabase {
public:
  enum class Mode : uint8_t {
    ReadWrite,
    ReadOnly,
    Immutable, ///< nobody changes the file; nothing is locked
  };
  enum class State : uint8_t {
    Ready,
    Missing, ///< no file, or an empty one
    Busy,
    Damaged, ///< one of ours
    Foreign, ///< not one of ours
    Failed,
  };
  struct Opened {
    State state = State::Failed;
    std::unique_ptr<CacheDatabase> database; ///< null unless Ready
    std::string why;                         ///< empty if Ready
  };
  /// Never makes a file. \p waitMs: how long locks of others are waited for.
  static Opened open(const std::string &path, Mode mode, int waitMs);
  /// Makes the tables in a file that is not there or empty. Nobody else may have it open. The
  /// result is Ready, Foreign (there is something in it) or Failed.
  static State create(const std::string &path);
  ~CacheDatabase();

  /// Row: \p use was called with the time of the last use, in seconds, and the bytes.
  SqlResult read(int64_t id,
                 llvm::function_ref<void(int64_t used, llvm::ArrayRef<uint8_t> body)> use);

  /// Row: there are such entries. Calls \p use for at most \p most entries of a generation, the
  /// last used first, until it returns false.
  SqlResult
  list(llvm::ArrayRef<uint8_t> generation, int64_t most,
       llvm::function_ref<bool(int64_t id, int64_t used, llvm::ArrayRef<uint8_t> body)> use);
  struct Generation {
    std::vector<uint8_t> name;
    int64_t used = 0; ///< seconds
    uint64_t entries = 0, bytes = 0;
  };
  /// All generations, the last used first.
  SqlResult generations(std::vector<Generation> &all);

  struct Entry {
    int64_t id = 0;
    std::vector<uint8_t> body;
  };
  /// What one transaction does.
  struct Changes {
    llvm::ArrayRef<uint8_t> generation; ///< of `stored`
    std::vector<Entry> stored;
    std::vector<int64_t> used;    ///< entries that were used now
    std::vector<int64_t> removed; ///< entries that are damaged
    int64_t now = 0;              ///< seconds
    uint64_t maxBytes = 0;        ///< size of the file
    uint64_t evicted = 0;         ///< result
  };
  /// Removes entries until there is room: first those of generations that nobody has used for a
  /// day, then the least recently used. All or nothing happens. Failed if there is no room.
  SqlResult apply(Changes &changes);

  /// How long locks of others are waited for from now on.
  void setWait(int milliseconds);
  /// Is the file that is open no longer the one at the path?
  bool hasMoved() const;

private:
  CacheDatabase() = default;
  State connect(const std::string &path, Mode mode, int waitMs);
  State checkTables();
  State judgeDamage();
  State prepareAll(Mode mode);
  SqlResult change(Changes &changes);
  SqlResult findGeneration(const Changes &changes, int64_t &id);
  SqlResult makeRoom(Changes &changes, int64_t generation, uint64_t bytes);
  SqlResult findVictim(const Changes &changes, int64_t generation, int64_t &victim);
  SqlResult number(Statement &statement, int64_t &value);
  void shrink(const Changes &changes);

  /// Statements go before what they belong to.
  struct Closer {
    void operator()(sqlite3 *database) const;
  };
  std::unique_ptr<sqlite3, Closer> handle;
  Statement select, listOf, generationList, begin, commit, rollback, insert, isSame, erase, touch;
  Statement generationOf, addGeneration, useGeneration, removeGeneration, staleGeneration;
  Statement oldestOf, oldestOfAll, pageCount, freeCount, vacuum;
  int64_t pageBytes = 0;
  bool hasOurTables = false;
};

} // namespace icd
