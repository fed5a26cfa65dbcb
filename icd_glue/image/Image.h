//===- Image.h - VkImage --------------------------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Images are linear in memory whatever their tiling. Every plane (colour; depth and stencil;
/// planes of multi-planar formats) is a linear image of its own (pal_shim/srd/LinearLayout.h), one
/// after another in the image's memory.
#pragma once

#include "icd_glue/Object.h"
#include "icd_glue/image/ImageFormat.h"
#include "icd_glue/memory/DeviceMemory.h"
#include "pal_shim/srd/LinearLayout.h"
#include <optional>

namespace icd {

/// A plane with all that copies and descriptors need; a value.
struct ImagePlane {
  PlaneFormat format;
  pal::srd::LinearLayout layout;
  VkExtent3D extent = {}; ///< of level 0 of this plane; depth 1 unless 3D
  uint32_t slices = 1;    ///< layers, or the depth of level 0
  uint32_t levels = 1;
  uint32_t samples = 1;
  bool is3d = false;
  uint64_t offset = 0; ///< in the image's memory, bytes

  /// Slices that `level` really has.
  uint32_t slicesOf(uint32_t level) const { return is3d ? std::max(slices >> level, 1u) : slices; }
};

/// What does not depend on memory.
struct ImageShape {
  VkImageType type = VK_IMAGE_TYPE_2D;
  const ImageFormat *format = nullptr;
  VkExtent3D extent = {};
  uint32_t levels = 1;
  uint32_t layers = 1;
  uint32_t samples = 1;
  std::array<ImagePlane, maxImagePlanes> planes = {};
  uint64_t size = 0; ///< bytes of memory

  llvm::ArrayRef<ImagePlane> planeList() const { return {planes.data(), format->planeCount}; }
  /// The layout of an image. `info.format` must be a format of ImageFormats.def.
  static ImageShape of(const VkImageCreateInfo &info);
};

class Image : public Object {
public:
  using Handle = VkImage;
  static constexpr VkObjectType type = VK_OBJECT_TYPE_IMAGE;
  explicit Image(const VkImageCreateInfo &info) : Image(info, ImageShape::of(info)) {}
  Image(const VkImageCreateInfo &info, const ImageShape &shape)
      : Object(type), flags(info.flags), usage(info.usage), tiling(info.tiling), shape(shape) {}

  void bind(DeviceMemory *toMemory, VkDeviceSize offset) {
    memory = toMemory;
    memoryOffset = offset;
    binding = memory ? AddressBinding{memory->address() + offset, shape.size} : AddressBinding();
  }
  /// What was bound, though the memory may be gone by now.
  const AddressBinding &lastBinding() const { return binding; }
  /// GPU address of a plane; 0 while no memory is bound.
  pal::device::GpuAddress address(unsigned plane) const {
    return memory ? memory->address() + memoryOffset + shape.planes[plane].offset : 0;
  }

  const VkImageCreateFlags flags;
  const VkImageUsageFlags usage;
  const VkImageTiling tiling;
  const ImageShape shape;

private:
  DeviceMemory *memory = nullptr;
  VkDeviceSize memoryOffset = 0;
  AddressBinding binding;
};

/// \p info with the flags and the usage that structures of its chain say (VK_KHR_extended_flags) in
/// the place of its own. Nothing: some of those bits mean nothing, as all above the lowest 32.
template <typename Info> std::optional<Info> withExtendedFlags(Info info) {
  if (const auto *flags = findInChain<VkImageCreateFlags2CreateInfoKHR>(
          info.pNext, VK_STRUCTURE_TYPE_IMAGE_CREATE_FLAGS_2_CREATE_INFO_KHR)) {
    info.flags = static_cast<VkImageCreateFlags>(flags->flags);
    if (info.flags != flags->flags)
      return std::nullopt;
  }
  if (const auto *usage = findInChain<VkImageUsageFlags2CreateInfoKHR>(
          info.pNext, VK_STRUCTURE_TYPE_IMAGE_USAGE_FLAGS_2_CREATE_INFO_KHR)) {
    info.usage = static_cast<VkImageUsageFlags>(usage->usage);
    if (info.usage != usage->usage)
      return std::nullopt;
  }
  return info;
}

/// VK_SUCCESS, or why there is no such image: what vkGetPhysicalDeviceImageFormatProperties says.
VkResult imageFormatProperties(const VkPhysicalDeviceLimits &limits,
                               const pal::abi::GpuTarget &target,
                               const VkPhysicalDeviceImageFormatInfo2 &info,
                               VkImageFormatProperties &properties);

/// VK_EXT_image_compression_control: answers in an output chain that asks what compresses images.
inline void noteUncompressed(void *next) {
  auto *out = findOutInChain<VkImageCompressionPropertiesEXT>(
      next, VK_STRUCTURE_TYPE_IMAGE_COMPRESSION_PROPERTIES_EXT);
  if (!out)
    return;
  out->imageCompressionFlags = VK_IMAGE_COMPRESSION_DISABLED_EXT;
  out->imageCompressionFixedRateFlags = VK_IMAGE_COMPRESSION_FIXED_RATE_NONE_EXT;
}

/// Alignment that every image asks for, in bytes.
inline constexpr VkDeviceSize imageAlignment = pal::srd::linearAlignment;

} // namespace icd
