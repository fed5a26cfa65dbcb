//===- Device.cpp - a Vulkan device, its buffers and its images -----------===//
// SPDX-License-Identifier: MIT
#include "Device.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

/// The first family that can draw.
uint32_t findQueueFamily(VkPhysicalDevice physical) {
  uint32_t count = 0, family = 0;
  vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families.data());
  while (family < count && !(families[family].queueFlags & VK_QUEUE_GRAPHICS_BIT))
    ++family;
  if (family == count)
    check(VK_ERROR_FEATURE_NOT_PRESENT, "finding a queue that draws");
  return family;
}

void pickPhysicalDevice(Device &d) {
  uint32_t count = 1;
  VkResult result = vkEnumeratePhysicalDevices(d.instance, &count, &d.physical);
  check(result == VK_INCOMPLETE ? VK_SUCCESS : result, "vkEnumeratePhysicalDevices");
  if (count == 0)
    check(VK_ERROR_INITIALIZATION_FAILED, "finding a physical device");
  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(d.physical, &properties);
  std::printf("device: %s\n", properties.deviceName);
  if (properties.apiVersion < VK_API_VERSION_1_3)
    check(VK_ERROR_INCOMPATIBLE_DRIVER, "finding a device with Vulkan 1.3");
  vkGetPhysicalDeviceMemoryProperties(d.physical, &d.memory);
}

VkDeviceMemory allocate(const Device &d, const VkMemoryRequirements &needs,
                        VkMemoryPropertyFlags wanted) {
  VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  info.allocationSize = needs.size;
  while (info.memoryTypeIndex < d.memory.memoryTypeCount &&
         (!(needs.memoryTypeBits >> info.memoryTypeIndex & 1) ||
          (d.memory.memoryTypes[info.memoryTypeIndex].propertyFlags & wanted) != wanted))
    ++info.memoryTypeIndex;
  VkDeviceMemory memory;
  CHECK(vkAllocateMemory(d.device, &info, nullptr, &memory));
  return memory;
}

} // namespace

void check(VkResult result, const char *what) {
  if (result == VK_SUCCESS)
    return;
  std::fprintf(stderr, "trefoil: %s failed with VkResult %d\n", what, result);
  std::exit(1);
}

Device createDevice() {
  Device d = {};
  VkApplicationInfo app = {VK_STRUCTURE_TYPE_APPLICATION_INFO};
  app.pApplicationName = "trefoil";
  app.apiVersion = VK_API_VERSION_1_3;
  VkInstanceCreateInfo instanceInfo = {VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  instanceInfo.pApplicationInfo = &app;
  CHECK(vkCreateInstance(&instanceInfo, nullptr, &d.instance));
  pickPhysicalDevice(d);
  d.queueFamily = findQueueFamily(d.physical);

  float priority = 1;
  VkDeviceQueueCreateInfo queueInfo = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  queueInfo.queueFamilyIndex = d.queueFamily;
  queueInfo.queueCount = 1;
  queueInfo.pQueuePriorities = &priority;
  VkPhysicalDeviceVulkan13Features features = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
  features.dynamicRendering = VK_TRUE;
  features.synchronization2 = VK_TRUE;
  VkDeviceCreateInfo deviceInfo = {VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  deviceInfo.pNext = &features;
  deviceInfo.queueCreateInfoCount = 1;
  deviceInfo.pQueueCreateInfos = &queueInfo;
  CHECK(vkCreateDevice(d.physical, &deviceInfo, nullptr, &d.device));
  vkGetDeviceQueue(d.device, d.queueFamily, 0, &d.queue);
  return d;
}

void destroy(const Device &d) {
  vkDestroyDevice(d.device, nullptr);
  vkDestroyInstance(d.instance, nullptr);
}

Buffer createBuffer(const Device &d, VkDeviceSize size, VkBufferUsageFlags usage) {
  Buffer b = {};
  VkBufferCreateInfo info = {VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.size = size;
  info.usage = usage;
  CHECK(vkCreateBuffer(d.device, &info, nullptr, &b.buffer));
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(d.device, b.buffer, &needs);
  b.memory = allocate(d, needs,
                      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
  CHECK(vkBindBufferMemory(d.device, b.buffer, b.memory, 0));
  CHECK(vkMapMemory(d.device, b.memory, 0, VK_WHOLE_SIZE, 0, &b.mapped));
  return b;
}

Buffer createBuffer(const Device &d, VkDeviceSize size, VkBufferUsageFlags usage,
                    const void *data) {
  Buffer b = createBuffer(d, size, usage);
  std::memcpy(b.mapped, data, size);
  return b;
}

void destroy(const Device &d, const Buffer &b) {
  vkDestroyBuffer(d.device, b.buffer, nullptr);
  vkFreeMemory(d.device, b.memory, nullptr);
}

Image createImage(const Device &d, VkFormat format, VkExtent2D extent,
                  VkSampleCountFlagBits samples, VkImageUsageFlags usage) {
  Image i = {};
  i.format = format;
  i.aspect = usage & VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT ? VK_IMAGE_ASPECT_DEPTH_BIT
                                                                 : VK_IMAGE_ASPECT_COLOR_BIT;
  VkImageCreateInfo info = {VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
  info.imageType = VK_IMAGE_TYPE_2D;
  info.format = format;
  info.extent = {extent.width, extent.height, 1};
  info.mipLevels = 1;
  info.arrayLayers = 1;
  info.samples = samples;
  info.usage = usage;
  CHECK(vkCreateImage(d.device, &info, nullptr, &i.image));
  VkMemoryRequirements needs;
  vkGetImageMemoryRequirements(d.device, i.image, &needs);
  i.memory = allocate(d, needs, 0);
  CHECK(vkBindImageMemory(d.device, i.image, i.memory, 0));
  VkImageViewCreateInfo viewInfo = {VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
  viewInfo.image = i.image;
  viewInfo.viewType = VK_IMAGE_VIEW_TYPE_2D;
  viewInfo.format = format;
  viewInfo.subresourceRange = {i.aspect, 0, 1, 0, 1};
  CHECK(vkCreateImageView(d.device, &viewInfo, nullptr, &i.view));
  return i;
}

void destroy(const Device &d, const Image &i) {
  vkDestroyImageView(d.device, i.view, nullptr);
  vkDestroyImage(d.device, i.image, nullptr);
  vkFreeMemory(d.device, i.memory, nullptr);
}
