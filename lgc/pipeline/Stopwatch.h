//===- Stopwatch.h - CPU time of a phase ----------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include <ctime>

namespace lgc {

/// Adds the CPU time that the thread uses during its life to a sum, in milliseconds.
class Stopwatch {
public:
  explicit Stopwatch(double &sum) : sum(sum), start(now()) {}
  ~Stopwatch() { sum += now() - start; }

private:
  static double now() {
    timespec time = {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
  }
  double &sum;
  double start;
};

} // namespace lgc
