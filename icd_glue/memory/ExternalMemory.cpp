//===- ExternalMemory.cpp - memory that is shared -------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/memory/ExternalMemory.h"
#include "icd_glue/Entrypoints.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/context/Instance.h"
#include "icd_glue/context/Limits.h"
#include "icd_glue/memory/DeviceMemory.h"

namespace icd {
namespace {

constexpr VkExternalMemoryHandleTypeFlags hostTypes =
    VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT |
    VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_MAPPED_FOREIGN_MEMORY_BIT_EXT;
constexpr VkExternalMemoryHandleTypeFlagBits opaque = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
constexpr VkExternalMemoryHandleTypeFlagBits dmaBuf =
    VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT;

/// Types that memory can be exported by.
VkExternalMemoryHandleTypeFlags exportable(const Udmabuf &udmabuf) {
  return udmabuf.exists() ? opaque | dmaBuf : opaque;
}

std::unique_ptr<SharedPages> openFile(const VkImportMemoryFdInfoKHR &import, VkDeviceSize size,
                                      const Udmabuf &udmabuf) {
  if (import.handleType == opaque)
    return SharedPages::open(import.fd, size);
  return import.handleType == dmaBuf && udmabuf.exists() ? SharedPages::openDmaBuf(import.fd, size)
                                                         : nullptr;
}

} // namespace

VkResult findMemorySource(const VkMemoryAllocateInfo &info, bool mapsViews, const Udmabuf &udmabuf,
                          MemorySource &source) {
  if (const auto *import = findInChain<VkImportMemoryHostPointerInfoEXT>(
          info.pNext, VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT);
      import && (import->handleType & hostTypes)) {
    if (!import->pHostPointer ||
        reinterpret_cast<uintptr_t>(import->pHostPointer) % hostPointerAlignment ||
        info.allocationSize % hostPointerAlignment)
      return VK_ERROR_INVALID_EXTERNAL_HANDLE;
    source.host = import->pHostPointer;
    source.isImported = true;
    return VK_SUCCESS;
  }
  if (const auto *import = findInChain<VkImportMemoryFdInfoKHR>(
          info.pNext, VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR);
      import && static_cast<uint32_t>(import->handleType)) {
    source.shared = openFile(*import, info.allocationSize, udmabuf);
    if (!source.shared)
      return VK_ERROR_INVALID_EXTERNAL_HANDLE;
    source.isImported = true;
  } else if (const auto *exports = findInChain<VkExportMemoryAllocateInfo>(
                 info.pNext, VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO);
             exports && (exports->handleTypes & exportable(udmabuf))) {
    source.shared = SharedPages::create("VkDeviceMemory", info.allocationSize);
    const bool isDmaBuf = exports->handleTypes & exportable(udmabuf) & dmaBuf;
    if (!source.shared || (isDmaBuf && !source.shared->makeDmaBuf(udmabuf)))
      return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  } else if (mapsViews) {
    source.pages = PageMapping::create(info.allocationSize);
    if (!source.pages)
      return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    source.host = source.pages->data();
  }
  if (source.shared)
    source.host = source.shared->data();
  return VK_SUCCESS;
}

VkExternalMemoryProperties externalMemoryProperties(const Udmabuf &udmabuf,
                                                    VkExternalMemoryHandleTypeFlagBits type) {
  const VkExternalMemoryHandleTypeFlags files = exportable(udmabuf);
  if (type & files)
    return {VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT | VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT,
            VkExternalMemoryHandleTypeFlags(type), files};
  if (type & hostTypes)
    return {VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT, 0, type};
  return {};
}

//===--- Commands ---------------------------------------------------------===//

VkResult VKAPI_CALL GetMemoryFdKHR(VkDevice, const VkMemoryGetFdInfoKHR *info, int *fd) {
  const SharedPages *shared = fromHandle<DeviceMemory>(info->memory)->source.shared.get();
  const bool isOpaque = info->handleType == opaque && shared && !shared->isOfDmaBuf();
  const bool isDmaBuf = info->handleType == dmaBuf && shared && shared->hasDmaBuf();
  if (!isOpaque && !isDmaBuf)
    return VK_ERROR_UNKNOWN; // not valid usage
  *fd = isDmaBuf ? shared->duplicateDmaBuf() : shared->duplicate();
  return *fd < 0 ? VK_ERROR_TOO_MANY_OBJECTS : VK_SUCCESS;
}

/// Handles that are not opaque.
VkResult VKAPI_CALL GetMemoryFdPropertiesKHR(VkDevice handle,
                                             VkExternalMemoryHandleTypeFlagBits type, int fd,
                                             VkMemoryFdPropertiesKHR *properties) {
  const Udmabuf &udmabuf = fromHandle<Device>(handle)->instance().udmabuf();
  if (type != dmaBuf || !udmabuf.exists() || !SharedPages::isDmaBuf(fd))
    return VK_ERROR_INVALID_EXTERNAL_HANDLE;
  properties->memoryTypeBits = commonMemoryTypeBits;
  return VK_SUCCESS;
}

VkResult VKAPI_CALL GetMemoryHostPointerPropertiesEXT(
    VkDevice, VkExternalMemoryHandleTypeFlagBits type, const void *pointer,
    VkMemoryHostPointerPropertiesEXT *properties) {
  if (!(type & hostTypes) || !pointer)
    return VK_ERROR_INVALID_EXTERNAL_HANDLE;
  properties->memoryTypeBits = commonMemoryTypeBits;
  return VK_SUCCESS;
}

void VKAPI_CALL GetPhysicalDeviceExternalBufferProperties(
    VkPhysicalDevice device, const VkPhysicalDeviceExternalBufferInfo *info,
    VkExternalBufferProperties *properties) {
  properties->externalMemoryProperties = externalMemoryProperties(
      fromHandle<PhysicalDevice>(device)->instance().udmabuf(), info->handleType);
}

} // namespace icd
