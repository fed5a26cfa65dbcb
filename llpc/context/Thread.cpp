//===- Thread.cpp - threads that the system may refuse --------------------===//
// SPDX-License-Identifier: MIT
#include "llpc/Thread.h"
#include "lgc/CompileError.h"
#include <csignal>
#include <memory>

namespace llpc {

/// Recursion in LLVM is bounded by its own limits; this is what a main thread has.
static constexpr size_t stackBytes = size_t(8) << 20;

using Function = std::function<void()>;

static void *callFunction(void *function) {
  std::unique_ptr<Function> owner(static_cast<Function *>(function));
  (*owner)();
  return nullptr;
}

/// All signals, but for those that a thread raises itself by what it executes.
static sigset_t forThreads() {
  sigset_t signals;
  sigfillset(&signals);
  for (int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS})
    sigdelset(&signals, own);
  return signals;
}

bool Thread::start(Function function, ThreadCreate create) {
  KILN_CHECK(!runs, "a thread is started twice");
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0)
    return false;
  auto owner = std::make_unique<Function>(std::move(function));
  // Signals of the process are for the application's threads. The new thread inherits the mask.
  const sigset_t signals = forThreads();
  sigset_t before;
  const bool isMasked = pthread_sigmask(SIG_SETMASK, &signals, &before) == 0;
  runs = pthread_attr_setstacksize(&attributes, stackBytes) == 0 &&
         create(&handle, &attributes, callFunction, owner.get()) == 0;
  if (isMasked)
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  if (runs)
    (void)owner.release(); // the thread's
  return runs;
}

void Thread::join() {
  if (!runs)
    return;
  pthread_join(handle, nullptr);
  runs = false;
}

} // namespace llpc
