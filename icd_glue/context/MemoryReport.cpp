//===- MemoryReport.cpp - VK_EXT_device_memory_report ---------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/context/MemoryReport.h"

namespace icd {

MemoryReport::MemoryReport(const void *next) {
  for (auto *info = static_cast<const VkBaseInStructure *>(next); info; info = info->pNext)
    if (info->sType == VK_STRUCTURE_TYPE_DEVICE_DEVICE_MEMORY_REPORT_CREATE_INFO_EXT) {
      const auto *wanted = reinterpret_cast<const VkDeviceDeviceMemoryReportCreateInfoEXT *>(info);
      listeners.push_back({wanted->pfnUserCallback, wanted->pUserData});
    }
}

void MemoryReport::call(const VkDeviceMemoryReportCallbackDataEXT &data) const {
  for (const Listener &listener : listeners)
    listener.function(&data, listener.data);
}

void MemoryReport::tell(VkDeviceMemoryReportEventTypeEXT event, const Object &object, uint64_t id,
                        VkDeviceSize size) const {
  VkDeviceMemoryReportCallbackDataEXT data = {};
  data.sType = VK_STRUCTURE_TYPE_DEVICE_MEMORY_REPORT_CALLBACK_DATA_EXT;
  data.type = event;
  data.memoryObjectId = id;
  data.size = size;
  data.objectType = object.objectType;
  data.objectHandle = reinterpret_cast<uintptr_t>(&object);
  call(data); // the only heap is the first
}

void MemoryReport::tellFailure(VkObjectType type, VkDeviceSize size) const {
  VkDeviceMemoryReportCallbackDataEXT data = {};
  data.sType = VK_STRUCTURE_TYPE_DEVICE_MEMORY_REPORT_CALLBACK_DATA_EXT;
  data.type = VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_ALLOCATION_FAILED_EXT;
  data.size = size;
  data.objectType = type;
  call(data);
}

} // namespace icd
