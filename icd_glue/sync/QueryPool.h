//===- QueryPool.h - VkQueryPool ------------------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Timestamp queries (nanoseconds of the host's monotonic clock). The functions serve host commands
/// and recorded commands alike.
#pragma once

#include "icd_glue/Object.h"
#include <vector>

namespace icd {

class Device;

class QueryPool : public Object {
public:
  using Handle = VkQueryPool;
  static constexpr VkObjectType type = VK_OBJECT_TYPE_QUERY_POOL;
  QueryPool(Device &device, uint32_t count);

  uint32_t count() const { return static_cast<uint32_t>(queries.size()); }
  void reset(uint32_t first, uint32_t number);
  /// Makes the query available with the present time.
  void writeTimestamp(uint32_t query);
  /// vkGetQueryPoolResults and vkCmdCopyQueryPoolResults: writes to \p data. VK_NOT_READY when some
  /// query is unavailable and \p flags does not have WAIT.
  VkResult getResults(uint32_t first, uint32_t number, uint8_t *data, VkDeviceSize stride,
                      VkQueryResultFlags flags);

  /// Nanoseconds of CLOCK_MONOTONIC.
  static uint64_t now();

private:
  struct Query {
    bool available = false;
    uint64_t value = 0;
  };
  /// How many of the queries [first, first + number) exist.
  uint32_t clamped(uint32_t first, uint32_t number) const;

  Device &owner;
  std::vector<Query> queries; // guarded by Device::sync()
};

} // namespace icd
