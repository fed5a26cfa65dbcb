//===- TimeDomains.h - clocks that Vulkan knows ---------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/Object.h"

namespace icd {

/// Now, in nanoseconds. Device time (QueryPool::now) and the times of swapchains and their stages
/// are CLOCK_MONOTONIC, which domains that are not known are taken for.
uint64_t timeOf(VkTimeDomainKHR domain);

} // namespace icd
