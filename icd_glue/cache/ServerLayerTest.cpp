// SPDX-License-Identifier: MIT
// The driver on servers that are refused, silent, slow or lying: a miss at most, counted, and a
// wait that is bounded.
#include "icd_glue/cache/ServerLayer.h"
#include "icd_glue/cache/DiskCacheForTest.h"
#include "icd_glue/cache/Record.h"
#include "icd_glue/key/KeyBytes.h"
#include "icd_glue/server/FakeServerForTest.h"
#include <atomic>
#include <thread>

namespace icd {
namespace {

using Domain = CacheKey::Domain;

class ServerLayerTest : public testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<64> name;
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("kiln-layer", name));
    folder = name.str().str();
    nameKey.fill(1);
    Key32 seed;
    seed.fill(2);
    auto made = Signer::create(seed);
    if (!made) {
      llvm::consumeError(made.takeError());
      GTEST_SKIP() << "no OpenSSL";
    }
    signer = std::move(*made);
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  std::string path() const { return folder + "/socket"; }
  static constexpr double plenty = 10; ///< of seconds, where the deadline is not what is tested
  RespClient::Options server(double callSeconds = RespClient::Options().callSeconds) const {
    RespClient::Options options;
    options.address.path = path();
    options.callSeconds = callSeconds;
    return options;
  }
  std::unique_ptr<ServerLayer> layer(DiskCache *disk = nullptr,
                                     double callSeconds = RespClient::Options().callSeconds) const {
    ServerLayer::Options options;
    options.server = server(callSeconds);
    options.patience = std::max(options.patience, 10 * callSeconds);
    options.nameKey = nameKey;
    options.verifier = llvm::cantFail(Verifier::create({signer->publicKey()}));
    options.compiler = "compiler";
    options.target = "gfx1100";
    return std::make_unique<ServerLayer>(std::move(options), disk);
  }
  static CacheKey pipeline(uint32_t number) { return {Domain::Pipeline, {number, 2, 3, 4}}; }
  static std::vector<uint8_t> record(uint32_t number) {
    return std::vector<uint8_t>(100, static_cast<uint8_t>(number));
  }
  /// Pipelines, as kiln-farm stores them.
  void publish(uint32_t count = 2) const {
    RespClient client(server(plenty));
    std::vector<std::pair<std::string, std::string>> pairs;
    for (uint32_t number = 0; number < count; ++number) {
      const KeyBytes key = bytesOf(pipeline(number).hash);
      const std::string name = serverNameOf(nameKey, "compiler", "gfx1100", key);
      pairs.emplace_back(name, serverValueOf(*signer, name, record(number)));
    }
    ASSERT_EQ(client.set(pairs), count);
  }

  std::string folder;
  Key32 nameKey = {};
  std::unique_ptr<Signer> signer;
};

TEST_F(ServerLayerTest, FindsWhatAFarmHasStored) {
  FakeServer fake(path(), Mood::Honest);
  publish();
  const auto made = layer();
  for (uint32_t number : {0u, 1u}) {
    const auto alias = made->load(pipeline(number));
    ASSERT_TRUE(alias);
    const auto key = decodeAlias(*alias);
    ASSERT_TRUE(key && key->domain == Domain::Code);
    EXPECT_EQ(key->hash, contentHash(record(number)));
    EXPECT_EQ(made->load(*key), record(number));
  }
  EXPECT_FALSE(made->load(pipeline(2)));
  EXPECT_EQ(made->counters().hits, 2u);
  EXPECT_EQ(made->counters().misses, 1u);
}

/// Between a name and its record other threads find theirs.
TEST_F(ServerLayerTest, WhatWasFoundIsKeptForAWhile) {
  constexpr uint32_t count = 129;
  FakeServer fake(path(), Mood::Honest);
  publish(count);
  const auto made = layer(nullptr, plenty);
  for (uint32_t number = 0; number < count; ++number) {
    ASSERT_TRUE(made->load(pipeline(number)));
    const uint32_t before = number - std::min(number, 64u);
    EXPECT_EQ(made->load({Domain::Code, contentHash(record(before))}), record(before)) << number;
  }
}

