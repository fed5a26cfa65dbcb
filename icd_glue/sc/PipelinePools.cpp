//===- PipelinePools.cpp - memory that was reserved for pipelines ---------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/sc/PipelinePools.h"
#include "icd_glue/VulkanError.h"
#include "icd_glue/sc/ScApi.h"

namespace icd::sc {

PoolEntry::~PoolEntry() {
  if (!pools)
    return;
  std::lock_guard lock(pools->mutex);
  ++pools->left[bytes];
}

std::unique_ptr<PipelinePools> PipelinePools::create(const void *next) {
  std::unique_ptr<PipelinePools> pools;
  forEachReservation(next, [&](const ReservationInfo &info) {
    if (!pools)
      pools.reset(new PipelinePools());
    for (uint32_t i = 0; i < info.pipelinePoolSizeCount; ++i)
      pools->left[info.pPipelinePoolSizes[i].poolEntrySize] +=
          info.pPipelinePoolSizes[i].poolEntryCount;
  });
  return pools;
}

llvm::Expected<PoolEntry> PipelinePools::take(uint64_t bytes) {
  std::lock_guard lock(mutex);
  const auto at = left.find(bytes);
  if (at == left.end() || !at->second)
    return llvm::make_error<VulkanError>(
        VK_ERROR_OUT_OF_POOL_MEMORY,
        (at == left.end() ? "the device was created without pipeline pool entries of "
                          : "the device has no more pipeline pool entries of ") +
            std::to_string(bytes) + " bytes");
  --at->second;
  return PoolEntry(*this, bytes);
}

} // namespace icd::sc
