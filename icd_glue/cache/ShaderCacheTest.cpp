//===- ShaderCacheTest.cpp ------------------------------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/cache/ShaderCache.h"
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <sys/resource.h>
#include <unistd.h>

namespace icd {
namespace {

class Bytes : public CacheObject {
public:
  explicit Bytes(std::vector<uint8_t> bytes) : bytes(std::move(bytes)) {}
  std::vector<uint8_t> record() const override { return bytes; }
  size_t memoryBytes() const override { return bytes.size(); }

private:
  const std::vector<uint8_t> bytes;
};

ShaderCache::Object bytesOf(uint8_t value, size_t size = 1000) {
  return std::make_shared<Bytes>(std::vector<uint8_t>(size, value));
}

CacheKey key(uint32_t number, CacheKey::Domain domain = CacheKey::Domain::Part) {
  return {domain, {0, number, 0, number}};
}

/// First byte, or the error's text.
std::string textOf(llvm::Expected<ShaderCache::Object> object) {
  if (!object)
    return llvm::toString(object.takeError());
  return *object ? std::to_string((*object)->record().front()) : "nothing";
}

TEST(ShaderCache, WhatWasMadeIsFound) {
  ShaderCache cache(1 << 20);
  EXPECT_EQ(cache.find(key(1)), nullptr);
  EXPECT_EQ(textOf(cache.find(key(1))), "nothing");
  EXPECT_FALSE(cache.isKnown(key(1)));
  ShaderCache::Source source = ShaderCache::Source::Memory;
  EXPECT_EQ(textOf(cache.obtain(key(1), [] { return bytesOf(7); }, &source)), "7");
  EXPECT_EQ(source, ShaderCache::Source::Made);
  auto never = []() -> llvm::Expected<ShaderCache::Object> {
    ADD_FAILURE() << "made again";
    return bytesOf(0);
  };
  EXPECT_EQ(textOf(cache.obtain(key(1), never, &source)), "7");
  EXPECT_EQ(source, ShaderCache::Source::Memory);
  EXPECT_TRUE(cache.isKnown(key(1)));
  // Another domain is another key.
  EXPECT_EQ(cache.find(key(1, CacheKey::Domain::Code)), nullptr);
  cache.insert(key(1), bytesOf(8));
  EXPECT_EQ(textOf(cache.find(key(1))), "8");
  EXPECT_EQ(cache.counters().objects, 1u);
}

TEST(ShaderCache, LeastRecentlyUsedGoesFirst) {
  ShaderCache cache(4000); // three of them and what an entry costs
  for (uint32_t number : {1, 2, 3})
    cache.insert(key(number), bytesOf(1));
  EXPECT_NE(cache.find(key(1)), nullptr);
  cache.insert(key(4), bytesOf(1));
  EXPECT_EQ(cache.find(key(2)), nullptr);
  EXPECT_NE(cache.find(key(1)), nullptr);
  EXPECT_NE(cache.find(key(3)), nullptr);
  EXPECT_NE(cache.find(key(4)), nullptr);
  EXPECT_EQ(cache.counters().evicted, 1u);
  EXPECT_LE(cache.counters().bytes, 4000u);
  // What is larger than everything is not kept, and takes nothing with it.
  EXPECT_EQ(textOf(cache.obtain(key(5), [] { return bytesOf(9, 10000); })), "9");
  EXPECT_EQ(cache.find(key(5)), nullptr);
  EXPECT_EQ(cache.counters().objects, 3u);
}

TEST(ShaderCache, ObjectsOutliveTheirEviction) {
  ShaderCache cache(1500);
  cache.insert(key(1), bytesOf(5));
  ShaderCache::Object object = cache.find(key(1));
  cache.insert(key(2), bytesOf(6));
  EXPECT_EQ(cache.find(key(1)), nullptr);
  EXPECT_EQ(object->record().front(), 5);
}

/// Threads that all ask for one key while the first one is making it.
void raceForOne(ShaderCache &cache, const CacheKey &what, ShaderCache::Make make,
                const std::string &expected) {
  constexpr unsigned others = 3;
  std::vector<std::thread> threads;
  std::atomic<unsigned> made = 0;
  auto makeOnce = [&]() -> llvm::Expected<ShaderCache::Object> {
    ++made;
    // Not before all others wait, so that nobody comes late.
    while (cache.counters().waits < others)
      std::this_thread::yield();
    return make();
  };
  for (unsigned i = 0; i <= others; ++i)
    threads.emplace_back([&] { EXPECT_EQ(textOf(cache.obtain(what, makeOnce)), expected); });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(made, 1u);
}

TEST(ShaderCache, NothingIsMadeTwice) {
  ShaderCache cache(1 << 20);
  raceForOne(cache, key(1), [] { return bytesOf(3); }, "3");
}

/// A thread of low priority that gets no processor, here because it sleeps, is not waited for.
TEST(ShaderCache, WhoIsFasterAloneDoesNotWait) {
  ShaderCache cache(1 << 20);
  std::atomic<bool> isMaking = false, isDone = false;
  auto makeSlowly = [&]() -> llvm::Expected<ShaderCache::Object> {
    isMaking = true;
    while (!isDone)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return bytesOf(1);
  };
  constexpr int lowest = 19;
  if (getpriority(PRIO_PROCESS, 0) == lowest)
    GTEST_SKIP() << "there is no lower priority than that of this process";
  std::thread maker([&] {
    setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), lowest);
    EXPECT_EQ(textOf(cache.obtain(key(1), makeSlowly)), "1");
  });
  while (!isMaking)
    std::this_thread::yield();
  EXPECT_EQ(textOf(cache.find(key(1))), "nothing");
  ShaderCache::Source source = ShaderCache::Source::Memory;
  EXPECT_EQ(textOf(cache.obtain(key(1), [] { return bytesOf(2); }, &source)), "2");
  EXPECT_EQ(source, ShaderCache::Source::MadeToo);
  EXPECT_EQ(textOf(cache.find(key(1))), "2");
  isDone = true;
  maker.join();
  EXPECT_EQ(textOf(cache.find(key(1))), "2");
}

