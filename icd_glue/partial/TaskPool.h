//===- TaskPool.h - work in the background --------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A few threads of low priority and a bounded queue. Tasks are guesses about what somebody will
/// want: they may be dropped and cancelled. A task owns everything it touches, so that it can
/// finish when its reason is gone.
///
/// Threads: all members may be called by any number of threads, except the destructor. Threads are
/// started with the first task. When the system refuses them, fewer work; without any, tasks are
/// dropped until it gives one. When the process ends before the pool does,
/// the pool is stopped.
#pragma once

#include "llpc/Compiler.h"
#include "llpc/Thread.h"
#include <algorithm>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace icd {

/// What a task is about: entry points of modules, by content (PartialPipeline::subjectOf()).
struct TaskSubject {
  llpc::Hash128 hash = {};

  bool operator==(const TaskSubject &) const = default;
};

class TaskPool {
public:
  struct Limits {
    unsigned workers = 2;
    uint64_t entries = 4096;   ///< that wait
    uint64_t bytes = 64 << 20; ///< that they keep
    llpc::ThreadCreate createThread = pthread_create;
  };
  /// A call of `announce` says that the task's results can be waited for elsewhere from now on. It
  /// happens by itself when the task ends.
  using Announce = std::function<void()>;
  struct Task {
    uint64_t owner = 0; ///< for cancel()
    TaskSubject subject;
    uint64_t bytes = 0; ///< that the task keeps alive
    std::function<void(const Announce &announce)> run;
  };

  explicit TaskPool(const Limits &limits) : limits(limits) {}
  /// Drops what waits, and waits for what runs.
  ~TaskPool();
  TaskPool(const TaskPool &) = delete;

  /// False, and the task is dropped: the queue is full, there is no thread, stop() was called, or
  /// the process ends.
  bool enqueue(Task task);
  /// Drops the owner's tasks that wait. Returns how many.
  size_t cancel(uint64_t owner);
  /// Is a task about \p subject queued, or running without having announced its results?
  bool isPending(const TaskSubject &subject) const;
  /// Waits until the tasks about \p subject that run have announced their results, but not for
  /// long: they may not get a processor.
  void awaitAnnouncement(const TaskSubject &subject);
  /// Waits until nothing is queued or runs.
  void waitIdle();
  /// Drops what waits, waits for what runs, ends the threads. Nothing is accepted any more. May be
  /// called by several threads; all of them wait.
  void stop();

  struct Counters {
    uint64_t accepted = 0, ended = 0, dropped = 0, cancelled = 0;
  };
  Counters counters() const;

private:
  struct Running {
    TaskSubject subject;
    bool announced = false;
  };
  bool isKeying(const TaskSubject &subject) const;
  struct ExitLink;
  template <typename Matches> size_t removeIf(Matches &&matches);
  bool startThread();
  void stopAtExit();
  static void onExit(void *link);
  void work();

  const Limits limits;
  mutable std::mutex mutex;
  std::condition_variable wake;    ///< of workers
  std::condition_variable changed; ///< something was announced or has ended
  std::deque<Task> queue;
  uint64_t queuedBytes = 0;
  std::vector<Running *> running; ///< on the stacks of workers
  std::vector<llpc::Thread> threads;
  std::shared_ptr<ExitLink> exitLink; ///< from the first thread on
  unsigned sleeping = 0;              ///< workers that wait for `wake`
  unsigned alive = 0;                 ///< workers that have not ended
  bool stopping = false;
  Counters totals;
};

} // namespace icd
