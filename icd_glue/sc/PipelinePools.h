//===- PipelinePools.h - memory that was reserved for pipelines -----------===//
// SPDX-License-Identifier: MIT
/// \file
/// In Vulkan SC a device has as many places for pipelines, of fixed sizes, as it was created with
/// (VkDeviceObjectReservationCreateInfo::pPipelinePoolSizes). A pipeline out of a cache that was
/// compiled offline takes one of the size that its VkPipelineOfflineCreateInfo names, and gives it
/// back when it is destroyed (recyclePipelineMemory).
#pragma once

#include "llvm/Support/Error.h"
#include <map>
#include <memory>
#include <mutex>
#include <utility>

namespace icd::sc {

class PipelinePools;

/// A place in a pool, until it goes; the pools must outlive it.
class PoolEntry {
public:
  PoolEntry() = default;
  PoolEntry(PipelinePools &pools, uint64_t bytes) : pools(&pools), bytes(bytes) {}
  PoolEntry(PoolEntry &&other) : pools(std::exchange(other.pools, nullptr)), bytes(other.bytes) {}
  PoolEntry &operator=(PoolEntry &&other) {
    std::swap(pools, other.pools);
    std::swap(bytes, other.bytes);
    return *this;
  }
  ~PoolEntry();

private:
  PipelinePools *pools = nullptr; ///< null: none
  uint64_t bytes = 0;
};

/// Threads: any number.
class PipelinePools {
public:
  /// Those of all reservations in \p next, together. Null: the application reserves nothing, and
  /// pipelines take what they need.
  static std::unique_ptr<PipelinePools> create(const void *next);

  /// Errors: VulkanError (VK_ERROR_OUT_OF_POOL_MEMORY): no pool has entries of exactly this size,
  /// or none is left.
  llvm::Expected<PoolEntry> take(uint64_t bytes);

private:
  friend class PoolEntry;
  PipelinePools() = default;

  std::mutex mutex;
  std::map<uint64_t, uint64_t> left; ///< entries by their size
};

} // namespace icd::sc