TEST(ShaderCache, AllWaitersGetTheError) {
  ShaderCache cache(1 << 20);
  auto fail = []() -> llvm::Expected<ShaderCache::Object> {
    return lgc::unsupported("part: mesh shader");
  };
  raceForOne(cache, key(1), fail, "unsupported: part: mesh shader");
  // Parts remember it, complete code objects are tried again.
  EXPECT_TRUE(cache.isKnown(key(1)));
  EXPECT_EQ(textOf(cache.obtain(key(1), [] { return bytesOf(1); })),
            "unsupported: part: mesh shader");
  const CacheKey whole = key(1, CacheKey::Domain::Code);
  EXPECT_EQ(textOf(cache.obtain(whole, fail)), "unsupported: part: mesh shader");
  EXPECT_EQ(textOf(cache.obtain(whole, [] { return bytesOf(1); })), "1");
}

TEST(ShaderCache, WhoMakesSomethingWaitsForNobody) {
  // Two threads that make one key each, and then want the other's: both would wait for ever.
  ShaderCache cache(1 << 20);
  std::atomic<unsigned> inside = 0;
  auto run = [&](uint32_t own, uint32_t other) {
    auto inner = [&]() -> llvm::Expected<ShaderCache::Object> { return bytesOf(uint8_t(other)); };
    auto outer = [&]() -> llvm::Expected<ShaderCache::Object> {
      ++inside;
      while (inside < 2)
        std::this_thread::yield();
      EXPECT_EQ(textOf(cache.obtain(key(other), inner)), std::to_string(other));
      EXPECT_EQ(textOf(cache.find(key(own))), "nothing");
      return bytesOf(uint8_t(own));
    };
    EXPECT_EQ(textOf(cache.obtain(key(own), outer)), std::to_string(own));
  };
  std::thread first(run, 1, 2), second(run, 2, 1);
  first.join();
  second.join();
  EXPECT_EQ(textOf(cache.find(key(1))), "1");
  EXPECT_EQ(textOf(cache.find(key(2))), "2");
}

/// A layer below that keeps everything.
class Store final : public CacheLayer {
public:
  std::optional<std::vector<uint8_t>> load(const CacheKey &key) override {
    auto found = data.find(key.hash);
    return found == data.end() ? std::nullopt : std::optional(found->second);
  }
  void store(const CacheKey &key, llvm::ArrayRef<uint8_t> elf) override {
    data[key.hash] = elf.vec();
  }
  std::map<llpc::Hash128, std::vector<uint8_t>> data;
};

