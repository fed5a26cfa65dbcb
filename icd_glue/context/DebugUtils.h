//===- DebugUtils.h - messengers of VK_EXT_debug_utils --------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/Object.h"
#include "icd_glue/context/Instance.h"

namespace icd {

class DebugMessenger : public Object {
public:
  using Handle = VkDebugUtilsMessengerEXT;
  static constexpr VkObjectType type = VK_OBJECT_TYPE_DEBUG_UTILS_MESSENGER_EXT;
  explicit DebugMessenger(const VkDebugUtilsMessengerCreateInfoEXT &info)
      : Object(type), severities(info.messageSeverity), types(info.messageType),
        callback(info.pfnUserCallback), userData(info.pUserData) {}

  /// Calls the application if it asked for such messages. Whether it did.
  bool deliver(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
               VkDebugUtilsMessageTypeFlagsEXT messageTypes,
               const VkDebugUtilsMessengerCallbackDataEXT &data) const;
  bool deliver(const Message &message) const;

private:
  const VkDebugUtilsMessageSeverityFlagsEXT severities;
  const VkDebugUtilsMessageTypeFlagsEXT types;
  const PFN_vkDebugUtilsMessengerCallbackEXT callback;
  void *const userData;
};

} // namespace icd
