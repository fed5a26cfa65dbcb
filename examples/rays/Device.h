//===- Device.h - a Vulkan device that traces rays ------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What the program needs before it traces. A call that fails ends the program with a message.
#ifndef RAYS_DEVICE_H
#define RAYS_DEVICE_H
#include <vulkan/vulkan.h>

void check(VkResult result, const char *what);
#define CHECK(call) check(call, #call)

/// The first physical device, and commands of its extensions.
struct Device {
  VkInstance instance;
  VkPhysicalDevice physical;
  VkDevice device;
  VkQueue queue;
  VkCommandPool pool;
  VkPhysicalDeviceMemoryProperties memory;
  VkPhysicalDeviceRayTracingPipelinePropertiesKHR rays;
#define RAYS_COMMANDS(X)                                                                           \
  X(CreateAccelerationStructureKHR)                                                                \
  X(DestroyAccelerationStructureKHR)                                                               \
  X(GetAccelerationStructureBuildSizesKHR)                                                         \
  X(GetAccelerationStructureDeviceAddressKHR)                                                      \
  X(CmdBuildAccelerationStructuresKHR)                                                             \
  X(CreateRayTracingPipelinesKHR)                                                                  \
  X(GetRayTracingShaderGroupHandlesKHR)                                                            \
  X(CmdTraceRaysKHR)
#define RAYS_MEMBER(name) PFN_vk##name name;
  RAYS_COMMANDS(RAYS_MEMBER)
#undef RAYS_MEMBER
};

Device createDevice();
void destroy(const Device &d);

/// Mapped memory that host and device see alike.
struct Buffer {
  VkBuffer buffer;
  VkDeviceMemory memory;
  void *mapped;
  VkDeviceAddress address;
};

Buffer createBuffer(const Device &d, VkDeviceSize size, VkBufferUsageFlags usage,
                    const void *data = nullptr);
void destroy(const Device &d, const Buffer &b);

/// Records with \p record, and waits until the queue has done it; what it wrote, host and later
/// commands see.
template <typename Record> void run(const Device &d, Record &&record) {
  VkCommandBufferAllocateInfo allocateInfo = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  allocateInfo.commandPool = d.pool;
  allocateInfo.commandBufferCount = 1;
  VkCommandBuffer commands;
  CHECK(vkAllocateCommandBuffers(d.device, &allocateInfo, &commands));
  VkCommandBufferBeginInfo beginInfo = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  CHECK(vkBeginCommandBuffer(commands, &beginInfo));
  record(commands);
  VkMemoryBarrier written = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  written.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
  written.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_HOST_READ_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                       VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
                       &written, 0, nullptr, 0, nullptr);
  CHECK(vkEndCommandBuffer(commands));
  VkSubmitInfo submit = {VK_STRUCTURE_TYPE_SUBMIT_INFO};
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &commands;
  CHECK(vkQueueSubmit(d.queue, 1, &submit, VK_NULL_HANDLE));
  CHECK(vkQueueWaitIdle(d.queue));
  vkFreeCommandBuffers(d.device, d.pool, 1, &commands);
}

#endif
