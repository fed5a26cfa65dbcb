// SPDX-License-Identifier: MIT
// Plans, packs and tasks, with compilers that are functions here: some of them end their process.
#include "Item.h"
#include "Planner.h"
#include "Progress.h"
#include "lgc/CompileError.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include <csignal>
#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <sys/resource.h>
#include <unistd.h>

namespace farm {
namespace {

using llvm::Expected;

/// A run without a planner: items are texts that the test's compilers understand.
class FarmTest : public testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<64> name;
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("kiln-farm", name));
    folder = name.str().str();
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  Plan planOf(const std::string &name, const std::vector<std::string> &bodies,
              std::vector<std::string> targets = {"a", "b"}) {
    Plan plan;
    plan.folder = folder + "/" + name;
    plan.compiler = "test";
    plan.targets = std::move(targets);
    for (const char *inner : {"buckets", "poison", "progress", "stats"})
      llvm::sys::fs::create_directories(plan.file(inner));
    auto writer = llvm::cantFail(PackWriter::create(plan.file("pack")));
    for (const std::string &body : bodies) {
      Name unused;
      writer->addItem(body, static_cast<uint32_t>(body.size()), unused);
    }
    plan.items = writer->items();
    plan.buckets = 16;
    PlanHasher hasher(plan);
    llvm::cantFail(writer->finish([&](const PackRow &row) { hasher.add(row); }));
    plan.hash = hasher.finish();
    llvm::cantFail(plan.save());
    return plan;
  }

  static std::vector<std::string> manyItems() {
    std::vector<std::string> bodies;
    for (unsigned i = 0; i < 100; ++i)
      bodies.push_back("item " + std::to_string(i));
    return bodies;
  }

  /// Compiles by \p compile(body, target).
  static TaskOptions optionsFor(const Pack &pack,
                                std::function<Outcome(std::string, uint32_t)> compile) {
    TaskOptions options;
    options.children = 3;
    options.limits = {2, uint64_t(1) << 40};
    options.start = [&pack, compile](const std::string &) -> Expected<Compile> {
      return [&pack, compile](const Unit &unit) {
        return compile(llvm::cantFail(pack.item(unit.item)).str(), unit.target);
      };
    };
    return options;
  }

  static Outcome good(const std::string &body, uint32_t target) {
    return {Status::Good, "E" + body + std::string(target * 100, 'x')};
  }

  /// The bytes of all buckets.
  static std::string bytesOfAll(const Plan &plan) {
    std::string all;
    for (uint32_t bucket = 0; bucket < plan.buckets; ++bucket)
      if (auto file = readFile(plan.bucketFile(bucket)))
        all += (*file)->getBuffer();
      else
        llvm::consumeError(file.takeError());
    return all;
  }

  static std::vector<Result> resultsOf(const Plan &plan) {
    std::vector<Result> results;
    for (uint32_t bucket = 0; bucket < plan.buckets; ++bucket) {
      auto file = llvm::cantFail(readFile(plan.bucketFile(bucket)));
      auto view = llvm::cantFail(BucketView::create(file->getBuffer(), plan.hash, bucket));
      for (const BucketView::Row &row : view.rows())
        results.push_back({row.item, row.target, row.status, row.payload.str()});
    }
    return results;
  }

  static TaskEnd run(const Plan &plan, const Pack &pack, const TaskOptions &options) {
    return llvm::cantFail(runTask(plan, pack, options));
  }

  std::string folder;
};

TEST_F(FarmTest, PacksGiveWhatWasPutIn) {
  const std::string path = folder + "/pack";
  auto writer = llvm::cantFail(PackWriter::create(path));
  Name first, second, again;
  EXPECT_TRUE(writer->addItem("one", 3, first));
  EXPECT_TRUE(writer->addItem("two", 4, second));
  EXPECT_FALSE(writer->addItem("one", 9, again));
  EXPECT_EQ(first, again);
  const Name module = writer->addModule({1, 2, 3});
  llvm::cantFail(writer->finish([](const PackRow &) {}));
  auto pack = llvm::cantFail(Pack::open(path));
  ASSERT_EQ(pack->items().size(), 2u);
  EXPECT_LT(pack->items()[0].name, pack->items()[1].name);
  EXPECT_EQ(llvm::cantFail(pack->item(pack->items()[0].name == first ? 0 : 1)), "one");
  EXPECT_EQ(llvm::cantFail(pack->module(module)).size(), 3u);
  EXPECT_TRUE(llvm::errorToBool(pack->module(first).takeError()));
  EXPECT_EQ(pack->range(0, 1), (std::pair<size_t, size_t>(0, 2)));
}

