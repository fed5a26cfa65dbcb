//===- Timer.h - CPU time of the calling thread ---------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include <ctime>

namespace llpc {

/// Measures CPU time of the thread, as the back end does: the phases then add up to what one
/// compilation costs, whatever else the machine does.
class Timer {
public:
  Timer() : start(now()) {}
  /// Milliseconds since construction or the last call.
  double lap() {
    double end = now();
    double ms = end - start;
    start = end;
    return ms;
  }

private:
  static double now() {
    timespec time = {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
  }
  double start;
};

} // namespace llpc
