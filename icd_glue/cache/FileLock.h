//===- FileLock.h - who uses a file of the cache --------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A file beside the database that all users hold a shared lock on. Only whoever has it alone may
/// make the database or put another one in its place: SQLite cannot bear that while others have the
/// file open. The number in it changes each time, so that those who waited know that it is done.
/// Locks end with their process, however it ends.
#pragma once

#include <cstdint>
#include <string>

namespace icd {

class FileLock {
public:
  FileLock() = default;
  ~FileLock();
  FileLock(const FileLock &) = delete;

  /// Makes the file if \p mayCreate. False: not possible.
  bool open(const std::string &path, bool mayCreate);
  /// These return at once; false: somebody else has it. A lock that was held is lost then.
  bool share();
  bool takeAlone();
  void release();

  /// For those who hold the lock. 0 if it cannot be read.
  uint64_t number() const;
  /// For who holds it alone.
  bool setNumber(uint64_t number);

private:
  int descriptor = -1;
};

} // namespace icd
