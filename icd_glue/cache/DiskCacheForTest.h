//===- DiskCacheForTest.h - caches in folders that go away ----------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/cache/DiskCache.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <sqlite3.h>
#include <sys/stat.h>

namespace icd::disktest {

inline std::vector<uint8_t> readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline void writeFile(const std::string &path, llvm::ArrayRef<uint8_t> bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  if (!file)
    file.open(path, std::ios::binary);
  file.write(reinterpret_cast<const char *>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
}

inline CacheKey keyOf(uint32_t number) {
  return {CacheKey::Domain::Code, {number, number ^ 0x1234567, 3, ~number}};
}

inline std::vector<uint8_t> randomBytes(size_t size, uint32_t seed) {
  std::minstd_rand random(seed + 1);
  std::vector<uint8_t> bytes(size);
  for (uint8_t &byte : bytes)
    byte = static_cast<uint8_t>(random() >> 8);
  return bytes;
}

/// Some bytes that compress, of various sizes.
inline std::vector<uint8_t> bytesOf(uint32_t number) {
  std::vector<uint8_t> bytes = randomBytes(100 + number * 37 % 1500, number);
  bytes.insert(bytes.end(), 500 + number * 53 % 5000, static_cast<uint8_t>(number));
  return bytes;
}

/// A new folder, and a cache in it.
struct Folder {
  Folder() {
    umask(022); // files that tests write are like those of users whom nobody else writes to
    llvm::SmallString<64> name;
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("kiln-disk-cache", name));
    folder = name.str().str();
  }
  ~Folder() { llvm::sys::fs::remove_directories(folder); }
  Folder(const Folder &) = delete;

  std::string path() const { return folder + "/test.db"; }
  DiskCache::Options options() {
    DiskCache::Options options;
    options.path = path();
    options.generation = {1, 2, 3};
    options.log = [this](llvm::StringRef message) { messages.push_back(message.str()); };
    return options;
  }

  /// The last column of the last row that \p sql gives, with SQLite's own defaults.
  std::string text(const std::string &sql) const {
    sqlite3 *database = nullptr;
    std::string result;
    EXPECT_EQ(sqlite3_open(path().c_str(), &database), SQLITE_OK);
    auto take = [](void *result, int count, char **values, char **) {
      *static_cast<std::string *>(result) = count && values[count - 1] ? values[count - 1] : "";
      return 0;
    };
    EXPECT_EQ(sqlite3_exec(database, sql.c_str(), take, &result, nullptr), SQLITE_OK)
        << sqlite3_errmsg(database);
    sqlite3_close(database);
    return result;
  }
  void execute(const std::string &sql) const { (void)text(sql); }
  int64_t number(const std::string &sql) const { return std::stoll(text(sql)); }

  std::string folder;
  std::vector<std::string> messages;
};

} // namespace icd::disktest
