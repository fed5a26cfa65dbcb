//===- DrmModifier.h - layouts that the kernel's graphics has names for ---===//
// SPDX-License-Identifier: MIT
/// \file
/// VK_EXT_image_drm_format_modifier: images have one layout, rows one after another, and its name
/// is DRM_FORMAT_MOD_LINEAR. Planes of the modifier are those of the format.
#pragma once

#include "icd_glue/image/Image.h"

namespace icd {

/// DRM_FORMAT_MOD_LINEAR of the kernel's drm_fourcc.h.
inline constexpr uint64_t linearModifier = 0;

/// Is there a modifier for images of the format? Blocks, depth and stencil have no DRM format.
bool hasModifier(const ImageFormat &format);
/// Does the chain of a VkPhysicalDeviceImageFormatInfo2 or VkImageCreateInfo allow linearModifier?
bool allowsLinearModifier(const void *next);
/// Answers the lists in the chain of a VkFormatProperties2.
void fillModifiers(const pal::abi::GpuTarget &target, VkFormat format, void *next);
/// Puts the planes of \p shape where the create info says. Refuses other distances of rows than
/// those that the image would have by itself, and what is not in the first \p most bytes.
VkResult placePlanes(const VkImageCreateInfo &info, uint64_t most, ImageShape &shape);
/// Index of the plane that an aspect names, also of a memory plane; beyond planeCount: none.
unsigned memoryPlaneOf(const ImageFormat &format, VkImageAspectFlags aspect);

} // namespace icd
