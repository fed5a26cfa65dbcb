//===- Stopwatch.h - CPU time of a phase ----------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include <ctime>

namespace lgc {

/// CPU time of the thread, in milliseconds, shared out among phases that follow each other. Each
/// reading is a system call, 0.7 us on virtual machines.
class PhaseClock {
public:
  /// Adds the time since construction or the last call to \p sum.
  void charge(double &sum) {
    const double end = now();
    sum += end - start;
    start = end;
  }

private:
  static double now() {
    timespec time = {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
  }
  double start = now();
};

/// Adds the CPU time that the thread uses during its life to a sum.
class Stopwatch {
public:
  explicit Stopwatch(double &sum) : sum(sum) {}
  ~Stopwatch() { clock.charge(sum); }

private:
  double &sum;
  PhaseClock clock;
};

} // namespace lgc
