// SPDX-License-Identifier: MIT
// The shared tier on servers that are refused, silent, full, lying or not a server at all: right
// results, in a bounded time, and counted.
#include "Child.h"
#include "SharedTier.h"
#include "lgc/CompileError.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include <csignal>
#include <cstring>
#include <gtest/gtest.h>
#include <map>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

namespace farm {
namespace {

enum class Mood : uint8_t {
  Honest,
  Silent,
  Full,
  Denying,
  FlipsBits,
  SwapsValues,
  Garbage,
  Endless,
  Cut
};

/// As much of a server as a client of ours sees, in a process of its own.
class FakeServer {
public:
  FakeServer(const std::string &path, Mood mood) {
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.data(), path.size());
    const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    EXPECT_EQ(bind(listener, reinterpret_cast<sockaddr *>(&address), sizeof address), 0);
    EXPECT_EQ(listen(listener, 8), 0);
    process = fork();
    if (process == 0)
      serveAll(listener, mood);
    close(listener);
  }
  ~FakeServer() {
    kill(process, SIGKILL);
    waitpid(process, nullptr, 0);
  }
  FakeServer(const FakeServer &) = delete;

private:
  [[noreturn]] static void serveAll(int listener, Mood mood) {
    std::map<std::string, std::string> values;
    for (int channel; (channel = accept(listener, nullptr, nullptr)) >= 0; close(channel)) {
      FILE *in = fdopen(dup(channel), "rb");
      for (std::vector<std::string> words; read(in, words);) {
        const std::string reply = answer(mood, words, values);
        if (mood != Mood::Silent)
          (void)!write(channel, reply.data(), reply.size());
        if (mood == Mood::Cut)
          break;
      }
      fclose(in);
    }
    _exit(0);
  }
  static bool read(FILE *in, std::vector<std::string> &words) {
    unsigned count = 0, size = 0;
    words.clear();
    if (fscanf(in, "*%u\r\n", &count) != 1)
      return false;
    for (unsigned i = 0; i < count; ++i) {
      if (fscanf(in, "$%u", &size) != 1)
        return false;
      std::string word(size + 4, '\0');
      if (fread(word.data(), 1, size + 4, in) != size + 4)
        return false;
      words.push_back(word.substr(2, size));
    }
    return true;
  }
  static std::string bulk(const std::string &text) {
    return "$" + std::to_string(text.size()) + "\r\n" + text + "\r\n";
  }
  static std::string answer(Mood mood, const std::vector<std::string> &words,
                            std::map<std::string, std::string> &values) {
    if (mood == Mood::Garbage)
      return "HTTP/1.1 400 Bad Request\r\n\r\n";
    if (mood == Mood::Endless)
      return "$99999999999\r\n";
    if (mood == Mood::Denying)
      return "-NOPERM this user has no permissions\r\n";
    if (words[0] == "SET") {
      if (mood == Mood::Full)
        return "-OOM command not allowed when used memory > 'maxmemory'.\r\n";
      values[words[1]] = words[2];
      return "+OK\r\n";
    }
    if (words[0] != "MGET")
      return "+OK\r\n";
    std::string reply = "*" + std::to_string(words.size() - 1) + "\r\n";
    for (size_t i = 1; i < words.size(); ++i) {
      const size_t which = mood == Mood::SwapsValues ? words.size() - i : i;
      auto found = values.find(words[which]);
      if (found == values.end()) {
        reply += "$-1\r\n";
        continue;
      }
      std::string value = found->second;
      if (mood == Mood::FlipsBits)
        value[value.size() * i / words.size()] ^= 4;
      reply += bulk(value);
    }
    return mood == Mood::Cut ? reply.substr(0, reply.size() / 2) : reply;
  }

  pid_t process = -1;
};

class ServerTest : public testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<64> name;
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("kiln-tier", name));
    folder = name.str().str();
    plan.compiler = "test";
    plan.targets = {"a", "b"};
    keys.name.fill(1);
    keys.seals.emplace_back().fill(2);
    for (uint8_t i = 0; i < 4; ++i) {
      wanted.push_back({{}, i % 2u});
      wanted.back().item.fill(i);
      results.emplace_back(wanted.back(), "payload of " + std::to_string(i));
    }
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  std::string path() const { return folder + "/socket"; }
  RespClient::Options server() const {
    RespClient::Options options;
    options.address.path = path();
    return options;
  }
  static size_t count(const std::vector<std::optional<std::string>> &found) {
    size_t there = 0;
    for (const auto &one : found)
      there += one.has_value();
    return there;
  }

  std::string folder;
  Plan plan;
  TierKeys keys;
  std::vector<SharedTier::Wanted> wanted;
  std::vector<std::pair<SharedTier::Wanted, std::string>> results;
};

