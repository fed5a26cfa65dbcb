//===- ThreadTest.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: MIT
#include "llpc/Thread.h"
#include <cerrno>
#include <csignal>
#include <gtest/gtest.h>
#include <memory>

namespace llpc {
namespace {

int refuse(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) { return EAGAIN; }

TEST(Thread, RunsAndIsJoined) {
  unsigned ran = 0;
  pthread_t id = pthread_self();
  Thread thread;
  EXPECT_FALSE(thread.isRunning());
  thread.join(); // none
  ASSERT_TRUE(thread.start([&] {
    ++ran;
    id = pthread_self();
  }));
  Thread other = std::move(thread);
  EXPECT_FALSE(thread.isRunning());
  EXPECT_TRUE(other.isRunning());
  other.join();
  EXPECT_FALSE(other.isRunning());
  EXPECT_EQ(ran, 1u);
  EXPECT_FALSE(pthread_equal(id, pthread_self()));
  ASSERT_TRUE(thread.start([&] { ++ran; })); // once more; the destructor joins
}

TEST(Thread, SignalsAreForOthers) {
  sigset_t before, after, inside;
  pthread_sigmask(SIG_SETMASK, nullptr, &before);
  Thread thread;
  ASSERT_TRUE(thread.start([&] { pthread_sigmask(SIG_SETMASK, nullptr, &inside); }));
  pthread_sigmask(SIG_SETMASK, nullptr, &after);
  thread.join();
  for (int signal : {SIGUSR1, SIGTERM, SIGXFSZ, SIGALRM, SIGPIPE}) {
    EXPECT_TRUE(sigismember(&inside, signal)) << signal;
    EXPECT_EQ(sigismember(&after, signal), sigismember(&before, signal)) << signal;
  }
  EXPECT_FALSE(sigismember(&inside, SIGSEGV));
}

TEST(Thread, ARefusalIsNoThread) {
  auto witness = std::make_shared<int>(0);
  Thread thread;
  EXPECT_FALSE(thread.start([witness] { ++*witness; }, refuse));
  EXPECT_FALSE(thread.isRunning());
  EXPECT_EQ(witness.use_count(), 1) << "the function is gone";
  EXPECT_EQ(*witness, 0);
  EXPECT_TRUE(thread.start([witness] { ++*witness; }));
  thread.join();
  EXPECT_EQ(*witness, 1);
}

} // namespace
} // namespace llpc
