//===- DebugUtils.cpp - VK_EXT_debug_utils --------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Messengers, object names and labels. The driver's own messages (device faults, compile errors)
/// reach the application here. Labels of queues have nothing to be attached to; those of command
/// buffers are in command/.
#include "icd_glue/context/DebugUtils.h"
#include "icd_glue/Entrypoints.h"
#include <vector>

namespace icd {

bool DebugMessenger::deliver(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                             VkDebugUtilsMessageTypeFlagsEXT messageTypes,
                             const VkDebugUtilsMessengerCallbackDataEXT &data) const {
  if (!(severities & severity) || !(types & messageTypes) || !callback)
    return false;
  callback(severity, messageTypes, &data, userData);
  return true;
}

bool DebugMessenger::deliver(const Message &message) const {
  std::vector<std::string> names;
  std::vector<VkDebugUtilsObjectNameInfoEXT> objects;
  for (const Object *object : message.objects)
    names.push_back(object->debugName());
  for (size_t index = 0; index < names.size(); ++index)
    objects.push_back({VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT, nullptr,
                       message.objects[index]->objectType,
                       reinterpret_cast<uintptr_t>(message.objects[index]),
                       names[index].empty() ? nullptr : names[index].c_str()});
  VkDebugUtilsMessengerCallbackDataEXT data = {};
  data.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CALLBACK_DATA_EXT;
  data.pNext = message.next;
  data.pMessageIdName = message.id;
  data.pMessage = message.text.c_str();
  data.objectCount = static_cast<uint32_t>(objects.size());
  data.pObjects = objects.data();
  return deliver(message.severity, message.types, data);
}

VkResult VKAPI_CALL CreateDebugUtilsMessengerEXT(
    VkInstance instanceHandle, const VkDebugUtilsMessengerCreateInfoEXT *pCreateInfo,
    const VkAllocationCallbacks *pAllocator, VkDebugUtilsMessengerEXT *pMessenger) {
  Instance *instance = fromHandle<Instance>(instanceHandle);
  DebugMessenger *messenger = createObject<DebugMessenger>(
      pAllocator, instance->allocationCallbacks(), VK_SYSTEM_ALLOCATION_SCOPE_OBJECT, *pCreateInfo);
  if (!messenger)
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  instance->addMessenger(messenger);
  *pMessenger = toHandle(messenger);
  return VK_SUCCESS;
}

void VKAPI_CALL DestroyDebugUtilsMessengerEXT(VkInstance instanceHandle,
                                              VkDebugUtilsMessengerEXT messengerHandle,
                                              const VkAllocationCallbacks *pAllocator) {
  Instance *instance = fromHandle<Instance>(instanceHandle);
  DebugMessenger *messenger = fromHandle<DebugMessenger>(messengerHandle);
  if (messenger)
    instance->removeMessenger(messenger);
  destroyObject(messenger, pAllocator, instance->allocationCallbacks());
}

void VKAPI_CALL SubmitDebugUtilsMessageEXT(
    VkInstance instance, VkDebugUtilsMessageSeverityFlagBitsEXT messageSeverity,
    VkDebugUtilsMessageTypeFlagsEXT messageTypes,
    const VkDebugUtilsMessengerCallbackDataEXT *pCallbackData) {
  fromHandle<Instance>(instance)->submit(messageSeverity, messageTypes, *pCallbackData);
}

VkResult VKAPI_CALL SetDebugUtilsObjectNameEXT(VkDevice,
                                               const VkDebugUtilsObjectNameInfoEXT *pNameInfo) {
  Object *object = objectFromRawHandle(pNameInfo->objectHandle);
  // Surfaces, swapchains and the like belong to the loader or to layers.
  if (!object || !isOwnType(pNameInfo->objectType))
    return VK_SUCCESS;
  ObjectNotes &notes = object->notes();
  std::lock_guard<std::mutex> lock(notes.mutex);
  notes.name = pNameInfo->pObjectName ? pNameInfo->pObjectName : "";
  return VK_SUCCESS;
}

VkResult VKAPI_CALL SetDebugUtilsObjectTagEXT(VkDevice, const VkDebugUtilsObjectTagInfoEXT *) {
  return VK_SUCCESS;
}

void VKAPI_CALL QueueBeginDebugUtilsLabelEXT(VkQueue, const VkDebugUtilsLabelEXT *) {}
void VKAPI_CALL QueueEndDebugUtilsLabelEXT(VkQueue) {}
void VKAPI_CALL QueueInsertDebugUtilsLabelEXT(VkQueue, const VkDebugUtilsLabelEXT *) {}

} // namespace icd
