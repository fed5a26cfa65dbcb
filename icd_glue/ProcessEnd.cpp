//===- ProcessEnd.cpp - what must be over before the process is -----------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/ProcessEnd.h"
#include "lgc/CompileError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include <condition_variable>
#include <cxxabi.h>
#include <mutex>
#include <thread>
#include <unistd.h>

extern "C" {
/// The library that this code is in, for what is to be called when it goes away.
extern void *__dso_handle __attribute__((visibility("hidden")));
}

namespace icd {
namespace {

/// Lives for ever, since threads may come here after all static objects have gone.
struct Gate {
  std::mutex mutex;
  std::condition_variable left;
  pid_t process = getpid();
  bool isEnding = false;
  uint64_t uses = 0;
  llvm::SmallVector<std::thread::id, 8> users;
};

Gate &gate() {
  static Gate &theGate = *new Gate;
  return theGate;
}

void waitForUsers(void *) {
  Gate &g = gate();
  std::unique_lock lock(g.mutex);
  if (g.process != getpid()) // a fork, where the threads are not
    return;
  g.isEnding = true;
  g.left.wait(lock, [&] {
    return llvm::all_of(g.users,
                        [](std::thread::id user) { return user == std::this_thread::get_id(); });
  });
}

} // namespace

bool callAtProcessEnd(void (*function)(void *), void *argument) {
  return abi::__cxa_atexit(function, argument, &__dso_handle) == 0;
}

StaticsInUse::StaticsInUse() {
  Gate &g = gate();
  std::lock_guard lock(g.mutex);
  if (g.process != getpid()) {
    g.process = getpid();
    g.users.clear();
  }
  entered = !g.isEnding;
  if (entered)
    g.users.push_back(std::this_thread::get_id());
  if (entered && g.uses++ == 0)
    callAtProcessEnd(waitForUsers, nullptr);
}

StaticsInUse::~StaticsInUse() {
  if (!entered)
    return;
  Gate &g = gate();
  {
    std::lock_guard lock(g.mutex);
    // What came last goes first, and compiling may have made further static objects.
    if (!g.isEnding && llvm::isPowerOf2_64(g.uses))
      callAtProcessEnd(waitForUsers, nullptr);
    g.users.erase(llvm::find(g.users, std::this_thread::get_id()));
  }
  g.left.notify_all();
}

bool isProcessEnding() {
  Gate &g = gate();
  std::lock_guard lock(g.mutex);
  return g.isEnding && g.process == getpid();
}

void beginProcessEnd() {
  Gate &g = gate();
  std::lock_guard lock(g.mutex);
  if (g.process == getpid())
    g.isEnding = true;
}

llvm::Error processEnds() { return lgc::unsupported("a compile while the process ends"); }

} // namespace icd
