//===- PhaseClock.h - What the phases of a compilation take ---------------===//
// SPDX-License-Identifier: MIT
//
// The thread's CPU time is what a compilation costs whatever else the machine does, but each
// reading of it is a system call, 0.7 us on virtual machines, and a small shader has two dozen
// phases. So phases read the machine's clock, which needs no system call, and their sum is scaled
// to the CPU time of the whole, which is read twice.
//
#pragma once

#include <ctime>

namespace lgc {

/// Elapsed time, shared out among phases that follow each other.
class PhaseClock {
public:
  /// Milliseconds since construction or the last call.
  double lap() {
    const double end = read(CLOCK_MONOTONIC);
    const double ms = end - start;
    start = end;
    return ms;
  }
  /// Adds them to \p sum.
  void charge(double &sum) { sum += lap(); }

  static double read(clockid_t clock) {
    timespec time = {};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
  }

private:
  double start = read(CLOCK_MONOTONIC);
};

/// Adds the time of its life to a sum.
class Stopwatch {
public:
  explicit Stopwatch(double &sum) : sum(sum) {}
  ~Stopwatch() { clock.charge(sum); }
  Stopwatch(const Stopwatch &) = delete;
  Stopwatch &operator=(const Stopwatch &) = delete;

private:
  double &sum;
  PhaseClock clock;
};

/// CPU time of the thread that makes it.
class ThreadTime {
public:
  /// Milliseconds since construction.
  double ms() const { return PhaseClock::read(CLOCK_THREAD_CPUTIME_ID) - start; }

private:
  double start = PhaseClock::read(CLOCK_THREAD_CPUTIME_ID);
};

/// What the fields of a record of phases must be multiplied with so that \p sum becomes \p ms.
inline double scaleOf(double sum, double ms) { return sum > 0 ? ms / sum : 1; }

} // namespace lgc
