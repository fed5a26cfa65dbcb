//===- MakerProgress.cpp - is a thread worth waiting for? -----------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/cache/MakerProgress.h"
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

namespace icd {

static int nicenessHere() { return getpriority(PRIO_PROCESS, static_cast<id_t>(gettid())); }

MakerProgress::MakerProgress()
    : niceness(nicenessHere()), hasClock(pthread_getcpuclockid(pthread_self(), &clock) == 0) {}

bool MakerProgress::givesWayToCaller() const { return nicenessHere() < niceness; }

bool MakerProgress::isStarved() {
  timespec worked;
  if (!hasClock || clock_gettime(clock, &worked) != 0)
    return false;
  const auto work = std::chrono::seconds(worked.tv_sec) + std::chrono::nanoseconds(worked.tv_nsec);
  const Clock::time_point now = Clock::now();
  const bool result = lastTime && 2 * (work - lastWork) < now - *lastTime;
  lastTime = now;
  lastWork = work;
  return result;
}

} // namespace icd
