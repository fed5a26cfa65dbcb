//===- ImageFormat.h - Vulkan formats -------------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What a VkFormat is in memory (ImageFormats.def), and what a target can do with it. Everything
/// that is advertised is derived from these tables.
#pragma once

#include "icd_glue/NewerVulkan.h"
#include "pal_shim/abi/TargetInfo.h"
#include "pal_shim/formats/Formats.h"
#include "pal_shim/srd/Srd.h"
#include "llvm/ADT/ArrayRef.h"
#include <array>
#include <vulkan/vulkan_core.h>

namespace icd {

inline constexpr unsigned maxImagePlanes = 3;

/// One plane of a format: colour, depth, stencil, or a plane of a multi-planar format.
struct PlaneFormat {
  pal::formats::Format format = pal::formats::Format::Undefined;
  pal::srd::Swizzle swizzle = pal::srd::identitySwizzle;
  VkImageAspectFlagBits aspect = VK_IMAGE_ASPECT_NONE;
  uint8_t xDivisor = 1; ///< the plane is smaller than the image by these
  uint8_t yDivisor = 1;
};

struct ImageFormat {
  VkFormat format = VK_FORMAT_UNDEFINED;
  uint8_t planeCount = 0;
  bool isYcbcr = false; ///< multi-planar
  uint8_t ycbcrBits = 0;
  std::array<PlaneFormat, maxImagePlanes> planes = {};

  llvm::ArrayRef<PlaneFormat> planeList() const { return {planes.data(), planeCount}; }
  /// All aspects that an image of the format has; multi-planar ones also have COLOR.
  VkImageAspectFlags aspects() const;
  bool isDepthStencil() const { return aspects() & depthStencil; }
  /// Index of the plane that a single aspect names; COLOR names plane 0. Nothing: maxImagePlanes.
  unsigned planeOf(VkImageAspectFlagBits aspect) const;

  static constexpr VkImageAspectFlags depthStencil =
      VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
};

/// The row of a format, or null when nothing is known of it.
const ImageFormat *findImageFormat(VkFormat format);
/// All rows.
llvm::ArrayRef<ImageFormat> allImageFormats();

/// What images of the format can do. Linear and optimal tiling are the same thing here, except that
/// multi-planar formats are only offered with what both can do.
VkFormatFeatureFlags2 imageFeatures(const pal::abi::GpuTarget &target, VkFormat format);
/// What texel buffers of the format can do.
VkFormatFeatureFlags2 bufferFeatures(const pal::abi::GpuTarget &target, VkFormat format);

/// Whether \p features, of images, allow all of \p usage.
bool allowsUsage(VkFormatFeatureFlags2 features, VkImageUsageFlags2KHR usage);

//===--- Texels in the order of the API -----------------------------------===//

/// Components r, g, b, a from channels X, Y, Z, W.
pal::formats::Texel applySwizzle(const pal::formats::Texel &texel, const pal::srd::Swizzle &swizzle,
                                 bool isInteger);
/// Channels from components: each channel gets the component that reads it; others are 0.
pal::formats::Texel reverseSwizzle(const pal::formats::Texel &texel,
                                   const pal::srd::Swizzle &swizzle);
/// The swizzle of a view: `mapping` on top of what the format does.
pal::srd::Swizzle composeSwizzle(const pal::srd::Swizzle &format,
                                 const VkComponentMapping &mapping);

} // namespace icd
