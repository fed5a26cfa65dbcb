//===- TaskPool.cpp - work in the background ------------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/partial/TaskPool.h"
#include "icd_glue/ProcessEnd.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

namespace icd {

/// The calling thread gives way to the application's. Where the system does not allow that, it
/// works as well.
static void lowerPriority() {
  constexpr int lower = 10, lowest = 19;
  sched_param parameter = {};
  (void)sched_setscheduler(0, SCHED_BATCH, &parameter);
  const auto self = static_cast<id_t>(gettid());
  (void)setpriority(PRIO_PROCESS, self, std::min(getpriority(PRIO_PROCESS, self) + lower, lowest));
}

//===--- The end of the process -------------------------------------------===//

/// What the end of the process knows of a pool, which may be gone by then.
struct TaskPool::ExitLink {
  TaskPool *pool;
  const pid_t process = getpid();
  std::mutex mutex = {}; ///< of `pool`
};

void TaskPool::onExit(void *link) {
  std::unique_ptr<std::shared_ptr<ExitLink>> owner(static_cast<std::shared_ptr<ExitLink> *>(link));
  ExitLink &exiting = **owner;
  if (exiting.process != getpid()) // a fork, where no thread of ours is to be waited for
    return;
  beginProcessEnd();
  std::lock_guard lock(exiting.mutex);
  if (exiting.pool)
    exiting.pool->stop();
}

/// Threads must not run when the library goes away, nor use LLVM's static objects when those have
/// gone. What came last goes first: this is said when the compiler has made those that are known
/// (lgc/target/LlvmTables.h), and again as tasks may have made others.
void TaskPool::stopAtExit() {
  if (!exitLink)
    exitLink = std::make_shared<ExitLink>(this);
  auto owner = std::make_unique<std::shared_ptr<ExitLink>>(exitLink);
  if (callAtProcessEnd(onExit, owner.get()))
    (void)owner.release();
}

TaskPool::~TaskPool() {
  stop(); // first: the last task of a thread may make the link
  if (exitLink) {
    std::lock_guard lock(exitLink->mutex);
    exitLink->pool = nullptr;
  }
}

//===--- Threads and tasks ------------------------------------------------===//

/// With the lock held.
bool TaskPool::startThread() {
  if (threads.empty())
    stopAtExit();
  llpc::Thread thread;
  auto run = [this] {
    lowerPriority();
    work();
  };
  if (!thread.start(run, limits.createThread))
    return false;
  ++alive;
  threads.push_back(std::move(thread));
  return true;
}

bool TaskPool::enqueue(Task task) {
  bool someoneSleeps = false;
  {
    std::lock_guard lock(mutex);
    if (stopping || isProcessEnding() || limits.workers == 0 || queue.size() >= limits.entries ||
        task.bytes > limits.bytes - std::min(limits.bytes, queuedBytes)) {
      ++totals.dropped;
      return false;
    }
    // A thread for each task until there are enough. Those that are there do for the others.
    if (threads.size() < limits.workers && running.size() + queue.size() >= threads.size() &&
        !startThread() && threads.empty()) {
      ++totals.dropped;
      return false;
    }
    queuedBytes += task.bytes;
    queue.push_back(std::move(task));
    ++totals.accepted;
    // Waking a thread takes longer than all of the rest: those that work look here by themselves.
    someoneSleeps = sleeping > 0;
  }
  if (someoneSleeps)
    wake.notify_one();
  return true;
}

template <typename Matches> size_t TaskPool::removeIf(Matches &&matches) {
  const size_t before = queue.size();
  llvm::erase_if(queue, [&](const Task &task) {
    if (!matches(task))
      return false;
    queuedBytes -= task.bytes;
    return true;
  });
  return before - queue.size();
}

size_t TaskPool::cancel(uint64_t owner) {
  std::unique_lock lock(mutex);
  const size_t count = removeIf([&](const Task &task) { return task.owner == owner; });
  totals.cancelled += count;
  lock.unlock();
  if (count)
    changed.notify_all();
  return count;
}

/// Runs a task about \p subject whose results cannot be waited for yet?
bool TaskPool::isKeying(const TaskSubject &subject) const {
  return llvm::any_of(
      running, [&](const Running *task) { return task->subject == subject && !task->announced; });
}

bool TaskPool::isPending(const TaskSubject &subject) const {
  std::lock_guard lock(mutex);
  return isKeying(subject) ||
         llvm::any_of(queue, [&](const Task &task) { return task.subject == subject; });
}

void TaskPool::awaitAnnouncement(const TaskSubject &subject) {
  // Longer than that takes, unless others have the processor.
  constexpr std::chrono::milliseconds longEnough(5);
  std::unique_lock lock(mutex);
  changed.wait_for(lock, longEnough, [&] { return !isKeying(subject); });
}

void TaskPool::waitIdle() {
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return queue.empty() && running.empty(); });
}

void TaskPool::stop() {
  std::vector<llpc::Thread> toJoin;
  {
    std::lock_guard lock(mutex);
    stopping = true;
    totals.cancelled += removeIf([](const Task &) { return true; });
    toJoin.swap(threads);
  }
  wake.notify_all();
  changed.notify_all();
  toJoin.clear(); // their destructors wait
  // Those that another thread joins.
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return alive == 0; });
}

void TaskPool::work() {
  std::unique_lock lock(mutex);
  while (true) {
    ++sleeping;
    wake.wait(lock, [&] { return stopping || !queue.empty(); });
    --sleeping;
    if (queue.empty()) {
      --alive;
      changed.notify_all();
      return;
    }
    Running self;
    {
      Task task = std::move(queue.front());
      queue.pop_front();
      queuedBytes -= task.bytes;
      self.subject = task.subject;
      running.push_back(&self);
      lock.unlock();
      task.run([&] {
        {
          std::lock_guard announcing(mutex);
          self.announced = true;
        }
        changed.notify_all();
      });
      // The task's own objects die without the lock.
    }
    lock.lock();
    llvm::erase(running, &self);
    ++totals.ended;
    if (llvm::isPowerOf2_64(totals.ended))
      stopAtExit();
    changed.notify_all();
  }
}

TaskPool::Counters TaskPool::counters() const {
  std::lock_guard lock(mutex);
  return totals;
}

} // namespace icd
