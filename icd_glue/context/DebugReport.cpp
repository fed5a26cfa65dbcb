//===- DebugReport.cpp - VK_EXT_debug_report, VK_EXT_debug_marker ---------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/context/DebugReport.h"
#include "icd_glue/Entrypoints.h"

namespace icd {
namespace {

/// Types have the same numbers up to here, and where an extension had both from its beginning.
constexpr uint32_t lastCommonType = VK_OBJECT_TYPE_COMMAND_POOL;
constexpr uint32_t laterCommonTypes[] = {VK_OBJECT_TYPE_SAMPLER_YCBCR_CONVERSION,
                                         VK_OBJECT_TYPE_DESCRIPTOR_UPDATE_TEMPLATE};
struct TypePair {
  VkObjectType object;
  VkDebugReportObjectTypeEXT report;
};
constexpr TypePair typePairs[] = {
    {VK_OBJECT_TYPE_SURFACE_KHR, VK_DEBUG_REPORT_OBJECT_TYPE_SURFACE_KHR_EXT},
    {VK_OBJECT_TYPE_SWAPCHAIN_KHR, VK_DEBUG_REPORT_OBJECT_TYPE_SWAPCHAIN_KHR_EXT},
    {VK_OBJECT_TYPE_DEBUG_REPORT_CALLBACK_EXT,
     VK_DEBUG_REPORT_OBJECT_TYPE_DEBUG_REPORT_CALLBACK_EXT_EXT}};

bool isCommonType(uint32_t number) {
  return number <= lastCommonType || number == laterCommonTypes[0] || number == laterCommonTypes[1];
}

VkDebugReportFlagsEXT flagsOf(const Message &message) {
  if (message.severity >= VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT)
    return VK_DEBUG_REPORT_ERROR_BIT_EXT;
  if (message.severity >= VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT)
    return message.types & VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT
               ? VK_DEBUG_REPORT_PERFORMANCE_WARNING_BIT_EXT
               : VK_DEBUG_REPORT_WARNING_BIT_EXT;
  return message.severity >= VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT
             ? VK_DEBUG_REPORT_INFORMATION_BIT_EXT
             : VK_DEBUG_REPORT_DEBUG_BIT_EXT;
}

} // namespace

VkDebugReportObjectTypeEXT reportTypeOf(VkObjectType type) {
  for (const TypePair &pair : typePairs)
    if (pair.object == type)
      return pair.report;
  return isCommonType(type) ? static_cast<VkDebugReportObjectTypeEXT>(type)
                            : VK_DEBUG_REPORT_OBJECT_TYPE_UNKNOWN_EXT;
}

VkObjectType objectTypeOf(VkDebugReportObjectTypeEXT type) {
  for (const TypePair &pair : typePairs)
    if (pair.report == type)
      return pair.object;
  return isCommonType(type) ? static_cast<VkObjectType>(type) : VK_OBJECT_TYPE_UNKNOWN;
}

bool DebugReportCallback::deliver(const Report &report) const {
  if (!(flags & report.flags) || !callback)
    return false;
  callback(report.flags, report.objectType, report.object, report.location, report.code,
           report.prefix, report.text, userData);
  return true;
}

bool DebugReportCallback::deliver(const Message &message) const {
  Report report = {
      flagsOf(message),    VK_DEBUG_REPORT_OBJECT_TYPE_UNKNOWN_EXT, 0, 0, 0, message.id,
      message.text.c_str()};
  // The first object is what the message is about.
  if (!message.objects.empty() && message.objects.front()) {
    report.objectType = reportTypeOf(message.objects.front()->objectType);
    report.object = reinterpret_cast<uintptr_t>(message.objects.front());
  }
  return deliver(report);
}

//===--- VK_EXT_debug_report ----------------------------------------------===//

VkResult VKAPI_CALL CreateDebugReportCallbackEXT(
    VkInstance instanceHandle, const VkDebugReportCallbackCreateInfoEXT *pCreateInfo,
    const VkAllocationCallbacks *pAllocator, VkDebugReportCallbackEXT *pCallback) {
  Instance *instance = fromHandle<Instance>(instanceHandle);
  DebugReportCallback *callback = createObject<DebugReportCallback>(
      pAllocator, instance->allocationCallbacks(), VK_SYSTEM_ALLOCATION_SCOPE_OBJECT, *pCreateInfo);
  if (!callback)
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  instance->addReportCallback(callback);
  *pCallback = toHandle(callback);
  return VK_SUCCESS;
}

void VKAPI_CALL DestroyDebugReportCallbackEXT(VkInstance instanceHandle,
                                              VkDebugReportCallbackEXT handle,
                                              const VkAllocationCallbacks *pAllocator) {
  Instance *instance = fromHandle<Instance>(instanceHandle);
  DebugReportCallback *callback = fromHandle<DebugReportCallback>(handle);
  if (callback)
    instance->removeReportCallback(callback);
  destroyObject(callback, pAllocator, instance->allocationCallbacks());
}

void VKAPI_CALL DebugReportMessageEXT(VkInstance instance, VkDebugReportFlagsEXT flags,
                                      VkDebugReportObjectTypeEXT objectType, uint64_t object,
                                      size_t location, int32_t messageCode,
                                      const char *pLayerPrefix, const char *pMessage) {
  fromHandle<Instance>(instance)->forEachReportCallback([&](const DebugReportCallback &callback) {
    (void)callback.deliver(
        {flags, objectType, object, location, messageCode, pLayerPrefix, pMessage});
  });
}

//===--- VK_EXT_debug_marker: names and labels of VK_EXT_debug_utils ------===//

VkResult VKAPI_CALL DebugMarkerSetObjectNameEXT(VkDevice device,
                                                const VkDebugMarkerObjectNameInfoEXT *pNameInfo) {
  VkDebugUtilsObjectNameInfoEXT info = {};
  info.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT;
  info.objectType = objectTypeOf(pNameInfo->objectType);
  info.objectHandle = pNameInfo->object;
  info.pObjectName = pNameInfo->pObjectName;
  return SetDebugUtilsObjectNameEXT(device, &info);
}

/// Nobody asks for tags.
VkResult VKAPI_CALL DebugMarkerSetObjectTagEXT(VkDevice, const VkDebugMarkerObjectTagInfoEXT *) {
  return VK_SUCCESS;
}

void VKAPI_CALL CmdDebugMarkerBeginEXT(VkCommandBuffer commandBuffer,
                                       const VkDebugMarkerMarkerInfoEXT *pMarkerInfo) {
  VkDebugUtilsLabelEXT label = {};
  label.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT;
  label.pLabelName = pMarkerInfo->pMarkerName;
  CmdBeginDebugUtilsLabelEXT(commandBuffer, &label);
}

void VKAPI_CALL CmdDebugMarkerEndEXT(VkCommandBuffer commandBuffer) {
  CmdEndDebugUtilsLabelEXT(commandBuffer);
}

/// A single label names nothing that could fault.
void VKAPI_CALL CmdDebugMarkerInsertEXT(VkCommandBuffer, const VkDebugMarkerMarkerInfoEXT *) {}

} // namespace icd
