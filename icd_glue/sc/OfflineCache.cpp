//===- OfflineCache.cpp - pipelines that kiln-pcc has compiled ------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/sc/OfflineCache.h"
#include "icd_glue/ProcessEnd.h"
#include "icd_glue/VulkanError.h"
#include "icd_glue/context/Device.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include <algorithm>

namespace icd::sc {
namespace {

llvm::ArrayRef<uint8_t> dataOf(const VkPipelineCacheCreateInfo &info) {
  return {static_cast<const uint8_t *>(info.pInitialData),
          info.pInitialData ? info.initialDataSize : 0};
}

llvm::Error failure(VkResult result, const llvm::Twine &message) {
  return llvm::make_error<VulkanError>(result, message.str());
}

/// Errors: VulkanError, also when the cache is for another device.
llvm::Expected<CacheView> viewFor(PhysicalDevice &device, llvm::ArrayRef<uint8_t> bytes) {
  llvm::Expected<CacheView> view = CacheView::create(bytes);
  if (!view)
    return failure(errorInvalidCacheData, llvm::toString(view.takeError()));
  const Header &header = view->header();
  const VkPhysicalDeviceProperties &own = device.coreProperties();
  if (header.vendorId != own.vendorID || header.deviceId != own.deviceID)
    return failure(errorInvalidCacheData, "pipeline cache: it is for device " +
                                              llvm::utohexstr(header.deviceId) + " of vendor " +
                                              llvm::utohexstr(header.vendorId) +
                                              ", this is device " + llvm::utohexstr(own.deviceID) +
                                              " of vendor " + llvm::utohexstr(own.vendorID));
  const Uuid uuid = cacheUuid(device.target().name);
  if (header.uuid != uuid)
    return failure(errorInvalidCacheData, "pipeline cache: its UUID is " + uuidText(header.uuid) +
                                              ", that of " + device.target().name + " is " +
                                              uuidText(uuid));
  return view;
}

} // namespace

bool OfflineCache::isDemanded(const VkPipelineCacheCreateInfo &info) {
  return info.flags & (cacheReadOnly | cacheUsesApplicationStorage);
}

bool OfflineCache::isOffered(const VkPipelineCacheCreateInfo &info) {
  const llvm::ArrayRef<uint8_t> data = dataOf(info);
  return data.size() >= 8 && llvm::support::endian::read32le(&data[4]) == headerVersion;
}

llvm::Expected<std::unique_ptr<OfflineCache>>
OfflineCache::create(Device &device, const VkPipelineCacheCreateInfo &info) {
  std::vector<uint8_t> copy;
  llvm::ArrayRef<uint8_t> bytes = dataOf(info);
  if (!(info.flags & cacheUsesApplicationStorage)) {
    copy = bytes.vec();
    bytes = copy; // moving a vector leaves its elements where they are
  }
  CacheView view = KILN_TRY(viewFor(device.physicalDevice(), bytes));
  return std::unique_ptr<OfflineCache>(
      new OfflineCache(device, std::move(copy), bytes, std::move(view)));
}

llvm::Expected<std::shared_ptr<const CodeObject>>
OfflineCache::codeOf(const void *next, VkShaderStageFlags stages, bool keepsBytes) {
  auto *info = findInChain<OfflineInfo>(next, offlineInfoType);
  if (!info)
    return failure(errorNoPipelineMatch,
                   "the pipeline has no VkPipelineOfflineCreateInfo, by which "
                   "a cache compiled offline is searched");
  if (info->matchControl != matchIdentifier)
    return failure(errorNoPipelineMatch,
                   "VkPipelineMatchControl " + llvm::Twine(info->matchControl) + " is unknown");
  Uuid identifier;
  std::copy_n(info->pipelineIdentifier, identifier.size(), identifier.begin());
  const Entry *entry = view.find(identifier);
  if (!entry)
    return failure(errorNoPipelineMatch,
                   "the pipeline cache has no pipeline " + uuidText(identifier));
  if (entry->stages != stages)
    return failure(errorNoPipelineMatch, "pipeline " + uuidText(identifier) + " has the stages 0x" +
                                             llvm::utohexstr(entry->stages) +
                                             " in the pipeline cache, not 0x" +
                                             llvm::utohexstr(stages));
  if (info->poolEntrySize < entry->memoryBytes)
    return failure(VK_ERROR_OUT_OF_POOL_MEMORY, "pipeline " + uuidText(identifier) + " takes " +
                                                    llvm::Twine(entry->memoryBytes) +
                                                    " bytes of its pool, poolEntrySize is " +
                                                    llvm::Twine(info->poolEntrySize));
  if (keepsBytes) // rare: not worth sharing
    return load(*entry, keepsBytes);
  std::weak_ptr<const CodeObject> &shared =
      loaded[static_cast<size_t>(entry - view.entries().begin())];
  {
    std::lock_guard lock(mutex);
    if (auto code = shared.lock())
      return code;
  }
  auto code = KILN_TRY(load(*entry, keepsBytes));
  std::lock_guard lock(mutex);
  if (auto others = shared.lock()) // another thread was as fast
    return others;
  shared = code;
  return code;
}

llvm::Expected<std::shared_ptr<const CodeObject>> OfflineCache::load(const Entry &entry,
                                                                     bool keepsBytes) {
  CodeObject::Description description;
  description.name = "pipeline " + uuidText(entry.identifier);
  description.stages = entry.stages;
  const StaticsInUse inUse;
  if (!inUse)
    return processEnds();
  auto program = KILN_TRY(device.gpu().loadProgram(entry.elf, description.name));
  description.executables = describe(entry.elf, entry.stages, device.target());
  if (keepsBytes)
    return std::make_shared<const CodeObject>(
        device.target(), llpc::PipelineBinary::own(entry.elf.vec()), std::move(description));
  return std::make_shared<const CodeObject>(device.target(), std::move(program),
                                            std::move(description));
}

llvm::Error checkReservedCaches(PhysicalDevice &device, const void *next) {
  llvm::Error errors = llvm::Error::success();
  forEachReservation(next, [&](const ReservationInfo &info) {
    for (uint32_t i = 0; i < info.pipelineCacheCreateInfoCount && !errors; ++i)
      if (auto view = viewFor(device, dataOf(info.pPipelineCacheCreateInfos[i])); !view)
        errors = view.takeError();
  });
  return errors;
}

} // namespace icd::sc
