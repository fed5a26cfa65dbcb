//===- CacheContentTest.cpp -----------------------------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/cache/CacheContent.h"
#include "icd_glue/cache/BytesForTest.h"
#include "llvm/ADT/ArrayRef.h"
#include <gtest/gtest.h>
#include <random>
#include <thread>

namespace icd {
namespace {

/// A record is any bytes that begin with the domain.
llvm::Expected<ShaderCache::Object> deserializeBytes(const CacheKey &key,
                                                     std::vector<uint8_t> record) {
  if (record.empty() || record[0] != uint8_t(key.domain))
    return lgc::invalidInput("of another kind");
  return std::make_shared<BytesObject>(std::move(record));
}

constexpr auto pipelineDomain = CacheKey::Domain::Pipeline;

CacheKey key(uint32_t number, CacheKey::Domain domain = pipelineDomain) {
  return {domain, {number, 7, number, number}};
}

/// Bytes that compress like code: some, but not to nothing.
ShaderCache::Object object(uint32_t number, CacheKey::Domain domain = pipelineDomain,
                           size_t size = 700) {
  std::minstd_rand random(number + 1);
  std::vector<uint8_t> bytes(size);
  for (uint8_t &byte : bytes)
    byte = uint8_t(random() % 4 ? random() % 8 : random());
  bytes[0] = uint8_t(domain);
  return std::make_shared<BytesObject>(std::move(bytes));
}

struct Cache : CacheContent {
  explicit Cache(llvm::ArrayRef<uint8_t> data = {}, bool external = false)
      : CacheContent(deserializeBytes, external) {
    read(data);
  }
  std::vector<uint8_t> data() {
    bool isComplete = false;
    std::vector<uint8_t> bytes = write(SIZE_MAX, isComplete);
    EXPECT_TRUE(isComplete);
    return bytes;
  }
  /// Is it what object(number) is? 0: nothing is there. -1: something else.
  int has(uint32_t number, CacheKey::Domain domain = pipelineDomain,
          uint32_t content = UINT32_MAX) {
    const Object found = find(key(number, domain));
    if (!found)
      return 0;
    const uint32_t expected = content == UINT32_MAX ? number : content;
    return found->record() == object(expected, domain)->record() ? 1 : -1;
  }
};

/// An application asks for the size first. Code may be improved before it asks for the data.
TEST(CacheContent, DataHasTheSizeThatWasSaid) {
  Cache cache;
  cache.insert(key(1), object(1));
  cache.insert(key(2), object(2));
  const std::vector<uint8_t> before = cache.data();
  bool isComplete = false;
  const size_t size = cache.dataBytes();
  cache.improve(key(1), object(3, pipelineDomain, 5000));
  EXPECT_EQ(cache.has(1, pipelineDomain, 3), -1); // of another size
  EXPECT_EQ(cache.write(size, isComplete), before);
  EXPECT_TRUE(isComplete);
  // Once: the next one has what is there, as far as it fits.
  EXPECT_LT(cache.write(size, isComplete).size(), size);
  EXPECT_FALSE(isComplete);
  // What fits is as new as it can be.
  const size_t larger = cache.dataBytes();
  cache.improve(key(1), object(4));
  EXPECT_EQ(cache.write(larger, isComplete).size(), size);
  EXPECT_TRUE(isComplete);
  // What the application has added meanwhile is missing, and it is told.
  EXPECT_EQ(cache.dataBytes(), size);
  cache.insert(key(5), object(5));
  EXPECT_EQ(cache.write(size, isComplete).size(), size);
  EXPECT_FALSE(isComplete);
}

TEST(CacheContent, WhatIsPutInComesOutOfTheData) {
  Cache first;
  EXPECT_EQ(first.has(1), 0);
  const ShaderCache::Object one = object(1);
  first.insert(key(1), one);
  EXPECT_EQ(first.find(key(1)), one);
  first.insert(key(1), object(5)); // stays
  EXPECT_EQ(first.find(key(1)), one);
  first.insert(key(2), object(2));
  first.insert(key(2, CacheKey::Domain::Part), object(2, CacheKey::Domain::Part));
  Cache second(first.data());
  EXPECT_EQ(second.size(), 3u);
  EXPECT_EQ(second.has(1), 1);
  EXPECT_EQ(second.has(2), 1);
  EXPECT_EQ(second.has(2, CacheKey::Domain::Part), 1);
  EXPECT_EQ(second.has(1, CacheKey::Domain::Part), 0);
  EXPECT_EQ(second.find(key(1)), second.find(key(1)));
  EXPECT_EQ(second.data().size(), second.dataBytes());
  // The same content gives the same data, whether it was unpacked or not.
  EXPECT_EQ(second.data(), first.data());
  EXPECT_EQ(Cache(first.data(), /*external=*/true).data(), first.data());
  first.replace(key(1), object(5));
  EXPECT_EQ(first.has(1, pipelineDomain, 5), 1);
}

/// Whoever has found an object finds what replaces it, on every processor.
TEST(CacheContent, WhatIsReplacedIsNotFoundAgain) {
  Cache cache;
  cache.insert(key(1), object(0));
  std::atomic<uint32_t> newest = 0;
  std::atomic<bool> stop = false;
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 2; ++i)
    threads.emplace_back([&] {
      while (!stop) {
        const uint32_t atLeast = newest;
        const auto found = cache.find(key(1));
        const auto record = found ? found->record() : std::vector<uint8_t>();
        bool isNewEnough = false;
        for (uint32_t number = atLeast, last = newest + 1; number <= last; ++number)
          isNewEnough |= record == object(number)->record();
        ASSERT_TRUE(isNewEnough) << atLeast;
      }
    });
  for (uint32_t number = 1; number <= 300; ++number) {
    cache.replace(key(1), object(number));
    newest = number;
    ASSERT_EQ(cache.has(1, pipelineDomain, number), 1);
  }
  stop = true;
  for (std::thread &thread : threads)
    thread.join();
}

TEST(CacheContent, EqualCodeIsKeptOnce) {
  Cache cache;
  cache.insert(key(1), object(9));
  const size_t one = cache.data().size();
  for (uint32_t number = 2; number < 20; ++number)
    cache.insert(key(number), object(9));
  EXPECT_EQ(cache.data().size(), one + 18 * 16);
  Cache read(cache.data());
  EXPECT_EQ(read.size(), 19u);
  EXPECT_EQ(read.find(key(1)), read.find(key(19)));
}

TEST(CacheContent, IncompleteDataHoldsWholeEntries) {
  Cache cache;
  for (uint32_t number = 0; number < 10; ++number)
    cache.insert(key(number), object(number, pipelineDomain, 200 + 100 * number));
  const size_t whole = cache.dataBytes();
  size_t last = 0;
  for (size_t limit = 0; limit <= whole; limit += limit < 40 ? 1 : 97) {
    bool isComplete = false;
    const std::vector<uint8_t> data = cache.write(limit, isComplete);
    EXPECT_LE(data.size(), limit);
    EXPECT_FALSE(isComplete && limit < whole);
    Cache read(data);
    last = read.size();
    EXPECT_EQ(last > 0, data.size() > 8) << limit;
  }
  EXPECT_GE(last, 8u);
  bool isComplete = false;
  EXPECT_EQ(Cache(cache.write(whole, isComplete)).size(), 10u);
  EXPECT_TRUE(isComplete);
}

TEST(CacheContent, MergingTakesWhatIsMissing) {
  Cache to, from;
  to.insert(key(1), object(1));
  from.insert(key(1), object(8));
  from.insert(key(2), object(2));
  Cache packed(Cache(from.data()).data());
  to.merge(packed);
  EXPECT_EQ(to.size(), 2u);
  EXPECT_EQ(to.has(1), 1);
  EXPECT_EQ(to.has(2), 1);
  EXPECT_EQ(packed.has(1, pipelineDomain, 8), 1);
}

TEST(CacheContent, DamageCostsOneEntry) {
  Cache cache;
  constexpr uint32_t count = 6;
  for (uint32_t number = 0; number < count; ++number)
    cache.insert(key(number), object(number));
  const std::vector<uint8_t> data = cache.data();
  for (size_t i = 0; i < data.size(); ++i) {
    std::vector<uint8_t> damaged = data;
    damaged[i] ^= uint8_t(1 << (i % 8));
    Cache read(damaged);
    uint32_t there = 0;
    for (uint32_t number = 0; number < count; ++number) {
      const int has = read.has(number);
      EXPECT_NE(has, -1) << i;
      there += has == 1;
    }
    EXPECT_EQ(there, i < 8 ? 0u : count - 1) << i;
    // What is missing is put there again, and the data is what it was.
    for (uint32_t number = 0; number < count; ++number)
      read.insert(key(number), object(number));
    EXPECT_EQ(read.data(), data) << i;
  }
}

TEST(CacheContent, TruncatedDataKeepsWhatIsWhole) {
  Cache cache;
  for (uint32_t number = 0; number < 6; ++number)
    cache.insert(key(number), object(number));
  const std::vector<uint8_t> data = cache.data();
  size_t before = 0;
  for (size_t size = 0; size <= data.size(); ++size) {
    Cache read(llvm::ArrayRef(data).take_front(size));
    EXPECT_GE(read.size(), before);
    before = read.size();
    for (uint32_t number = 0; number < 6; ++number)
      EXPECT_NE(read.has(number), -1);
  }
  EXPECT_EQ(before, 6u);
}

TEST(CacheContent, CodeForSomethingElseIsNotTaken) {
  Cache cache;
  // A sound entry whose record is of the wrong kind.
  cache.insert(key(1), object(1, CacheKey::Domain::Part));
  cache.insert(key(2), object(2));
  Cache read(cache.data());
  EXPECT_EQ(read.size(), 2u);
  EXPECT_EQ(read.find(key(1)), nullptr);
  EXPECT_EQ(read.find(key(1)), nullptr);
  EXPECT_EQ(read.has(2), 1);
  read.insert(key(1), object(1)); // takes its place
  EXPECT_EQ(read.has(1), 1);
}

TEST(CacheContent, MaliciousLengthsTakeLinearTime) {
  // Beginnings of entries that all claim the rest: each would be hashed.
  std::vector<uint8_t> data = Cache().data();
  for (unsigned i = 0; i < 200'000; ++i) {
    const uint32_t left = (200'000 - i) * 24;
    uint8_t begin[24] = {1, 2, 3, 4, 5, 6, 7, 8, 'K', 'L', 'C', 'E', 2};
    for (unsigned byte = 0; byte < 4; ++byte)
      begin[20 + byte] = uint8_t((left > 64 ? left - 64 : 0) >> (8 * byte));
    data.insert(data.end(), begin, begin + sizeof(begin));
  }
  EXPECT_EQ(Cache(data).size(), 0u);
}

TEST(CacheContent, ThreadsStress) {
  Cache source;
  for (uint32_t number = 0; number < 60; ++number)
    source.insert(key(number), object(number % 25));
  Cache cache(source.data());
  auto run = [&](uint32_t seed) {
    std::minstd_rand random(seed);
    for (unsigned i = 0; i < 3000; ++i) {
      const uint32_t number = random() % 90;
      const ShaderCache::Object found = cache.find(key(number));
      EXPECT_TRUE(found || number >= 60);
      if (random() % 16 == 0)
        cache.insert(key(number), object(number % 25));
      if (random() % 512 == 0) {
        EXPECT_GT(cache.data().size(), 1000u);
      }
      if (random() % 512 == 0)
        cache.merge(source);
    }
  };
  std::vector<std::thread> threads;
  for (uint32_t seed = 1; seed <= 4; ++seed)
    threads.emplace_back(run, seed);
  for (std::thread &thread : threads)
    thread.join();
  for (uint32_t number = 0; number < 60; ++number)
    EXPECT_EQ(cache.has(number, pipelineDomain, number % 25), 1);
}

} // namespace
} // namespace icd
