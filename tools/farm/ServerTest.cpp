// SPDX-License-Identifier: MIT
// The shared tier on servers that are refused, silent, full, lying or not a server at all: right
// results, in a bounded time, and counted.
#include "Child.h"
#include "SharedTier.h"
#include "icd_glue/server/FakeServerForTest.h"
#include "lgc/CompileError.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace farm {
namespace {

using icd::FakeServer;
using icd::Mood;

class ServerTest : public testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<64> name;
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("kiln-tier", name));
    folder = name.str().str();
    plan.compiler = "test";
    plan.targets = {"a", "b"};
    keys.name.emplace().fill(1);
    keys.seals.emplace_back().fill(2);
    for (uint8_t i = 0; i < 4; ++i) {
      wanted.push_back({{}, i % 2u});
      wanted.back().item.fill(i);
      results.emplace_back(wanted.back(), "payload of " + std::to_string(i));
    }
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  std::string path() const { return folder + "/socket"; }
  icd::RespClient::Options server() const {
    icd::RespClient::Options options;
    options.address.path = path();
    return options;
  }
  static std::unique_ptr<SharedTier> tierOf(const Plan &plan, const icd::Secrets &keys,
                                            icd::RespClient::Options options) {
    return llvm::cantFail(SharedTier::create(plan, keys, std::move(options)));
  }
  static size_t count(const std::vector<std::optional<std::string>> &found) {
    size_t there = 0;
    for (const auto &one : found)
      there += one.has_value();
    return there;
  }

  std::string folder;
  Plan plan;
  icd::Secrets keys;
  std::vector<SharedTier::Wanted> wanted;
  std::vector<std::pair<SharedTier::Wanted, std::string>> results;
};

TEST_F(ServerTest, Addresses) {
  EXPECT_EQ(llvm::cantFail(icd::ServerAddress::parse("unix:/a/b")).path, "/a/b");
  const icd::ServerAddress address = llvm::cantFail(icd::ServerAddress::parse("tcp:[::1]:6379"));
  EXPECT_EQ(address.host, "::1");
  EXPECT_EQ(address.port, "6379");
  for (const char *wrong :
       {"", "unix:", "tcp:host", "tcp::1", "tcp:host:0", "tcp:host:70000", "tcp:[]:1", "host:1"})
    EXPECT_TRUE(llvm::errorToBool(icd::ServerAddress::parse(wrong).takeError())) << wrong;
}

TEST_F(ServerTest, WhatWasStoredIsFound) {
  FakeServer fake(path(), Mood::Honest);
  const auto made = tierOf(plan, keys, server());
  SharedTier &tier = *made;
  EXPECT_EQ(count(tier.find(wanted)), 0u);
  tier.store(results);
  const auto found = tier.find(wanted);
  for (size_t i = 0; i < found.size(); ++i)
    EXPECT_EQ(found[i], results[i].second);
  EXPECT_EQ(tier.counters().misses, 4u);
  EXPECT_EQ(tier.counters().hits, 4u);
  EXPECT_EQ(tier.counters().stored, 4u);
  EXPECT_EQ(tier.serverCounters().failures(), 0u);
}

TEST_F(ServerTest, LiesAreNotBelieved) {
  for (Mood mood : {Mood::FlipsBits, Mood::SwapsValues}) {
    unlink(path().c_str());
    FakeServer fake(path(), mood);
    const auto made = tierOf(plan, keys, server());
    SharedTier &tier = *made;
    tier.store(results);
    EXPECT_EQ(count(tier.find(wanted)), 0u);
    EXPECT_EQ(tier.counters().forged, 4u);
    EXPECT_EQ(tier.counters().misses, 0u);
  }
}

