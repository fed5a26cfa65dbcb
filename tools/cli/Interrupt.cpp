//===- Interrupt.cpp - Ctrl-C ends a run, and what is finished stays ------===//
// SPDX-License-Identifier: MIT
#include "tools/cli/Interrupt.h"
#include <atomic>
#include <csignal>

namespace cli {

// A signal handler reaches nothing else.
static std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);

void catchInterrupts() {
  struct sigaction action = {};
  action.sa_handler = [](int) { interrupted = true; };
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM})
    sigaction(signal, &action, nullptr);
}

bool isInterrupted() { return interrupted; }

} // namespace cli
