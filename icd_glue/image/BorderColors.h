//===- BorderColors.h - the table of border colours -----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Custom border colours live in a table in device memory, which samplers index and every dispatch
/// names (DispatchInfo::borderColors). One entry for each sampler that has one.
#pragma once

#include "pal_shim/device/Device.h"
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>
#include <vulkan/vulkan_core.h>

namespace icd {

/// Thread safe.
class BorderColors {
public:
  explicit BorderColors(pal::device::SoftwareDevice &gpu) : gpu(gpu) {}
  /// The index of a new entry; nothing when the table is full or there is no memory for it.
  std::optional<uint32_t> acquire(const VkClearColorValue &color);
  void release(uint32_t index);
  /// 0 until there was an entry.
  pal::device::GpuAddress address() const { return tableAddress; }

private:
  pal::device::SoftwareDevice &gpu;
  std::mutex mutex;
  std::unique_ptr<pal::device::Allocation> table; ///< made with the first entry
  std::atomic<pal::device::GpuAddress> tableAddress = 0;
  std::vector<uint32_t> unused;
  uint32_t used = 0; ///< entries that were ever used
};

} // namespace icd
