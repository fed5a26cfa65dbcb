//===- SampleFormats.cpp - image formats of generated inputs --------------===//
// SPDX-License-Identifier: MIT
#include "Sample.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace exec {

VkFormat formatOf(spv::ImageFormat format, ScalarType sampled) {
  static constexpr std::pair<spv::ImageFormat, VkFormat> table[] = {
      {spv::ImageFormat::Rgba32f, VK_FORMAT_R32G32B32A32_SFLOAT},
      {spv::ImageFormat::Rgba16f, VK_FORMAT_R16G16B16A16_SFLOAT},
      {spv::ImageFormat::R32f, VK_FORMAT_R32_SFLOAT},
      {spv::ImageFormat::Rgba8, VK_FORMAT_R8G8B8A8_UNORM},
      {spv::ImageFormat::Rgba8Snorm, VK_FORMAT_R8G8B8A8_SNORM},
      {spv::ImageFormat::Rg32f, VK_FORMAT_R32G32_SFLOAT},
      {spv::ImageFormat::Rg16f, VK_FORMAT_R16G16_SFLOAT},
      {spv::ImageFormat::R11fG11fB10f, VK_FORMAT_B10G11R11_UFLOAT_PACK32},
      {spv::ImageFormat::R16f, VK_FORMAT_R16_SFLOAT},
      {spv::ImageFormat::Rgba16, VK_FORMAT_R16G16B16A16_UNORM},
      {spv::ImageFormat::Rgb10A2, VK_FORMAT_A2B10G10R10_UNORM_PACK32},
      {spv::ImageFormat::Rg16, VK_FORMAT_R16G16_UNORM},
      {spv::ImageFormat::Rg8, VK_FORMAT_R8G8_UNORM},
      {spv::ImageFormat::R16, VK_FORMAT_R16_UNORM},
      {spv::ImageFormat::R8, VK_FORMAT_R8_UNORM},
      {spv::ImageFormat::Rgba32i, VK_FORMAT_R32G32B32A32_SINT},
      {spv::ImageFormat::Rgba16i, VK_FORMAT_R16G16B16A16_SINT},
      {spv::ImageFormat::Rgba8i, VK_FORMAT_R8G8B8A8_SINT},
      {spv::ImageFormat::R32i, VK_FORMAT_R32_SINT},
      {spv::ImageFormat::Rg32i, VK_FORMAT_R32G32_SINT},
      {spv::ImageFormat::R8i, VK_FORMAT_R8_SINT},
      {spv::ImageFormat::R16i, VK_FORMAT_R16_SINT},
      {spv::ImageFormat::Rgba32ui, VK_FORMAT_R32G32B32A32_UINT},
      {spv::ImageFormat::Rgba16ui, VK_FORMAT_R16G16B16A16_UINT},
      {spv::ImageFormat::Rgba8ui, VK_FORMAT_R8G8B8A8_UINT},
      {spv::ImageFormat::R32ui, VK_FORMAT_R32_UINT},
      {spv::ImageFormat::Rg32ui, VK_FORMAT_R32G32_UINT},
      {spv::ImageFormat::R8ui, VK_FORMAT_R8_UINT},
      {spv::ImageFormat::R16ui, VK_FORMAT_R16_UINT},
      {spv::ImageFormat::R64ui, VK_FORMAT_R64_UINT},
      {spv::ImageFormat::R64i, VK_FORMAT_R64_SINT},
  };
  for (auto [spirv, vulkan] : table)
    if (spirv == format)
      return vulkan;
  if (format != spv::ImageFormat::Unknown)
    return VK_FORMAT_UNDEFINED;
  if (isFloat(sampled))
    return VK_FORMAT_R32G32B32A32_SFLOAT;
  return isSigned(sampled) ? VK_FORMAT_R32G32B32A32_SINT : VK_FORMAT_R32G32B32A32_UINT;
}

/// The type of a component; packed and normalized texels count as bytes.
ScalarType componentType(StringRef format) {
  static constexpr std::pair<StringRef, StringRef> table[] = {
      {"sfloat", "f"}, {"uint", "u"}, {"sint", "i"}, {"unorm", "u"}};
  if (format.contains("pack"))
    return ScalarType::U32;
  StringRef width = format.drop_front(1).take_while(llvm::isDigit);
  for (auto [suffix, letter] : table)
    if (format.ends_with(suffix))
      return scalarTypeOf((letter + width).str()).value_or(ScalarType::U8);
  return ScalarType::U8;
}

} // namespace exec
