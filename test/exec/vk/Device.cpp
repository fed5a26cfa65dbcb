//===- Device.cpp - one logical device for tests --------------------------===//
// SPDX-License-Identifier: MIT
#include "Device.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace exec {

namespace {

constexpr const char *specialFeatures[] = {
    "robustBufferAccess", "robustImageAccess",        "robustBufferAccess2", "robustImageAccess2",
    "nullDescriptor",     "primitivesGeneratedQuery", "meshShaderQueries"};

/// Extensions without a feature structure that tests use; enabled where they are offered.
constexpr const char *plainExtensions[] = {"VK_AMD_gcn_shader",
                                           "VK_AMD_gpu_shader_half_float",
                                           "VK_AMD_gpu_shader_int16",
                                           "VK_AMD_shader_ballot",
                                           "VK_AMD_shader_explicit_vertex_parameter",
                                           "VK_AMD_shader_fragment_mask",
                                           "VK_AMD_shader_image_load_store_lod",
                                           "VK_AMD_shader_trinary_minmax",
                                           "VK_AMD_texture_gather_bias_lod",
                                           "VK_EXT_conservative_rasterization",
                                           "VK_EXT_depth_range_unrestricted",
                                           "VK_EXT_discard_rectangles",
                                           "VK_EXT_post_depth_coverage",
                                           "VK_EXT_sample_locations",
                                           "VK_EXT_shader_stencil_export",
                                           "VK_EXT_shader_subgroup_ballot",
                                           "VK_EXT_shader_subgroup_vote",
                                           "VK_KHR_deferred_host_operations",
                                           "VK_KHR_pipeline_library"};

} // namespace

bool isSpecialFeature(StringRef name) { return llvm::is_contained(specialFeatures, name); }

void FeatureChain::link(const PhysicalDevice &physical) {
  core.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  core.pNext = nullptr;
#define FEATURE_STRUCT(member, type, name, extension)                                              \
  if (StringRef(extension).empty() || physical.hasExtension(extension)) {                          \
    member.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##name;                                       \
    member.pNext = core.pNext;                                                                     \
    core.pNext = &member;                                                                          \
  }
#include "ScriptFeatures.def"
}

