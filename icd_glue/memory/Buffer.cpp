//===- Buffer.cpp - commands of VkBuffer ----------------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/memory/Buffer.h"
#include "icd_glue/Entrypoints.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/context/Limits.h"

namespace icd {
namespace {

constexpr VkBufferUsageFlags2KHR descriptorUsage =
    VK_BUFFER_USAGE_2_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT |
    VK_BUFFER_USAGE_2_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT |
    VK_BUFFER_USAGE_2_PUSH_DESCRIPTORS_DESCRIPTOR_BUFFER_BIT_EXT;

VkBufferUsageFlags2KHR usageOf(const VkBufferCreateInfo &info) {
  auto *flags = findInChain<VkBufferUsageFlags2CreateInfoKHR>(
      info.pNext, VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO_KHR);
  return flags ? flags->usage : info.usage;
}

VkMemoryRequirements requirementsOf(VkDeviceSize size, VkBufferUsageFlags2KHR usage) {
  return {(size + bufferAlignment - 1) / bufferAlignment * bufferAlignment, bufferAlignment,
          usage & descriptorUsage ? descriptorMemoryTypeBits : commonMemoryTypeBits};
}

void writeRequirements(VkDeviceSize size, VkBufferUsageFlags2KHR usage,
                       VkMemoryRequirements2 &requirements) {
  requirements.memoryRequirements = requirementsOf(size, usage);
  auto *dedicated = findOutInChain<VkMemoryDedicatedRequirements>(
      requirements.pNext, VK_STRUCTURE_TYPE_MEMORY_DEDICATED_REQUIREMENTS);
  if (dedicated) {
    dedicated->prefersDedicatedAllocation = VK_FALSE;
    dedicated->requiresDedicatedAllocation = VK_FALSE;
  }
}

} // namespace

VkResult VKAPI_CALL CreateBuffer(VkDevice handle, const VkBufferCreateInfo *pCreateInfo,
                                 const VkAllocationCallbacks *pAllocator, VkBuffer *pBuffer) {
  Device *device = fromHandle<Device>(handle);
  if (pCreateInfo->size > device->physicalDevice().properties().maxBufferSize)
    return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  Buffer *buffer = device->create<Buffer>(pAllocator, pCreateInfo->size, usageOf(*pCreateInfo));
  if (!buffer)
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  *pBuffer = toHandle(buffer);
  return VK_SUCCESS;
}

void VKAPI_CALL DestroyBuffer(VkDevice handle, VkBuffer buffer,
                              const VkAllocationCallbacks *pAllocator) {
  Device *device = fromHandle<Device>(handle);
  Buffer *object = fromHandle<Buffer>(buffer);
  if (object)
    device->reportBinding(*object, object->lastBinding(),
                          VK_DEVICE_ADDRESS_BINDING_TYPE_UNBIND_EXT);
  device->destroy(object, pAllocator);
}

void VKAPI_CALL GetBufferMemoryRequirements(VkDevice, VkBuffer buffer,
                                            VkMemoryRequirements *pMemoryRequirements) {
  auto *object = fromHandle<Buffer>(buffer);
  *pMemoryRequirements = requirementsOf(object->size, object->usage);
}

void VKAPI_CALL GetBufferMemoryRequirements2(VkDevice, const VkBufferMemoryRequirementsInfo2 *pInfo,
                                             VkMemoryRequirements2 *pMemoryRequirements) {
  auto *object = fromHandle<Buffer>(pInfo->buffer);
  writeRequirements(object->size, object->usage, *pMemoryRequirements);
}

void VKAPI_CALL GetDeviceBufferMemoryRequirements(VkDevice,
                                                  const VkDeviceBufferMemoryRequirements *pInfo,
                                                  VkMemoryRequirements2 *pMemoryRequirements) {
  writeRequirements(pInfo->pCreateInfo->size, usageOf(*pInfo->pCreateInfo), *pMemoryRequirements);
}

VkResult VKAPI_CALL BindBufferMemory(VkDevice device, VkBuffer buffer, VkDeviceMemory memory,
                                     VkDeviceSize memoryOffset) {
  Buffer *object = fromHandle<Buffer>(buffer);
  object->bind(fromHandle<DeviceMemory>(memory), memoryOffset);
  fromHandle<Device>(device)->reportBinding(*object, object->lastBinding(),
                                            VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT);
  return VK_SUCCESS;
}

VkResult VKAPI_CALL BindBufferMemory2(VkDevice device, uint32_t bindInfoCount,
                                      const VkBindBufferMemoryInfo *pBindInfos) {
  for (uint32_t index = 0; index < bindInfoCount; ++index) {
    (void)BindBufferMemory(device, pBindInfos[index].buffer, pBindInfos[index].memory,
                           pBindInfos[index].memoryOffset);
    noteBound(pBindInfos[index].pNext);
  }
  return VK_SUCCESS;
}

VkDeviceAddress VKAPI_CALL GetBufferDeviceAddress(VkDevice,
                                                  const VkBufferDeviceAddressInfo *pInfo) {
  return fromHandle<Buffer>(pInfo->buffer)->address();
}

// bufferDeviceAddressCaptureReplay is not there, so that the value cannot be used for anything.
uint64_t VKAPI_CALL GetBufferOpaqueCaptureAddress(VkDevice,
                                                  const VkBufferDeviceAddressInfo *pInfo) {
  return fromHandle<Buffer>(pInfo->buffer)->address();
}

} // namespace icd
