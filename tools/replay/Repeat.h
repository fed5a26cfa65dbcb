//===- Repeat.h - medians of short calls ----------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>
#include <vector>

namespace replay {

inline double microsecondsOf(clockid_t clock) {
  timespec t = {};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) * 1e6 + static_cast<double>(t.tv_nsec) * 1e-3;
}
inline double threadMicroseconds() { return microsecondsOf(CLOCK_THREAD_CPUTIME_ID); }

/// Time from here on: of the calling thread, and of all threads of the process.
class Stopwatch {
public:
  double wall() const {
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - wallStart)
        .count();
  }
  double cpu() const { return threadMicroseconds() - cpuStart; }
  double allThreads() const { return microsecondsOf(CLOCK_PROCESS_CPUTIME_ID) - allStart; }

private:
  const double allStart = microsecondsOf(CLOCK_PROCESS_CPUTIME_ID);
  // The clock on the wall last: reading the others takes as long as a short call.
  const double cpuStart = threadMicroseconds();
  const std::chrono::steady_clock::time_point wallStart = std::chrono::steady_clock::now();
};

inline double medianOf(std::vector<double> values) {
  if (values.empty())
    return 0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Microseconds of CPU time of one call, median of batches: too short to be timed one by one. Calls
/// get numbers below repeatBatch; \p after each batch is not timed.
constexpr unsigned repeatBatch = 32;
template <typename Call, typename After> double repeat(Call call, After after) {
  constexpr unsigned batches = 9;
  std::vector<double> times;
  for (unsigned batch = 0; batch <= batches; ++batch) {
    const double begin = threadMicroseconds();
    for (unsigned i = 0; i < repeatBatch; ++i)
      call(i);
    if (batch) // the first one warms the processor's caches
      times.push_back((threadMicroseconds() - begin) / repeatBatch);
    after();
  }
  return medianOf(std::move(times));
}

} // namespace replay