/// No byte of a pack may be another one unnoticed, or worse.
TEST_F(FarmTest, DamagedPacksAreRefused) {
  const Plan plan = planOf("run", {"one", "two"});
  auto file = llvm::cantFail(readFile(plan.file("pack")));
  const std::string whole = file->getBuffer().str();
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x41);
    llvm::cantFail(writeFile(folder + "/damaged", damaged));
    auto pack = Pack::open(folder + "/damaged");
    if (!pack) {
      llvm::consumeError(pack.takeError());
      continue;
    }
    PlanHasher hasher(plan);
    bool isWrong = false;
    for (size_t i = 0; i < (*pack)->items().size(); ++i) {
      hasher.add((*pack)->items()[i]);
      auto item = (*pack)->item(i);
      isWrong |= !item;
      llvm::consumeError(item.takeError());
    }
    // What an item costs is no part of it, and padding is nothing.
    const bool isCost = at >= whole.size() - 40 - 96 && (at - (whole.size() - 40 - 96)) % 48 >= 44;
    const bool isPadding = at >= 22 && at < whole.size() - 40 - 96;
    EXPECT_TRUE(isWrong || hasher.finish() != plan.hash || isCost || isPadding ||
                at >= whole.size() - 24)
        << at;
  }
}

TEST_F(FarmTest, PlansAreReadAsTheyWereSaved) {
  Plan plan = planOf("run", {"one"});
  plan.optLevel = 3;
  llvm::cantFail(plan.save());
  const Plan read = llvm::cantFail(Plan::load(plan.folder));
  EXPECT_EQ(read.hash, plan.hash);
  EXPECT_EQ(read.targets, plan.targets);
  EXPECT_EQ(read.optLevel, 3u);
  EXPECT_EQ(read.buckets, 16u);
  llvm::cantFail(writeFile(plan.file("plan.json"), "{\"version\":1}"));
  EXPECT_TRUE(llvm::errorToBool(Plan::load(plan.folder).takeError()));
}

TEST_F(FarmTest, BucketsAreTheSameForAnyNumberOfTasks) {
  std::string first;
  for (uint64_t tasks : {1, 3, 8}) {
    const Plan plan = planOf("run" + std::to_string(tasks), manyItems());
    auto pack = llvm::cantFail(Pack::open(plan.file("pack")));
    TaskOptions options = optionsFor(*pack, good);
    options.tasks = tasks;
    for (uint64_t task = tasks; task-- > 0;) {
      options.task = task;
      EXPECT_EQ(run(plan, *pack, options), TaskEnd::Done);
    }
    const std::string all = bytesOfAll(plan);
    EXPECT_EQ(resultsOf(plan).size(), 200u);
    if (first.empty())
      first = all;
    EXPECT_EQ(all, first) << tasks;
  }
}

TEST_F(FarmTest, WhatEndsACompilerIsPoisonAndTheRestIsThere) {
  std::vector<std::string> bodies = manyItems();
  for (const char *poison : {"signal", "hang", "memory", "exit"})
    bodies.push_back(poison);
  const Plan plan = planOf("run", bodies, {"a"});
  auto pack = llvm::cantFail(Pack::open(plan.file("pack")));
  TaskOptions options = optionsFor(*pack, [](const std::string &body, uint32_t target) {
    if (body == "signal")
      raise(SIGSEGV);
    if (body == "exit")
      _exit(0);
    while (body == "hang")
      pause();
    if (body == "memory") {
#if LLVM_ADDRESS_SANITIZER_BUILD || LLVM_THREAD_SANITIZER_BUILD // there is no limit
      llvm::report_bad_alloc_error("");
#endif
      fputs("the last words", stderr);
      for (std::vector<std::unique_ptr<char[]>> taken;;)
        taken.push_back(std::make_unique_for_overwrite<char[]>(1 << 28));
    }
    return good(body, target);
  });
  options.limits = {1, uint64_t(4) << 30};
  std::vector<std::string> messages;
  options.message = [&](llvm::StringRef text) { messages.push_back(text.str()); };
  EXPECT_EQ(run(plan, *pack, options), TaskEnd::Done);
  std::map<std::string, Status> found;
  for (const Result &result : resultsOf(plan))
    if (result.status != Status::Good)
      found[toText(result.item)] = result.status;
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(messages.size(), 4u);
  const std::pair<const char *, const char *> whys[] = {{"signal", "signal 11"},
                                                        {"hang", "took longer than 2 s"},
                                                        {"memory", "out of memory"},
                                                        {"exit", "exit code 0"}};
  for (const auto &[body, why] : whys) {
    const Name name = nameOf(bytesOf(llvm::StringRef(body)));
    EXPECT_EQ(found[toText(name)], Status::Poison) << body;
    auto report = llvm::cantFail(readFile(poisonName(plan, name, 0) + ".txt"));
    EXPECT_TRUE(report->getBuffer().contains(why)) << report->getBuffer().str();
  }
}

