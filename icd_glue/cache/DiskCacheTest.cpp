//===- DiskCacheTest.cpp --------------------------------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/cache/DiskCache.h"
#include "icd_glue/cache/DiskCacheForTest.h"
#include "llvm/Support/FileSystem.h"
#include <cerrno>
#include <csignal>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <thread>

namespace icd {
namespace {

using namespace disktest;

TEST(DiskCache, whatIsStoredOutlivesTheCache) {
  Folder folder;
  {
    DiskCache cache(folder.options());
    EXPECT_EQ(cache.load(keyOf(1)), std::nullopt);
    EXPECT_TRUE(cache.storeNow(keyOf(1), bytesOf(1)));
    EXPECT_EQ(cache.load(keyOf(1)), bytesOf(1));
    // Another domain is another key; so is another generation.
    EXPECT_EQ(cache.load({CacheKey::Domain::Part, keyOf(1).hash}), std::nullopt);
    EXPECT_TRUE(cache.storeNow(keyOf(2), {}));
    EXPECT_EQ(cache.counters().hits, 1u);
    EXPECT_EQ(cache.counters().misses, 2u);
    EXPECT_EQ(cache.counters().stored, 2u);
  }
  DiskCache again(folder.options());
  EXPECT_EQ(again.load(keyOf(1)), bytesOf(1));
  EXPECT_EQ(again.load(keyOf(2)), std::vector<uint8_t>());
  DiskCache::Options other = folder.options();
  other.generation = {9};
  DiskCache otherBuild(other);
  EXPECT_EQ(otherBuild.load(keyOf(1)), std::nullopt);
  // Two caches of one process see what the other one stores, and what it replaces.
  EXPECT_TRUE(again.storeNow(keyOf(3), bytesOf(3)));
  EXPECT_TRUE(otherBuild.storeNow(keyOf(3), bytesOf(4)));
  EXPECT_EQ(again.load(keyOf(3)), bytesOf(3));
  EXPECT_EQ(otherBuild.load(keyOf(3)), bytesOf(4));
  EXPECT_TRUE(again.storeNow(keyOf(3), bytesOf(5)));
  EXPECT_EQ(again.load(keyOf(3)), bytesOf(5));
  EXPECT_TRUE(folder.messages.empty()) << folder.messages.front();
}

TEST(DiskCache, sizesOfAllKinds) {
  Folder folder;
  DiskCache cache(folder.options());
  for (size_t size : {0u, 1u, 13u, 4000u, 4096u, 70000u, 3000000u}) {
    const std::vector<uint8_t> random = randomBytes(size, 7), equal(size, 3);
    EXPECT_TRUE(cache.storeNow(keyOf(1), random));
    EXPECT_TRUE(cache.storeNow(keyOf(2), equal));
    EXPECT_EQ(cache.load(keyOf(1)), random);
    EXPECT_EQ(cache.load(keyOf(2)), equal);
  }
  // Too large to keep.
  DiskCache::Options options = folder.options();
  options.maxBytes = 1 << 20;
  DiskCache small(options);
  EXPECT_FALSE(small.storeNow(keyOf(3), randomBytes(200000, 8)));
  EXPECT_EQ(small.load(keyOf(3)), std::nullopt);
  EXPECT_EQ(small.counters().notStored, 1u);
}

TEST(DiskCache, writesLaterByAThread) {
  Folder folder;
  DiskCache::Options options = folder.options();
  options.writesLater = true;
  {
    DiskCache cache(options);
    for (uint32_t number = 0; number < 100; ++number)
      cache.store(keyOf(number), bytesOf(number));
    cache.flush();
    EXPECT_EQ(cache.counters().stored, 100u);
    for (uint32_t number = 100; number < 200; ++number)
      cache.store(keyOf(number), bytesOf(number));
  }
  DiskCache again(folder.options());
  for (uint32_t number = 0; number < 200; ++number)
    EXPECT_EQ(again.load(keyOf(number)), bytesOf(number)) << number;
  // What does not fit into the queue is dropped.
  options.queueBytes = 10;
  DiskCache tight(options);
  tight.store(keyOf(300), bytesOf(300));
  tight.flush();
  EXPECT_EQ(tight.counters().notStored, 1u);
  // So is everything when the system gives no thread.
  options = folder.options();
  options.writesLater = true;
  options.createThread = [](pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) {
    return EAGAIN;
  };
  DiskCache alone(options);
  alone.store(keyOf(300), bytesOf(300));
  alone.flush();
  EXPECT_EQ(alone.counters().notStored, 1u);
  EXPECT_EQ(alone.load(keyOf(1)), bytesOf(1));
}

TEST(DiskCache, theLeastRecentlyUsedGoFirst) {
  Folder folder;
  DiskCache::Options options = folder.options();
  options.maxBytes = 1 << 20;
  options.generation = {9};
  {
    // An old build's entries, used later than all others but by nobody since.
    DiskCache cache(options);
    for (uint32_t number = 0; number < 20; ++number)
      EXPECT_TRUE(cache.storeNow(keyOf(number), randomBytes(10000, number)));
  }
  const std::string day = std::to_string(24 * 3600);
  folder.execute("UPDATE kilnGeneration SET used=used-2*" + day);
  options.generation = {1};
  DiskCache cache(options);
  for (uint32_t number = 0; number < 40; ++number)
    EXPECT_TRUE(cache.storeNow(keyOf(number), randomBytes(10000, number)));
  // All are old, 0 is the oldest; a hit makes it new.
  folder.execute("UPDATE kilnEntry SET used=used-" + day +
                 "+(SELECT count(*) FROM kilnEntry e WHERE e.rowid<kilnEntry.rowid)");
  EXPECT_NE(cache.load(keyOf(0)), std::nullopt);
  for (uint32_t number = 100; number < 160; ++number) {
    EXPECT_TRUE(cache.storeNow(keyOf(number), randomBytes(10000, number)));
    EXPECT_NE(cache.load(keyOf(number)), std::nullopt);
  }
  EXPECT_NE(cache.load(keyOf(0)), std::nullopt);
  EXPECT_EQ(folder.number("SELECT count(*) FROM kilnGeneration"), 1);
  EXPECT_GT(cache.counters().evicted, 20u);
  EXPECT_LE(folder.number("PRAGMA page_count") * 4096, 1 << 20);
  EXPECT_GT(folder.number("SELECT count(*) FROM kilnEntry"), 60);
  EXPECT_EQ(folder.text("PRAGMA integrity_check"), "ok");
}

TEST(DiskCache, aLowerLimitIsReachedInSteps) {
  Folder folder;
  DiskCache::Options options = folder.options();
  {
    DiskCache cache(options);
    for (uint32_t number = 0; number < 1500; ++number)
      EXPECT_TRUE(cache.storeNow(keyOf(number), randomBytes(5000, number)));
  }
  EXPECT_GT(folder.number("PRAGMA page_count") * 4096, 7 << 20);
  options.maxBytes = 1 << 20;
  DiskCache cache(options);
  for (uint32_t number = 2000; number < 2020; ++number) {
    EXPECT_TRUE(cache.storeNow(keyOf(number), randomBytes(5000, number)));
    EXPECT_EQ(cache.load(keyOf(number)), randomBytes(5000, number));
  }
  EXPECT_LE(folder.number("PRAGMA page_count") * 4096, 1 << 20);
}

TEST(DiskCache, readOnlyFilesAreAskedAfterIt) {
  Folder folder, compiled, none;
  {
    DiskCache cache(compiled.options());
    EXPECT_TRUE(cache.storeNow(keyOf(1), bytesOf(1)));
    EXPECT_TRUE(cache.storeNow(keyOf(2), bytesOf(2)));
  }
  // Nothing but the file: no log, no lock, no permission.
  const std::string path = compiled.folder + "/with space%?#.db";
  ASSERT_EQ(rename(compiled.path().c_str(), path.c_str()), 0);
  ASSERT_EQ(chmod(path.c_str(), 0400), 0);
  const std::vector<uint8_t> before = readFile(path);
  DiskCache::Options options = folder.options();
  options.readOnlyPaths = {none.path(), path};
  {
    DiskCache cache(options);
    EXPECT_EQ(folder.messages.size(), 1u) << "about the file that is not there";
    EXPECT_TRUE(cache.storeNow(keyOf(2), bytesOf(3)));
    EXPECT_EQ(cache.load(keyOf(1)), bytesOf(1));
    EXPECT_EQ(cache.load(keyOf(2)), bytesOf(3));
    EXPECT_EQ(cache.load(keyOf(4)), std::nullopt);
    EXPECT_EQ(cache.counters().readOnlyHits, 1u);
    EXPECT_EQ(cache.counters().hits, 2u);
  }
  options.path.clear(); // they work alone, too
  DiskCache cache(options);
  EXPECT_TRUE(cache.isUsed());
  EXPECT_EQ(cache.load(keyOf(2)), bytesOf(2));
  EXPECT_FALSE(cache.storeNow(keyOf(5), bytesOf(5)));
  EXPECT_EQ(readFile(path), before);
  EXPECT_FALSE(llvm::sys::fs::exists(path + "-wal") || llvm::sys::fs::exists(path + "-lock"));
}

TEST(DiskCache, readOnlyModeWritesNothing) {
  Folder folder, empty;
  {
    DiskCache cache(folder.options());
    EXPECT_TRUE(cache.storeNow(keyOf(1), bytesOf(1)));
  }
  DiskCache::Options options = folder.options();
  options.isReadOnly = true;
  {
    DiskCache cache(options);
    EXPECT_EQ(cache.load(keyOf(1)), bytesOf(1));
    EXPECT_FALSE(cache.storeNow(keyOf(2), bytesOf(2)));
  }
  EXPECT_EQ(folder.number("SELECT count(*) FROM kilnEntry"), 1);
  options = empty.options();
  options.isReadOnly = true;
  DiskCache nothing(options);
  EXPECT_FALSE(nothing.isUsed());
  EXPECT_EQ(nothing.load(keyOf(1)), std::nullopt);
  EXPECT_FALSE(llvm::sys::fs::exists(empty.path()));
}

TEST(DiskCache, foreignFilesStayAsTheyAre) {
  for (bool isDatabase : {false, true}) {
    Folder folder;
    if (isDatabase)
      folder.execute("CREATE TABLE notes(text); INSERT INTO notes VALUES('mine')");
    else
      writeFile(folder.path(), std::vector<uint8_t>(5000, 'a'));
    const std::vector<uint8_t> before = readFile(folder.path());
    {
      DiskCache cache(folder.options());
      EXPECT_FALSE(cache.isUsed());
      EXPECT_FALSE(cache.storeNow(keyOf(1), bytesOf(1)));
      EXPECT_EQ(cache.load(keyOf(1)), std::nullopt);
    }
    ASSERT_EQ(folder.messages.size(), 1u);
    EXPECT_NE(folder.messages[0].find("not a cache of this driver"), std::string::npos);
    EXPECT_EQ(readFile(folder.path()), before);
  }
}

TEST(DiskCache, locksOfOthersMakeMisses) {
  Folder folder;
  DiskCache::Options options = folder.options();
  options.writeWaitMs = 30;
  DiskCache cache(options);
  EXPECT_TRUE(cache.storeNow(keyOf(1), bytesOf(1)));
  sqlite3 *other = nullptr;
  ASSERT_EQ(sqlite3_open(folder.path().c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  // Somebody writes: we can read.
  EXPECT_EQ(cache.load(keyOf(1)), bytesOf(1));
  EXPECT_FALSE(cache.storeNow(keyOf(2), bytesOf(2)));
  EXPECT_EQ(cache.load(keyOf(2)), std::nullopt);
  EXPECT_EQ(cache.counters().notStored, 1u);
  ASSERT_EQ(sqlite3_exec(other, "COMMIT", nullptr, nullptr, nullptr), SQLITE_OK);
  EXPECT_TRUE(cache.storeNow(keyOf(2), bytesOf(2)));
  EXPECT_EQ(cache.load(keyOf(2)), bytesOf(2));
  sqlite3_close(other);
}

TEST(DiskCache, whoWaitsForALockWaitsOnce) {
  Folder folder;
  DiskCache::Options options = folder.options();
  options.writesLater = true;
  options.writeWaitMs = 300;
  DiskCache cache(options);
  EXPECT_TRUE(cache.storeNow(keyOf(1), bytesOf(1)));
  sqlite3 *other = nullptr;
  ASSERT_EQ(sqlite3_open(folder.path().c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  // A thousand transactions, of which the first fails, or some, until somebody waits.
  constexpr uint32_t count = 30000;
  for (uint32_t number = 0; number < count; ++number)
    cache.store(keyOf(number), bytesOf(1));
  cache.flush();
  EXPECT_EQ(cache.counters().notStored, count);
  ASSERT_EQ(sqlite3_exec(other, "COMMIT", nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(other);
  cache.store(keyOf(2), bytesOf(2));
  cache.flush();
  EXPECT_EQ(cache.load(keyOf(2)), bytesOf(2));
}

TEST(DiskCache, aPipeIsNotWaitedFor) {
  Folder folder;
  ASSERT_EQ(mkfifo(folder.path().c_str(), 0600), 0);
  for (bool isReadOnly : {false, true}) {
    DiskCache::Options options = folder.options();
    options.isReadOnly = isReadOnly;
    DiskCache cache(options);
    EXPECT_FALSE(cache.isUsed());
    EXPECT_EQ(cache.load(keyOf(1)), std::nullopt);
  }
}

TEST(DiskCache, aFullDiskLosesNothing) {
  Folder folder;
  DiskCache cache(folder.options());
  EXPECT_TRUE(cache.storeNow(keyOf(1), bytesOf(1)));
  // Files that do not grow, as if the disk were full.
  rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  signal(SIGXFSZ, SIG_IGN);
  const rlimit small = {40000, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  uint32_t stored = 0;
  for (uint32_t number = 2; number < 40; ++number)
    stored += cache.storeNow(keyOf(number), randomBytes(5000, number));
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  signal(SIGXFSZ, SIG_DFL);
  EXPECT_LT(stored, 10u);
  EXPECT_EQ(cache.counters().notStored, 38 - stored);
  EXPECT_TRUE(cache.isUsed());
  EXPECT_EQ(cache.load(keyOf(1)), bytesOf(1));
  EXPECT_TRUE(cache.storeNow(keyOf(50), bytesOf(50)));
  EXPECT_EQ(cache.load(keyOf(50)), bytesOf(50));
  EXPECT_EQ(folder.text("PRAGMA integrity_check"), "ok");
}

TEST(DiskCache, aFileThatIsDamagedWhileItIsUsedIsMadeAnew) {
  Folder folder;
  DiskCache first(folder.options());
  for (uint32_t number = 0; number < 50; ++number)
    EXPECT_TRUE(first.storeNow(keyOf(number), bytesOf(number)));
  folder.execute("PRAGMA wal_checkpoint(truncate)");
  DiskCache second(folder.options());
  std::vector<uint8_t> bytes = readFile(folder.path());
  const size_t size = bytes.size();
  for (size_t position = 4096; position < size; ++position)
    bytes[position] ^= 0x55;
  writeFile(folder.path(), bytes);
  // The second one has the file open, so that the first one must leave it alone.
  for (uint32_t number = 0; number < 50; ++number)
    EXPECT_NE(first.load(keyOf(number)), bytesOf(number + 1));
  EXPECT_FALSE(first.storeNow(keyOf(60), bytesOf(60)));
  EXPECT_FALSE(first.isUsed());
  for (uint32_t number = 0; number < 50; ++number)
    EXPECT_EQ(second.load(keyOf(number)), std::nullopt);
  second.storeNow(keyOf(60), bytesOf(60));
  EXPECT_TRUE(second.storeNow(keyOf(60), bytesOf(60)));
  EXPECT_EQ(second.load(keyOf(60)), bytesOf(60));
  EXPECT_EQ(folder.messages.size(), 2u);
  DiskCache third(folder.options());
  EXPECT_EQ(third.load(keyOf(60)), bytesOf(60));
}

TEST(DiskCache, aDamagedEntryIsRemoved) {
  Folder folder;
  DiskCache cache(folder.options());
  EXPECT_TRUE(cache.storeNow(keyOf(1), bytesOf(1)));
  EXPECT_TRUE(cache.storeNow(keyOf(2), bytesOf(2)));
  folder.execute("UPDATE kilnEntry SET body=(SELECT max(body) FROM kilnEntry)");
  EXPECT_EQ((cache.load(keyOf(1)) == std::nullopt) + (cache.load(keyOf(2)) == std::nullopt), 1);
  EXPECT_EQ(cache.counters().damaged, 1u);
  EXPECT_TRUE(cache.storeNow(keyOf(3), bytesOf(3)));
  EXPECT_EQ(folder.number("SELECT count(*) FROM kilnEntry"), 2);
}

TEST(DiskCache, threadsShareIt) {
  Folder folder;
  DiskCache::Options options = folder.options();
  options.writesLater = true;
  DiskCache cache(options);
  std::vector<std::thread> threads;
  for (uint32_t thread = 0; thread < 4; ++thread)
    threads.emplace_back([&, thread] {
      for (uint32_t number = 0; number < 200; ++number) {
        const uint32_t shared = number * (thread + 1) % 97;
        if (auto found = cache.load(keyOf(shared)))
          EXPECT_EQ(*found, bytesOf(shared));
        else
          cache.store(keyOf(shared), bytesOf(shared));
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  cache.flush();
  for (uint32_t number = 0; number < 97; ++number)
    EXPECT_EQ(cache.load(keyOf(number)), bytesOf(number));
}

} // namespace
} // namespace icd
