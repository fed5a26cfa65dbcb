//===- Device.cpp - a Vulkan device that traces rays ----------------------===//
// SPDX-License-Identifier: MIT
#include "Device.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

void check(VkResult result, const char *what) {
  if (result == VK_SUCCESS)
    return;
  std::fprintf(stderr, "rays: %s failed with VkResult %d\n", what, result);
  std::exit(1);
}

static void pickPhysicalDevice(Device &d) {
  uint32_t count = 1;
  VkResult result = vkEnumeratePhysicalDevices(d.instance, &count, &d.physical);
  check(result == VK_INCOMPLETE ? VK_SUCCESS : result, "vkEnumeratePhysicalDevices");
  if (count == 0)
    check(VK_ERROR_INITIALIZATION_FAILED, "finding a physical device");
  d.rays = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_PROPERTIES_KHR};
  VkPhysicalDeviceProperties2 properties = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                            &d.rays};
  vkGetPhysicalDeviceProperties2(d.physical, &properties);
  std::printf("device: %s\n", properties.properties.deviceName);
  vkGetPhysicalDeviceMemoryProperties(d.physical, &d.memory);
}

static void createLogicalDevice(Device &d) {
  VkPhysicalDeviceAccelerationStructureFeaturesKHR structures = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR};
  structures.accelerationStructure = VK_TRUE;
  VkPhysicalDeviceRayTracingPipelineFeaturesKHR pipelines = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_FEATURES_KHR, &structures};
  pipelines.rayTracingPipeline = VK_TRUE;
  VkPhysicalDeviceVulkan12Features features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, &pipelines};
  features.bufferDeviceAddress = VK_TRUE;
  features.scalarBlockLayout = VK_TRUE;
  const char *extensions[] = {"VK_KHR_deferred_host_operations", "VK_KHR_acceleration_structure",
                              "VK_KHR_ray_tracing_pipeline"};
  float priority = 1;
  VkDeviceQueueCreateInfo queueInfo = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  queueInfo.queueCount = 1; // of the first family, which can compute wherever rays are traced
  queueInfo.pQueuePriorities = &priority;
  VkDeviceCreateInfo info = {VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &features};
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queueInfo;
  info.enabledExtensionCount = 3;
  info.ppEnabledExtensionNames = extensions;
  CHECK(vkCreateDevice(d.physical, &info, nullptr, &d.device));
  vkGetDeviceQueue(d.device, 0, 0, &d.queue);
}

Device createDevice() {
  Device d = {};
  VkApplicationInfo app = {VK_STRUCTURE_TYPE_APPLICATION_INFO};
  app.pApplicationName = "rays";
  app.apiVersion = VK_API_VERSION_1_3;
  VkInstanceCreateInfo instanceInfo = {VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  instanceInfo.pApplicationInfo = &app;
  CHECK(vkCreateInstance(&instanceInfo, nullptr, &d.instance));
  pickPhysicalDevice(d);
  createLogicalDevice(d);
#define RAYS_LOAD(name)                                                                            \
  d.name = reinterpret_cast<PFN_vk##name>(vkGetDeviceProcAddr(d.device, "vk" #name));
  RAYS_COMMANDS(RAYS_LOAD)
#undef RAYS_LOAD
  VkCommandPoolCreateInfo poolInfo = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  CHECK(vkCreateCommandPool(d.device, &poolInfo, nullptr, &d.pool));
  return d;
}

void destroy(const Device &d) {
  vkDestroyCommandPool(d.device, d.pool, nullptr);
  vkDestroyDevice(d.device, nullptr);
  vkDestroyInstance(d.instance, nullptr);
}

Buffer createBuffer(const Device &d, VkDeviceSize size, VkBufferUsageFlags usage,
                    const void *data) {
  Buffer b = {};
  VkBufferCreateInfo info = {VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.size = size;
  info.usage = usage | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
  CHECK(vkCreateBuffer(d.device, &info, nullptr, &b.buffer));
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(d.device, b.buffer, &needs);
  constexpr VkMemoryPropertyFlags wanted =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  VkMemoryAllocateFlagsInfo flags = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO};
  flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
  VkMemoryAllocateInfo allocateInfo = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &flags};
  allocateInfo.allocationSize = needs.size;
  while (allocateInfo.memoryTypeIndex < d.memory.memoryTypeCount &&
         (!(needs.memoryTypeBits >> allocateInfo.memoryTypeIndex & 1) ||
          (d.memory.memoryTypes[allocateInfo.memoryTypeIndex].propertyFlags & wanted) != wanted))
    ++allocateInfo.memoryTypeIndex;
  CHECK(vkAllocateMemory(d.device, &allocateInfo, nullptr, &b.memory));
  CHECK(vkBindBufferMemory(d.device, b.buffer, b.memory, 0));
  CHECK(vkMapMemory(d.device, b.memory, 0, VK_WHOLE_SIZE, 0, &b.mapped));
  if (data)
    std::memcpy(b.mapped, data, size);
  VkBufferDeviceAddressInfo address = {VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO};
  address.buffer = b.buffer;
  b.address = vkGetBufferDeviceAddress(d.device, &address);
  return b;
}

void destroy(const Device &d, const Buffer &b) {
  vkDestroyBuffer(d.device, b.buffer, nullptr);
  vkFreeMemory(d.device, b.memory, nullptr);
}
