//===- Instance.cpp - Vulkan through the ordinary loader ------------------===//
// SPDX-License-Identifier: MIT
#include "Instance.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include <cstring>
#include <dlfcn.h>

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace exec {

Error failure(const Twine &text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
}

Error check(VkResult result, const char *function) {
  if (result >= 0)
    return Error::success();
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
      return failure(Twine(function) + ": " + row.name);
  return failure(Twine(function) + ": VkResult " + Twine(static_cast<int>(result)));
}

bool PhysicalDevice::isCpuReference() const {
  return StringRef(properties.deviceName).starts_with("llvmpipe");
}

bool PhysicalDevice::hasExtension(StringRef name) const {
  return llvm::is_contained(extensions, name);
}

namespace {

/// What Debian 12's layer says about extensions that are younger than itself; no finding.
bool showsAgeOfLayer(StringRef message) {
  return message.contains("is not supported by this layer") ||
         message.contains("chain includes a structure with unknown VkStructureType") ||
         message.contains("A SPIR-V Capability (Unhandled OpCapability) was declared") ||
         message.contains("VUID-VkShaderModuleCreateInfo-pCode-04146");
}

VKAPI_ATTR VkBool32 VKAPI_CALL onMessage(VkDebugUtilsMessageSeverityFlagBitsEXT,
                                         VkDebugUtilsMessageTypeFlagsEXT types,
                                         const VkDebugUtilsMessengerCallbackDataEXT *data,
                                         void *user) {
  // Remarks of the loader about its search are of no interest here.
  // Nor is advice on speed: images stay in the general layout here.
  bool isFinding = types & VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
  if (isFinding && !showsAgeOfLayer(data->pMessage))
    static_cast<std::vector<std::string> *>(user)->push_back(data->pMessage);
  return VK_FALSE;
}

VkDebugUtilsMessengerCreateInfoEXT messengerInfo(std::vector<std::string> &log) {
  VkDebugUtilsMessengerCreateInfoEXT info = {};
  info.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT;
  info.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                         VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  info.messageType =
      VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
  info.pfnUserCallback = onMessage;
  info.pUserData = &log;
  return info;
}

} // namespace

Expected<std::unique_ptr<Instance>> Instance::create(bool validation) {
  std::unique_ptr<Instance> instance(new Instance());
  KILN_TRY(instance->open(validation));
  return instance;
}

Error Instance::open(bool validation) {
  library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return failure("no Vulkan loader: " + Twine(dlerror()));
  functions.getInstanceProcAddr =
      reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr"));
  if (!functions.getInstanceProcAddr)
    return failure("libvulkan.so.1 has no vkGetInstanceProcAddr");
#define VK_GLOBAL(name)                                                                            \
  functions.name =                                                                                 \
      reinterpret_cast<PFN_vk##name>(functions.getInstanceProcAddr(nullptr, "vk" #name));
#include "Functions.def"
  KILN_TRY(createInstance(validation));
#define VK_INSTANCE(name)                                                                          \
  functions.name =                                                                                 \
      reinterpret_cast<PFN_vk##name>(functions.getInstanceProcAddr(handle, "vk" #name));
#include "Functions.def"
  return enumerate();
}

Error Instance::createInstance(bool validation) {
  VkApplicationInfo application = {};
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  application.pApplicationName = "kiln-exec";
  application.apiVersion = VK_API_VERSION_1_3;
  const char *layer = "VK_LAYER_KHRONOS_validation";
  const char *extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
  VkDebugUtilsMessengerCreateInfoEXT messages = messengerInfo(log);
  VkInstanceCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  info.pApplicationInfo = &application;
  if (validation) {
    info.pNext = &messages;
    info.enabledLayerCount = 1;
    info.ppEnabledLayerNames = &layer;
    info.enabledExtensionCount = 1;
    info.ppEnabledExtensionNames = &extension;
  }
  KILN_TRY(check(functions.CreateInstance(&info, nullptr, &handle), "vkCreateInstance"));
  if (!validation)
    return Error::success();
  auto create = reinterpret_cast<PFN_vkCreateDebugUtilsMessengerEXT>(
      functions.getInstanceProcAddr(handle, "vkCreateDebugUtilsMessengerEXT"));
  return check(create(handle, &messages, nullptr, &messenger), "vkCreateDebugUtilsMessengerEXT");
}

Error Instance::enumerate() {
  uint32_t count = 0;
  KILN_TRY(check(functions.EnumeratePhysicalDevices(handle, &count, nullptr),
                 "vkEnumeratePhysicalDevices"));
  std::vector<VkPhysicalDevice> handles(count);
  KILN_TRY(check(functions.EnumeratePhysicalDevices(handle, &count, handles.data()),
                 "vkEnumeratePhysicalDevices"));
  for (VkPhysicalDevice physical : handles) {
    PhysicalDevice device;
    device.handle = physical;
    device.subgroupSizes.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES;
    device.subgroup.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES;
    device.subgroup.pNext = &device.subgroupSizes;
    device.v12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES;
    device.subgroupSizes.pNext = &device.v12;
    VkPhysicalDeviceProperties2 properties = {};
    properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
    properties.pNext = &device.subgroup;
    functions.GetPhysicalDeviceProperties2(physical, &properties);
    device.properties = properties.properties;
    device.subgroup.pNext = device.subgroupSizes.pNext = nullptr;
    uint32_t extensionCount = 0;
    functions.EnumerateDeviceExtensionProperties(physical, nullptr, &extensionCount, nullptr);
    std::vector<VkExtensionProperties> extensions(extensionCount);
    functions.EnumerateDeviceExtensionProperties(physical, nullptr, &extensionCount,
                                                 extensions.data());
    for (const VkExtensionProperties &extension : extensions)
      device.extensions.push_back(extension.extensionName);
    physicalDevices.push_back(std::move(device));
  }
  return Error::success();
}

Instance::~Instance() {
  if (messenger) {
    auto destroy = reinterpret_cast<PFN_vkDestroyDebugUtilsMessengerEXT>(
        functions.getInstanceProcAddr(handle, "vkDestroyDebugUtilsMessengerEXT"));
    destroy(handle, messenger, nullptr);
  }
  if (handle)
    functions.DestroyInstance(handle, nullptr);
  // The loader stays mapped: drivers start threads and register exit handlers.
}

} // namespace exec
