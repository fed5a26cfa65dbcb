//===- Thread.h - threads that the system may refuse ----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// std::thread reports a refusal (limits of processes, of memory) as an exception, which ends a
/// program that has none. A driver has to go on without the thread.
///
///     Thread thread;
///     if (!thread.start([&] { there(); }))
///       there();
#pragma once

#include <functional>
#include <pthread.h>

namespace llpc {

/// Creates threads as pthread_create does. Tests give one that refuses.
using ThreadCreate = int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

/// A thread, or none. Not safe to use from several threads at once.
class Thread {
public:
  Thread() = default;
  Thread(Thread &&other) noexcept : handle(other.handle), runs(other.runs) { other.runs = false; }
  Thread &operator=(Thread &&) = delete;
  /// Waits for the thread to end.
  ~Thread() { join(); }

  /// Runs \p function on a new thread with a stack as large as that of a main thread (8 MiB).
  /// False: the system gives no thread, and the function is not run. There must be no thread yet.
  [[nodiscard]] bool start(std::function<void()> function, ThreadCreate create = pthread_create);
  /// Waits for the thread to end, if there is one.
  void join();
  bool isRunning() const { return runs; } ///< started, and not joined

private:
  pthread_t handle = {};
  bool runs = false;
};

} // namespace llpc
