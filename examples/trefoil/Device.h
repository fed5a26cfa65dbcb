//===- Device.h - a Vulkan device, its buffers and its images -------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What every Vulkan program needs before it draws. A call that fails ends the program with a
/// message.
#ifndef TREFOIL_DEVICE_H
#define TREFOIL_DEVICE_H
#include <vulkan/vulkan.h>

void check(VkResult result, const char *what);
#define CHECK(call) check(call, #call)

/// The first physical device with Vulkan 1.3, and a queue that draws.
struct Device {
  VkInstance instance;
  VkPhysicalDevice physical;
  VkDevice device;
  uint32_t queueFamily;
  VkQueue queue;
  VkPhysicalDeviceMemoryProperties memory;
};

Device createDevice();
void destroy(const Device &d);

/// Mapped memory that host and device see alike.
struct Buffer {
  VkBuffer buffer;
  VkDeviceMemory memory;
  void *mapped;
};

Buffer createBuffer(const Device &d, VkDeviceSize size, VkBufferUsageFlags usage);
/// A buffer with \p size bytes at \p data in it.
Buffer createBuffer(const Device &d, VkDeviceSize size, VkBufferUsageFlags usage, const void *data);
void destroy(const Device &d, const Buffer &b);

/// A 2D image with one level and a view of all of it.
struct Image {
  VkImage image;
  VkDeviceMemory memory;
  VkImageView view;
  VkFormat format;
  VkImageAspectFlags aspect;
};

Image createImage(const Device &d, VkFormat format, VkExtent2D extent,
                  VkSampleCountFlagBits samples, VkImageUsageFlags usage);
void destroy(const Device &d, const Image &i);

#endif