TEST_F(ServerLayerTest, ThreadsAskAtOnce) {
  constexpr uint32_t count = 200, threads = 8;
  FakeServer fake(path(), Mood::Honest);
  publish(count);
  const auto made = layer(nullptr, plenty);
  std::atomic<uint32_t> good = 0;
  std::vector<std::thread> all;
  for (uint32_t thread = 0; thread < threads; ++thread)
    all.emplace_back([&, thread] {
      for (uint32_t number = thread; number < count; number += threads)
        if (const auto alias = made->load(pipeline(number)))
          good += made->load(*decodeAlias(*alias)) == record(number);
    });
  for (std::thread &one : all)
    one.join();
  EXPECT_EQ(good, count);
  EXPECT_EQ(made->counters().hits, count);
}

/// So that the next process finds it without the server.
TEST_F(ServerLayerTest, WhatWasFoundGoesToDisk) {
  disktest::Folder place;
  DiskCache disk(place.options());
  {
    FakeServer fake(path(), Mood::Honest);
    publish();
    EXPECT_TRUE(layer(&disk)->load(pipeline(0)));
  }
  const auto made = layer(&disk);
  const auto alias = made->load(pipeline(0));
  ASSERT_TRUE(alias);
  EXPECT_EQ(made->load(*decodeAlias(*alias)), record(0));
  EXPECT_EQ(made->counters().hits + made->counters().unknown, 0u) << "the server was asked";
}

TEST_F(ServerLayerTest, IsAskedForPipelinesOnly) {
  const auto made = layer();
  for (Domain domain : {Domain::Code, Domain::Part, Domain::Linked, Domain::Recipes})
    EXPECT_FALSE(made->load({domain, {1, 2, 3, 4}}));
  EXPECT_EQ(made->counters().unknown, 0u);
}

TEST_F(ServerLayerTest, LiesAreNotBelieved) {
  FakeServer fake(path(), Mood::FlipsBits);
  publish();
  const auto made = layer();
  EXPECT_FALSE(made->load(pipeline(0)));
  EXPECT_EQ(made->counters().forged, 1u);
}

/// Anybody with the rights to write, and the key of names.
TEST_F(ServerLayerTest, OthersSignaturesAreNotBelieved) {
  FakeServer fake(path(), Mood::Honest);
  Key32 seed;
  seed.fill(3);
  signer = llvm::cantFail(Signer::create(seed));
  publish();
  seed.fill(2);
  signer = llvm::cantFail(Signer::create(seed));
  const auto made = layer();
  EXPECT_FALSE(made->load(pipeline(0)));
  EXPECT_EQ(made->counters().forged, 1u);
}

TEST_F(ServerLayerTest, NoServerIsNoMiss) {
  const auto made = layer();
  for (uint32_t i = 0; i < 10; ++i)
    EXPECT_FALSE(made->load(pipeline(i)));
  EXPECT_EQ(made->counters().misses, 0u);
  EXPECT_EQ(made->counters().unknown, 10u);
  EXPECT_EQ(made->counters().failures, 3u);
}

TEST_F(ServerLayerTest, ASilentServerCostsItsDeadlines) {
  FakeServer fake(path(), Mood::Silent);
  const auto made = layer();
  for (uint32_t i = 0; i < 10; ++i)
    EXPECT_FALSE(made->load(pipeline(i)));
  EXPECT_EQ(made->counters().failures, 3u);
  EXPECT_GT(made->counters().waited, 0.5); // three times 0.2
  EXPECT_LT(made->counters().waited, 20);  // of a busy machine
}

/// In time each time, but for nothing: it is given up.
TEST_F(ServerLayerTest, ASlowServerMustBeWorthIt) {
  FakeServer fake(path(), Mood::Slow);
  const auto made = layer();
  for (uint32_t i = 0; i < 60; ++i)
    EXPECT_FALSE(made->load(pipeline(i)));
  EXPECT_LT(made->counters().misses, 25u); // 2 s
  EXPECT_GE(made->counters().unknown, 35u);
}

TEST_F(ServerLayerTest, GarbageIsLeftAlone) {
  for (Mood mood : {Mood::Garbage, Mood::Endless, Mood::Cut, Mood::LongLists, Mood::Denying}) {
    unlink(path().c_str());
    FakeServer fake(path(), mood);
    const auto made = layer();
    for (uint32_t i = 0; i < 5; ++i)
      EXPECT_FALSE(made->load(pipeline(i)));
    EXPECT_EQ(made->counters().unknown, 5u);
    EXPECT_EQ(made->counters().misses + made->counters().forged, 0u);
  }
}

} // namespace
} // namespace icd
