//===- Sqlite.cpp - what the cache on disk needs of SQLite ----------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/cache/Sqlite.h"
#include <sqlite3.h>

namespace icd {

SqlResult sqlResultOf(int code) {
  switch (code & 0xff) { // the rest says more about the same
  case SQLITE_OK:
  case SQLITE_DONE:
    return SqlResult::Done;
  case SQLITE_ROW:
    return SqlResult::Row;
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
  case SQLITE_PROTOCOL:
    return SqlResult::Busy;
  case SQLITE_CORRUPT:
  case SQLITE_NOTADB:
  case SQLITE_FORMAT:
  // Statements and values are always the same: tables or indices are not what they were.
  case SQLITE_ERROR:
  case SQLITE_CONSTRAINT:
  case SQLITE_MISMATCH:
    return SqlResult::Damaged;
  default:
    return SqlResult::Failed;
  }
}

SqlResult execute(sqlite3 *database, const char *sql) {
  return sqlResultOf(sqlite3_exec(database, sql, nullptr, nullptr, nullptr));
}

Statement::~Statement() { sqlite3_finalize(handle); }

SqlResult Statement::prepare(sqlite3 *database, const char *sql) {
  return sqlResultOf(
      sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &handle, nullptr));
}

SqlResult Statement::step() { return sqlResultOf(sqlite3_step(handle)); }

void Statement::reset() { sqlite3_reset(handle); }

int64_t Statement::integer(int column) { return sqlite3_column_int64(handle, column); }

llvm::ArrayRef<uint8_t> Statement::blob(int column) {
  // In this order: the size is that of the last conversion.
  auto *data = static_cast<const uint8_t *>(sqlite3_column_blob(handle, column));
  const int size = sqlite3_column_bytes(handle, column);
  return {data, data ? static_cast<size_t>(size) : 0};
}

llvm::StringRef Statement::text(int column) {
  auto *data = reinterpret_cast<const char *>(sqlite3_column_text(handle, column));
  const int size = sqlite3_column_bytes(handle, column);
  return {data, data ? static_cast<size_t>(size) : 0};
}

void Statement::bind(int index, int64_t value) { sqlite3_bind_int64(handle, index, value); }

void Statement::bind(int index, llvm::ArrayRef<uint8_t> value) {
  sqlite3_bind_blob64(handle, index, value.data(), value.size(), SQLITE_STATIC);
}

} // namespace icd
