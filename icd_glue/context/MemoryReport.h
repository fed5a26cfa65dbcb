//===- MemoryReport.h - VK_EXT_device_memory_report -----------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/Object.h"
#include <vector>

namespace icd {

/// What an application wants to be told of memory, from any thread that has to do with it.
class MemoryReport {
public:
  MemoryReport() = default;
  /// The callbacks in the chain of a VkDeviceCreateInfo.
  explicit MemoryReport(const void *next);

  /// Of \p object, whose memory has the number \p id: the same for all that share it.
  void tell(VkDeviceMemoryReportEventTypeEXT event, const Object &object, uint64_t id,
            VkDeviceSize size) const;
  /// There is no object.
  void tellFailure(VkObjectType type, VkDeviceSize size) const;

private:
  void call(const VkDeviceMemoryReportCallbackDataEXT &data) const;

  struct Listener {
    PFN_vkDeviceMemoryReportCallbackEXT function;
    void *data;
  };
  std::vector<Listener> listeners;
};

} // namespace icd
