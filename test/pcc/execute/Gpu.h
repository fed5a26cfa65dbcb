//===- Gpu.h - a device that executes scenes ------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Buffers, images and commands on a replay::Device. Objects live until the Gpu dies; whatever
/// Vulkan refuses ends the program with a message.
#pragma once

#include "tools/replay/Driver.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <array>
#include <functional>

namespace execute {

#define EXECUTE_FUNCTIONS(X)                                                                       \
  X(GetDeviceQueue)                                                                                \
  X(CreateBuffer)                                                                                  \
  X(DestroyBuffer)                                                                                 \
  X(GetBufferMemoryRequirements)                                                                   \
  X(GetBufferDeviceAddress)                                                                        \
  X(BindBufferMemory)                                                                              \
  X(CreateBufferView)                                                                              \
  X(DestroyBufferView)                                                                             \
  X(AllocateMemory)                                                                                \
  X(FreeMemory)                                                                                    \
  X(MapMemory)                                                                                     \
  X(CreateImage)                                                                                   \
  X(DestroyImage)                                                                                  \
  X(GetImageMemoryRequirements)                                                                    \
  X(BindImageMemory)                                                                               \
  X(CreateImageView)                                                                               \
  X(DestroyImageView)                                                                              \
  X(CreateFramebuffer)                                                                             \
  X(DestroyFramebuffer)                                                                            \
  X(CreateDescriptorPool)                                                                          \
  X(DestroyDescriptorPool)                                                                         \
  X(AllocateDescriptorSets)                                                                        \
  X(UpdateDescriptorSets)                                                                          \
  X(CreateCommandPool)                                                                             \
  X(DestroyCommandPool)                                                                            \
  X(AllocateCommandBuffers)                                                                        \
  X(BeginCommandBuffer)                                                                            \
  X(EndCommandBuffer)                                                                              \
  X(QueueSubmit)                                                                                   \
  X(QueueWaitIdle)                                                                                 \
  X(CmdPipelineBarrier)                                                                            \
  X(CmdCopyBufferToImage)                                                                          \
  X(CmdCopyImageToBuffer)                                                                          \
  X(CmdBindPipeline)                                                                               \
  X(CmdBindDescriptorSets)                                                                         \
  X(CmdPushConstants)                                                                              \
  X(CmdDispatch)                                                                                   \
  X(CmdBeginRenderPass)                                                                            \
  X(CmdNextSubpass)                                                                                \
  X(CmdEndRenderPass)                                                                              \
  X(CmdBeginRendering)                                                                             \
  X(CmdEndRendering)                                                                               \
  X(CmdBindVertexBuffers)                                                                          \
  X(CmdSetViewport)                                                                                \
  X(CmdSetScissor)                                                                                 \
  X(CmdSetCullMode)                                                                                \
  X(CmdSetPrimitiveTopology)                                                                       \
  X(CmdSetPatchControlPointsEXT)                                                                   \
  X(CmdDraw)

/// A Vulkan structure with everything else 0.
template <typename T> T vkStruct(VkStructureType type, const void *next = nullptr) {
  T made = {};
  made.sType = type;
  made.pNext = const_cast<void *>(next);
  return made;
}

/// Ends the program when \p result is an error.
void require(VkResult result, const char *what);
/// Ends the program.
[[noreturn]] void stop(const std::string &message);
template <typename T> T require(llvm::Expected<T> value) {
  if (!value)
    stop(llvm::toString(value.takeError()));
  return std::move(*value);
}

struct Buffer {
  VkBuffer handle = VK_NULL_HANDLE;
  VkDeviceSize size = 0;
  uint8_t *data = nullptr; ///< mapped
  VkDeviceAddress address = 0;
};

struct Image {
  VkImage handle = VK_NULL_HANDLE;
  VkFormat format = VK_FORMAT_UNDEFINED;
  uint32_t side = 0, layers = 1;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
  VkImageAspectFlags aspects = VK_IMAGE_ASPECT_COLOR_BIT;
};

/// What is known of a format. Planes follow one another in buffers.
struct FormatRow {
  struct Plane {
    VkImageAspectFlagBits aspect;
    uint32_t bytes;     ///< of a texel
    uint32_t shift = 0; ///< its sides are the image's, shifted
  };
  VkFormat format;
  std::array<Plane, 3> planes;
};
/// Ends the program for others than the tests have.
const FormatRow &rowOf(VkFormat format);

class Gpu {
public:
  Gpu(const replay::Driver &driver, llvm::ArrayRef<std::string> features);
  ~Gpu();
  Gpu(const Gpu &) = delete;
  Gpu &operator=(const Gpu &) = delete;

  /// Zeros, for every use.
  Buffer buffer(VkDeviceSize size);
  VkBufferView view(const Buffer &buffer, VkFormat format);
  /// In an undefined layout.
  Image image(VkFormat format, uint32_t side, VkImageUsageFlags usage, uint32_t layers = 1,
              VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT);
  VkImageView view(const Image &image, const void *next = nullptr);

  /// Records, submits, waits.
  void run(llvm::function_ref<void(VkCommandBuffer)> record);
  /// Everything before is seen by everything after. \p image: gets the layout GENERAL, from
  /// whatever it has.
  void barrier(VkCommandBuffer commands, const Image *image = nullptr);
  /// Between a buffer and all planes of an image in GENERAL layout; \p toImage: from the buffer.
  void copy(VkCommandBuffer commands, const Image &image, const Buffer &buffer, bool toImage);
  /// Called when the Gpu dies, the last one first.
  void keep(std::function<void()> destroy) { destroyers.push_back(std::move(destroy)); }

  std::unique_ptr<replay::Device> device;
#define X(name) PFN_vk##name name = nullptr;
  EXECUTE_FUNCTIONS(X)
#undef X

private:
  void takeBorderColor();
  VkDeviceMemory allocate(const VkMemoryRequirements &requirements);

  VkPhysicalDeviceMemoryProperties memory = {};
  VkQueue queue = VK_NULL_HANDLE;
  VkCommandPool pool = VK_NULL_HANDLE;
  std::vector<std::function<void()>> destroyers;
};

/// Bytes of all planes and layers.
VkDeviceSize bytesOf(const Image &image);

} // namespace execute
