//===- QueryPool.cpp - VkQueryPool ----------------------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/sync/QueryPool.h"
#include "icd_glue/Entrypoints.h"
#include "icd_glue/context/Device.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cstring>
#include <ctime>

namespace icd {

template <uint64_t QueryPool::Statistics::*member>
static uint64_t counted(const QueryPool::Statistics &statistics, uint32_t) {
  return statistics.*member;
}

/// What queries of a pool count, in the order of their results.
llvm::SmallVector<QueryPool::Counter, 13> QueryPool::countersOf(const VkQueryPoolCreateInfo &info) {
  /// By bit number of VkQueryPipelineStatisticFlagBits.
  constexpr Counter statisticsByBit[] = {
      counted<&Statistics::inputVertices>,      counted<&Statistics::inputPrimitives>,
      counted<&Statistics::vertexInvocations>,  counted<&Statistics::geometryInvocations>,
      counted<&Statistics::geometryPrimitives>, counted<&Statistics::clippingInvocations>,
      counted<&Statistics::clippingPrimitives>, counted<&Statistics::fragmentInvocations>,
      counted<&Statistics::tessControlPatches>, counted<&Statistics::tessEvaluationInvocations>,
      counted<&Statistics::computeInvocations>, counted<&Statistics::taskInvocations>,
      counted<&Statistics::meshInvocations>};
  llvm::SmallVector<Counter, 13> counters;
  if (info.queryType == VK_QUERY_TYPE_OCCLUSION)
    counters.push_back(counted<&Statistics::samplesPassed>);
  if (info.queryType == VK_QUERY_TYPE_PIPELINE_STATISTICS)
    for (unsigned bit = 0; bit < std::size(statisticsByBit); ++bit)
      if (info.pipelineStatistics >> bit & 1)
        counters.push_back(statisticsByBit[bit]);
  if (info.queryType == VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT) {
    counters.push_back(
        [](const Statistics &from, uint32_t stream) { return from.primitivesWritten[stream]; });
    counters.push_back(
        [](const Statistics &from, uint32_t stream) { return from.primitivesNeeded[stream]; });
  }
  if (info.queryType == VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT)
    counters.push_back(
        [](const Statistics &from, uint32_t stream) { return from.primitivesGenerated[stream]; });
  if (info.queryType == VK_QUERY_TYPE_MESH_PRIMITIVES_GENERATED_EXT)
    counters.push_back(counted<&Statistics::meshPrimitives>);
  return counters;
}

namespace {

uint64_t wordBytes(VkQueryResultFlags flags) {
  return flags & VK_QUERY_RESULT_64_BIT ? sizeof(uint64_t) : sizeof(uint32_t);
}

bool isOfStructures(VkQueryType type) {
  return type == VK_QUERY_TYPE_ACCELERATION_STRUCTURE_COMPACTED_SIZE_KHR ||
         type == VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SERIALIZATION_SIZE_KHR ||
         type == VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SIZE_KHR ||
         type == VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SERIALIZATION_BOTTOM_LEVEL_POINTERS_KHR;
}

bool hasWrittenValue(VkQueryType type) {
  return type == VK_QUERY_TYPE_TIMESTAMP || isOfStructures(type);
}

} // namespace

QueryPool::QueryPool(Device &device, const VkQueryPoolCreateInfo &info)
    : Object(type), owner(device), counters(countersOf(info)), queryType(info.queryType),
      valuesPerQuery(hasWrittenValue(info.queryType) ? 1 : counters.size()),
      available(info.queryCount), values(info.queryCount * valuesPerQuery) {}

bool QueryPool::supports(VkQueryType type) {
  return type == VK_QUERY_TYPE_TIMESTAMP || type == VK_QUERY_TYPE_OCCLUSION ||
         type == VK_QUERY_TYPE_PIPELINE_STATISTICS ||
         type == VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT ||
         type == VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT ||
         type == VK_QUERY_TYPE_MESH_PRIMITIVES_GENERATED_EXT || isOfStructures(type);
}

uint64_t QueryPool::now() {
  timespec time = {};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return uint64_t(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

uint64_t QueryPool::resultBytes(VkQueryResultFlags flags) const {
  const bool availability = flags & VK_QUERY_RESULT_WITH_AVAILABILITY_BIT;
  return (valuesPerQuery + availability) * wordBytes(flags);
}

uint32_t QueryPool::clamped(uint32_t first, uint32_t number) const {
  return first < count() ? std::min(number, count() - first) : 0;
}

void QueryPool::forget(uint32_t query) {
  llvm::erase_if(active, [&](const Active &entry) { return entry.query == query; });
}

void QueryPool::reset(uint32_t first, uint32_t number) {
  number = clamped(first, number);
  owner.sync().update([&] {
    for (uint32_t query = first; query < first + number; ++query) {
      available[query] = false;
      std::fill_n(valuesOf(query), valuesPerQuery, 0);
      forget(query);
    }
  });
}

void QueryPool::begin(uint32_t query, const Statistics &now, uint32_t stream) {
  if (query >= count() || stream >= pal::device::vertexStreams)
    return;
  owner.sync().update([&] {
    forget(query);
    active.push_back({query, stream, now});
  });
}

void QueryPool::end(uint32_t query, uint32_t number, const Statistics &now) {
  number = clamped(query, number);
  owner.sync().update([&] {
    auto found = llvm::find_if(active, [&](const Active &entry) { return entry.query == query; });
    if (found == active.end())
      return;
    for (size_t i = 0; i < counters.size(); ++i)
      valuesOf(query)[i] =
          counters[i](now, found->stream) - counters[i](found->atBegin, found->stream);
    active.erase(found);
    for (uint32_t i = 0; i < number; ++i)
      available[query + i] = true;
  });
}

void QueryPool::writeTimestamp(uint32_t query, uint32_t number) {
  if (queryType != VK_QUERY_TYPE_TIMESTAMP)
    return;
  number = clamped(query, number);
  owner.sync().update([&] {
    for (uint32_t i = 0; i < number; ++i) {
      available[query + i] = true;
      std::fill_n(valuesOf(query + i), valuesPerQuery, now());
    }
  });
}

void QueryPool::writeValue(uint32_t query, uint64_t value) {
  if (query >= count() || !isOfStructures(queryType))
    return;
  owner.sync().update([&] {
    available[query] = true;
    *valuesOf(query) = value;
  });
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
                               VkQueryResultFlags flags, uint64_t nanoseconds) {
  number = clamped(first, number);
  auto allAvailable = [&] {
    for (uint32_t query = first; query < first + number; ++query)
      if (!available[query])
        return false;
    return true;
  };
  if (flags & VK_QUERY_RESULT_WAIT_BIT) {
    const WaitResult result = owner.sync().wait(nanoseconds, allAvailable);
    if (result != WaitResult::Satisfied)
      return result == WaitResult::Lost ? VK_ERROR_DEVICE_LOST : VK_TIMEOUT;
  }
  const bool wide = flags & VK_QUERY_RESULT_64_BIT;
  return owner.sync().read([&] {
    for (uint32_t index = 0; index < number; ++index) {
      const uint32_t query = first + index;
      uint8_t *out = data + index * stride;
      // PARTIAL: the value of an unavailable query is 0, which is between 0 and the final one.
      if (available[query] || (flags & VK_QUERY_RESULT_PARTIAL_BIT))
        for (size_t i = 0; i < valuesPerQuery; ++i)
          writeNumber(out, valuesOf(query)[i], wide);
      else
        out += valuesPerQuery * wordBytes(flags);
      if (flags & VK_QUERY_RESULT_WITH_AVAILABILITY_BIT)
        writeNumber(out, available[query], wide);
    }
    return allAvailable() ? VK_SUCCESS : VK_NOT_READY;
  });
}

//===--- Commands ---------------------------------------------------------===//

VkResult VKAPI_CALL CreateQueryPool(VkDevice handle, const VkQueryPoolCreateInfo *pCreateInfo,
                                    const VkAllocationCallbacks *pAllocator,
                                    VkQueryPool *pQueryPool) {
  Device *device = fromHandle<Device>(handle);
  if (!QueryPool::supports(pCreateInfo->queryType)) {
    device->reportError(
        "KILN-query-type",
        "query pools: only timestamps, occlusion, pipeline statistics, transform feedback, "
        "generated primitives and properties of acceleration structures");
    return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  }
  // No limit in Vulkan: what no program needs must fail, because containers cannot.
  constexpr uint32_t maxQueries = 1u << 24;
  if (pCreateInfo->queryCount > maxQueries)
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  QueryPool *pool = device->create<QueryPool>(pAllocator, *device, *pCreateInfo);
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
