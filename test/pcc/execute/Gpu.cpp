//===- Gpu.cpp - a device that executes scenes ----------------------------===//
// SPDX-License-Identifier: MIT
#include "Gpu.h"
#include "llvm/ADT/STLExtras.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace execute {
namespace {

constexpr VkImageAspectFlagBits color = VK_IMAGE_ASPECT_COLOR_BIT,
                                plane0 = VK_IMAGE_ASPECT_PLANE_0_BIT,
                                plane1 = VK_IMAGE_ASPECT_PLANE_1_BIT,
                                plane2 = VK_IMAGE_ASPECT_PLANE_2_BIT,
                                depth = VK_IMAGE_ASPECT_DEPTH_BIT,
                                stencil = VK_IMAGE_ASPECT_STENCIL_BIT;
constexpr FormatRow formatRows[] = {
    {VK_FORMAT_R8G8B8A8_UNORM, {{{color, 4}}}},
    {VK_FORMAT_R8G8B8A8_SRGB, {{{color, 4}}}},
    {VK_FORMAT_B10G11R11_UFLOAT_PACK32, {{{color, 4}}}},
    {VK_FORMAT_R8G8_UINT, {{{color, 2}}}},
    {VK_FORMAT_R16G16_SFLOAT, {{{color, 4}}}},
    {VK_FORMAT_R32G32B32A32_SFLOAT, {{{color, 16}}}},
    {VK_FORMAT_D32_SFLOAT, {{{depth, 4}}}},
    {VK_FORMAT_D32_SFLOAT_S8_UINT, {{{depth, 4}, {stencil, 1}}}},
    {VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, {{{plane0, 1}, {plane1, 2, 1}}}},
    {VK_FORMAT_G8_B8_R8_3PLANE_444_UNORM, {{{plane0, 1}, {plane1, 1}, {plane2, 1}}}},
};

VkDeviceSize bytesOf(const Image &image, const FormatRow::Plane &plane) {
  const VkDeviceSize side = image.side >> plane.shift;
  return side * side * plane.bytes * image.layers;
}

} // namespace

void stop(const std::string &message) {
  std::fprintf(stderr, "kiln-pcc-execute: %s\n", message.c_str());
  std::exit(1);
}

void require(VkResult result, const char *what) {
  if (result != VK_SUCCESS)
    stop(std::string(what) + ": VkResult " + std::to_string(result));
}

const FormatRow &rowOf(VkFormat format) {
  const auto *row =
      llvm::find_if(formatRows, [&](const FormatRow &r) { return r.format == format; });
  if (row == std::end(formatRows))
    stop("VkFormat " + std::to_string(format) + " is not known to this test");
  return *row;
}

VkDeviceSize bytesOf(const Image &image) {
  VkDeviceSize bytes = 0;
  for (const FormatRow::Plane &plane : rowOf(image.format).planes)
    bytes += bytesOf(image, plane);
  return bytes;
}

Gpu::Gpu(const replay::Driver &driver, llvm::ArrayRef<std::string> features)
    : device(require(replay::Device::create(driver, 0, features))),
      memory(driver.memoryProperties(0)) {
#define X(name)                                                                                    \
  name = reinterpret_cast<PFN_vk##name>(device->function("vk" #name));                             \
  if (!name)                                                                                       \
    stop("the device has no function vk" #name);
  EXECUTE_FUNCTIONS(X)
#undef X
  GetDeviceQueue(device->handle, 0, 0, &queue);
  auto info = vkStruct<VkCommandPoolCreateInfo>(VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
  require(CreateCommandPool(device->handle, &info, nullptr, &pool), "vkCreateCommandPool");
  takeBorderColor();
}

/// Colours of the tests have other places in the device's table than they had where their pipelines
/// were compiled.
void Gpu::takeBorderColor() {
  auto color = vkStruct<VkSamplerCustomBorderColorCreateInfoEXT>(
      VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT);
  color.format = VK_FORMAT_R8G8B8A8_UNORM;
  auto info = vkStruct<VkSamplerCreateInfo>(VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, &color);
  info.borderColor = VK_BORDER_COLOR_FLOAT_CUSTOM_EXT;
  info.addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
  VkSampler made = VK_NULL_HANDLE;
  require(device->CreateSampler(device->handle, &info, nullptr, &made), "vkCreateSampler");
  keep([this, made] { device->DestroySampler(device->handle, made, nullptr); });
}

Gpu::~Gpu() {
  for (const std::function<void()> &destroy : llvm::reverse(destroyers))
    destroy();
  DestroyCommandPool(device->handle, pool, nullptr);
}

VkDeviceMemory Gpu::allocate(const VkMemoryRequirements &requirements) {
  constexpr VkMemoryPropertyFlags wanted =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  uint32_t type = 0;
  while (type < memory.memoryTypeCount &&
         !(requirements.memoryTypeBits >> type & 1 &&
           (memory.memoryTypes[type].propertyFlags & wanted) == wanted))
    ++type;
  if (type == memory.memoryTypeCount)
    stop("no memory that the host can see");
  auto flags = vkStruct<VkMemoryAllocateFlagsInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO);
  flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
  auto info = vkStruct<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &flags);
  info.allocationSize = requirements.size;
  info.memoryTypeIndex = type;
  VkDeviceMemory made = VK_NULL_HANDLE;
  require(AllocateMemory(device->handle, &info, nullptr, &made), "vkAllocateMemory");
  keep([this, made] { FreeMemory(device->handle, made, nullptr); });
  return made;
}

