//===- StructureCommands.cpp - commands of VkAccelerationStructureKHR -----===//
// SPDX-License-Identifier: MIT
#include "icd_glue/Entrypoints.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/memory/AccelerationStructure.h"
#include "icd_glue/rays/SerialIdentity.h"
#include "lgc/AccelerationStructure.h"
#include <algorithm>
#include <cstring>

namespace icd {

Identity serialIdentityOf(Device &device) {
  // Of GPUs with the same structures the same.
  Identity identity = {};
  identity[4] = lgc::accel::hasWideStructures(device.target().major) ? lgc::accel::wideMagic
                                                                     : lgc::accel::structureMagic;
  std::memcpy(identity.data(), device.physicalDevice().properties().driverUUID, VK_UUID_SIZE);
  return identity;
}

VKAPI_ATTR VkResult VKAPI_CALL CreateAccelerationStructureKHR(
    VkDevice handle, const VkAccelerationStructureCreateInfoKHR *info,
    const VkAllocationCallbacks *allocator, VkAccelerationStructureKHR *structure) {
  auto *made = fromHandle<Device>(handle)->create<AccelerationStructure>(
      allocator, fromHandle<Buffer>(info->buffer), info->offset, info->size);
  *structure = toHandle(made);
  return made ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

/// VK_KHR_device_address_commands: memory by its address.
VKAPI_ATTR VkResult VKAPI_CALL CreateAccelerationStructure2KHR(
    VkDevice handle, const VkAccelerationStructureCreateInfo2KHR *info,
    const VkAllocationCallbacks *allocator, VkAccelerationStructureKHR *structure) {
  const VkDeviceAddressRangeKHR &range = info->addressRange;
  auto *made = fromHandle<Device>(handle)->create<AccelerationStructure>(allocator, nullptr,
                                                                         range.address, range.size);
  *structure = toHandle(made);
  return made ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

VKAPI_ATTR void VKAPI_CALL DestroyAccelerationStructureKHR(VkDevice device,
                                                           VkAccelerationStructureKHR structure,
                                                           const VkAllocationCallbacks *allocator) {
  fromHandle<Device>(device)->destroy(fromHandle<AccelerationStructure>(structure), allocator);
}

VKAPI_ATTR VkDeviceAddress VKAPI_CALL GetAccelerationStructureDeviceAddressKHR(
    VkDevice, const VkAccelerationStructureDeviceAddressInfoKHR *info) {
  return addressOf(info->accelerationStructure);
}

VKAPI_ATTR void VKAPI_CALL GetDeviceAccelerationStructureCompatibilityKHR(
    VkDevice device, const VkAccelerationStructureVersionInfoKHR *info,
    VkAccelerationStructureCompatibilityKHR *compatibility) {
  const Identity own = serialIdentityOf(*fromHandle<Device>(device));
  *compatibility = std::memcmp(own.data(), info->pVersionData, sizeof(own)) == 0
                       ? VK_ACCELERATION_STRUCTURE_COMPATIBILITY_COMPATIBLE_KHR
                       : VK_ACCELERATION_STRUCTURE_COMPATIBILITY_INCOMPATIBLE_KHR;
}

// accelerationStructureCaptureReplay is not there.
VKAPI_ATTR VkResult VKAPI_CALL GetAccelerationStructureOpaqueCaptureDescriptorDataEXT(
    VkDevice, const VkAccelerationStructureCaptureDescriptorDataInfoEXT *, void *) {
  return VK_SUCCESS;
}

//===--- Commands of the host: accelerationStructureHostCommands is false -===//

VKAPI_ATTR VkResult VKAPI_CALL BuildAccelerationStructuresKHR(
    VkDevice, VkDeferredOperationKHR, uint32_t, const VkAccelerationStructureBuildGeometryInfoKHR *,
    const VkAccelerationStructureBuildRangeInfoKHR *const *) {
  return VK_ERROR_FEATURE_NOT_PRESENT;
}
VKAPI_ATTR VkResult VKAPI_CALL CopyAccelerationStructureKHR(
    VkDevice, VkDeferredOperationKHR, const VkCopyAccelerationStructureInfoKHR *) {
  return VK_ERROR_FEATURE_NOT_PRESENT;
}
VKAPI_ATTR VkResult VKAPI_CALL CopyAccelerationStructureToMemoryKHR(
    VkDevice, VkDeferredOperationKHR, const VkCopyAccelerationStructureToMemoryInfoKHR *) {
  return VK_ERROR_FEATURE_NOT_PRESENT;
}
VKAPI_ATTR VkResult VKAPI_CALL CopyMemoryToAccelerationStructureKHR(
    VkDevice, VkDeferredOperationKHR, const VkCopyMemoryToAccelerationStructureInfoKHR *) {
  return VK_ERROR_FEATURE_NOT_PRESENT;
}
VKAPI_ATTR VkResult VKAPI_CALL WriteAccelerationStructuresPropertiesKHR(
    VkDevice, uint32_t, const VkAccelerationStructureKHR *, VkQueryType, size_t, void *, size_t) {
  return VK_ERROR_FEATURE_NOT_PRESENT;
}

} // namespace icd