TEST_F(FarmTest, WhatWorksTheSecondTimeIsAResult) {
  const Plan plan = planOf("run", {"one", "two", "three"}, {"a"});
  auto pack = llvm::cantFail(Pack::open(plan.file("pack")));
  const std::string mark = folder + "/mark";
  TaskOptions options = optionsFor(*pack, [&](const std::string &body, uint32_t target) {
    if (body == "two" && !llvm::sys::fs::exists(mark)) {
      std::ofstream(mark) << "x";
      raise(SIGKILL);
    }
    return good(body, target);
  });
  EXPECT_EQ(run(plan, *pack, options), TaskEnd::Done);
  for (const Result &result : resultsOf(plan))
    EXPECT_EQ(result.status, Status::Good);
}

TEST_F(FarmTest, RetryCompilesWhatWasPoison) {
  const Plan plan = planOf("run", manyItems(), {"a"});
  const Plan clean = planOf("clean", manyItems(), {"a"});
  auto pack = llvm::cantFail(Pack::open(plan.file("pack")));
  TaskOptions options = optionsFor(*pack, [](const std::string &body, uint32_t target) {
    if (body == "item 17")
      raise(SIGABRT);
    return good(body, target);
  });
  EXPECT_EQ(run(plan, *pack, options), TaskEnd::Done);
  unsigned compiled = 0;
  options = optionsFor(*pack, good);
  options.again.poison = true;
  options.progress = [&](const TaskState &state) { compiled = static_cast<unsigned>(state.done); };
  EXPECT_EQ(run(plan, *pack, options), TaskEnd::Done);
  EXPECT_EQ(compiled, 1u);
  EXPECT_EQ(run(clean, *pack, optionsFor(*pack, good)), TaskEnd::Done);
  EXPECT_EQ(bytesOfAll(plan), bytesOfAll(clean));
}

TEST_F(FarmTest, OtherBytesForABucketAreAnAlarm) {
  const Plan plan = planOf("run", manyItems());
  auto pack = llvm::cantFail(Pack::open(plan.file("pack")));
  EXPECT_EQ(run(plan, *pack, optionsFor(*pack, good)), TaskEnd::Done);
  const std::string before = bytesOfAll(plan);
  TaskOptions options = optionsFor(*pack, good);
  options.compilesAll = true;
  EXPECT_EQ(run(plan, *pack, options), TaskEnd::Done);
  options = optionsFor(*pack, [](const std::string &body, uint32_t target) {
    Outcome outcome = good(body, target);
    if (body == "item 3" && target == 1)
      outcome.payload[5] ^= 1;
    return outcome;
  });
  options.compilesAll = true;
  EXPECT_EQ(run(plan, *pack, options), TaskEnd::Differs);
  EXPECT_EQ(bytesOfAll(plan), before); // the first one stays
}

TEST_F(FarmTest, DamagedBucketsAreMadeAgain) {
  const Plan plan = planOf("run", manyItems());
  auto pack = llvm::cantFail(Pack::open(plan.file("pack")));
  EXPECT_EQ(run(plan, *pack, optionsFor(*pack, good)), TaskEnd::Done);
  const std::string before = bytesOfAll(plan);
  std::minstd_rand random(1);
  for (uint32_t bucket = 0; bucket < plan.buckets; ++bucket) {
    std::string bytes = llvm::cantFail(readFile(plan.bucketFile(bucket)))->getBuffer().str();
    if (bucket % 2)
      bytes.resize(random() % bytes.size());
    else
      bytes[random() % bytes.size()] ^= 0x10;
    llvm::cantFail(writeFile(plan.bucketFile(bucket), bytes));
  }
  EXPECT_EQ(run(plan, *pack, optionsFor(*pack, good)), TaskEnd::Done);
  EXPECT_EQ(bytesOfAll(plan), before);
}

