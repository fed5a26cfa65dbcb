//===- QueryPool.cpp - VkQueryPool ----------------------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/sync/QueryPool.h"
#include "icd_glue/device/Device.h"
#include "icd_glue/loader/Entrypoints.h"
#include <algorithm>
#include <cstring>
#include <ctime>

namespace icd {

QueryPool::QueryPool(Device &device, uint32_t count)
    : Object(type), owner(device), queries(count) {}

uint64_t QueryPool::now() {
  timespec time = {};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return uint64_t(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

uint32_t QueryPool::clamped(uint32_t first, uint32_t number) const {
  return first < count() ? std::min(number, count() - first) : 0;
}

void QueryPool::reset(uint32_t first, uint32_t number) {
  number = clamped(first, number);
  owner.sync().update([&] {
    for (uint32_t query = first; query < first + number; ++query)
      queries[query] = {};
  });
}

void QueryPool::writeTimestamp(uint32_t query) {
  owner.sync().update([&] { queries[query] = {true, now()}; });
}

namespace {

void writeNumber(uint8_t *&data, uint64_t value, bool wide) {
  if (wide) {
    std::memcpy(data, &value, sizeof(value));
  } else {
    uint32_t narrow = static_cast<uint32_t>(value);
    std::memcpy(data, &narrow, sizeof(narrow));
  }
  data += wide ? sizeof(uint64_t) : sizeof(uint32_t);
}

} // namespace

VkResult QueryPool::getResults(uint32_t first, uint32_t number, uint8_t *data, VkDeviceSize stride,
                               VkQueryResultFlags flags) {
  number = clamped(first, number);
  auto allAvailable = [&] {
    for (uint32_t query = first; query < first + number; ++query)
      if (!queries[query].available)
        return false;
    return true;
  };
  if ((flags & VK_QUERY_RESULT_WAIT_BIT) &&
      owner.sync().wait(UINT64_MAX, allAvailable) == WaitResult::Lost)
    return VK_ERROR_DEVICE_LOST;
  const bool wide = flags & VK_QUERY_RESULT_64_BIT;
  return owner.sync().read([&] {
    for (uint32_t index = 0; index < number; ++index) {
      const Query &query = queries[first + index];
      uint8_t *out = data + index * stride;
      // A timestamp has no intermediate result: PARTIAL gives the value 0 of a reset query.
      if (query.available || (flags & VK_QUERY_RESULT_PARTIAL_BIT))
        writeNumber(out, query.value, wide);
      else
        out += wide ? sizeof(uint64_t) : sizeof(uint32_t);
      if (flags & VK_QUERY_RESULT_WITH_AVAILABILITY_BIT)
        writeNumber(out, query.available, wide);
    }
    return allAvailable() ? VK_SUCCESS : VK_NOT_READY;
  });
}

//===--- Commands ---------------------------------------------------------===//

VkResult VKAPI_CALL CreateQueryPool(VkDevice handle, const VkQueryPoolCreateInfo *pCreateInfo,
                                    const VkAllocationCallbacks *pAllocator,
                                    VkQueryPool *pQueryPool) {
  Device *device = fromHandle<Device>(handle);
  if (pCreateInfo->queryType != VK_QUERY_TYPE_TIMESTAMP) {
    device->reportError("KILN-query-type", "query pools: only timestamps are supported");
    return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  }
  // No limit in Vulkan: what no program needs must fail, because containers cannot.
  constexpr uint32_t maxQueries = 1u << 24;
  if (pCreateInfo->queryCount > maxQueries)
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  QueryPool *pool = device->create<QueryPool>(pAllocator, *device, pCreateInfo->queryCount);
  if (!pool)
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  *pQueryPool = toHandle(pool);
  return VK_SUCCESS;
}

void VKAPI_CALL DestroyQueryPool(VkDevice device, VkQueryPool pool,
                                 const VkAllocationCallbacks *pAllocator) {
  fromHandle<Device>(device)->destroy(fromHandle<QueryPool>(pool), pAllocator);
}

void VKAPI_CALL ResetQueryPool(VkDevice, VkQueryPool pool, uint32_t firstQuery,
                               uint32_t queryCount) {
  fromHandle<QueryPool>(pool)->reset(firstQuery, queryCount);
}

VkResult VKAPI_CALL GetQueryPoolResults(VkDevice handle, VkQueryPool pool, uint32_t firstQuery,
                                        uint32_t queryCount, size_t, void *pData,
                                        VkDeviceSize stride, VkQueryResultFlags flags) {
  VkResult result = fromHandle<QueryPool>(pool)->getResults(
      firstQuery, queryCount, static_cast<uint8_t *>(pData), stride, flags);
  return result == VK_ERROR_DEVICE_LOST ? fromHandle<Device>(handle)->lostResult() : result;
}

} // namespace icd
