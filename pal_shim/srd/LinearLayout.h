//===- LinearLayout.h - where texels of a linear image are ----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The memory layout of images with linear tiling (SW_MODE 0): the one definition that the ICD
/// (sizes and offsets) and the software device (addresses) both follow. Every number here follows
/// from fields of the T#, so the device needs nothing else:
///
///   width, height, depth or layers, max_mip + 1, samples, format  ->  LinearImage
///
/// Rules (AMD's address library, gfx10 linear surfaces; PAL uses the same pitch on gfx12):
///  - an *element* is a texel, or a block of a block-compressed format;
///  - a row of a level is its elements, rounded up to 256 bytes;
///  - a *slice* is an array layer, a cube face, or a Z plane of a 3D image. It holds all its
///  levels,
///    the smallest first: level L begins where level L+1 ends. Slices follow one another at
///    sliceBytes. A 3D image has as many slices at every level as at level 0; level L uses the
///    first max(1, depth >> L) of them;
///  - multisampled images, which hardware never stores linearly: every sample is a slice of its
///  own,
///    slice index = layer * samples + sample.
///
/// The base address is a multiple of 256 bytes; so is every row.
///
///   64x32 RGBA8, 3 levels:  level 2 (16x8) at 0, level 1 (32x16) at 2048, level 0 at 6144, pitch
///   256
#pragma once

#include "pal_shim/formats/Formats.h"
#include <array>
#include <cstdint>

namespace pal::srd {

inline constexpr unsigned maxLevels = 16;
inline constexpr uint32_t linearAlignment = 256;

struct LinearImage {
  formats::Format format = formats::Format::Undefined;
  uint32_t width = 1; ///< of level 0, in texels
  uint32_t height = 1;
  uint32_t slices = 1; ///< layers, faces, or the depth of level 0
  uint32_t levels = 1;
  uint32_t samples = 1;
  /// Bytes from row to row where a T# says so (one level only); 0: the rule.
  uint32_t rowPitch = 0;
};

struct LinearLevel {
  uint64_t offset = 0;    ///< from the beginning of the slice
  uint32_t rowPitch = 0;  ///< bytes
  uint32_t width = 0;     ///< texels
  uint32_t height = 0;    ///< texels
  uint32_t rows = 0;      ///< rows of elements
  uint32_t rowLength = 0; ///< elements of a row, without padding
};

class LinearLayout {
public:
  LinearLayout() = default;
  /// `levels` is limited to maxLevels; zeros count as ones.
  explicit LinearLayout(const LinearImage &image);

  const LinearLevel &level(unsigned index) const { return levelTable[index]; }
  uint64_t sliceBytes() const { return sliceStride; }
  uint64_t totalBytes() const { return sliceStride * sliceCount * sampleCount; }

  /// Byte offset of an element: x and y count elements, not texels. The caller checks ranges.
  uint64_t offset(unsigned levelIndex, uint32_t x, uint32_t y, uint32_t slice,
                  uint32_t sample = 0) const {
    const LinearLevel &level = levelTable[levelIndex];
    return (uint64_t(slice) * sampleCount + sample) * sliceStride + level.offset +
           uint64_t(y) * level.rowPitch + uint64_t(x) * elementBytes;
  }

private:
  std::array<LinearLevel, maxLevels> levelTable = {};
  uint64_t sliceStride = 0;
  uint32_t sliceCount = 0;
  uint32_t sampleCount = 1;
  uint32_t elementBytes = 0;
};

} // namespace pal::srd
