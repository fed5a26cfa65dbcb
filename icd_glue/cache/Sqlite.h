//===- Sqlite.h - what the cache on disk needs of SQLite ------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// SQLite's result codes as the few that somebody acts upon, and prepared statements.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

struct sqlite3;
struct sqlite3_stmt;

namespace icd {

enum class SqlResult : uint8_t {
  Done,    ///< no (more) row
  Row,     ///< the columns can be read
  Busy,    ///< others kept it locked for as long as we wait
  Damaged, ///< the file is not what SQLite wrote
  Failed,  ///< anything else: full disk, no permission, no memory
};

inline bool isGood(SqlResult result) { return result <= SqlResult::Row; }

/// \p code: of SQLite's C interface.
SqlResult sqlResultOf(int code);

/// Executes statements that give no rows.
SqlResult execute(sqlite3 *database, const char *sql);

class Statement {
public:
  Statement() = default;
  ~Statement();
  Statement(const Statement &) = delete;

  SqlResult prepare(sqlite3 *database, const char *sql);
  /// Binds 64-bit integers and blobs to ?1, ?2, ..., and makes the first step. Blobs must live
  /// until reset().
  template <typename... Values> SqlResult first(const Values &...values) {
    int index = 0;
    (bind(++index, values), ...);
    return step();
  }
  /// The same without rows, and all is over.
  template <typename... Values> SqlResult run(const Values &...values) {
    const SqlResult result = first(values...);
    reset();
    return result;
  }
  SqlResult step();
  /// Ends what first() began; locks of a read are gone then. The columns must not be used any more.
  void reset();

  int64_t integer(int column);
  llvm::ArrayRef<uint8_t> blob(int column);
  llvm::StringRef text(int column);

private:
  void bind(int index, int64_t value);
  void bind(int index, llvm::ArrayRef<uint8_t> value);

  sqlite3_stmt *handle = nullptr;
};

/// Resets a statement at the end of a scope.
class ResetAtEnd {
public:
  explicit ResetAtEnd(Statement &statement) : statement(statement) {}
  ~ResetAtEnd() { statement.reset(); }
  ResetAtEnd(const ResetAtEnd &) = delete;

private:
  Statement &statement;
};

} // namespace icd