llvm::Expected<ShaderCache::Object> deserialize(const CacheKey &, std::vector<uint8_t> bytes) {
  if (bytes.front() == 0xFF)
    return lgc::invalidInput("damaged");
  return std::make_shared<Bytes>(std::move(bytes));
}

TEST(ShaderCache, ALayerBelowIsAskedAndTold) {
  Store store;
  ShaderCache::Source source = ShaderCache::Source::Memory;
  {
    ShaderCache cache(1 << 20, &store, deserialize);
    EXPECT_EQ(textOf(cache.obtain(key(1), [] { return bytesOf(1); })), "1");
    cache.insert(key(2), bytesOf(2));
  }
  EXPECT_EQ(store.data.size(), 2u);
  store.data[key(2).hash].front() = 0xFF;
  ShaderCache cache(1 << 20, &store, deserialize);
  EXPECT_EQ(textOf(cache.obtain(key(1), [] { return bytesOf(10); }, &source)), "1");
  EXPECT_EQ(source, ShaderCache::Source::Below);
  // What is damaged there is made again, and replaced.
  EXPECT_EQ(textOf(cache.obtain(key(2), [] { return bytesOf(20); }, &source)), "20");
  EXPECT_EQ(source, ShaderCache::Source::Made);
  EXPECT_EQ(store.data[key(2).hash].front(), 20);
}

TEST(ShaderCache, NotEverythingIsKeptBelow) {
  struct Texts final : Bytes {
    using Bytes::Bytes;
    bool isKeptBelow() const override { return false; }
  };
  auto texts = [] { return std::make_shared<Texts>(std::vector<uint8_t>(10, 1)); };
  Store store;
  ShaderCache cache(1 << 20, &store, deserialize);
  EXPECT_EQ(textOf(cache.obtain(key(1), [&] { return texts(); })), "1");
  cache.insert(key(2), texts());
  cache.alias(key(3, CacheKey::Domain::Pipeline), key(2), texts());
  EXPECT_TRUE(store.data.empty());
  EXPECT_NE(cache.find(key(2)), nullptr);
}

TEST(ShaderCache, ObjectsWithTwoNamesArePaidForOnce) {
  ShaderCache cache(4000);
  const CacheKey name = key(1, CacheKey::Domain::Pipeline);
  ShaderCache::Object object = bytesOf(1);
  cache.insert(key(1), object);
  const uint64_t one = cache.counters().bytes;
  cache.alias(name, key(1), object);
  EXPECT_LT(cache.counters().bytes, one + 1000);
  EXPECT_EQ(cache.counters().objects, 2u);
  EXPECT_EQ(cache.findAlias(name), object);
  // Another object under the same name: the old one is still paid for by its own key.
  cache.alias(name, key(2), bytesOf(2));
  EXPECT_EQ(textOf(cache.findAlias(name)), "2");
  EXPECT_GT(cache.counters().bytes, one + 1000);
  // Everything goes when something else needs the room.
  cache.insert(key(3), bytesOf(3, 3700));
  EXPECT_EQ(cache.find(key(1)), nullptr);
  EXPECT_EQ(cache.findAlias(name), nullptr);
  EXPECT_EQ(cache.counters().bytes, 3700 + (one - 1000));
}

TEST(ShaderCache, ThreadsStress) {
  ShaderCache cache(20'000);
  auto run = [&](uint32_t seed) {
    std::minstd_rand random(seed);
    for (unsigned i = 0; i < 2000; ++i) {
      const uint32_t number = random() % 40;
      if (random() % 8 == 0)
        cache.insert(key(number), bytesOf(uint8_t(number)));
      if (ShaderCache::Object found = cache.find(key(number))) {
        EXPECT_EQ(found->record().front(), number);
      }
      auto make = [&]() -> llvm::Expected<ShaderCache::Object> {
        // Some need others, in any direction.
        const uint32_t other = random() % 40;
        EXPECT_EQ(textOf(cache.obtain(key(other), [&] { return bytesOf(uint8_t(other)); })),
                  std::to_string(other));
        return bytesOf(uint8_t(number));
      };
      EXPECT_EQ(textOf(cache.obtain(key(number), make)), std::to_string(number));
    }
  };
  std::vector<std::thread> threads;
  for (uint32_t seed = 1; seed <= 4; ++seed)
    threads.emplace_back(run, seed);
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_LE(cache.counters().bytes, 20'000u);
}

} // namespace
} // namespace icd