/// Every bit of a value counts, and so do the key and the keys.
TEST_F(ServerTest, SealsCoverEverything) {
  const auto made = tierOf(plan, keys, server());
  const SharedTier &tier = *made;
  const std::string key = tier.keyOf(wanted[0]), value = tier.seal(key, "payload");
  EXPECT_EQ(tier.open(key, value), "payload");
  for (size_t bit = 0; bit < value.size() * 8; ++bit) {
    std::string changed = value;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << bit % 8));
    EXPECT_FALSE(tier.open(key, changed)) << bit;
  }
  for (size_t size = 0; size < value.size(); ++size)
    EXPECT_FALSE(tier.open(key, value.substr(0, size)));
  EXPECT_FALSE(tier.open(tier.keyOf(wanted[1]), value));
  icd::Secrets others = keys;
  others.seals[0].fill(3);
  EXPECT_FALSE(tierOf(plan, others, server())->open(key, value));
  others.seals.push_back(keys.seals[0]); // the old one, while it is being changed
  EXPECT_EQ(tierOf(plan, others, server())->open(key, value), "payload");
  others.name->fill(4);
  EXPECT_NE(tierOf(plan, others, server())->keyOf(wanted[0]), key);
  Plan other = plan;
  other.compiler = "another";
  EXPECT_NE(tierOf(other, keys, server())->keyOf(wanted[0]), key);
}

TEST_F(ServerTest, NoServerIsNoMiss) {
  const auto made = tierOf(plan, keys, server());
  SharedTier &tier = *made;
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(count(tier.find(wanted)), 0u);
  EXPECT_EQ(tier.counters().misses, 0u);
  EXPECT_EQ(tier.counters().unknown, 20u);
  EXPECT_EQ(tier.serverCounters().refused, 3u); // then it is left alone
  EXPECT_EQ(tier.serverCounters().skipped, 2u);
}

TEST_F(ServerTest, AStoppedServerCostsItsDeadlines) {
  FakeServer fake(path(), Mood::Silent);
  const auto made = tierOf(plan, keys, server());
  SharedTier &tier = *made;
  const double begin = seconds();
  for (int i = 0; i < 10; ++i)
    tier.find(wanted);
  EXPECT_EQ(tier.serverCounters().late, 3u);
  EXPECT_EQ(tier.serverCounters().skipped, 7u);
  EXPECT_GT(seconds() - begin, 0.5); // three times 0.2
  EXPECT_LT(seconds() - begin, 20);  // of a busy machine
}

TEST_F(ServerTest, AFullServerStillAnswers) {
  FakeServer fake(path(), Mood::Full);
  const auto made = tierOf(plan, keys, server());
  SharedTier &tier = *made;
  tier.store(results);
  EXPECT_EQ(tier.counters().notStored, 4u);
  EXPECT_EQ(tier.serverCounters().denied, 4u);
  EXPECT_EQ(count(tier.find(wanted)), 0u);
  EXPECT_EQ(tier.counters().misses, 4u);
}

TEST_F(ServerTest, WhatIsNoServerIsLeftAlone) {
  for (Mood mood : {Mood::Garbage, Mood::Endless, Mood::Cut}) {
    unlink(path().c_str());
    FakeServer fake(path(), mood);
    const auto made = tierOf(plan, keys, server());
    SharedTier &tier = *made;
    for (int i = 0; i < 5; ++i)
      EXPECT_EQ(count(tier.find(wanted)), 0u);
    EXPECT_EQ(tier.serverCounters().failures(), 3u);
    EXPECT_EQ(tier.counters().unknown, 20u);
  }
}

TEST_F(ServerTest, WithoutRightsThereIsNothing) {
  FakeServer fake(path(), Mood::Denying);
  {
    const auto made = tierOf(plan, keys, server());
    SharedTier &tier = *made;
    EXPECT_EQ(count(tier.find(wanted)), 0u);
    EXPECT_EQ(tier.counters().unknown, 4u);
    EXPECT_EQ(tier.serverCounters().denied, 1u);
  } // one connection at a time
  icd::Secrets secret = keys;
  secret.password = "wrong";
  const auto made = tierOf(plan, secret, server());
  SharedTier &other = *made;
  EXPECT_EQ(count(other.find(wanted)), 0u);
  EXPECT_EQ(other.serverCounters().refused, 1u);
}

/// Once a server was left alone, one failure is enough to do so again.
TEST_F(ServerTest, OneCallTriesWhetherItIsThereAgain) {
  double now = 0;
  icd::RespClient::Options options = server();
  options.clock = [&] { return now; };
  const auto made = tierOf(plan, keys, options);
  for (int i = 0; i < 4; ++i)
    made->find(wanted);
  for (now = 31; now < 100; now += 31)
    for (int i = 0; i < 4; ++i)
      made->find(wanted);
  EXPECT_EQ(made->serverCounters().refused, 3u + 3);
  EXPECT_EQ(made->serverCounters().skipped, 1u + 3 * 3);
}