TEST_F(ServerTest, Addresses) {
  EXPECT_EQ(llvm::cantFail(ServerAddress::parse("unix:/a/b")).path, "/a/b");
  const ServerAddress address = llvm::cantFail(ServerAddress::parse("tcp:[::1]:6379"));
  EXPECT_EQ(address.host, "::1");
  EXPECT_EQ(address.port, "6379");
  for (const char *wrong :
       {"", "unix:", "tcp:host", "tcp::1", "tcp:host:0", "tcp:host:70000", "host:1"})
    EXPECT_TRUE(llvm::errorToBool(ServerAddress::parse(wrong).takeError())) << wrong;
}

TEST_F(ServerTest, WhatWasStoredIsFound) {
  FakeServer fake(path(), Mood::Honest);
  SharedTier tier(plan, keys, server());
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
    SharedTier tier(plan, keys, server());
    tier.store(results);
    EXPECT_EQ(count(tier.find(wanted)), 0u);
    EXPECT_EQ(tier.counters().forged, 4u);
    EXPECT_EQ(tier.counters().misses, 0u);
  }
}

/// Every bit of a value counts, and so do the key and the keys.
TEST_F(ServerTest, SealsCoverEverything) {
  const SharedTier tier(plan, keys, server());
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
  TierKeys others = keys;
  others.seals[0].fill(3);
  EXPECT_FALSE(SharedTier(plan, others, server()).open(key, value));
  others.seals.push_back(keys.seals[0]); // the old one, while it is being changed
  EXPECT_EQ(SharedTier(plan, others, server()).open(key, value), "payload");
  others.name.fill(4);
  EXPECT_NE(SharedTier(plan, others, server()).keyOf(wanted[0]), key);
  Plan other = plan;
  other.compiler = "another";
  EXPECT_NE(SharedTier(other, keys, server()).keyOf(wanted[0]), key);
}

TEST_F(ServerTest, NoServerIsNoMiss) {
  SharedTier tier(plan, keys, server());
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(count(tier.find(wanted)), 0u);
  EXPECT_EQ(tier.counters().misses, 0u);
  EXPECT_EQ(tier.counters().unknown, 20u);
  EXPECT_EQ(tier.serverCounters().refused, 3u); // then it is left alone
  EXPECT_EQ(tier.serverCounters().skipped, 2u);
}

TEST_F(ServerTest, AStoppedServerCostsItsDeadlines) {
  FakeServer fake(path(), Mood::Silent);
  SharedTier tier(plan, keys, server());
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
  SharedTier tier(plan, keys, server());
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
    SharedTier tier(plan, keys, server());
    for (int i = 0; i < 5; ++i)
      EXPECT_EQ(count(tier.find(wanted)), 0u);
    EXPECT_EQ(tier.serverCounters().failures(), 3u);
    EXPECT_EQ(tier.counters().unknown, 20u);
  }
}

TEST_F(ServerTest, WithoutRightsThereIsNothing) {
  FakeServer fake(path(), Mood::Denying);
  {
    SharedTier tier(plan, keys, server());
    EXPECT_EQ(count(tier.find(wanted)), 0u);
    EXPECT_EQ(tier.counters().unknown, 4u);
    EXPECT_EQ(tier.serverCounters().denied, 1u);
  } // one connection at a time
  TierKeys secret = keys;
  secret.password = "wrong";
  SharedTier other(plan, secret, server());
  EXPECT_EQ(count(other.find(wanted)), 0u);
  EXPECT_EQ(other.serverCounters().refused, 1u);
}

/// After its time the server is asked again.
TEST_F(ServerTest, TheCircuitCloses) {
  double now = 0;
  RespClient::Options options = server();
  options.clock = [&] { return now; };
  SharedTier tier(plan, keys, options);
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
    return TierKeys::load(file);
  };
  const std::string good = "name " + digits + "\nseal " + digits + "\nuser farm\npassword a b\n";
  const TierKeys read = llvm::cantFail(load(good, 0600));
  EXPECT_EQ(read.user, "farm");
  EXPECT_EQ(read.password, "a b");
  EXPECT_EQ(read.seals.size(), 1u);
  EXPECT_TRUE(llvm::errorToBool(load(good, 0640).takeError()));
  EXPECT_TRUE(llvm::errorToBool(load("name " + digits, 0600).takeError()));
  EXPECT_TRUE(llvm::errorToBool(load(good + "sael x\n", 0600).takeError()));
  EXPECT_TRUE(llvm::errorToBool(load("name 12\nseal " + digits, 0600).takeError()));
  EXPECT_TRUE(llvm::errorToBool(TierKeys::load(folder + "/nothing").takeError()));
}

} // namespace
} // namespace farm
