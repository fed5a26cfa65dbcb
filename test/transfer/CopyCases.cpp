//===- CopyCases.cpp - copies between buffers and images ------------------===//
// SPDX-License-Identifier: MIT
#include "Cases.h"

namespace transfer {

namespace {

using F = pal::formats::Format;

const Format copyFormats[] = {
    {VK_FORMAT_R8_UNORM, F::X8_Unorm},
    {VK_FORMAT_R8G8_UINT, F::X8Y8_Uint},
    {VK_FORMAT_B8G8R8A8_UNORM, F::X8Y8Z8W8_Unorm},
    {VK_FORMAT_R5G6B5_UNORM_PACK16, F::X5Y6Z5_Unorm},
    {VK_FORMAT_R16G16B16A16_SFLOAT, F::X16Y16Z16W16_Float},
    {VK_FORMAT_R32G32B32A32_UINT, F::X32Y32Z32W32_Uint},
    {VK_FORMAT_BC1_RGBA_UNORM_BLOCK, F::Bc1_Unorm},
    {VK_FORMAT_BC7_UNORM_BLOCK, F::Bc7_Unorm},
    {VK_FORMAT_D32_SFLOAT, F::X32_Float, VK_IMAGE_ASPECT_DEPTH_BIT},
    {VK_FORMAT_S8_UINT, F::X8_Uint, VK_IMAGE_ASPECT_STENCIL_BIT},
};

/// A region with rows and slices of its own, in all three kinds of images.
VkBufferImageCopy partialRegion(const Shape &shape) {
  VkBufferImageCopy region = {};
  region.bufferOffset = 48;
  region.bufferRowLength = 20;
  region.imageSubresource = {static_cast<VkImageAspectFlags>(shape.format.aspect), 1, 0, 1};
  region.imageOffset = {4, 0, 0};
  region.imageExtent = {8, 1, 1};
  if (shape.type != VK_IMAGE_TYPE_1D) {
    region.bufferImageHeight = 12;
    region.imageOffset.y = 4;
    region.imageExtent.height = 4;
  }
  if (shape.type == VK_IMAGE_TYPE_3D) {
    region.imageOffset.z = 1;
    region.imageExtent.depth = 2;
  } else {
    region.imageSubresource.baseArrayLayer = 1;
    region.imageSubresource.layerCount = 2;
  }
  return region;
}

/// Enough for partialRegion of 16-byte texels.
constexpr size_t bufferBytes = 48 + 20 * 12 * 2 * 16;

Bytes randomBytes(size_t size, uint32_t seed) {
  Random random(seed);
  Bytes bytes(size);
  for (uint8_t &byte : bytes)
    byte = static_cast<uint8_t>(random.next());
  return bytes;
}

Shape shapeOf(VkImageType type, const Format &format) {
  Shape shape;
  shape.type = type;
  shape.format = format;
  shape.levels = 3;
  shape.extent = {29, type == VK_IMAGE_TYPE_1D ? 1u : 18u, type == VK_IMAGE_TYPE_3D ? 9u : 1u};
  shape.layers = type == VK_IMAGE_TYPE_3D ? 1 : 3;
  return shape;
}

Bytes bufferToImage(Context &context, const Shape &shape) {
  auto image = context.image(shape, shape.randomData(1));
  auto buffer = context.buffer(randomBytes(bufferBytes, 2));
  const VkBufferImageCopy region = partialRegion(shape);
  context.run([&](VkCommandBuffer commandBuffer) {
    context.api.CmdCopyBufferToImage(commandBuffer, buffer->buffer, image->image,
                                     VK_IMAGE_LAYOUT_GENERAL, 1, &region);
  });
  return context.download(*image);
}

Bytes imageToBuffer(Context &context, const Shape &shape) {
  auto image = context.image(shape, shape.randomData(3));
  auto buffer = context.buffer(randomBytes(bufferBytes, 4));
  const VkBufferImageCopy region = partialRegion(shape);
  context.run([&](VkCommandBuffer commandBuffer) {
    context.api.CmdCopyImageToBuffer(commandBuffer, image->image, VK_IMAGE_LAYOUT_GENERAL,
                                     buffer->buffer, 1, &region);
  });
  return Bytes(buffer->host, buffer->host + bufferBytes);
}

Bytes copyBetween(Context &context, const Shape &from, const Shape &to, const VkImageCopy &region) {
  auto source = context.image(from, from.randomData(5));
  auto target = context.image(to, to.randomData(6));
  context.run([&](VkCommandBuffer commandBuffer) {
    context.commands.CmdCopyImage(commandBuffer, source->image, VK_IMAGE_LAYOUT_GENERAL,
                                  target->image, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
  });
  return context.download(*target);
}

void addBufferCases(std::vector<Case> &cases) {
  for (const Format &format : copyFormats) {
    for (VkImageType type : {VK_IMAGE_TYPE_1D, VK_IMAGE_TYPE_2D, VK_IMAGE_TYPE_3D}) {
      if (type != VK_IMAGE_TYPE_2D &&
          (format.info().isBlock() || format.aspect != VK_IMAGE_ASPECT_COLOR_BIT))
        continue;
      const Shape shape = shapeOf(type, format);
      const std::string name =
          "format " + std::to_string(format.vulkan) + " type " + std::to_string(type);
      cases.push_back({"buffer to image, " + name, format, 0, [shape](Context &context) {
                         return context.supports(shape) ? bufferToImage(context, shape) : Bytes();
                       }});
      // The result holds random bytes between the rows: compared as bytes.
      cases.push_back({"image to buffer, " + name,
                       {VK_FORMAT_R8_UINT, F::X8_Uint},
                       0,
                       [shape](Context &context) {
                         return context.supports(shape) ? imageToBuffer(context, shape) : Bytes();
                       }});
    }
  }
}

void addImageCase(std::vector<Case> &cases, const std::string &name, const Shape &from,
                  const Shape &to, const VkImageCopy &region) {
  cases.push_back({"image to image, " + name, to.format, 0, [=](Context &context) {
                     return context.supports(from) && context.supports(to)
                                ? copyBetween(context, from, to, region)
                                : Bytes();
                   }});
}

} // namespace

std::vector<Case> copyCases() {
  std::vector<Case> cases;
  addBufferCases(cases);
  const Format rgba8 = {VK_FORMAT_R8G8B8A8_UNORM, F::X8Y8Z8W8_Unorm};
  const Format r32 = {VK_FORMAT_R32_UINT, F::X32_Uint};
  const Format bc1 = {VK_FORMAT_BC1_RGBA_UNORM_BLOCK, F::Bc1_Unorm};
  const Format rg32 = {VK_FORMAT_R32G32_UINT, F::X32Y32_Uint};
  const VkImageAspectFlags color = VK_IMAGE_ASPECT_COLOR_BIT;
  const Shape flat = shapeOf(VK_IMAGE_TYPE_2D, rgba8), flatBits = shapeOf(VK_IMAGE_TYPE_2D, r32),
              volume = shapeOf(VK_IMAGE_TYPE_3D, r32), blocks = shapeOf(VK_IMAGE_TYPE_2D, bc1),
              wide = shapeOf(VK_IMAGE_TYPE_2D, rg32);
  addImageCase(cases, "levels and layers", flat, flatBits,
               {{color, 0, 1, 2}, {3, 5, 0}, {color, 1, 0, 2}, {1, 2, 0}, {7, 6, 1}});
  addImageCase(cases, "layers to planes", flat, volume,
               {{color, 1, 1, 2}, {3, 5, 0}, {color, 0, 0, 1}, {1, 2, 3}, {7, 4, 2}});
  addImageCase(cases, "planes to layers", volume, flat,
               {{color, 0, 0, 1}, {3, 5, 4}, {color, 1, 1, 2}, {1, 2, 0}, {7, 4, 2}});
  addImageCase(cases, "planes to planes", volume, volume,
               {{color, 1, 0, 1}, {1, 0, 1}, {color, 0, 0, 1}, {9, 9, 2}, {10, 8, 3}});
  addImageCase(cases, "blocks to texels", blocks, wide,
               {{color, 0, 0, 1}, {4, 8, 0}, {color, 0, 2, 1}, {5, 6, 0}, {16, 8, 1}});
  addImageCase(cases, "texels to blocks", wide, blocks,
               {{color, 0, 0, 1}, {4, 8, 0}, {color, 0, 2, 1}, {4, 8, 0}, {3, 2, 1}});
  return cases;
}

} // namespace transfer
