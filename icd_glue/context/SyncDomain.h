//===- SyncDomain.h - one lock behind all synchronisation objects ---------===//
// SPDX-License-Identifier: MIT
/// \file
/// Fences, semaphores and events of a device change under one mutex and share one condition
/// variable. Waiting for any of several objects, on the host or in a queue, is then one predicate,
/// and the loss of the device wakes every waiter. The rate of changes is that of submissions, far
/// below what one lock can take.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>

namespace icd {

enum class WaitResult : uint8_t { Satisfied, TimedOut, Lost };

class SyncDomain {
public:
  /// Guards the state of every object in the domain.
  std::mutex &mutex() { return guard; }

  /// Runs \p change under the lock and wakes all waiters.
  template <typename Change> void update(Change &&change) {
    {
      std::lock_guard<std::mutex> lock(guard);
      change();
    }
    changed.notify_all();
  }

  /// Reads state under the lock.
  template <typename Read> auto read(Read &&read) {
    std::lock_guard<std::mutex> lock(guard);
    return read();
  }

  /// Waits at most \p nanoseconds (UINT64_MAX: for ever) until \p satisfied, which is called under
  /// the lock, returns true. A predicate that holds wins over loss and timeout.
  template <typename Predicate> WaitResult wait(uint64_t nanoseconds, Predicate &&satisfied) {
    std::unique_lock<std::mutex> lock(guard);
    bool holds = false;
    auto done = [&] { return (holds = satisfied()) || lost; };
    waitUntil(lock, deadlineAfter(nanoseconds), done);
    return holds ? WaitResult::Satisfied : lost ? WaitResult::Lost : WaitResult::TimedOut;
  }

  /// For queues: waits until \p ready, then counts the caller as working until endWork(). False,
  /// without a call of \p ready, when the device is lost: what the predicate refers to may be gone.
  template <typename Predicate> bool beginWork(Predicate &&ready) {
    std::unique_lock<std::mutex> lock(guard);
    waitUntil(lock, std::nullopt, [&] { return lost || ready(); });
    if (lost)
      return false;
    ++working;
    return true;
  }
  /// Runs \p change under the lock; the caller no longer works.
  template <typename Change> void endWork(Change &&change) {
    update([&] {
      --working;
      change();
    });
  }
  /// Blocks while any queue works. Called before the application is told of a loss, because it may
  /// then destroy what the work uses.
  void drain() {
    std::unique_lock<std::mutex> lock(guard);
    changed.wait(lock, [&] { return working == 0; });
  }

  /// Objects whose state other devices and processes change, too, come and go: while there are any,
  /// waits look again each millisecond. Under the lock.
  void addForeign() { ++foreign; }
  void removeForeign() { --foreign; }

  /// Wakes all waiters for good: the device is lost or being destroyed.
  void lose() {
    update([this] { lost = true; });
  }
  bool isLost() const { return lost; }

private:
  using Clock = std::chrono::steady_clock;

  /// Nothing: never.
  static std::optional<Clock::time_point> deadlineAfter(uint64_t nanoseconds) {
    // Why a bound: adding about 292 years to the present overflows the clock.
    constexpr uint64_t longest = uint64_t(1) << 60;
    if (nanoseconds >= longest)
      return std::nullopt;
    return Clock::now() + std::chrono::nanoseconds(nanoseconds);
  }

  template <typename Done>
  void waitUntil(std::unique_lock<std::mutex> &lock, std::optional<Clock::time_point> deadline,
                 Done &&done) {
    while (!done()) {
      if (deadline && Clock::now() >= *deadline)
        return;
      const auto next = Clock::now() + std::chrono::milliseconds(1);
      if (foreign && (!deadline || next < *deadline))
        changed.wait_until(lock, next);
      else if (deadline)
        changed.wait_until(lock, *deadline);
      else
        changed.wait(lock);
    }
  }

  std::mutex guard;
  std::condition_variable changed;
  std::atomic<bool> lost = false;
  unsigned working = 0; // queues between beginWork() and endWork()
  unsigned foreign = 0; // addForeign()
};

} // namespace icd
