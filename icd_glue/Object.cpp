//===- Object.cpp - what a Vulkan handle points to ------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/Object.h"
#include "llvm/ADT/STLExtras.h"
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

} // namespace

bool isOwnType(VkObjectType type) {
  // Messengers and report callbacks are not listed: the loader hands out handles of its own.
  static constexpr VkObjectType types[] = {VK_OBJECT_TYPE_INSTANCE,
                                           VK_OBJECT_TYPE_PHYSICAL_DEVICE,
                                           VK_OBJECT_TYPE_DEVICE,
                                           VK_OBJECT_TYPE_QUEUE,
                                           VK_OBJECT_TYPE_SEMAPHORE,
                                           VK_OBJECT_TYPE_COMMAND_BUFFER,
                                           VK_OBJECT_TYPE_FENCE,
                                           VK_OBJECT_TYPE_DEVICE_MEMORY,
                                           VK_OBJECT_TYPE_BUFFER,
                                           VK_OBJECT_TYPE_IMAGE,
                                           VK_OBJECT_TYPE_EVENT,
                                           VK_OBJECT_TYPE_QUERY_POOL,
                                           VK_OBJECT_TYPE_BUFFER_VIEW,
                                           VK_OBJECT_TYPE_IMAGE_VIEW,
                                           VK_OBJECT_TYPE_SHADER_MODULE,
                                           VK_OBJECT_TYPE_SHADER_EXT,
                                           VK_OBJECT_TYPE_PIPELINE_BINARY_KHR,
                                           VK_OBJECT_TYPE_PIPELINE_CACHE,
                                           VK_OBJECT_TYPE_PIPELINE_LAYOUT,
                                           VK_OBJECT_TYPE_PIPELINE,
                                           VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT,
                                           VK_OBJECT_TYPE_SAMPLER,
                                           VK_OBJECT_TYPE_DESCRIPTOR_POOL,
                                           VK_OBJECT_TYPE_DESCRIPTOR_SET,
                                           VK_OBJECT_TYPE_FRAMEBUFFER,
                                           VK_OBJECT_TYPE_RENDER_PASS,
                                           VK_OBJECT_TYPE_COMMAND_POOL,
                                           VK_OBJECT_TYPE_SAMPLER_YCBCR_CONVERSION,
                                           VK_OBJECT_TYPE_DESCRIPTOR_UPDATE_TEMPLATE,
                                           VK_OBJECT_TYPE_PRIVATE_DATA_SLOT,
                                           VK_OBJECT_TYPE_SWAPCHAIN_KHR};
  return llvm::is_contained(types, type);
}

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

} // namespace icd