/// No room is something that may be otherwise later, and nothing half is left behind.
TEST_F(FarmTest, FullDisksAreNotTheEnd) {
  const Plan plan = planOf("run", manyItems());
  auto pack = llvm::cantFail(Pack::open(plan.file("pack")));
  const auto big = [](const std::string &body, uint32_t) {
    return Outcome{Status::Good, "E" + body + std::string(1 << 14, 'y')};
  };
  signal(SIGXFSZ, SIG_IGN);
  rlimit before = {};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit little = {1 << 14, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &little);
  auto end = runTask(plan, *pack, optionsFor(*pack, big));
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, SIG_DFL);
  ASSERT_FALSE(end);
  EXPECT_EQ(lgc::consumeToText(end.takeError()).kind, lgc::ErrorKind::LimitExceeded);
  std::error_code code;
  for (llvm::sys::fs::directory_iterator at(plan.file("buckets"), code), none; at != none;
       at.increment(code))
    EXPECT_TRUE(llvm::StringRef(at->path()).ends_with(".bucket")) << at->path();
  EXPECT_EQ(run(plan, *pack, optionsFor(*pack, big)), TaskEnd::Done);
  EXPECT_EQ(resultsOf(plan).size(), 200u);
}

TEST_F(FarmTest, CompilersThatDoNotStartAreErrors) {
  const Plan plan = planOf("run", {"one"});
  auto pack = llvm::cantFail(Pack::open(plan.file("pack")));
  TaskOptions options = optionsFor(*pack, good);
  options.start = [](const std::string &) -> Expected<Compile> {
    return lgc::invalidInput("no driver here");
  };
  auto end = runTask(plan, *pack, options);
  ASSERT_FALSE(end);
  EXPECT_NE(lgc::consumeToText(end.takeError()).message.find("no driver here"), std::string::npos);
}

TEST_F(FarmTest, StatusSaysWhoIsSilent) {
  const Plan plan = planOf("run", {"one"});
  TaskState state;
  state.tasks = 2;
  state.host = "node<1>";
  state.started = 100;
  state.now = 150;
  state.units = 10;
  state.done = 5;
  state.cost = 100;
  state.costDone = 50;
  state.byStatus[1] = 4;
  state.byStatus[4] = 1;
  state.cpuHistogram[3] = 5;
  state.current.push_back({"abc", "gfx1100", 7});
  state.history = {{100, {0}}, {120, {1}}, {150, {5}}};
  llvm::cantFail(writeProgress(plan, state));
  llvm::cantFail(writeFile(plan.file("poison/x.txt"), "why"));
  const RunState run = readRun(plan);
  ASSERT_EQ(run.tasks.size(), 1u);
  EXPECT_EQ(progressText(run.tasks[0]), progressText(state));
  const std::string text = statusText(plan, run, 151, StatusFormat::Text);
  EXPECT_NE(text.find("time left, by estimated cost: 0:00:50"), std::string::npos) << text;
  EXPECT_NE(text.find("longest at work: abc on gfx1100, 7 s"), std::string::npos) << text;
  EXPECT_NE(text.find("poison: x"), std::string::npos) << text;
  EXPECT_EQ(text.find("silent: task"), std::string::npos);
  EXPECT_NE(statusText(plan, run, 250, StatusFormat::Text).find("silent: task 0 of 2"),
            std::string::npos);
  const std::string metrics = statusText(plan, run, 151, StatusFormat::Prometheus);
  EXPECT_NE(metrics.find("kiln_farm_results_total{status=\"poison\"} 1\n"), std::string::npos)
      << metrics;
  EXPECT_NE(metrics.find("kiln_farm_cpu_seconds_bucket{le=\"+Inf\"} 5\n"), std::string::npos);
  EXPECT_NE(statusText(plan, run, 151, StatusFormat::Html).find("node&lt;1&gt;"),
            std::string::npos);
  // The curve ends at 5, which is the upper edge of its drawing; a second later it is the same.
  const std::string page = statusText(plan, run, 151, StatusFormat::Html);
  EXPECT_NE(page.find(" 690.0,10.0 \"/>"), std::string::npos) << page;
  EXPECT_NE(page.find("<td>a<td>5"), std::string::npos) << page;
  EXPECT_NE(statusText(plan, run, 151, StatusFormat::Json).find("\"poison\""), std::string::npos);
}

} // namespace
} // namespace farm
