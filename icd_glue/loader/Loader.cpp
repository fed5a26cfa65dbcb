//===- Loader.cpp - what the Vulkan loader calls first --------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The three exported functions of the loader-driver interface (LoaderDriverInterface.md of the
/// Vulkan loader), and the commands that look up commands and list extensions.
#include "icd_glue/context/Device.h"
#include "icd_glue/context/Instance.h"
#include "icd_glue/loader/EntryTable.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cstring>
#include <vector>

using namespace llvm;

namespace icd {
namespace {

/// Highest version of the loader-driver interface that is implemented: 5 means that the driver
/// accepts any apiVersion; 6 and 7 add exports for Windows and direct loading, which need nothing.
constexpr uint32_t interfaceVersion = CURRENT_LOADER_ICD_INTERFACE_VERSION;

PFN_vkVoidFunction lookUp(const Instance *instance, StringRef name) {
  const EntryPoint *entry = findEntryPoint(name);
  if (!entry)
    return nullptr;
  if (!instance)
    return entry->level == EntryLevel::Global ? entry->function : nullptr;
  // Why all device extensions: this function serves every device that the instance may create, and
  // extensions of devices have functions of physical devices too.
  if (entry->level == EntryLevel::Device || entry->level == EntryLevel::PhysicalDevice) {
    ExtensionSet all = instance->extensions();
    for (size_t index = 0; index < extensionCount; ++index)
      if (allExtensions()[index].isDevice)
        all.add(static_cast<Extension>(index));
    return entry->isProvided(deviceApiVersion, all) ? entry->function : nullptr;
  }
  return entry->isProvided(deviceApiVersion, instance->extensions()) ? entry->function : nullptr;
}

/// Extensions of \p device, or of the instance where it is null.
VkResult listExtensions(const PhysicalDevice *device, uint32_t *count,
                        VkExtensionProperties *output) {
  std::vector<ExtensionRow> rows;
  for (auto [index, row] : llvm::enumerate(allExtensions()))
    if (device ? row.isDevice && device->hasExtension(static_cast<Extension>(index))
               : !row.isDevice)
      rows.push_back(row);
  return writeList(rows, count, output, [](const ExtensionRow &row, VkExtensionProperties &out) {
    out = {};
    std::strncpy(out.extensionName, row.name, VK_MAX_EXTENSION_NAME_SIZE - 1);
    out.specVersion = row.specVersion;
  });
}

} // namespace

PFN_vkVoidFunction VKAPI_CALL GetInstanceProcAddr(VkInstance instance, const char *pName) {
  return lookUp(fromHandle<Instance>(instance), pName);
}

PFN_vkVoidFunction VKAPI_CALL GetDeviceProcAddr(VkDevice handle, const char *pName) {
  Device *device = fromHandle<Device>(handle);
  const EntryPoint *entry = findEntryPoint(pName);
  if (!entry || entry->level != EntryLevel::Device)
    return nullptr;
  uint32_t version = std::min(device->instance().apiVersion(), deviceApiVersion);
  return entry->isProvided(version, device->extensions()) ? entry->function : nullptr;
}

VkResult VKAPI_CALL EnumerateInstanceVersion(uint32_t *pApiVersion) {
  *pApiVersion = deviceApiVersion;
  return VK_SUCCESS;
}

VkResult VKAPI_CALL EnumerateInstanceExtensionProperties(const char *pLayerName,
                                                         uint32_t *pPropertyCount,
                                                         VkExtensionProperties *pProperties) {
  if (pLayerName)
    return VK_ERROR_LAYER_NOT_PRESENT;
  return listExtensions(/*device=*/nullptr, pPropertyCount, pProperties);
}

VkResult VKAPI_CALL EnumerateDeviceExtensionProperties(VkPhysicalDevice physicalDevice,
                                                       const char *pLayerName,
                                                       uint32_t *pPropertyCount,
                                                       VkExtensionProperties *pProperties) {
  if (pLayerName)
    return VK_ERROR_LAYER_NOT_PRESENT;
  return listExtensions(fromHandle<PhysicalDevice>(physicalDevice), pPropertyCount, pProperties);
}

VkResult VKAPI_CALL EnumerateInstanceLayerProperties(uint32_t *pPropertyCount,
                                                     VkLayerProperties *) {
  *pPropertyCount = 0;
  return VK_SUCCESS;
}

VkResult VKAPI_CALL EnumerateDeviceLayerProperties(VkPhysicalDevice, uint32_t *pPropertyCount,
                                                   VkLayerProperties *) {
  *pPropertyCount = 0;
  return VK_SUCCESS;
}

} // namespace icd

//===--- Exports ----------------------------------------------------------===//

#define KILN_EXPORT extern "C" __attribute__((visibility("default"))) VKAPI_ATTR

KILN_EXPORT PFN_vkVoidFunction VKAPI_CALL vk_icdGetPhysicalDeviceProcAddr(VkInstance instance,
                                                                          const char *pName);

KILN_EXPORT VkResult VKAPI_CALL vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *pVersion) {
  *pVersion = std::min(*pVersion, icd::interfaceVersion);
  return VK_SUCCESS;
}

KILN_EXPORT PFN_vkVoidFunction VKAPI_CALL vk_icdGetInstanceProcAddr(VkInstance instance,
                                                                    const char *pName) {
  // Version 7 of the interface asks for these by name as well.
  if (!std::strcmp(pName, "vk_icdNegotiateLoaderICDInterfaceVersion"))
    return reinterpret_cast<PFN_vkVoidFunction>(vk_icdNegotiateLoaderICDInterfaceVersion);
  if (!std::strcmp(pName, "vk_icdGetPhysicalDeviceProcAddr"))
    return reinterpret_cast<PFN_vkVoidFunction>(vk_icdGetPhysicalDeviceProcAddr);
  return icd::GetInstanceProcAddr(instance, pName);
}

KILN_EXPORT PFN_vkVoidFunction VKAPI_CALL vk_icdGetPhysicalDeviceProcAddr(VkInstance instance,
                                                                          const char *pName) {
  const icd::EntryPoint *entry = icd::findEntryPoint(pName);
  if (!entry || entry->level != icd::EntryLevel::PhysicalDevice)
    return nullptr;
  return icd::GetInstanceProcAddr(instance, pName);
}
