//===- CommandPool.cpp - VkCommandPool ------------------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/command/CommandBuffer.h"
#include "icd_glue/context/Device.h"
#include "llvm/ADT/STLExtras.h"

namespace icd {

CommandPool::CommandPool(Device &device, const VkCommandPoolCreateInfo &info,
                         const VkAllocationCallbacks *allocator)
    : Object(type), owner(device), callbacks(allocator ? *allocator : device.allocationCallbacks()),
      chunks(std::make_shared<TableChunks>(device.gpu())) {}

CommandPool::~CommandPool() {
  for (CommandBuffer *commandBuffer : commandBuffers)
    owner.destroy(commandBuffer, &callbacks);
}

CommandBuffer *CommandPool::allocate(VkCommandBufferLevel level) {
  auto *commandBuffer = owner.create<CommandBuffer>(&callbacks, *this, level);
  if (commandBuffer)
    commandBuffers.push_back(commandBuffer);
  return commandBuffer;
}

void CommandPool::free(CommandBuffer *commandBuffer) {
  auto found = llvm::find(commandBuffers, commandBuffer);
  if (found == commandBuffers.end()) // null, or of another pool
    return;
  commandBuffers.erase(found);
  owner.destroy(commandBuffer, &callbacks);
}

void CommandPool::reset(VkCommandPoolResetFlags resetFlags) {
  for (CommandBuffer *commandBuffer : commandBuffers)
    commandBuffer->reset();
  if (resetFlags & VK_COMMAND_POOL_RESET_RELEASE_RESOURCES_BIT)
    trim();
}

VKAPI_ATTR VkResult VKAPI_CALL CreateCommandPool(VkDevice deviceHandle,
                                                 const VkCommandPoolCreateInfo *info,
                                                 const VkAllocationCallbacks *allocator,
                                                 VkCommandPool *commandPool) {
  auto *device = fromHandle<Device>(deviceHandle);
  auto *pool = device->create<CommandPool>(allocator, *device, *info, allocator);
  *commandPool = toHandle(pool);
  return pool ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

VKAPI_ATTR void VKAPI_CALL DestroyCommandPool(VkDevice device, VkCommandPool commandPool,
                                              const VkAllocationCallbacks *allocator) {
  fromHandle<Device>(device)->destroy(fromHandle<CommandPool>(commandPool), allocator);
}

VKAPI_ATTR VkResult VKAPI_CALL ResetCommandPool(VkDevice, VkCommandPool commandPool,
                                                VkCommandPoolResetFlags flags) {
  fromHandle<CommandPool>(commandPool)->reset(flags);
  return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL TrimCommandPool(VkDevice, VkCommandPool commandPool,
                                           VkCommandPoolTrimFlags) {
  fromHandle<CommandPool>(commandPool)->trim();
}

VKAPI_ATTR VkResult VKAPI_CALL AllocateCommandBuffers(VkDevice,
                                                      const VkCommandBufferAllocateInfo *info,
                                                      VkCommandBuffer *commandBuffers) {
  auto *pool = fromHandle<CommandPool>(info->commandPool);
  for (uint32_t i = 0; i < info->commandBufferCount; ++i) {
    CommandBuffer *made = pool->allocate(info->level);
    if (!made) {
      while (i--)
        pool->free(fromHandle<CommandBuffer>(commandBuffers[i]));
      std::fill_n(commandBuffers, info->commandBufferCount, VkCommandBuffer(VK_NULL_HANDLE));
      return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    commandBuffers[i] = toHandle(made);
  }
  return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL FreeCommandBuffers(VkDevice, VkCommandPool commandPool, uint32_t count,
                                              const VkCommandBuffer *commandBuffers) {
  auto *pool = fromHandle<CommandPool>(commandPool);
  for (uint32_t i = 0; i < count; ++i)
    pool->free(fromHandle<CommandBuffer>(commandBuffers[i]));
}

} // namespace icd
