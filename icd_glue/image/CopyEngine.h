//===- CopyEngine.h - copies, blits, resolves and clears of images --------===//
// SPDX-License-Identifier: MIT
/// \file
/// Transfers on host memory: plain functions of planes and regions, without Vulkan objects. The
/// commands (TransferCommands.cpp) look the memory up and call them on the queue's thread.
///
/// Regions that reach outside an image are refused: a function returns false and has written
/// nothing. (Vulkan leaves them undefined; a fault names the command.)
#pragma once

#include "icd_glue/image/Image.h"
#include "icd_glue/image/TexelRows.h"
#include "llvm/ADT/SmallVector.h"
#include <vulkan/vulkan_core.h>

namespace icd {

/// A plane whose memory has been looked up: `host` is byte 0 of the plane.
struct HostPlane {
  const ImagePlane &plane;
  uint8_t *host;
};

/// The aspects of a mask, from the lowest bit.
inline llvm::SmallVector<VkImageAspectFlagBits, 2> aspectsOf(VkImageAspectFlags mask) {
  llvm::SmallVector<VkImageAspectFlagBits, 2> aspects;
  for (; mask; mask &= mask - 1)
    aspects.push_back(static_cast<VkImageAspectFlagBits>(mask & (0 - mask)));
  return aspects;
}

/// Level and layers of a plane; VkImageSubresourceLayers without its aspect.
struct Layers {
  uint32_t level = 0;
  uint32_t baseLayer = 0;
  uint32_t count = 1; ///< VK_REMAINING_ARRAY_LAYERS is fine

  static Layers of(const VkImageSubresourceLayers &from) {
    return {from.mipLevel, from.baseArrayLayer, from.layerCount};
  }
};

/// A region of a plane in elements (texels, or blocks) and slices.
struct ElementBox {
  uint32_t level, x, y, slice;
  uint32_t width, height, slices;
};

/// Buffer side of a copy, in bytes.
struct BufferShape {
  uint64_t rowPitch, slicePitch;
  uint64_t bytes; ///< from the first to the last byte that is touched
};

/// Turns texels into elements. False: the region is not inside the level.
bool elementBox(const ImagePlane &plane, const Layers &layers, const VkOffset3D &offset,
                const VkExtent3D &extent, ElementBox &box);

/// How the elements of `box` lie in a buffer. Row length and image height are in texels, 0: those
/// of the region.
BufferShape bufferShape(const ImagePlane &plane, const ElementBox &box, uint32_t rowLength,
                        uint32_t imageHeight);

void copyBufferToImage(const uint8_t *buffer, const BufferShape &shape, const HostPlane &image,
                       const ElementBox &box);
void copyImageToBuffer(const HostPlane &image, const ElementBox &box, uint8_t *buffer,
                       const BufferShape &shape);

/// Copies elements without looking at them; both planes have elements of the same size. The extent
/// is in texels of the source.
bool copyImage(const HostPlane &source, const Layers &sourceLayers, const VkOffset3D &sourceOffset,
               const HostPlane &destination, const Layers &destinationLayers,
               const VkOffset3D &destinationOffset, const VkExtent3D &extent);

/// One side of a blit.
struct BlitSide {
  Layers layers;
  VkOffset3D begin, end; ///< begin may lie behind end: mirrored
};
/// Scales and converts (Vulkan "vkCmdBlitImage"). Coordinates outside the source level are clamped
/// to its edge. Neither plane is multisampled or block-compressed.
bool blitImage(const HostPlane &source, const BlitSide &from, const HostPlane &destination,
               const BlitSide &to, VkFilter filter);

/// Makes one texel of the samples of each. Both planes have the same format.
bool resolveImage(const HostPlane &source, const Layers &sourceLayers,
                  const VkOffset3D &sourceOffset, const HostPlane &destination,
                  const Layers &destinationLayers, const VkOffset3D &destinationOffset,
                  const VkExtent3D &extent, const ResolveRule &rule = {});

/// Levels and layers of a clear.
struct ClearRange {
  uint32_t baseLevel = 0, levels = 1;
  uint32_t baseLayer = 0, layers = 1; ///< VK_REMAINING_* are fine; 3D images: all planes
};
/// `color`: components r, g, b, a as registers hold them; converted to the format of the plane.
bool clearImage(const HostPlane &image, const pal::formats::Texel &color, const ClearRange &range);

} // namespace icd
