//===- Timing.h - clocks, medians, memory ---------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "tools/cli/Clocks.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

namespace bench {

using cli::processCpuMs;
using cli::threadCpuMs;
using cli::wallMs;

/// Asks for real-time priority, for this process, its threads to come and a peer that it starts.
/// Without it the second thread of a compile waits for milliseconds when another program computes.
/// False: not allowed (CAP_SYS_NICE, RLIMIT_RTPRIO).
inline bool keepOthersWaiting() {
  sched_param parameters{};
  parameters.sched_priority = sched_get_priority_min(SCHED_RR);
  return sched_setscheduler(0, SCHED_RR, &parameters) == 0;
}

inline double median(std::vector<double> values) {
  if (values.empty())
    return 0;
  std::sort(values.begin(), values.end());
  const size_t n = values.size();
  return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

inline double geometricMean(const std::vector<double> &values) {
  double sum = 0;
  for (double v : values)
    sum += std::log(v);
  return values.empty() ? 0 : std::exp(sum / static_cast<double>(values.size()));
}

/// Resident bytes of this process now.
inline double residentMiB() {
  long pages = 0, resident = 0;
  if (FILE *f = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(f, "%ld %ld", &pages, &resident) != 2)
      resident = 0;
    std::fclose(f);
  }
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

inline double peakResidentMiB() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

} // namespace bench
