//===- Context.h - images and commands of transfer tests ------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A device of test/exec/vk and what transfer tests need on top: images with contents, and commands
/// that are executed at once.
#pragma once

#include "pal_shim/formats/Formats.h"
#include "test/exec/vk/Device.h"
#include <functional>
#include <memory>
#include <vector>

namespace transfer {

using Bytes = std::vector<uint8_t>;

/// Commands that test/exec does not use.
struct Commands {
  PFN_vkCmdCopyImage CmdCopyImage;
  PFN_vkCmdBlitImage CmdBlitImage;
  PFN_vkCmdResolveImage CmdResolveImage;
  PFN_vkCmdClearColorImage CmdClearColorImage;
  PFN_vkCmdClearDepthStencilImage CmdClearDepthStencilImage;
};

/// Random numbers that are the same everywhere.
class Random {
public:
  explicit Random(uint32_t seed) : state(seed * 2654435761u + 1) {}
  uint32_t next() {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<uint32_t>(state >> 33);
  }

private:
  uint64_t state;
};

/// One plane of a Vulkan format as the tests handle it.
struct Format {
  VkFormat vulkan;
  pal::formats::Format memory; ///< swizzles do not matter to the tests
  VkImageAspectFlagBits aspect = VK_IMAGE_ASPECT_COLOR_BIT;

  const pal::formats::FormatInfo &info() const { return pal::formats::formatInfo(memory); }
};

struct Shape {
  VkImageType type = VK_IMAGE_TYPE_2D;
  Format format;
  VkExtent3D extent = {1, 1, 1};
  uint32_t layers = 1, levels = 1;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;

  VkExtent3D levelExtent(uint32_t level) const;
  uint64_t levelBytes(uint32_t level) const; ///< of all layers, tightly packed; then padding
  uint64_t totalBytes() const;
  /// Contents without NaN, infinity or numbers that formats clamp.
  Bytes randomData(uint32_t seed) const;
};

class Context;

class Image {
public:
  Image(Context &context, VkImage image, VkDeviceMemory memory, const Shape &shape)
      : image(image), shape(shape), context(context), memory(memory) {}
  ~Image();
  Image(const Image &) = delete;
  const VkImage image;
  const Shape shape;

private:
  Context &context;
  VkDeviceMemory memory;
};

class Buffer {
public:
  Buffer(Context &context, VkBuffer buffer, VkDeviceMemory memory, uint8_t *host)
      : buffer(buffer), host(host), context(context), memory(memory) {}
  ~Buffer();
  Buffer(const Buffer &) = delete;
  const VkBuffer buffer;
  uint8_t *const host;

private:
  Context &context;
  VkDeviceMemory memory;
};

/// Errors end the program: a test that cannot run is no test.
class Context {
public:
  explicit Context(exec::Device &device);
  bool supports(const Shape &shape) const;
  /// All of these need supports().
  std::unique_ptr<Image> image(const Shape &shape);
  std::unique_ptr<Image> image(const Shape &shape, const Bytes &data);
  std::unique_ptr<Buffer> buffer(const Bytes &data);
  void upload(Image &image, const Bytes &data);
  Bytes download(Image &image);
  /// Records, executes, waits.
  void run(const std::function<void(VkCommandBuffer)> &record);

  exec::Device &device;
  const exec::DeviceApi &api;
  Commands commands;

private:
  std::vector<VkBufferImageCopy> regionsOf(const Shape &shape) const;
  VkDeviceMemory allocate(const VkMemoryRequirements &requirements, bool host);
};

/// Aborts with the error's text.
void must(llvm::Error error);
void must(VkResult result, const char *function);

} // namespace transfer
