//===- Context.cpp - images and commands of transfer tests ----------------===//
// SPDX-License-Identifier: MIT
#include "Context.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace transfer {

using pal::formats::FormatInfo;
using pal::formats::NumberKind;
using pal::formats::Texel;

void must(llvm::Error error) {
  if (!error)
    return;
  std::fprintf(stderr, "kiln-transfer: %s\n", llvm::toString(std::move(error)).c_str());
  std::exit(2);
}
void must(VkResult result, const char *function) { must(exec::check(result, function)); }

VkExtent3D Shape::levelExtent(uint32_t level) const {
  return {std::max(extent.width >> level, 1u), std::max(extent.height >> level, 1u),
          std::max(extent.depth >> level, 1u)};
}

uint64_t Shape::levelBytes(uint32_t level) const {
  const VkExtent3D size = levelExtent(level);
  const FormatInfo &info = format.info();
  const uint64_t bytes = uint64_t((size.width + info.blockWidth - 1) / info.blockWidth) *
                         ((size.height + info.blockHeight - 1) / info.blockHeight) * size.depth *
                         layers * info.texelBytes;
  return (bytes + 15) / 16 * 16; // so that levels begin at a multiple of every texel's size
}

uint64_t Shape::totalBytes() const {
  uint64_t bytes = 0;
  for (uint32_t level = 0; level < levels; ++level)
    bytes += levelBytes(level);
  return bytes;
}

Bytes Shape::randomData(uint32_t seed) const {
  Random random(seed);
  Bytes data(totalBytes());
  const FormatInfo &info = format.info();
  if (info.kind != NumberKind::Float || info.isBlock()) {
    for (uint8_t &byte : data)
      byte = static_cast<uint8_t>(random.next());
    return data;
  }
  for (size_t at = 0; at < data.size(); at += info.texelBytes) {
    Texel texel;
    for (uint32_t &component : texel)
      component = llvm::bit_cast<uint32_t>(static_cast<float>(random.next() % 1024) / 1024.0f);
    pal::formats::pack(format.memory, texel, data.data() + at);
  }
  return data;
}

Context::Context(exec::Device &device) : device(device), api(device.api()) {
  auto load = [&](const char *name) {
    return device.instanceApi().GetDeviceProcAddr(device.handle(), name);
  };
#define LOAD(name) commands.name = reinterpret_cast<PFN_vk##name>(load("vk" #name))
  LOAD(CmdCopyImage);
  LOAD(CmdBlitImage);
  LOAD(CmdResolveImage);
  LOAD(CmdClearColorImage);
  LOAD(CmdClearDepthStencilImage);
#undef LOAD
}

constexpr VkImageUsageFlags imageUsage =
    VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT;

bool Context::supports(const Shape &shape) const {
  VkImageFormatProperties properties;
  const VkResult result = device.instanceApi().GetPhysicalDeviceImageFormatProperties(
      device.physical().handle, shape.format.vulkan, shape.type, VK_IMAGE_TILING_OPTIMAL,
      imageUsage, 0, &properties);
  return result == VK_SUCCESS && (properties.sampleCounts & shape.samples);
}

VkDeviceMemory Context::allocate(const VkMemoryRequirements &requirements, bool host) {
  VkMemoryAllocateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  info.allocationSize = requirements.size;
  info.memoryTypeIndex = host ? device.hostMemoryType(requirements.memoryTypeBits)
                              : device.anyMemoryType(requirements.memoryTypeBits);
  VkDeviceMemory memory = VK_NULL_HANDLE;
  must(api.AllocateMemory(device.handle(), &info, nullptr, &memory), "vkAllocateMemory");
  return memory;
}

