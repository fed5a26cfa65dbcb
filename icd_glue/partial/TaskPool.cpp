//===- TaskPool.cpp - work in the background ------------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/partial/TaskPool.h"
#include "llvm/ADT/STLExtras.h"
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

namespace icd {

/// The calling thread gives way to the application's. Where the system does not allow that, it
/// works as well.
static void lowerPriority() {
  constexpr int niceness = 10;
  sched_param parameter = {};
  (void)sched_setscheduler(0, SCHED_BATCH, &parameter);
  (void)setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), niceness);
}

/// With the lock held.
bool TaskPool::startThread() {
  llpc::Thread thread;
  auto run = [this] {
    lowerPriority();
    work();
  };
  if (!thread.start(run, limits.createThread))
    return false;
  threads.push_back(std::move(thread));
  return true;
}

bool TaskPool::enqueue(Task task) {
  bool someoneSleeps = false;
  {
    std::lock_guard lock(mutex);
    if (stopping || limits.workers == 0 || queue.size() >= limits.entries ||
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

bool TaskPool::takeOut(const TaskSubject &subject) {
  std::unique_lock lock(mutex);
  const size_t count = removeIf([&](const Task &task) { return task.subject == subject; });
  totals.takenOut += count;
  changed.wait(lock, [&] { return !isKeying(subject); });
  lock.unlock();
  if (count)
    changed.notify_all();
  return count != 0;
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
  // Their destructors wait.
}

void TaskPool::work() {
  std::unique_lock lock(mutex);
  while (true) {
    ++sleeping;
    wake.wait(lock, [&] { return stopping || !queue.empty(); });
    --sleeping;
    if (queue.empty())
      return;
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
    changed.notify_all();
  }
}

TaskPool::Counters TaskPool::counters() const {
  std::lock_guard lock(mutex);
  return totals;
}

} // namespace icd