Buffer Gpu::buffer(VkDeviceSize size) {
  Buffer made;
  made.size = size;
  auto info = vkStruct<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
  info.size = size;
  info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
               VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
               VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
               VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
  require(CreateBuffer(device->handle, &info, nullptr, &made.handle), "vkCreateBuffer");
  VkMemoryRequirements requirements;
  GetBufferMemoryRequirements(device->handle, made.handle, &requirements);
  VkDeviceMemory place = allocate(requirements);
  keep([this, made] { DestroyBuffer(device->handle, made.handle, nullptr); });
  require(BindBufferMemory(device->handle, made.handle, place, 0), "vkBindBufferMemory");
  void *mapped = nullptr;
  require(MapMemory(device->handle, place, 0, VK_WHOLE_SIZE, 0, &mapped), "vkMapMemory");
  std::memset(mapped, 0, size);
  made.data = static_cast<uint8_t *>(mapped);
  auto address = vkStruct<VkBufferDeviceAddressInfo>(VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO);
  address.buffer = made.handle;
  made.address = GetBufferDeviceAddress(device->handle, &address);
  return made;
}

VkBufferView Gpu::view(const Buffer &buffer, VkFormat format) {
  auto info = vkStruct<VkBufferViewCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO);
  info.buffer = buffer.handle;
  info.format = format;
  info.range = buffer.size;
  VkBufferView made = VK_NULL_HANDLE;
  require(CreateBufferView(device->handle, &info, nullptr, &made), "vkCreateBufferView");
  keep([this, made] { DestroyBufferView(device->handle, made, nullptr); });
  return made;
}

Image Gpu::image(VkFormat format, uint32_t side, VkImageUsageFlags usage, uint32_t layers,
                 VkSampleCountFlagBits samples) {
  Image made;
  made.format = format;
  made.side = side;
  made.layers = layers;
  made.samples = samples;
  const FormatRow &row = rowOf(format);
  if (row.planes[0].aspect == depth)
    made.aspects = row.planes[1].bytes ? depth | stencil : depth;
  auto info = vkStruct<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO);
  info.imageType = VK_IMAGE_TYPE_2D;
  info.format = format;
  info.extent = {side, side, 1};
  info.mipLevels = 1;
  info.arrayLayers = layers;
  info.samples = samples;
  info.tiling = VK_IMAGE_TILING_OPTIMAL;
  info.usage = usage;
  require(CreateImage(device->handle, &info, nullptr, &made.handle), "vkCreateImage");
  VkMemoryRequirements requirements;
  GetImageMemoryRequirements(device->handle, made.handle, &requirements);
  VkDeviceMemory place = allocate(requirements);
  keep([this, made] { DestroyImage(device->handle, made.handle, nullptr); });
  require(BindImageMemory(device->handle, made.handle, place, 0), "vkBindImageMemory");
  return made;
}

VkImageView Gpu::view(const Image &image, const void *next) {
  auto info = vkStruct<VkImageViewCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO, next);
  info.image = image.handle;
  info.viewType = image.layers > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D;
  info.format = image.format;
  info.subresourceRange = {image.aspects, 0, 1, 0, image.layers};
  VkImageView made = VK_NULL_HANDLE;
  require(CreateImageView(device->handle, &info, nullptr, &made), "vkCreateImageView");
  keep([this, made] { DestroyImageView(device->handle, made, nullptr); });
  return made;
}

void Gpu::barrier(VkCommandBuffer commands, const Image *image) {
  constexpr VkAccessFlags all = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
  auto memory = vkStruct<VkMemoryBarrier>(VK_STRUCTURE_TYPE_MEMORY_BARRIER);
  memory.srcAccessMask = memory.dstAccessMask = all;
  auto layout = vkStruct<VkImageMemoryBarrier>(VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER);
  layout.srcAccessMask = layout.dstAccessMask = all;
  layout.oldLayout = VK_IMAGE_LAYOUT_UNDEFINED;
  layout.newLayout = VK_IMAGE_LAYOUT_GENERAL;
  layout.srcQueueFamilyIndex = layout.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  if (image) {
    layout.image = image->handle;
    layout.subresourceRange = {image->aspects, 0, 1, 0, image->layers};
  }
  CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                     VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &memory,
                     0, nullptr, image ? 1 : 0, &layout);
}

void Gpu::copy(VkCommandBuffer commands, const Image &image, const Buffer &buffer, bool toImage) {
  VkBufferImageCopy region = {};
  for (const FormatRow::Plane &plane : rowOf(image.format).planes) {
    if (!plane.bytes)
      break;
    region.imageSubresource = {static_cast<VkImageAspectFlags>(plane.aspect), 0, 0, image.layers};
    region.imageExtent = {image.side >> plane.shift, image.side >> plane.shift, 1};
    if (toImage)
      CmdCopyBufferToImage(commands, buffer.handle, image.handle, VK_IMAGE_LAYOUT_GENERAL, 1,
                           &region);
    else
      CmdCopyImageToBuffer(commands, image.handle, VK_IMAGE_LAYOUT_GENERAL, buffer.handle, 1,
                           &region);
    region.bufferOffset += bytesOf(image, plane);
  }
}

void Gpu::run(llvm::function_ref<void(VkCommandBuffer)> record) {
  auto allocate =
      vkStruct<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
  allocate.commandPool = pool;
  allocate.commandBufferCount = 1;
  VkCommandBuffer commands = VK_NULL_HANDLE;
  require(AllocateCommandBuffers(device->handle, &allocate, &commands), "vkAllocateCommandBuffers");
  auto begin = vkStruct<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
  begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  require(BeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
  record(commands);
  barrier(commands);
  require(EndCommandBuffer(commands), "vkEndCommandBuffer");
  auto submit = vkStruct<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &commands;
  require(QueueSubmit(queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
  require(QueueWaitIdle(queue), "vkQueueWaitIdle");
}

} // namespace execute
