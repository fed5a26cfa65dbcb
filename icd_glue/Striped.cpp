//===- Striped.cpp - counts that processors do not share ------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/Striped.h"
#include <sched.h>

namespace icd {

unsigned currentStripe() {
  // Some nanoseconds: the kernel keeps the number in memory of the thread. -1: it does not.
  return static_cast<unsigned>(sched_getcpu()) % stripeCount;
}

} // namespace icd
