//===- TaskPoolTest.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/partial/TaskPool.h"
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <future>
#include <gtest/gtest.h>
#include <random>
#include <thread>

namespace icd {
namespace {

TaskSubject subject(uint32_t number) { return {{number, 0, 0, 0}}; }

/// Something that a task waits for.
class Gate {
public:
  void open() { promise.set_value(); }
  auto waiter() {
    return [opened = opened] { opened.wait(); };
  }

private:
  std::promise<void> promise;
  std::shared_future<void> opened = promise.get_future().share();
};

TaskPool::Task task(uint32_t number, std::function<void()> run, uint64_t owner = 0,
                    uint64_t bytes = 1) {
  return {owner, subject(number), bytes, [run = std::move(run)](const auto &) { run(); }};
}

void waitFor(const std::atomic<unsigned> &number, unsigned value) {
  while (number < value)
    std::this_thread::yield();
}

TEST(TaskPool, EverythingRuns) {
  TaskPool pool({});
  std::atomic<unsigned> ran = 0;
  for (uint32_t i = 0; i < 100; ++i)
    EXPECT_TRUE(pool.enqueue(task(i, [&] { ++ran; })));
  pool.waitIdle();
  EXPECT_EQ(ran, 100u);
  EXPECT_EQ(pool.counters().accepted, 100u);
  EXPECT_EQ(pool.counters().ended, 100u);
}

TEST(TaskPool, TheQueueIsBounded) {
  Gate gate;
  TaskPool pool({.workers = 1, .entries = 3, .bytes = 100});
  std::atomic<unsigned> started = 0;
  EXPECT_TRUE(pool.enqueue(task(0, [&, wait = gate.waiter()] {
    ++started;
    wait();
  })));
  waitFor(started, 1);
  EXPECT_TRUE(pool.enqueue(task(1, [] {}, 0, 60)));
  EXPECT_FALSE(pool.enqueue(task(2, [] {}, 0, 41))); // bytes
  EXPECT_TRUE(pool.enqueue(task(3, [] {}, 0, 40)));
  EXPECT_TRUE(pool.enqueue(task(4, [] {}, 0, 0)));
  EXPECT_FALSE(pool.enqueue(task(5, [] {}, 0, 0))); // entries
  EXPECT_EQ(pool.counters().dropped, 2u);
  gate.open();
  pool.waitIdle();
  EXPECT_EQ(pool.counters().ended, 4u);
  // There is room again.
  EXPECT_TRUE(pool.enqueue(task(6, [] {}, 0, 100)));
}

TEST(TaskPool, OwnersCancelTheirsOnly) {
  Gate gate;
  TaskPool pool({.workers = 1});
  std::atomic<unsigned> started = 0, ran = 0;
  pool.enqueue(task(
      0,
      [&, wait = gate.waiter()] {
        ++started;
        wait();
        ++ran;
      },
      1));
  waitFor(started, 1);
  for (uint32_t i = 1; i < 5; ++i)
    pool.enqueue(task(i, [&] { ++ran; }, i % 2));
  EXPECT_EQ(pool.cancel(1), 2u); // what runs goes on
  EXPECT_EQ(pool.cancel(7), 0u);
  gate.open();
  pool.waitIdle();
  EXPECT_EQ(ran, 3u);
  EXPECT_EQ(pool.counters().cancelled, 2u);
}

TEST(TaskPool, QueuedTasksArePending) {
  Gate gate;
  TaskPool pool({.workers = 1});
  std::atomic<unsigned> started = 0, ran = 0;
  pool.enqueue(task(0, [&, wait = gate.waiter()] {
    ++started;
    wait();
  }));
  waitFor(started, 1);
  pool.enqueue(task(1, [&] { ++ran; }));
  pool.enqueue(task(2, [&] { ++ran; }));
  EXPECT_TRUE(pool.isPending(subject(1)));
  EXPECT_FALSE(pool.isPending(subject(3)));
  pool.awaitAnnouncement(subject(1)); // does not wait for the queue
  EXPECT_EQ(ran, 0u);
  gate.open();
  pool.waitIdle();
  EXPECT_FALSE(pool.isPending(subject(1)));
  EXPECT_EQ(ran, 2u);
}

TEST(TaskPool, RunningTasksAreWaitedForUntilTheyAnnounce) {
  Gate before, after;
  TaskPool pool({.workers = 1});
  std::atomic<unsigned> started = 0;
  std::atomic<bool> announced = false;
  pool.enqueue(
      {0, subject(1), 0,
       [&, waitBefore = before.waiter(), waitAfter = after.waiter()](const auto &announce) {
         ++started;
         waitBefore();
         announced = true;
         announce();
         waitAfter();
       }});
  waitFor(started, 1);
  EXPECT_TRUE(pool.isPending(subject(1)));
  pool.awaitAnnouncement(subject(1)); // not for ever
  EXPECT_FALSE(announced);
  before.open();
  while (pool.isPending(subject(1)))
    pool.awaitAnnouncement(subject(1));
  EXPECT_TRUE(announced);
  after.open();
}

TEST(TaskPool, StoppingDropsWhatWaits) {
  Gate gate;
  std::atomic<unsigned> started = 0, ran = 0;
  auto witness = std::make_shared<int>(1);
  {
    TaskPool pool({.workers = 1, .entries = 8});
    pool.enqueue(task(0, [&, wait = gate.waiter()] {
      ++started;
      wait();
      ++ran;
    }));
    waitFor(started, 1);
    while (pool.enqueue(task(1, [&ran, witness] { ++ran; })))
      ;
    EXPECT_EQ(witness.use_count(), 9);
    std::thread opener([&] {
      // What waits has gone before what runs has ended.
      while (witness.use_count() > 1)
        std::this_thread::yield();
      gate.open();
    });
    pool.stop();
    opener.join();
    EXPECT_FALSE(pool.enqueue(task(2, [] {})));
    pool.waitIdle();
  }
  EXPECT_EQ(ran, 1u);
}

TEST(TaskPool, NoWorkersMeansNoTasks) {
  TaskPool pool({.workers = 0});
  EXPECT_FALSE(pool.enqueue(task(0, [] {})));
  EXPECT_EQ(pool.counters().dropped, 1u);
}

/// A system that gives so many threads.
std::atomic<unsigned> threadsLeft = 0;
int createFew(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
              void *argument) {
  if (threadsLeft == 0)
    return EAGAIN;
  --threadsLeft;
  return pthread_create(thread, attributes, run, argument);
}

TEST(TaskPool, TheSystemGivesNoThreads) {
  threadsLeft = 0;
  std::atomic<unsigned> ran = 0;
  TaskPool pool({.workers = 3, .createThread = createFew});
  EXPECT_FALSE(pool.enqueue(task(1, [&] { ++ran; })));
  EXPECT_FALSE(pool.isPending(subject(1)));
  pool.awaitAnnouncement(subject(1));
  pool.waitIdle();
  EXPECT_EQ(pool.counters().dropped, 1u);
  EXPECT_EQ(pool.counters().accepted, 0u);
  // One thread is enough for everything.
  threadsLeft = 1;
  for (uint32_t i = 0; i < 20; ++i)
    EXPECT_TRUE(pool.enqueue(task(i, [&] { ++ran; })));
  pool.waitIdle();
  EXPECT_EQ(ran, 20u);
  EXPECT_EQ(threadsLeft, 0u);
}

TEST(TaskPool, TheEndOfTheProcessWaitsForWhatRuns) {
  auto leave = [] {
    static TaskPool *pool = new TaskPool({.workers = 1}); // nobody destroys it
    pool->enqueue(task(1, [] {}));
    pool->waitIdle();
    std::atomic<unsigned> started = 0;
    pool->enqueue(task(0, [&] {
      ++started;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      fputs("ended", stderr);
    }));
    waitFor(started, 1);
    std::exit(0);
  };
  EXPECT_EXIT(leave(), testing::ExitedWithCode(0), "ended");
}

/// Whoever calls stop() second must not return before the threads have ended.
TEST(TaskPool, SeveralMayStopIt) {
  Gate gate;
  TaskPool pool({.workers = 2});
  std::atomic<unsigned> started = 0, ended = 0;
  for (uint32_t i = 0; i < 2; ++i)
    pool.enqueue(task(i, [&, wait = gate.waiter()] {
      ++started;
      wait();
      ++ended;
    }));
  waitFor(started, 2);
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 3; ++i)
    threads.emplace_back([&] {
      pool.stop();
      EXPECT_EQ(ended, 2u);
    });
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  gate.open();
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_FALSE(pool.enqueue(task(0, [] {})));
}

TEST(TaskPool, AForkEndsWithoutThreads) {
  TaskPool pool({.workers = 1});
  EXPECT_TRUE(pool.enqueue(task(0, [] {})));
  pool.waitIdle();
  EXPECT_EXIT(std::exit(0), testing::ExitedWithCode(0), "");
}

TEST(TaskPool, ThreadsStress) {
  TaskPool pool({.workers = 3, .entries = 16, .bytes = 64});
  std::atomic<uint64_t> ran = 0;
  auto run = [&](uint32_t seed) {
    std::minstd_rand random(seed);
    for (unsigned i = 0; i < 3000; ++i) {
      const uint32_t number = random() % 8;
      switch (random() % 4) {
      case 0:
        pool.cancel(number);
        break;
      case 1:
        pool.awaitAnnouncement(subject(number));
        break;
      default:
        pool.enqueue({number, subject(number), random() % 8, [&](const auto &announce) {
                        ++ran;
                        announce();
                      }});
        break;
      }
    }
  };
  std::vector<std::thread> threads;
  for (uint32_t seed = 1; seed <= 4; ++seed)
    threads.emplace_back(run, seed);
  for (std::thread &thread : threads)
    thread.join();
  pool.waitIdle();
  const TaskPool::Counters counters = pool.counters();
  EXPECT_EQ(counters.ended, ran);
  EXPECT_EQ(counters.accepted, counters.ended + counters.cancelled);
}

} // namespace
} // namespace icd
