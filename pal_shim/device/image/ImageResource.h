//===- ImageResource.h - image and sampler descriptors (T#, S#) ------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Decoding of descriptors (RDNA ISA manuals, "Image resource descriptor", "Sampler descriptor";
/// PAL's register headers), and where the texels of a linear image are (srd/LinearLayout.h).
#pragma once

#include "pal_shim/device/core/Wave.h"
#include "pal_shim/formats/Formats.h"
#include "pal_shim/srd/LinearLayout.h"
#include <algorithm>

namespace pal::device {

/// TYPE field of the T#.
enum class ImageType : uint8_t {
  D1 = 8,
  D2,
  D3,
  Cube,
  D1Array,
  D2Array,
  D2Msaa,
  D2MsaaArray,
};

/// A texel of a view: x, y in texels of the level, slice as memory counts them.
struct TexelPosition {
  int32_t x = 0, y = 0, slice = 0;
  uint32_t sample = 0;
  uint32_t level = 0; ///< of the image, not of the view
};

struct ImageResource {
  bool isNull = true; ///< all zeros: reads 0, writes nothing, has no size
  uint64_t base = 0;
  formats::Format format = formats::Format::Undefined;
  const formats::FormatInfo *info = nullptr;
  ImageType type = ImageType::D2;
  uint32_t width = 0, height = 0; ///< of level 0 of the image
  uint32_t depth = 1;             ///< Z planes of level 0 of a 3D image
  bool isSliced = false;          ///< view of a range of the planes of one level
  uint32_t firstSlice = 0;        ///< of the view
  uint32_t sliceCount = 1;        ///< of the view: layers, faces; of 3D: planes of level 0
  uint32_t baseLevel = 0, lastLevel = 0;
  uint32_t samples = 1;
  float minLod = 0; ///< of the image
  uint8_t select[4] = {};
  uint8_t borderSwizzle = 0; ///< BC_SWIZZLE: which components of a border colour the channels get
  srd::LinearLayout layout;

  bool isArray() const { return type == ImageType::D1Array || type >= ImageType::D2Array; }
  bool is1D() const { return type == ImageType::D1 || type == ImageType::D1Array; }
  bool isMultisampled() const { return type >= ImageType::D2Msaa; }
  uint32_t levelWidth(uint32_t level) const { return std::max(width >> level, 1u); }
  uint32_t levelHeight(uint32_t level) const { return is1D() ? 1 : std::max(height >> level, 1u); }
  /// Slices of the view at a level.
  uint32_t levelSlices(uint32_t level) const {
    return type == ImageType::D3 && !isSliced ? std::max(depth >> level, 1u) : sliceCount;
  }
  /// The first level that loads, stores and gathers of level 0 find. HW: hw-notes.md#minimum-lod.
  uint32_t firstLevel() const { return std::max(baseLevel, uint32_t(minLod)); }
  /// Is the texel in the view? slice counts from the first of the view.
  bool contains(const TexelPosition &p) const;
  /// Of the texel, or of its block.
  GpuAddress address(const TexelPosition &p) const {
    return base + layout.offset(p.level, uint32_t(p.x) / info->blockWidth,
                                uint32_t(p.y) / info->blockHeight, uint32_t(p.slice) + firstSlice,
                                p.sample);
  }
};

/// False after a fault of kind BadDescriptor.
bool decodeImageResource(Wave &wave, const uint32_t *words, bool is128, ImageResource &resource);

/// CLAMP fields of the S#.
enum class Wrap : uint8_t {
  Repeat = 0,
  Mirror = 1,
  ClampToEdge = 2,
  MirrorOnce = 3,
  ClampHalfBorder = 4,
  MirrorOnceHalfBorder = 5,
  ClampToBorder = 6,
  MirrorOnceBorder = 7,
};
enum class Reduction : uint8_t { Blend, Min, Max };

struct Sampler {
  Wrap wrap[3] = {};
  uint32_t maxAniso = 1; ///< 1: isotropic
  uint8_t compare = 0;   ///< never < == <= > != >= always
  bool unnormalized = false, seamlessCube = true;
  bool truncates = false; ///< TRUNC_COORD: coordinates in units of 1/256 texel, and array layers
  Reduction reduction = Reduction::Blend;
  float minLod = 0, maxLod = 0, bias = 0;
  bool magLinear = false, minLinear = false;
  uint8_t mipFilter = 0;  ///< 0 none, 1 nearest, 2 linear
  uint8_t borderType = 0; ///< 0 transparent black, 1 opaque black, 2 white, 3 from the table
  uint16_t borderIndex = 0;
};

/// False after a fault of kind BadDescriptor.
bool decodeSampler(Wave &wave, const uint32_t *words, Sampler &sampler);

} // namespace pal::device
