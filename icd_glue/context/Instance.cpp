//===- Instance.cpp - VkInstance ------------------------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/context/Instance.h"
#include "icd_glue/Entrypoints.h"
#include "icd_glue/ProcessEnvironment.h"
#include "icd_glue/context/DebugReport.h"
#include "icd_glue/context/DebugUtils.h"
#include "icd_glue/context/PhysicalDevice.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

using namespace llvm;

namespace icd {
namespace {

/// Which of the named extensions are ours; Count: one is not.
VkResult collectExtensions(const VkInstanceCreateInfo &info, ExtensionSet &extensions) {
  for (uint32_t index = 0; index < info.enabledExtensionCount; ++index) {
    auto extension = findExtension(info.ppEnabledExtensionNames[index], /*isDevice=*/false);
    if (!extension)
      return VK_ERROR_EXTENSION_NOT_PRESENT;
    extensions.add(*extension);
  }
  return VK_SUCCESS;
}

/// "application", "application (engine)", or the name of the executed file.
std::string programNameOf(const VkApplicationInfo *info) {
  std::string name = info && info->pApplicationName ? info->pApplicationName : "";
  if (info && info->pEngineName && *info->pEngineName)
    name += (name.empty() ? "(" : " (") + std::string(info->pEngineName) + ")";
  if (!name.empty())
    return name;
  return sys::path::filename(sys::fs::getMainExecutable(nullptr, nullptr)).str();
}

/// There is no instance yet: messengers and callbacks of the creation's own chain are all there is.
void reportBeforeInstance(const VkInstanceCreateInfo &info, const std::string &text) {
  const Message message = {VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
                           VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT,
                           "KILN-environment",
                           text,
                           {}};
  bool delivered = false;
  for (const void *next = info.pNext; next;
       next = static_cast<const VkBaseInStructure *>(next)->pNext) {
    auto *link = static_cast<const VkBaseInStructure *>(next);
    if (link->sType == VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT)
      delivered |= DebugMessenger(*static_cast<const VkDebugUtilsMessengerCreateInfoEXT *>(next))
                       .deliver(message);
    if (link->sType == VK_STRUCTURE_TYPE_DEBUG_REPORT_CALLBACK_CREATE_INFO_EXT)
      delivered |=
          DebugReportCallback(*static_cast<const VkDebugReportCallbackCreateInfoEXT *>(next))
              .deliver(message);
  }
  if (!delivered)
    std::fprintf(stderr, "kiln: %s\n", text.c_str());
}

} // namespace

Instance::Instance(const VkAllocationCallbacks &callbacks, Environment environment,
                   uint32_t apiVersion, std::string programName, const ExtensionSet &extensions)
    : Object(type), callbacks(callbacks), settings(std::move(environment)),
      requestedVersion(apiVersion), program(std::move(programName)), enabledExtensions(extensions) {
  for (const std::string &name : settings.devices)
    devices.push_back(std::make_unique<PhysicalDevice>(*this, *pal::abi::findTarget(name)));
  if (settings.logFile.empty())
    return;
  int file = open(settings.logFile.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file >= 0)
    logFile = file;
  else
    log("kiln: KILN_LOG: " + settings.logFile + ": " + sys::StrError());
}

Instance::~Instance() {
  if (logFile != STDERR_FILENO)
    close(logFile);
}

void Instance::addMessenger(DebugMessenger *messenger) {
  std::lock_guard<std::mutex> lock(messengerMutex);
  messengers.push_back(messenger);
}

void Instance::removeMessenger(DebugMessenger *messenger) {
  std::lock_guard<std::mutex> lock(messengerMutex);
  llvm::erase(messengers, messenger);
}

void Instance::addReportCallback(DebugReportCallback *callback) {
  std::lock_guard<std::mutex> lock(messengerMutex);
  reportCallbacks.push_back(callback);
}

void Instance::removeReportCallback(DebugReportCallback *callback) {
  std::lock_guard<std::mutex> lock(messengerMutex);
  llvm::erase(reportCallbacks, callback);
}

void Instance::forEachReportCallback(function_ref<void(const DebugReportCallback &)> visit) {
  std::lock_guard<std::mutex> lock(messengerMutex);
  for (const DebugReportCallback *callback : reportCallbacks)
    visit(*callback);
}

void Instance::submit(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                      VkDebugUtilsMessageTypeFlagsEXT types,
                      const VkDebugUtilsMessengerCallbackDataEXT &data) {
  std::lock_guard<std::mutex> lock(messengerMutex);
  for (DebugMessenger *messenger : messengers)
    messenger->deliver(severity, types, data);
}

void Instance::report(const Message &message) {
  bool delivered = false;
  {
    std::lock_guard<std::mutex> lock(messengerMutex);
    for (DebugMessenger *messenger : messengers)
      delivered |= messenger->deliver(message);
    for (const DebugReportCallback *callback : reportCallbacks)
      delivered |= callback->deliver(message);
  }
  bool serious = message.severity >= VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT;
  if (!settings.logFile.empty() || (serious && !delivered))
    log("kiln: " + message.text);
}

void Instance::log(const Twine &line) {
  std::string text = line.str();
  if (!StringRef(text).ends_with("\n"))
    text += '\n';
  std::lock_guard<std::mutex> lock(logMutex);
  // One write for each line, at the end of the file: several processes may share it.
  for (StringRef rest = text; !rest.empty();) {
    ssize_t written = write(logFile, rest.data(), rest.size());
    if (written <= 0)
      return; // nobody is left to be told
    rest = rest.drop_front(static_cast<size_t>(written));
  }
}

//===--- Commands ---------------------------------------------------------===//

VkResult VKAPI_CALL CreateInstance(const VkInstanceCreateInfo *pCreateInfo,
                                   const VkAllocationCallbacks *pAllocator, VkInstance *pInstance) {
  if (pCreateInfo->enabledLayerCount)
    return VK_ERROR_LAYER_NOT_PRESENT;
  ExtensionSet extensions;
  if (VkResult result = collectExtensions(*pCreateInfo, extensions))
    return result;
  uint32_t apiVersion = VK_API_VERSION_1_0;
  if (pCreateInfo->pApplicationInfo && pCreateInfo->pApplicationInfo->apiVersion)
    apiVersion = pCreateInfo->pApplicationInfo->apiVersion;
  Expected<Environment> environment = Environment::read(processEnvironment);
  if (!environment) {
    reportBeforeInstance(*pCreateInfo, toString(environment.takeError()));
    return VK_ERROR_INITIALIZATION_FAILED;
  }
  const VkAllocationCallbacks &callbacks = pAllocator ? *pAllocator : defaultAllocationCallbacks();
  Instance *instance = createObject<Instance>(
      nullptr, callbacks, VK_SYSTEM_ALLOCATION_SCOPE_INSTANCE, callbacks, std::move(*environment),
      apiVersion, programNameOf(pCreateInfo->pApplicationInfo), extensions);
  if (!instance)
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  *pInstance = toHandle(instance);
  return VK_SUCCESS;
}

void VKAPI_CALL DestroyInstance(VkInstance handle, const VkAllocationCallbacks *pAllocator) {
  Instance *instance = fromHandle<Instance>(handle);
  if (!instance)
    return;
  // Freed with the creation's callbacks: a copy, because the original is in the object.
  const VkAllocationCallbacks callbacks = instance->allocationCallbacks();
  destroyObject(instance, pAllocator, callbacks);
}

VkResult VKAPI_CALL EnumeratePhysicalDevices(VkInstance instance, uint32_t *pPhysicalDeviceCount,
                                             VkPhysicalDevice *pPhysicalDevices) {
  return writeList(
      fromHandle<Instance>(instance)->physicalDevices(), pPhysicalDeviceCount, pPhysicalDevices,
      [](const auto &device, VkPhysicalDevice &handle) { handle = toHandle(device.get()); });
}

// Each device is a group of its own.
VkResult VKAPI_CALL
EnumeratePhysicalDeviceGroups(VkInstance instance, uint32_t *pPhysicalDeviceGroupCount,
                              VkPhysicalDeviceGroupProperties *pPhysicalDeviceGroupProperties) {
  return writeList(fromHandle<Instance>(instance)->physicalDevices(), pPhysicalDeviceGroupCount,
                   pPhysicalDeviceGroupProperties,
                   [](const auto &device, VkPhysicalDeviceGroupProperties &group) {
                     std::fill(std::begin(group.physicalDevices), std::end(group.physicalDevices),
                               VK_NULL_HANDLE);
                     group.physicalDeviceCount = 1;
                     group.physicalDevices[0] = toHandle(device.get());
                     group.subsetAllocation = VK_FALSE;
                   });
}

} // namespace icd
