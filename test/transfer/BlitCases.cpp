//===- BlitCases.cpp - scaled and converting copies -----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Scales are such that no sample falls on the border between two texels, where either is right.
#include "Cases.h"

namespace transfer {

namespace {

using F = pal::formats::Format;

const Format rgba8 = {VK_FORMAT_R8G8B8A8_UNORM, F::X8Y8Z8W8_Unorm};
const Format bgra8 = {VK_FORMAT_B8G8R8A8_UNORM, F::X8Y8Z8W8_Unorm};
const Format srgb8 = {VK_FORMAT_R8G8B8A8_SRGB, F::X8Y8Z8W8_Srgb};
const Format rgb565 = {VK_FORMAT_R5G6B5_UNORM_PACK16, F::X5Y6Z5_Unorm};
const Format rgb10 = {VK_FORMAT_A2B10G10R10_UNORM_PACK32, F::X10Y10Z10W2_Unorm};
const Format snorm8 = {VK_FORMAT_R8G8B8A8_SNORM, F::X8Y8Z8W8_Snorm};
const Format rgba16 = {VK_FORMAT_R16G16B16A16_UNORM, F::X16Y16Z16W16_Unorm};
const Format half4 = {VK_FORMAT_R16G16B16A16_SFLOAT, F::X16Y16Z16W16_Float};
const Format float4 = {VK_FORMAT_R32G32B32A32_SFLOAT, F::X32Y32Z32W32_Float};
const Format uint4 = {VK_FORMAT_R32G32B32A32_UINT, F::X32Y32Z32W32_Uint};
const Format uchar4 = {VK_FORMAT_R8G8B8A8_UINT, F::X8Y8Z8W8_Uint};
const Format short2 = {VK_FORMAT_R16G16_SINT, F::X16Y16_Sint};
const Format int2 = {VK_FORMAT_R32G32_SINT, F::X32Y32_Sint};

struct Geometry {
  const char *name;
  VkOffset3D from[2], to[2];
};
const Geometry flatGeometry[] = {
    {"whole", {{0, 0, 0}, {21, 15, 1}}, {{0, 0, 0}, {21, 15, 1}}},
    {"twice", {{0, 0, 0}, {10, 7, 1}}, {{0, 0, 0}, {20, 14, 1}}},
    {"down by 7 to 5", {{0, 1, 0}, {21, 15, 1}}, {{2, 3, 0}, {17, 13, 1}}},
    {"mirrored in x", {{0, 0, 0}, {21, 15, 1}}, {{21, 0, 0}, {0, 15, 1}}},
    {"mirrored in y", {{3, 15, 0}, {18, 0, 1}}, {{1, 1, 0}, {16, 14, 1}}},
};

Bytes blit(Context &context, const Shape &from, const Shape &to, VkImageBlit region,
           VkFilter filter) {
  auto source = context.image(from, from.randomData(7));
  auto target = context.image(to, to.randomData(8));
  context.run([&](VkCommandBuffer commandBuffer) {
    context.commands.CmdBlitImage(commandBuffer, source->image, VK_IMAGE_LAYOUT_GENERAL,
                                  target->image, VK_IMAGE_LAYOUT_GENERAL, 1, &region, filter);
  });
  return context.download(*target);
}

bool supportsBlit(Context &context, const Shape &from, const Shape &to, VkFilter filter) {
  auto features = [&](const Shape &shape) {
    VkFormatProperties properties;
    context.device.instanceApi().GetPhysicalDeviceFormatProperties(
        context.device.physical().handle, shape.format.vulkan, &properties);
    return properties.optimalTilingFeatures;
  };
  const VkFormatFeatureFlags linear =
      filter == VK_FILTER_LINEAR ? VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT : 0;
  const VkFormatFeatureFlags read = VK_FORMAT_FEATURE_BLIT_SRC_BIT | linear;
  return context.supports(from) && context.supports(to) && !(read & ~features(from)) &&
         (features(to) & VK_FORMAT_FEATURE_BLIT_DST_BIT);
}

void add(std::vector<Case> &cases, const std::string &name, const Shape &from, const Shape &to,
         const VkImageBlit &region, VkFilter filter, double tolerance) {
  const std::string formats =
      std::to_string(from.format.vulkan) + " to " + std::to_string(to.format.vulkan);
  cases.push_back({std::string("blit ") + (filter == VK_FILTER_LINEAR ? "linear " : "nearest ") +
                       formats + ", " + name,
                   to.format, tolerance, [=](Context &context) {
                     return supportsBlit(context, from, to, filter)
                                ? blit(context, from, to, region, filter)
                                : Bytes();
                   }});
}

void addFlat(std::vector<Case> &cases, const Format &from, const Format &to, VkFilter filter,
             double tolerance) {
  Shape source, target;
  source.format = from;
  target.format = to;
  source.extent = target.extent = {21, 15, 1};
  source.layers = target.layers = 3;
  const VkImageAspectFlags color = VK_IMAGE_ASPECT_COLOR_BIT;
  for (const Geometry &geometry : flatGeometry) {
    const VkImageBlit region = {{color, 0, 1, 2},
                                {geometry.from[0], geometry.from[1]},
                                {color, 0, 0, 2},
                                {geometry.to[0], geometry.to[1]}};
    add(cases, geometry.name, source, target, region, filter, tolerance);
  }
}

void addVolume(std::vector<Case> &cases, VkFilter filter) {
  Shape source, target;
  source.type = target.type = VK_IMAGE_TYPE_3D;
  source.format = target.format = float4;
  source.extent = {9, 7, 5};
  target.extent = {16, 8, 8};
  target.levels = 2;
  const VkImageAspectFlags color = VK_IMAGE_ASPECT_COLOR_BIT;
  add(cases, "volume", source, target,
      {{color, 0, 0, 1}, {{0, 0, 0}, {9, 7, 5}}, {color, 0, 0, 1}, {{1, 8, 0}, {15, 0, 8}}}, filter,
      1);
  add(cases, "volume to level 1", source, target,
      {{color, 0, 0, 1}, {{0, 0, 5}, {9, 7, 0}}, {color, 1, 0, 1}, {{0, 0, 0}, {8, 4, 4}}}, filter,
      1);
}

} // namespace

std::vector<Case> blitCases() {
  std::vector<Case> cases;
  const VkFilter nearest = VK_FILTER_NEAREST, linear = VK_FILTER_LINEAR;
  // lavapipe filters 8-bit texels in 8 bits, decodes sRGB by a polynomial, and cuts off where
  // channels become narrower.
  struct {
    Format from, to;
    VkFilter filter;
    double tolerance;
  } const pairs[] = {
      {rgba8, rgba8, nearest, 0},   {rgba8, bgra8, nearest, 0},   {rgba8, srgb8, nearest, 1},
      {srgb8, rgba8, nearest, 1},   {srgb8, float4, nearest, 8},  {rgba8, rgb565, nearest, 1},
      {rgb565, rgba8, nearest, 1},  {rgb10, half4, nearest, 1},   {half4, rgb10, nearest, 1},
      {snorm8, float4, nearest, 1}, {float4, snorm8, nearest, 1}, {rgba16, float4, nearest, 1},
      {uint4, uint4, nearest, 0},   {uchar4, uint4, nearest, 0},  {short2, int2, nearest, 0},
      {float4, float4, linear, 1},  {half4, float4, linear, 1},   {rgba8, rgba8, linear, 2},
      {bgra8, rgba8, linear, 2},    {srgb8, srgb8, linear, 3},    {rgb565, rgba8, linear, 2},
  };
  for (const auto &pair : pairs)
    addFlat(cases, pair.from, pair.to, pair.filter, pair.tolerance);
  addVolume(cases, nearest);
  addVolume(cases, linear);
  return cases;
}

} // namespace transfer