std::unique_ptr<Image> Context::image(const Shape &shape) {
  VkImageCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
  info.imageType = shape.type;
  info.format = shape.format.vulkan;
  info.extent = shape.extent;
  info.mipLevels = shape.levels;
  info.arrayLayers = shape.layers;
  info.samples = shape.samples;
  info.usage = imageUsage;
  VkImage image = VK_NULL_HANDLE;
  must(api.CreateImage(device.handle(), &info, nullptr, &image), "vkCreateImage");
  VkMemoryRequirements requirements;
  api.GetImageMemoryRequirements(device.handle(), image, &requirements);
  VkDeviceMemory memory = allocate(requirements, false);
  must(api.BindImageMemory(device.handle(), image, memory, 0), "vkBindImageMemory");
  run([&](VkCommandBuffer commandBuffer) {
    VkImageMemoryBarrier barrier = {};
    barrier.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER;
    barrier.dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
    barrier.newLayout = VK_IMAGE_LAYOUT_GENERAL;
    barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.image = image;
    barrier.subresourceRange = {static_cast<VkImageAspectFlags>(shape.format.aspect), 0,
                                VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS};
    api.CmdPipelineBarrier(commandBuffer, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                           VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 0, nullptr, 1, &barrier);
  });
  return std::make_unique<Image>(*this, image, memory, shape);
}

std::unique_ptr<Image> Context::image(const Shape &shape, const Bytes &data) {
  std::unique_ptr<Image> made = image(shape);
  upload(*made, data);
  return made;
}

std::unique_ptr<Buffer> Context::buffer(const Bytes &data) {
  VkBufferCreateInfo info = {};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  info.size = data.size();
  info.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
               VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
  VkBuffer buffer = VK_NULL_HANDLE;
  must(api.CreateBuffer(device.handle(), &info, nullptr, &buffer), "vkCreateBuffer");
  VkMemoryRequirements requirements;
  api.GetBufferMemoryRequirements(device.handle(), buffer, &requirements);
  VkDeviceMemory memory = allocate(requirements, true);
  must(api.BindBufferMemory(device.handle(), buffer, memory, 0), "vkBindBufferMemory");
  void *host = nullptr;
  must(api.MapMemory(device.handle(), memory, 0, VK_WHOLE_SIZE, 0, &host), "vkMapMemory");
  std::memcpy(host, data.data(), data.size());
  return std::make_unique<Buffer>(*this, buffer, memory, static_cast<uint8_t *>(host));
}

std::vector<VkBufferImageCopy> Context::regionsOf(const Shape &shape) const {
  std::vector<VkBufferImageCopy> regions;
  uint64_t offset = 0;
  for (uint32_t level = 0; level < shape.levels; ++level) {
    VkBufferImageCopy region = {};
    region.bufferOffset = offset;
    region.imageSubresource = {static_cast<VkImageAspectFlags>(shape.format.aspect), level, 0,
                               shape.layers};
    region.imageExtent = shape.levelExtent(level);
    regions.push_back(region);
    offset += shape.levelBytes(level);
  }
  return regions;
}

void Context::upload(Image &image, const Bytes &data) {
  auto staging = buffer(data);
  const auto regions = regionsOf(image.shape);
  run([&](VkCommandBuffer commandBuffer) {
    api.CmdCopyBufferToImage(commandBuffer, staging->buffer, image.image, VK_IMAGE_LAYOUT_GENERAL,
                             static_cast<uint32_t>(regions.size()), regions.data());
  });
}

Bytes Context::download(Image &image) {
  auto staging = buffer(Bytes(image.shape.totalBytes()));
  const auto regions = regionsOf(image.shape);
  run([&](VkCommandBuffer commandBuffer) {
    api.CmdCopyImageToBuffer(commandBuffer, image.image, VK_IMAGE_LAYOUT_GENERAL, staging->buffer,
                             static_cast<uint32_t>(regions.size()), regions.data());
  });
  return Bytes(staging->host, staging->host + image.shape.totalBytes());
}

void Context::run(const std::function<void(VkCommandBuffer)> &record) {
  llvm::Expected<VkCommandBuffer> commandBuffer = device.begin();
  must(commandBuffer.takeError());
  record(*commandBuffer);
  must(device.submit());
}

Image::~Image() {
  context.api.DestroyImage(context.device.handle(), image, nullptr);
  context.api.FreeMemory(context.device.handle(), memory, nullptr);
}

Buffer::~Buffer() {
  context.api.DestroyBuffer(context.device.handle(), buffer, nullptr);
  context.api.FreeMemory(context.device.handle(), memory, nullptr);
}

} // namespace transfer
