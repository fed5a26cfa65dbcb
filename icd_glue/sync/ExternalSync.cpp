//===- ExternalSync.cpp - semaphores and fences that are shared ------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/sync/ExternalSync.h"
#include "icd_glue/Entrypoints.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/sync/Fence.h"
#include "icd_glue/sync/Semaphore.h"

namespace icd {
namespace {

/// Runs \p change, which may make the payload one that others change.
template <typename Change>
auto changePayload(SyncDomain &sync, SyncPayload &payload, Change change) {
  decltype(change()) result = {};
  sync.update([&] {
    const bool wasForeign = payload.isForeign();
    result = change();
    if (payload.isForeign() && !wasForeign)
      sync.addForeign();
  });
  return result;
}

VkResult exportShared(SyncDomain &sync, SyncPayload &payload, int *fd) {
  *fd = changePayload(sync, payload, [&] { return payload.share(); });
  return *fd < 0 ? VK_ERROR_TOO_MANY_OBJECTS : VK_SUCCESS;
}

/// As a wait.
VkResult exportSyncFile(Device &device, SyncPayload &payload, int *fd) {
  const WaitResult result = device.sync().wait(UINT64_MAX, [&] { return payload.load() != 0; });
  if (result == WaitResult::Lost)
    return device.lostResult();
  device.sync().update([&] { payload.consume(); });
  *fd = -1;
  return VK_SUCCESS;
}

VkResult importShared(SyncDomain &sync, SyncPayload &payload, int fd, bool isTemporary) {
  return changePayload(sync, payload, [&] { return payload.importShared(fd, isTemporary); })
             ? VK_SUCCESS
             : VK_ERROR_INVALID_EXTERNAL_HANDLE;
}

VkResult importSyncFile(SyncDomain &sync, SyncPayload &payload, int fd) {
  return changePayload(sync, payload, [&] { return payload.importSyncFile(fd); })
             ? VK_SUCCESS
             : VK_ERROR_INVALID_EXTERNAL_HANDLE;
}

} // namespace

void forgetPayload(SyncDomain &sync, const SyncPayload &payload) {
  if (payload.isForeign())
    sync.update([&] { sync.removeForeign(); });
}

VkResult VKAPI_CALL GetSemaphoreFdKHR(VkDevice handle, const VkSemaphoreGetFdInfoKHR *info,
                                      int *fd) {
  Device &device = *fromHandle<Device>(handle);
  auto *semaphore = fromHandle<Semaphore>(info->semaphore);
  switch (info->handleType) {
  case VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT:
    return exportShared(device.sync(), semaphore->payload, fd);
  case VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT:
    if (!semaphore->timeline)
      return exportSyncFile(device, semaphore->payload, fd);
    break;
  default:
    break;
  }
  return VK_ERROR_UNKNOWN; // not valid usage
}

VkResult VKAPI_CALL ImportSemaphoreFdKHR(VkDevice handle, const VkImportSemaphoreFdInfoKHR *info) {
  SyncDomain &sync = fromHandle<Device>(handle)->sync();
  auto *semaphore = fromHandle<Semaphore>(info->semaphore);
  switch (info->handleType) {
  case VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT:
    return importShared(sync, semaphore->payload, info->fd,
                        info->flags & VK_SEMAPHORE_IMPORT_TEMPORARY_BIT);
  case VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT:
    if (!semaphore->timeline)
      return importSyncFile(sync, semaphore->payload, info->fd);
    break;
  default:
    break;
  }
  return VK_ERROR_INVALID_EXTERNAL_HANDLE;
}

VkResult VKAPI_CALL GetFenceFdKHR(VkDevice handle, const VkFenceGetFdInfoKHR *info, int *fd) {
  if (info->handleType != VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT)
    return VK_ERROR_UNKNOWN; // not valid usage
  return exportShared(fromHandle<Device>(handle)->sync(), fromHandle<Fence>(info->fence)->payload,
                      fd);
}

VkResult VKAPI_CALL ImportFenceFdKHR(VkDevice handle, const VkImportFenceFdInfoKHR *info) {
  SyncDomain &sync = fromHandle<Device>(handle)->sync();
  SyncPayload &payload = fromHandle<Fence>(info->fence)->payload;
  switch (info->handleType) {
  case VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT:
    return importShared(sync, payload, info->fd, info->flags & VK_FENCE_IMPORT_TEMPORARY_BIT);
  case VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT:
    return importSyncFile(sync, payload, info->fd);
  default:
    return VK_ERROR_INVALID_EXTERNAL_HANDLE;
  }
}

//===--- What there is ----------------------------------------------------===//

// Nothing is exported of what was imported as a sync file, but by another sync file.

void VKAPI_CALL GetPhysicalDeviceExternalFenceProperties(
    VkPhysicalDevice, const VkPhysicalDeviceExternalFenceInfo *info,
    VkExternalFenceProperties *properties) {
  VkExternalFenceFeatureFlags features = 0;
  if (info->handleType == VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT)
    features = VK_EXTERNAL_FENCE_FEATURE_EXPORTABLE_BIT | VK_EXTERNAL_FENCE_FEATURE_IMPORTABLE_BIT;
  // A fence may wait for what its own thread signals later, and so an export must not wait for it.
  if (info->handleType == VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT)
    features = VK_EXTERNAL_FENCE_FEATURE_IMPORTABLE_BIT;
  properties->externalFenceFeatures = features;
  properties->exportFromImportedHandleTypes =
      features & VK_EXTERNAL_FENCE_FEATURE_EXPORTABLE_BIT ? info->handleType : 0;
  properties->compatibleHandleTypes = features ? info->handleType : 0;
}

void VKAPI_CALL GetPhysicalDeviceExternalSemaphoreProperties(
    VkPhysicalDevice, const VkPhysicalDeviceExternalSemaphoreInfo *info,
    VkExternalSemaphoreProperties *properties) {
  auto *typeInfo = findInChain<VkSemaphoreTypeCreateInfo>(
      info->pNext, VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
  VkExternalSemaphoreHandleTypeFlags types = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;
  if (!typeInfo || typeInfo->semaphoreType != VK_SEMAPHORE_TYPE_TIMELINE)
    types |= VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT;
  const bool isKnown = info->handleType & types;
  properties->exportFromImportedHandleTypes = isKnown ? info->handleType : 0;
  properties->compatibleHandleTypes = isKnown ? info->handleType : 0;
  properties->externalSemaphoreFeatures = isKnown ? VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT |
                                                        VK_EXTERNAL_SEMAPHORE_FEATURE_IMPORTABLE_BIT
                                                  : 0;
}

} // namespace icd
