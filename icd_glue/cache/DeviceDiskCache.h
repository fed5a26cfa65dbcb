//===- DeviceDiskCache.h - a device's cache on disk -----------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/cache/DiskCache.h"
#include "icd_glue/cache/ServerLayer.h"

namespace icd {

class PhysicalDevice;

/// What entries of the device's code depend on besides their keys (DiskCache::Options).
std::vector<uint8_t> diskGenerationOf(PhysicalDevice &device);

/// As the environment has it; null: none. Messages go to the instance, which must outlive it.
std::unique_ptr<DiskCache> openDiskCache(PhysicalDevice &device);

/// The server behind it, as the environment has it; null: none.
std::unique_ptr<ServerLayer> openServerLayer(PhysicalDevice &device, DiskCache *disk);

/// A line for KILN_STATS.
std::string textOf(const DiskCache::Counters &counters);

} // namespace icd
