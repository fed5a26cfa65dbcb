//===- ProcessorOfThread.h - threads that measure stay where they are -----===//
// SPDX-License-Identifier: MIT
#pragma once

#include <sched.h>

namespace replay {

/// Binds this thread to one of the processors that it may use, as long as the object lives.
class ProcessorOfThread {
public:
  /// The \p index-th of them. With fewer, and where the system refuses, nothing is bound.
  explicit ProcessorOfThread(unsigned index) {
    if (sched_getaffinity(0, sizeof(before), &before))
      return;
    for (unsigned processor = 0; processor < CPU_SETSIZE; ++processor)
      if (CPU_ISSET(processor, &before) && index-- == 0) {
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(processor, &one);
        isBound = !sched_setaffinity(0, sizeof(one), &one);
        return;
      }
  }
  ~ProcessorOfThread() {
    if (isBound)
      sched_setaffinity(0, sizeof(before), &before);
  }
  ProcessorOfThread(const ProcessorOfThread &) = delete;
  ProcessorOfThread &operator=(const ProcessorOfThread &) = delete;

private:
  cpu_set_t before;
  bool isBound = false;
};

} // namespace replay
