//===- QueryPool.h - VkQueryPool ------------------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Queries: timestamps (nanoseconds of the host's monotonic clock), occlusion, pipeline statistics,
/// transform feedback, generated primitives, properties of acceleration structures.
/// What draws and dispatches count adds up in the Execution; a query is what was added between its
/// begin and its end. The functions serve host commands and recorded commands alike.
#pragma once

#include "icd_glue/Object.h"
#include "pal_shim/device/Draw.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

namespace icd {

class Device;

class QueryPool : public Object {
public:
  using Handle = VkQueryPool;
  static constexpr VkObjectType type = VK_OBJECT_TYPE_QUERY_POOL;
  using Statistics = pal::device::DrawStatistics;
  QueryPool(Device &device, const VkQueryPoolCreateInfo &info);

  static bool supports(VkQueryType type);

  uint32_t count() const { return static_cast<uint32_t>(available.size()); }
  /// Bytes that getResults() writes for each query.
  uint64_t resultBytes(VkQueryResultFlags flags) const;

  void reset(uint32_t first, uint32_t number);
  /// Notes what has been counted so far. \p stream: of vertices.
  void begin(uint32_t query, const Statistics &now, uint32_t stream = 0);
  /// Makes \p number queries available: the first with what has been added since its begin, the
  /// others, which multiview asks for, with zeros.
  void end(uint32_t query, uint32_t number, const Statistics &now);
  /// Makes \p number queries available with the present time.
  void writeTimestamp(uint32_t query, uint32_t number = 1);
  /// Makes a query of a property of acceleration structures available.
  void writeValue(uint32_t query, uint64_t value);
  /// vkGetQueryPoolResults and vkCmdCopyQueryPoolResults: writes to \p data. VK_NOT_READY when some
  /// query is unavailable and \p flags does not have WAIT; VK_TIMEOUT when it has, and
  /// \p nanoseconds (UINT64_MAX: for ever) have gone by.
  VkResult getResults(uint32_t first, uint32_t number, uint8_t *data, VkDeviceSize stride,
                      VkQueryResultFlags flags, uint64_t nanoseconds = UINT64_MAX);

  /// Nanoseconds of CLOCK_MONOTONIC.
  static uint64_t now();

private:
  struct Active {
    uint32_t query;
    uint32_t stream;
    Statistics atBegin;
  };
  /// How many of the queries [first, first + number) exist.
  uint32_t clamped(uint32_t first, uint32_t number) const;
  uint64_t *valuesOf(uint32_t query) { return values.data() + size_t(query) * valuesPerQuery; }
  void forget(uint32_t query);

  Device &owner;
  using Counter = uint64_t (*)(const Statistics &statistics, uint32_t stream);
  static llvm::SmallVector<Counter, 13> countersOf(const VkQueryPoolCreateInfo &info);
  /// What the queries count; empty for those whose value is written.
  llvm::SmallVector<Counter, 13> counters;
  const VkQueryType queryType;
  const size_t valuesPerQuery;
  // Guarded by Device::sync():
  std::vector<bool> available;
  std::vector<uint64_t> values; ///< 0 while unavailable
  std::vector<Active> active;   ///< begun and not ended; a few at most
};

} // namespace icd
