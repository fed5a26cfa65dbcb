//===- Instance.cpp - how tools and tests begin with Vulkan ---------------===//
// SPDX-License-Identifier: MIT
#include "tools/vulkan/Instance.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/Twine.h"
#include <dlfcn.h>

using llvm::Error;
using llvm::Expected;
using llvm::Twine;

namespace vulkan {

std::string resultName(VkResult result) {
  static constexpr struct {
    VkResult code;
    const char *name;
  } names[] = {{VK_ERROR_OUT_OF_HOST_MEMORY, "VK_ERROR_OUT_OF_HOST_MEMORY"},
               {VK_ERROR_OUT_OF_DEVICE_MEMORY, "VK_ERROR_OUT_OF_DEVICE_MEMORY"},
               {VK_ERROR_INITIALIZATION_FAILED, "VK_ERROR_INITIALIZATION_FAILED"},
               {VK_ERROR_DEVICE_LOST, "VK_ERROR_DEVICE_LOST"},
               {VK_ERROR_LAYER_NOT_PRESENT, "VK_ERROR_LAYER_NOT_PRESENT"},
               {VK_ERROR_EXTENSION_NOT_PRESENT, "VK_ERROR_EXTENSION_NOT_PRESENT"},
               {VK_ERROR_FEATURE_NOT_PRESENT, "VK_ERROR_FEATURE_NOT_PRESENT"},
               {VK_ERROR_INCOMPATIBLE_DRIVER, "VK_ERROR_INCOMPATIBLE_DRIVER"},
               {VK_ERROR_FORMAT_NOT_SUPPORTED, "VK_ERROR_FORMAT_NOT_SUPPORTED"},
               {VK_ERROR_INVALID_SHADER_NV, "VK_ERROR_INVALID_SHADER_NV"},
               {VK_ERROR_UNKNOWN, "VK_ERROR_UNKNOWN"}};
  for (const auto &row : names)
    if (row.code == result)
      return row.name;
  return ("VkResult " + Twine(static_cast<int>(result))).str();
}

Error check(VkResult result, const char *function) {
  if (result >= 0)
    return Error::success();
  return lgc::limitExceeded(Twine(function) + ": " + resultName(result));
}

Expected<PFN_vkGetInstanceProcAddr> openLoader() {
  void *handle = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return lgc::limitExceeded("no Vulkan loader: " + Twine(dlerror()));
  auto getProc =
      reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(handle, "vkGetInstanceProcAddr"));
  if (!getProc)
    return lgc::limitExceeded("libvulkan.so.1 has no vkGetInstanceProcAddr");
  return getProc;
}

Expected<PFN_vkGetInstanceProcAddr> openDriver(const std::string &library) {
  void *handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return lgc::limitExceeded(Twine(dlerror()));
  auto getProc =
      reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(handle, "vk_icdGetInstanceProcAddr"));
  if (!getProc)
    return lgc::limitExceeded(library + " is no Vulkan driver");
  using Negotiate = VkResult(VKAPI_PTR *)(uint32_t *version);
  uint32_t version = 5;
  if (auto negotiate =
          reinterpret_cast<Negotiate>(dlsym(handle, "vk_icdNegotiateLoaderInterfaceVersion")))
    KILN_TRY(check(negotiate(&version), "vk_icdNegotiateLoaderInterfaceVersion"));
  return getProc;
}

static VKAPI_ATTR VkBool32 VKAPI_CALL deliver(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                              VkDebugUtilsMessageTypeFlagsEXT types,
                                              const VkDebugUtilsMessengerCallbackDataEXT *data,
                                              void *user) {
  static_cast<const InstanceOptions *>(user)->onMessage(
      {data->pMessage, severity >= VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
       (types & VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT) != 0,
       severity < VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT});
  return VK_FALSE;
}

static VkDebugUtilsMessengerCreateInfoEXT messengerInfo(const InstanceOptions &options) {
  VkDebugUtilsMessengerCreateInfoEXT info = {};
  info.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT;
  info.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                         VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  if (options.wantsInfo)
    info.messageSeverity |= VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT;
  info.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT |
                     VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                     VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT;
  info.pfnUserCallback = deliver;
  info.pUserData = const_cast<InstanceOptions *>(&options);
  return info;
}

Expected<std::unique_ptr<Instance>> Instance::create(PFN_vkGetInstanceProcAddr getProc,
                                                     InstanceOptions options) {
  if (options.onMessage)
    options.extensions.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
  std::unique_ptr<Instance> made(new Instance(getProc, std::move(options)));
  KILN_TRY(made->open());
  return made;
}

Error Instance::open() {
  VkApplicationInfo application = {};
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  application.pApplicationName = options.program;
  application.apiVersion = VK_API_VERSION_1_3;
  const VkDebugUtilsMessengerCreateInfoEXT messages = messengerInfo(options);
  VkInstanceCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  info.pNext = options.onMessage ? &messages : nullptr;
  info.pApplicationInfo = &application;
  info.enabledLayerCount = static_cast<uint32_t>(options.layers.size());
  info.ppEnabledLayerNames = options.layers.data();
  info.enabledExtensionCount = static_cast<uint32_t>(options.extensions.size());
  info.ppEnabledExtensionNames = options.extensions.data();
  KILN_TRY(check(get<PFN_vkCreateInstance>("vkCreateInstance")(&info, nullptr, &instance),
                 "vkCreateInstance"));
  // Drivers that ignore extensions they do not know do not have it.
  auto createMessenger = get<PFN_vkCreateDebugUtilsMessengerEXT>("vkCreateDebugUtilsMessengerEXT");
  if (options.onMessage && createMessenger)
    KILN_TRY(check(createMessenger(instance, &messages, nullptr, &messenger),
                   "vkCreateDebugUtilsMessengerEXT"));
  return listDevices();
}

Error Instance::listDevices() {
  auto list = get<PFN_vkEnumeratePhysicalDevices>("vkEnumeratePhysicalDevices");
  uint32_t count = 0;
  KILN_TRY(check(list(instance, &count, nullptr), "vkEnumeratePhysicalDevices"));
  physical.resize(count);
  return check(list(instance, &count, physical.data()), "vkEnumeratePhysicalDevices");
}

std::vector<std::string> Instance::extensionsOf(VkPhysicalDevice device) const {
  auto list = get<PFN_vkEnumerateDeviceExtensionProperties>("vkEnumerateDeviceExtensionProperties");
  uint32_t count = 0;
  list(device, nullptr, &count, nullptr);
  std::vector<VkExtensionProperties> found(count);
  list(device, nullptr, &count, found.data());
  std::vector<std::string> names;
  for (const VkExtensionProperties &extension : found)
    names.push_back(extension.extensionName);
  return names;
}

Instance::~Instance() {
  if (messenger)
    get<PFN_vkDestroyDebugUtilsMessengerEXT>("vkDestroyDebugUtilsMessengerEXT")(instance, messenger,
                                                                                nullptr);
  if (instance)
    get<PFN_vkDestroyInstance>("vkDestroyInstance")(instance, nullptr);
}

} // namespace vulkan
