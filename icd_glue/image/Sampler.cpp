//===- Sampler.cpp - VkSampler and VkSamplerYcbcrConversion ---------------===//
// SPDX-License-Identifier: MIT
/// \file
/// From sampler state to descriptors and to the conversion words that the compiler reads.
#include "icd_glue/image/Sampler.h"
#include "icd_glue/Entrypoints.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/image/BorderColors.h"
#include <algorithm>

namespace icd {

using pal::srd::Address;
using pal::srd::SamplerSrdInfo;

namespace {

Address addressOf(VkSamplerAddressMode mode) {
  switch (mode) {
  case VK_SAMPLER_ADDRESS_MODE_REPEAT:
    return Address::Wrap;
  case VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT:
    return Address::Mirror;
  case VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER:
    return Address::ClampToBorder;
  case VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE:
    return Address::MirrorOnce;
  default:
    return Address::ClampToEdge;
  }
}

pal::srd::BorderColor borderColorOf(VkBorderColor color) {
  switch (color) {
  case VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK:
  case VK_BORDER_COLOR_INT_OPAQUE_BLACK:
    return pal::srd::BorderColor::OpaqueBlack;
  case VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE:
  case VK_BORDER_COLOR_INT_OPAQUE_WHITE:
    return pal::srd::BorderColor::OpaqueWhite;
  case VK_BORDER_COLOR_FLOAT_CUSTOM_EXT:
  case VK_BORDER_COLOR_INT_CUSTOM_EXT:
    return pal::srd::BorderColor::Table;
  default:
    return pal::srd::BorderColor::TransparentBlack;
  }
}

/// Of a sampler that never reaches the border the words are the same on every device.
bool readsBorderTable(const VkSamplerCreateInfo &info) {
  constexpr VkSamplerAddressMode border = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
  return borderColorOf(info.borderColor) == pal::srd::BorderColor::Table &&
         (info.addressModeU == border || info.addressModeV == border ||
          info.addressModeW == border);
}

pal::srd::Filter filterOf(VkFilter filter) {
  return filter == VK_FILTER_LINEAR ? pal::srd::Filter::Linear : pal::srd::Filter::Point;
}

pal::srd::Reduction reductionOf(const void *next) {
  const auto *info = findInChain<VkSamplerReductionModeCreateInfo>(
      next, VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO);
  if (!info || info->reductionMode == VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE)
    return pal::srd::Reduction::Blend;
  return info->reductionMode == VK_SAMPLER_REDUCTION_MODE_MIN ? pal::srd::Reduction::Min
                                                              : pal::srd::Reduction::Max;
}

/// Swizzles that name the component they are in are identities; lgc wants one spelling.
lgc::YcbcrSwizzle swizzleOf(VkComponentSwizzle swizzle) {
  return static_cast<lgc::YcbcrSwizzle>(swizzle);
}

lgc::YcbcrInfo conversionInfo(const VkSamplerYcbcrConversionCreateInfo &info) {
  lgc::YcbcrInfo out;
  out.model = static_cast<lgc::YcbcrModel>(info.ycbcrModel);
  out.narrowRange = info.ycbcrRange == VK_SAMPLER_YCBCR_RANGE_ITU_NARROW;
  out.xMidpoint = info.xChromaOffset == VK_CHROMA_LOCATION_MIDPOINT;
  out.yMidpoint = info.yChromaOffset == VK_CHROMA_LOCATION_MIDPOINT;
  out.linearChroma = info.chromaFilter == VK_FILTER_LINEAR;
  out.swizzle = {swizzleOf(info.components.r), swizzleOf(info.components.g),
                 swizzleOf(info.components.b), swizzleOf(info.components.a)};
  const ImageFormat *format = findImageFormat(info.format);
  if (!format)
    return out;
  out.planes = format->isYcbcr ? format->planeCount : 1;
  out.halfWidth = out.planes > 1 && format->planes[1].xDivisor == 2;
  out.halfHeight = out.planes > 1 && format->planes[1].yDivisor == 2;
  if (format->isYcbcr)
    out.bits = format->ycbcrBits;
  else // one plane: the width of its first channel counts, as far as conversions know it
    out.bits =
        std::clamp<uint8_t>(pal::formats::formatInfo(format->planes[0].format).bits[0], 8, 16);
  return out;
}

} // namespace

SamplerYcbcrConversion::SamplerYcbcrConversion(const VkSamplerYcbcrConversionCreateInfo &create)
    : Object(type), format(create.format), info(conversionInfo(create)),
      forceExplicit(create.forceExplicitReconstruction) {}

Sampler::Sampler(const pal::abi::GpuTarget &target, const VkSamplerCreateInfo &info,
                 std::optional<uint32_t> borderColorIndex)
    : Object(type), borderColorIndex(borderColorIndex) {
  SamplerSrdInfo srd;
  srd.magFilter = filterOf(info.magFilter);
  srd.minFilter = filterOf(info.minFilter);
  srd.mipFilter = info.mipmapMode == VK_SAMPLER_MIPMAP_MODE_LINEAR ? pal::srd::MipFilter::Linear
                                                                   : pal::srd::MipFilter::Point;
  srd.address = {addressOf(info.addressModeU), addressOf(info.addressModeV),
                 addressOf(info.addressModeW)};
  // Numbers of VkCompareOp are the hardware's.
  if (info.compareEnable)
    srd.compare = static_cast<pal::srd::Compare>(info.compareOp);
  srd.minLod = info.minLod;
  srd.maxLod = info.maxLod;
  srd.lodBias = info.mipLodBias;
  if (info.anisotropyEnable)
    srd.maxAniso = static_cast<uint32_t>(std::clamp(info.maxAnisotropy, 1.0f, 16.0f));
  if (borderColorIndex || borderColorOf(info.borderColor) != pal::srd::BorderColor::Table)
    srd.borderColor = borderColorOf(info.borderColor);
  srd.borderColorIndex = borderColorIndex.value_or(0);
  srd.reduction = reductionOf(info.pNext);
  srd.unnormalized = info.unnormalizedCoordinates;
  srd.seamlessCube = !(info.flags & VK_SAMPLER_CREATE_NON_SEAMLESS_CUBE_MAP_BIT_EXT);
  const auto *with = findInChain<VkSamplerYcbcrConversionInfo>(
      info.pNext, VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO);
  const SamplerYcbcrConversion *ycbcr =
      with ? fromHandle<SamplerYcbcrConversion>(with->conversion) : nullptr;
  // As AMD's driver has it (xgl, vk_sampler.cpp).
  srd.truncateCoords = info.magFilter == VK_FILTER_NEAREST && info.minFilter == VK_FILTER_NEAREST &&
                       srd.compare == pal::srd::Compare::Never && !(ycbcr && ycbcr->forceExplicit);
  pal::srd::buildSamplerSrd(target, srd, words.data());
  if (ycbcr) {
    isYcbcr = true;
    conversion = lgc::encodeYcbcr(ycbcr->info);
    planes = ycbcr->info.planes;
  }
}

VKAPI_ATTR VkResult VKAPI_CALL CreateSampler(VkDevice device,
                                             const VkSamplerCreateInfo *pCreateInfo,
                                             const VkAllocationCallbacks *pAllocator,
                                             VkSampler *pSampler) {
  auto *owner = fromHandle<Device>(device);
  std::optional<uint32_t> borderColor;
  const auto *custom = findInChain<VkSamplerCustomBorderColorCreateInfoEXT>(
      pCreateInfo->pNext, VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT);
  if (readsBorderTable(*pCreateInfo)) {
    borderColor =
        owner->borderColors().acquire(custom ? custom->customBorderColor : VkClearColorValue());
    if (!borderColor)
      return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  }
  Sampler *sampler = owner->create<Sampler>(pAllocator, owner->target(), *pCreateInfo, borderColor);
  if (!sampler) {
    if (borderColor)
      owner->borderColors().release(*borderColor);
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  }
  *pSampler = toHandle(sampler);
  return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL DestroySampler(VkDevice device, VkSampler sampler,
                                          const VkAllocationCallbacks *pAllocator) {
  auto *owner = fromHandle<Device>(device);
  auto *object = fromHandle<Sampler>(sampler);
  if (object && object->borderColorIndex)
    owner->borderColors().release(*object->borderColorIndex);
  owner->destroy(object, pAllocator);
}

VKAPI_ATTR VkResult VKAPI_CALL CreateSamplerYcbcrConversion(
    VkDevice device, const VkSamplerYcbcrConversionCreateInfo *pCreateInfo,
    const VkAllocationCallbacks *pAllocator, VkSamplerYcbcrConversion *pYcbcrConversion) {
  auto *conversion =
      fromHandle<Device>(device)->create<SamplerYcbcrConversion>(pAllocator, *pCreateInfo);
  if (!conversion)
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  *pYcbcrConversion = toHandle(conversion);
  return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL DestroySamplerYcbcrConversion(VkDevice device,
                                                         VkSamplerYcbcrConversion ycbcrConversion,
                                                         const VkAllocationCallbacks *pAllocator) {
  fromHandle<Device>(device)->destroy(fromHandle<SamplerYcbcrConversion>(ycbcrConversion),
                                      pAllocator);
}

} // namespace icd
