//===- Object.cpp - what a Vulkan handle points to ------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/Object.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <malloc.h>

namespace icd {
namespace {

void *VKAPI_CALL allocateDefault(void *, size_t size, size_t alignment, VkSystemAllocationScope) {
  alignment = std::max(alignment, sizeof(void *));
  return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

void VKAPI_CALL freeDefault(void *, void *memory) { std::free(memory); }

void *VKAPI_CALL reallocateDefault(void *, void *original, size_t size, size_t alignment,
                                   VkSystemAllocationScope scope) {
  if (!size) {
    std::free(original);
    return nullptr;
  }
  void *memory = allocateDefault(nullptr, size, alignment, scope);
  if (memory && original) {
    std::memcpy(memory, original, std::min(size, malloc_usable_size(original)));
    std::free(original);
  }
  return memory;
}

const char *typeName(VkObjectType type) {
  struct Row {
    VkObjectType type;
    const char *name;
  };
  static constexpr Row rows[] = {
      {VK_OBJECT_TYPE_INSTANCE, "VkInstance"},
      {VK_OBJECT_TYPE_PHYSICAL_DEVICE, "VkPhysicalDevice"},
      {VK_OBJECT_TYPE_DEVICE, "VkDevice"},
      {VK_OBJECT_TYPE_QUEUE, "VkQueue"},
      {VK_OBJECT_TYPE_SEMAPHORE, "VkSemaphore"},
      {VK_OBJECT_TYPE_COMMAND_BUFFER, "VkCommandBuffer"},
      {VK_OBJECT_TYPE_FENCE, "VkFence"},
      {VK_OBJECT_TYPE_DEVICE_MEMORY, "VkDeviceMemory"},
      {VK_OBJECT_TYPE_BUFFER, "VkBuffer"},
      {VK_OBJECT_TYPE_IMAGE, "VkImage"},
      {VK_OBJECT_TYPE_EVENT, "VkEvent"},
      {VK_OBJECT_TYPE_QUERY_POOL, "VkQueryPool"},
      {VK_OBJECT_TYPE_BUFFER_VIEW, "VkBufferView"},
      {VK_OBJECT_TYPE_IMAGE_VIEW, "VkImageView"},
      {VK_OBJECT_TYPE_SHADER_MODULE, "VkShaderModule"},
      {VK_OBJECT_TYPE_PIPELINE_BINARY_KHR, "VkPipelineBinaryKHR"},
      {VK_OBJECT_TYPE_PIPELINE_CACHE, "VkPipelineCache"},
      {VK_OBJECT_TYPE_PIPELINE_LAYOUT, "VkPipelineLayout"},
      {VK_OBJECT_TYPE_PIPELINE, "VkPipeline"},
      {VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT, "VkDescriptorSetLayout"},
      {VK_OBJECT_TYPE_SAMPLER, "VkSampler"},
      {VK_OBJECT_TYPE_DESCRIPTOR_POOL, "VkDescriptorPool"},
      {VK_OBJECT_TYPE_DESCRIPTOR_SET, "VkDescriptorSet"},
      {VK_OBJECT_TYPE_FRAMEBUFFER, "VkFramebuffer"},
      {VK_OBJECT_TYPE_RENDER_PASS, "VkRenderPass"},
      {VK_OBJECT_TYPE_COMMAND_POOL, "VkCommandPool"},
      {VK_OBJECT_TYPE_SAMPLER_YCBCR_CONVERSION, "VkSamplerYcbcrConversion"},
      {VK_OBJECT_TYPE_DESCRIPTOR_UPDATE_TEMPLATE, "VkDescriptorUpdateTemplate"},
      {VK_OBJECT_TYPE_PRIVATE_DATA_SLOT, "VkPrivateDataSlot"},
      {VK_OBJECT_TYPE_SWAPCHAIN_KHR, "VkSwapchainKHR"},
      {VK_OBJECT_TYPE_DEBUG_UTILS_MESSENGER_EXT, "VkDebugUtilsMessengerEXT"},
  };
  for (const Row &row : rows)
    if (row.type == type)
      return row.name;
  return nullptr;
}

} // namespace

bool isOwnType(VkObjectType type) { return typeName(type) != nullptr; }

const VkAllocationCallbacks &defaultAllocationCallbacks() {
  static const VkAllocationCallbacks callbacks = {nullptr,     allocateDefault, reallocateDefault,
                                                  freeDefault, nullptr,         nullptr};
  return callbacks;
}

ObjectNotes &Object::notes() {
  ObjectNotes *existing = ownNotes.load();
  if (existing)
    return *existing;
  auto made = std::make_unique<ObjectNotes>();
  if (ownNotes.compare_exchange_strong(existing, made.get()))
    return *made.release();
  return *existing;
}

std::string Object::debugName() const {
  ObjectNotes *existing = ownNotes.load();
  if (!existing)
    return {};
  std::lock_guard<std::mutex> lock(existing->mutex);
  return existing->name;
}

std::string Object::description() const {
  std::string name = debugName();
  const char *kind = isOwnType(objectType) ? typeName(objectType) : "object";
  if (!name.empty())
    return (llvm::Twine(kind) + " '" + name + "'").str();
  return (llvm::Twine(kind) + " 0x" +
          llvm::utohexstr(reinterpret_cast<uintptr_t>(this), /*LowerCase=*/true))
      .str();
}

} // namespace icd
