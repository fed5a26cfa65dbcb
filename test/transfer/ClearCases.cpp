//===- ClearCases.cpp - clears and resolves -------------------------------===//
// SPDX-License-Identifier: MIT
#include "Cases.h"

namespace transfer {

namespace {

using F = pal::formats::Format;

const Format clearFormats[] = {
    {VK_FORMAT_R8_UNORM, F::X8_Unorm},
    {VK_FORMAT_B8G8R8A8_UNORM, F::X8Y8Z8W8_Unorm},
    {VK_FORMAT_R8G8B8A8_SNORM, F::X8Y8Z8W8_Snorm},
    {VK_FORMAT_R8G8B8A8_SRGB, F::X8Y8Z8W8_Srgb},
    {VK_FORMAT_R5G6B5_UNORM_PACK16, F::X5Y6Z5_Unorm},
    {VK_FORMAT_A1R5G5B5_UNORM_PACK16, F::X5Y5Z5W1_Unorm},
    {VK_FORMAT_B4G4R4A4_UNORM_PACK16, F::X4Y4Z4W4_Unorm},
    {VK_FORMAT_A2B10G10R10_UNORM_PACK32, F::X10Y10Z10W2_Unorm},
    {VK_FORMAT_A2R10G10B10_UNORM_PACK32, F::X10Y10Z10W2_Unorm},
    {VK_FORMAT_R16G16_SFLOAT, F::X16Y16_Float},
    {VK_FORMAT_R32G32B32A32_SFLOAT, F::X32Y32Z32W32_Float},
    {VK_FORMAT_B10G11R11_UFLOAT_PACK32, F::X11Y11Z10_Float},
    {VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, F::X9Y9Z9E5_Float},
    {VK_FORMAT_R8G8B8A8_UINT, F::X8Y8Z8W8_Uint},
    {VK_FORMAT_R16G16B16A16_SINT, F::X16Y16Z16W16_Sint},
    {VK_FORMAT_R32G32_UINT, F::X32Y32_Uint},
};

VkClearColorValue colorFor(const Format &format) {
  VkClearColorValue color = {};
  const bool isSigned = format.info().kind == pal::formats::NumberKind::Sint;
  for (uint32_t i = 0; i < 4; ++i) {
    if (format.info().isInteger())
      color.int32[i] = (isSigned && i % 2 ? -1 : 1) * static_cast<int32_t>(17 * i + 3);
    else
      color.float32[i] = 0.1f + 0.27f * static_cast<float>(i);
  }
  return color;
}

Bytes clearColor(Context &context, const Shape &shape) {
  auto image = context.image(shape, shape.randomData(9));
  const VkClearColorValue color = colorFor(shape.format);
  const VkImageAspectFlags aspect = VK_IMAGE_ASPECT_COLOR_BIT;
  const VkImageSubresourceRange ranges[] = {
      {aspect, 0, 1, 0, shape.layers > 1 ? 1u : VK_REMAINING_ARRAY_LAYERS},
      {aspect, 1, VK_REMAINING_MIP_LEVELS, shape.layers > 1 ? 1u : 0u, VK_REMAINING_ARRAY_LAYERS}};
  context.run([&](VkCommandBuffer commandBuffer) {
    context.commands.CmdClearColorImage(commandBuffer, image->image, VK_IMAGE_LAYOUT_GENERAL,
                                        &color, 2, ranges);
  });
  return context.download(*image);
}

Bytes clearDepthStencil(Context &context, const Shape &shape) {
  auto image = context.image(shape, shape.randomData(10));
  const VkClearDepthStencilValue value = {0.375f, 0x5a};
  const VkImageSubresourceRange range = {static_cast<VkImageAspectFlags>(shape.format.aspect), 1, 1,
                                         1, 1};
  context.run([&](VkCommandBuffer commandBuffer) {
    context.commands.CmdClearDepthStencilImage(commandBuffer, image->image, VK_IMAGE_LAYOUT_GENERAL,
                                               &value, 1, &range);
  });
  return context.download(*image);
}

Bytes resolve(Context &context, const Shape &from, const Shape &to) {
  auto source = context.image(from);
  auto target = context.image(to, to.randomData(11));
  const VkClearColorValue color = colorFor(from.format);
  const VkImageAspectFlags aspect = VK_IMAGE_ASPECT_COLOR_BIT;
  const VkImageSubresourceRange all = {aspect, 0, 1, 0, VK_REMAINING_ARRAY_LAYERS};
  const VkImageResolve region = {
      {aspect, 0, 0, 1}, {1, 2, 0}, {aspect, 0, 1, 1}, {3, 1, 0}, {5, 4, 1}};
  context.run([&](VkCommandBuffer commandBuffer) {
    context.commands.CmdClearColorImage(commandBuffer, source->image, VK_IMAGE_LAYOUT_GENERAL,
                                        &color, 1, &all);
  });
  context.run([&](VkCommandBuffer commandBuffer) {
    context.commands.CmdResolveImage(commandBuffer, source->image, VK_IMAGE_LAYOUT_GENERAL,
                                     target->image, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
  });
  return context.download(*target);
}

} // namespace

std::vector<Case> clearCases() {
  std::vector<Case> cases;
  Shape shape;
  shape.levels = 3;
  for (const Format &format : clearFormats) {
    for (VkImageType type : {VK_IMAGE_TYPE_2D, VK_IMAGE_TYPE_3D}) {
      shape.type = type;
      shape.format = format;
      shape.extent = {13, 7, type == VK_IMAGE_TYPE_3D ? 6u : 1u};
      shape.layers = type == VK_IMAGE_TYPE_3D ? 1 : 3;
      cases.push_back(
          {"clear, format " + std::to_string(format.vulkan) + " type " + std::to_string(type),
           format, 1, [shape](Context &context) {
             return context.supports(shape) ? clearColor(context, shape) : Bytes();
           }});
    }
  }
  shape.type = VK_IMAGE_TYPE_2D;
  shape.extent = {13, 7, 1};
  shape.layers = 3;
  for (const Format &format :
       {Format{VK_FORMAT_D16_UNORM, F::X16_Unorm, VK_IMAGE_ASPECT_DEPTH_BIT},
        Format{VK_FORMAT_D32_SFLOAT, F::X32_Float, VK_IMAGE_ASPECT_DEPTH_BIT},
        Format{VK_FORMAT_S8_UINT, F::X8_Uint, VK_IMAGE_ASPECT_STENCIL_BIT}}) {
    shape.format = format;
    cases.push_back(
        {"clear, format " + std::to_string(format.vulkan), format, 1, [shape](Context &context) {
           return context.supports(shape) ? clearDepthStencil(context, shape) : Bytes();
         }});
  }
  for (const Format &format : {Format{VK_FORMAT_R8G8B8A8_UNORM, F::X8Y8Z8W8_Unorm},
                               Format{VK_FORMAT_R32_SFLOAT, F::X32_Float}}) {
    Shape from, to;
    from.format = to.format = format;
    from.extent = {7, 8, 1};
    from.samples = VK_SAMPLE_COUNT_4_BIT;
    to.extent = {9, 6, 1};
    to.layers = 2;
    cases.push_back(
        {"resolve, format " + std::to_string(format.vulkan), format, 1, [=](Context &context) {
           return context.supports(from) && context.supports(to) ? resolve(context, from, to)
                                                                 : Bytes();
         }});
  }
  return cases;
}

} // namespace transfer
