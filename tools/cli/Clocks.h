//===- Clocks.h - time that passes, and that threads take -----------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include <ctime>

namespace cli {

inline double millisecondsOf(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return double(t.tv_sec) * 1e3 + double(t.tv_nsec) * 1e-6;
}

/// CPU milliseconds of the calling thread: what other programs do on the machine matters less.
inline double threadCpuMs() { return millisecondsOf(CLOCK_THREAD_CPUTIME_ID); }
/// CPU milliseconds of all threads of the process.
inline double processCpuMs() { return millisecondsOf(CLOCK_PROCESS_CPUTIME_ID); }
/// Milliseconds of a clock on the wall: what a caller waits.
inline double wallMs() { return millisecondsOf(CLOCK_MONOTONIC); }

} // namespace cli
