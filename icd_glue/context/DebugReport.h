//===- DebugReport.h - callbacks of VK_EXT_debug_report -------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The older way to get messages: what the driver says to messengers of VK_EXT_debug_utils it says
/// to these callbacks, too.
#pragma once

#include "icd_glue/Object.h"
#include "icd_glue/context/Instance.h"

namespace icd {

/// What an object's type is called there; UNKNOWN for types that came later.
VkDebugReportObjectTypeEXT reportTypeOf(VkObjectType type);
/// The other way round.
VkObjectType objectTypeOf(VkDebugReportObjectTypeEXT type);

class DebugReportCallback : public Object {
public:
  using Handle = VkDebugReportCallbackEXT;
  static constexpr VkObjectType type = VK_OBJECT_TYPE_DEBUG_REPORT_CALLBACK_EXT;
  explicit DebugReportCallback(const VkDebugReportCallbackCreateInfoEXT &info)
      : Object(type), flags(info.flags), callback(info.pfnCallback), userData(info.pUserData) {}

  /// A message in the terms of the extension.
  struct Report {
    VkDebugReportFlagsEXT flags;
    VkDebugReportObjectTypeEXT objectType;
    uint64_t object;
    size_t location;
    int32_t code;
    const char *prefix;
    const char *text;
  };
  /// Calls the application if it asked for such messages. Whether it did.
  bool deliver(const Report &report) const;
  bool deliver(const Message &message) const;

private:
  const VkDebugReportFlagsEXT flags;
  const PFN_vkDebugReportCallbackEXT callback;
  void *const userData;
};

} // namespace icd
