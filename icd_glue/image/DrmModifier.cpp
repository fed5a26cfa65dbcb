//===- DrmModifier.cpp - layouts that the kernel's graphics has names for -===//
// SPDX-License-Identifier: MIT
#include "icd_glue/image/DrmModifier.h"
#include "icd_glue/Entrypoints.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <array>

namespace icd {
namespace {

constexpr std::array modifiers = {linearModifier};

const VkImageDrmFormatModifierExplicitCreateInfoEXT *explicitInfoOf(const void *next) {
  return findInChain<VkImageDrmFormatModifierExplicitCreateInfoEXT>(
      next, VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_EXPLICIT_CREATE_INFO_EXT);
}

} // namespace

bool hasModifier(const ImageFormat &format) {
  return !format.isDepthStencil() && llvm::none_of(format.planeList(), [](const PlaneFormat &p) {
    return pal::formats::formatInfo(p.format).isBlock();
  });
}

bool allowsLinearModifier(const void *next) {
  if (const auto *asked = findInChain<VkPhysicalDeviceImageDrmFormatModifierInfoEXT>(
          next, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_DRM_FORMAT_MODIFIER_INFO_EXT))
    return asked->drmFormatModifier == linearModifier;
  if (const auto *list = findInChain<VkImageDrmFormatModifierListCreateInfoEXT>(
          next, VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_LIST_CREATE_INFO_EXT))
    return llvm::is_contained(
        llvm::ArrayRef(list->pDrmFormatModifiers, list->drmFormatModifierCount), linearModifier);
  const auto *exact = explicitInfoOf(next);
  return exact && exact->drmFormatModifier == linearModifier;
}

void fillModifiers(const pal::abi::GpuTarget &target, VkFormat format, void *next) {
  const ImageFormat *row = findImageFormat(format);
  const VkFormatFeatureFlags2 features = imageFeatures(target, format);
  const llvm::ArrayRef<uint64_t> all = row && features && hasModifier(*row)
                                           ? llvm::ArrayRef<uint64_t>(modifiers)
                                           : llvm::ArrayRef<uint64_t>();
  auto fill = [&](uint64_t modifier, auto &out) {
    out.drmFormatModifier = modifier;
    out.drmFormatModifierPlaneCount = row->planeCount;
    out.drmFormatModifierTilingFeatures =
        static_cast<decltype(out.drmFormatModifierTilingFeatures)>(features);
  };
  if (auto *list = findOutInChain<VkDrmFormatModifierPropertiesListEXT>(
          next, VK_STRUCTURE_TYPE_DRM_FORMAT_MODIFIER_PROPERTIES_LIST_EXT))
    // No result code: a short array just gets fewer.
    (void)writeList(all, &list->drmFormatModifierCount, list->pDrmFormatModifierProperties,
                    [&](uint64_t modifier, VkDrmFormatModifierPropertiesEXT &out) {
                      fill(modifier, out);
                      out.drmFormatModifierTilingFeatures &= 0x7fffffff; // those of 32 bits
                    });
  if (auto *list = findOutInChain<VkDrmFormatModifierPropertiesList2EXT>(
          next, VK_STRUCTURE_TYPE_DRM_FORMAT_MODIFIER_PROPERTIES_LIST_2_EXT))
    (void)writeList(all, &list->drmFormatModifierCount, list->pDrmFormatModifierProperties, fill);
}

VkResult placePlanes(const VkImageCreateInfo &info, uint64_t most, ImageShape &shape) {
  const auto *exact =
      info.tiling == VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT ? explicitInfoOf(info.pNext) : nullptr;
  if (!exact)
    return VK_SUCCESS;
  if (exact->drmFormatModifierPlaneCount != shape.format->planeCount)
    return VK_ERROR_INVALID_DRM_FORMAT_MODIFIER_PLANE_LAYOUT_EXT;
  shape.size = 0;
  for (unsigned i = 0; i < shape.format->planeCount; ++i) {
    const VkSubresourceLayout &asked = exact->pPlaneLayouts[i];
    ImagePlane &plane = shape.planes[i];
    const uint64_t bytes = plane.layout.totalBytes();
    // Descriptors hold no pitch on all hardware, and their addresses are multiples.
    if (asked.rowPitch != plane.layout.level(0).rowPitch || asked.offset % imageAlignment ||
        bytes > most || asked.offset > most - bytes)
      return VK_ERROR_INVALID_DRM_FORMAT_MODIFIER_PLANE_LAYOUT_EXT;
    plane.offset = asked.offset;
    shape.size = std::max(shape.size, llvm::alignTo(asked.offset + bytes, imageAlignment));
  }
  return VK_SUCCESS;
}

unsigned memoryPlaneOf(const ImageFormat &format, VkImageAspectFlags aspect) {
  constexpr VkImageAspectFlags aspects[] = {
      VK_IMAGE_ASPECT_MEMORY_PLANE_0_BIT_EXT, VK_IMAGE_ASPECT_MEMORY_PLANE_1_BIT_EXT,
      VK_IMAGE_ASPECT_MEMORY_PLANE_2_BIT_EXT, VK_IMAGE_ASPECT_MEMORY_PLANE_3_BIT_EXT};
  for (unsigned i = 0; i < std::size(aspects); ++i)
    if (aspect == aspects[i])
      return i;
  return format.planeOf(static_cast<VkImageAspectFlagBits>(aspect));
}

//===--- Commands ---------------------------------------------------------===//

VkResult VKAPI_CALL GetImageDrmFormatModifierPropertiesEXT(
    VkDevice, VkImage, VkImageDrmFormatModifierPropertiesEXT *pProperties) {
  pProperties->drmFormatModifier = linearModifier;
  return VK_SUCCESS;
}

} // namespace icd