/// What inputs of a compiler could get hold of.
TEST_F(ServerTest, ChildrenKnowNoKeys) {
  FakeServer fake(path(), Mood::Honest);
  const auto made = tierOf(plan, keys, server());
  const std::string key = made->keyOf(wanted[0]), value = made->seal(key, "payload");
  made->forget();
  EXPECT_NE(made->keyOf(wanted[0]), key);
  EXPECT_FALSE(made->open(key, value));
}

/// Nor a client's key of TLS.
TEST_F(ServerTest, NothingOfTlsIsLeft) {
  auto tls = icd::TlsContext::create({});
  if (!tls) {
    llvm::consumeError(tls.takeError());
    GTEST_SKIP() << "no OpenSSL";
  }
  icd::RespClient::Options options = server();
  options.tls = std::move(*tls);
  const std::weak_ptr<const icd::TlsContext> left = options.tls;
  icd::RespClient client(std::move(options));
  EXPECT_FALSE(left.expired());
  client.forget();
  EXPECT_TRUE(left.expired());
}

/// Where the server has closed what was idle, the next call has an answer nevertheless.
TEST_F(ServerTest, ClosedConnectionsAreMadeAnew) {
  FakeServer fake(path(), Mood::Closing);
  icd::RespClient client(server());
  const std::string keys[] = {"key"};
  unsigned inARow = 0; // on a busy machine the server may be about to close it
  for (int i = 0; i < 100 && inARow < 2; ++i, usleep(10000))
    inARow = client.get(keys) ? inARow + 1 : 0;
  EXPECT_EQ(inARow, 2u);
}

TEST_F(ServerTest, RepliesAreBounded) {
  for (Mood mood : {Mood::Flood, Mood::LongLists}) {
    unlink(path().c_str());
    FakeServer fake(path(), mood);
    icd::RespClient::Options options = server();
    options.mostReplyBytes = 1 << 20;
    options.callSeconds = 5;
    const auto made = tierOf(plan, keys, options);
    EXPECT_EQ(count(made->find(wanted)), 0u);
    EXPECT_EQ(made->serverCounters().broken, 1u);
    EXPECT_LT(made->serverCounters().received, uint64_t(2) << 20);
  }
}

/// After its time the server is asked again.
TEST_F(ServerTest, TheCircuitCloses) {
  double now = 0;
  icd::RespClient::Options options = server();
  options.clock = [&] { return now; };
  const auto made = tierOf(plan, keys, options);
  SharedTier &tier = *made;
  for (int i = 0; i < 4; ++i)
    tier.find(wanted);
  FakeServer fake(path(), Mood::Honest);
  tier.find(wanted);
  EXPECT_EQ(tier.serverCounters().skipped, 2u);
  EXPECT_EQ(tier.counters().misses, 0u);
  now = 31;
  tier.find(wanted);
  EXPECT_EQ(tier.counters().misses, 4u);
}

TEST_F(ServerTest, KeysBelongToTheUser) {
  const std::string file = folder + "/keys", digits(64, 'a');
  const auto load = [&](const std::string &text, mode_t mode) {
    llvm::cantFail(writeFile(file, text));
    chmod(file.c_str(), mode);
    return icd::Secrets::load(file);
  };
  const std::string good = "name " + digits + "\nseal " + digits + "\nuser farm\npassword a b\n";
  const icd::Secrets read = llvm::cantFail(load(good, 0600));
  EXPECT_EQ(read.user, "farm");
  EXPECT_EQ(read.password, "a b");
  EXPECT_EQ(read.seals.size(), 1u);
  EXPECT_TRUE(llvm::errorToBool(load(good, 0640).takeError()));
  EXPECT_TRUE(llvm::errorToBool(load(good, 0604).takeError()));
  EXPECT_TRUE(llvm::errorToBool(load(good + "sael x\n", 0600).takeError()));
  EXPECT_TRUE(llvm::errorToBool(load("name 12\nseal " + digits, 0600).takeError()));
  EXPECT_TRUE(llvm::errorToBool(icd::Secrets::load(folder + "/nothing").takeError()));
}

} // namespace
} // namespace farm