VkBool32 *FeatureChain::find(StringRef name) {
  auto &core = this->core.features;
#define FEATURE(member, feature)                                                                   \
  if (name == #feature)                                                                            \
    return &member.feature;
#include "ScriptFeatures.def"
  return nullptr;
}

bool Device::hasFeature(StringRef name) const {
  const VkBool32 *flag = const_cast<FeatureChain &>(features).find(name);
  return flag && *flag;
}

Expected<std::unique_ptr<Device>> Device::create(const Instance &instance,
                                                 const PhysicalDevice &physical,
                                                 ArrayRef<std::string> special) {
  std::unique_ptr<Device> device(new Device(instance, physical));
  KILN_TRY(device->open(special));
  return device;
}

Error Device::open(ArrayRef<std::string> special) {
  const InstanceApi &api = instance.api();
  features.link(physicalDevice);
  api.GetPhysicalDeviceFeatures2(physicalDevice.handle, &features.core);
  for (const char *name : specialFeatures) {
    VkBool32 *flag = features.find(name);
    bool wanted = llvm::is_contained(special, name);
    if (wanted && !*flag)
      return failure(Twine("feature ") + name + " is not supported");
    *flag = wanted;
  }
  if (features.robustness2.robustBufferAccess2)
    features.core.features.robustBufferAccess = VK_TRUE;
  std::vector<const char *> extensions;
#define FEATURE_STRUCT(member, type, name, extension)                                              \
  if (!StringRef(extension).empty() && physicalDevice.hasExtension(extension))                     \
    extensions.push_back(extension);
#include "ScriptFeatures.def"
  for (const char *extension : plainExtensions)
    if (physicalDevice.hasExtension(extension))
      extensions.push_back(extension);

  uint32_t familyCount = 0;
  api.GetPhysicalDeviceQueueFamilyProperties(physicalDevice.handle, &familyCount, nullptr);
  std::vector<VkQueueFamilyProperties> families(familyCount);
  api.GetPhysicalDeviceQueueFamilyProperties(physicalDevice.handle, &familyCount, families.data());
  // One that can draw too, where there is one.
  uint32_t family = familyCount;
  for (uint32_t i = familyCount; i-- > 0;)
    if (families[i].queueFlags & VK_QUEUE_COMPUTE_BIT)
      if (family == familyCount || (families[i].queueFlags & VK_QUEUE_GRAPHICS_BIT))
        family = i;
  if (family == familyCount)
    return failure("no queue family that can compute");
  draws = families[family].queueFlags & VK_QUEUE_GRAPHICS_BIT;

  float priority = 1;
  VkDeviceQueueCreateInfo queueInfo = {};
  queueInfo.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
  queueInfo.queueFamilyIndex = family;
  queueInfo.queueCount = 1;
  queueInfo.pQueuePriorities = &priority;
  VkDeviceCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  info.pNext = &features.core;
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queueInfo;
  info.enabledExtensionCount = extensions.size();
  info.ppEnabledExtensionNames = extensions.data();
  if (Error error =
          check(api.CreateDevice(physicalDevice.handle, &info, nullptr, &device), "vkCreateDevice"))
    return error;
  KILN_TRY(loadFunctions());
  functions.GetDeviceQueue(device, family, 0, &queue);
  api.GetPhysicalDeviceMemoryProperties(physicalDevice.handle, &memory);

  return createCommands(family);
}

Error Device::loadFunctions() {
  const InstanceApi &api = instance.api();
#define VK_EXTENSION(name)                                                                         \
  functions.name = reinterpret_cast<PFN_vk##name>(api.GetDeviceProcAddr(device, "vk" #name));
#define VK_DEVICE(name)                                                                            \
  VK_EXTENSION(name)                                                                               \
  if (!functions.name)                                                                             \
    return failure("the device has no function vk" #name);
#define VK_DRAW(name)                                                                              \
  VK_EXTENSION(name)                                                                               \
  if (draws && !functions.name)                                                                    \
    return failure("the device has no function vk" #name);
#include "Functions.def"
  return Error::success();
}

Error Device::createCommands(uint32_t family) {
  VkCommandPoolCreateInfo poolInfo = {};
  poolInfo.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  poolInfo.queueFamilyIndex = family;
  KILN_TRY(
      check(functions.CreateCommandPool(device, &poolInfo, nullptr, &pool), "vkCreateCommandPool"));
  VkCommandBufferAllocateInfo commandInfo = {};
  commandInfo.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  commandInfo.commandPool = pool;
  commandInfo.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  commandInfo.commandBufferCount = 1;
  KILN_TRY(check(functions.AllocateCommandBuffers(device, &commandInfo, &commands),
                 "vkAllocateCommandBuffers"));
  VkFenceCreateInfo fenceInfo = {};
  fenceInfo.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
  return check(functions.CreateFence(device, &fenceInfo, nullptr, &fence), "vkCreateFence");
}

Device::~Device() {
  if (!device)
    return;
  if (functions.DeviceWaitIdle)
    functions.DeviceWaitIdle(device);
  if (fence)
    functions.DestroyFence(device, fence, nullptr);
  if (pool)
    functions.DestroyCommandPool(device, pool, nullptr);
  if (functions.DestroyDevice)
    functions.DestroyDevice(device, nullptr);
}

uint32_t Device::hostMemoryType(uint32_t allowed) const {
  constexpr VkMemoryPropertyFlags wanted =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  for (uint32_t type = 0; type < memory.memoryTypeCount; ++type)
    if ((allowed >> type & 1) && (memory.memoryTypes[type].propertyFlags & wanted) == wanted)
      return type;
  return ~0u;
}

uint32_t Device::anyMemoryType(uint32_t allowed) const {
  for (uint32_t type = 0; type < memory.memoryTypeCount; ++type)
    if (allowed >> type & 1)
      return type;
  return ~0u;
}

Expected<VkCommandBuffer> Device::begin() {
  KILN_TRY(check(functions.ResetCommandPool(device, pool, 0), "vkResetCommandPool"));
  VkCommandBufferBeginInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  info.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  KILN_TRY(check(functions.BeginCommandBuffer(commands, &info), "vkBeginCommandBuffer"));
  return commands;
}

Expected<VkCommandBuffer> Device::secondary() {
  if (secondaryCommands)
    return secondaryCommands; // the pool was reset when the primary one was begun
  VkCommandBufferAllocateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  info.commandPool = pool;
  info.level = VK_COMMAND_BUFFER_LEVEL_SECONDARY;
  info.commandBufferCount = 1;
  KILN_TRY(check(functions.AllocateCommandBuffers(device, &info, &secondaryCommands),
                 "vkAllocateCommandBuffers"));
  return secondaryCommands;
}

Error Device::submit() {
  KILN_TRY(check(functions.EndCommandBuffer(commands), "vkEndCommandBuffer"));
  VkSubmitInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  info.commandBufferCount = 1;
  info.pCommandBuffers = &commands;
  VkResult result = functions.QueueSubmit(queue, 1, &info, fence);
  const char *function = "vkQueueSubmit";
  if (result == VK_SUCCESS) {
    // Of a machine that is slow or has other things to do; only what hangs takes so long.
    constexpr uint64_t tenMinutes = 600'000'000'000;
    result = functions.WaitForFences(device, 1, &fence, VK_TRUE, tenMinutes);
    function = "vkWaitForFences";
  }
  if (result != VK_SUCCESS) {
    lost = true;
    return result == VK_TIMEOUT ? failure("the dispatch did not end within ten minutes")
                                : check(result, function);
  }
  return check(functions.ResetFences(device, 1, &fence), "vkResetFences");
}

} // namespace exec
