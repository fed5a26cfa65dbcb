//===- Srd.h - hardware descriptors: buffers, images, samplers ------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Builds the descriptors that shaders read: V# (buffer, 4 dwords), T# (image, 8), S# (sampler, 4),
/// bit for bit as PAL builds them. Field positions: PAL's register headers, RDNA ISA manuals; the
/// tests hold descriptors that PAL itself printed. Images are linear (see LinearLayout.h).
///
/// The null descriptor of every kind is all zeros: buffer and image reads give 0, writes are lost,
/// sizes are 0.
#pragma once

#include "pal_shim/abi/TargetInfo.h"
#include "pal_shim/formats/Formats.h"
#include <array>
#include <cstdint>

namespace pal::srd {

/// What a component of a fetched texel is (DST_SEL); numbers are the hardware's. On stores a
/// channel of memory takes the data component whose selector names it.
enum class Select : uint8_t { Zero = 0, One = 1, X = 4, Y = 5, Z = 6, W = 7 };
using Swizzle = std::array<Select, 4>;
inline constexpr Swizzle identitySwizzle = {Select::X, Select::Y, Select::Z, Select::W};

/// When an access is out of bounds (OOB_SELECT); numbers are the hardware's.
enum class OutOfBounds : uint8_t {
  IndexAndOffset = 0, ///< index >= records, or offset beyond the stride
  IndexOnly = 1,      ///< index >= records
  NoRecords = 2,      ///< only when there are no records at all
  Raw = 3,            ///< byte offset beyond the records, which count bytes
};

struct BufferSrdInfo {
  uint64_t address = 0;   ///< 48 bits
  uint64_t sizeBytes = 0; ///< clamped to 2^32 - 1 records
  /// Bytes from one record to the next, up to 16383; 0 or 1: a raw buffer, whose records are bytes.
  uint32_t stride = 0;
  /// Undefined: 32-bit unsigned, what raw and structured buffers have.
  formats::Format format = formats::Format::Undefined;
  Swizzle swizzle = identitySwizzle;
  /// PAL's choice is Raw for raw buffers and IndexOnly for all others.
  OutOfBounds outOfBounds = OutOfBounds::Raw;
};

/// A raw byte buffer: what uniform and storage buffers are.
void buildBufferSrd(const abi::GpuTarget &target, const BufferSrdInfo &info, uint32_t out[4]);

/// Whether the target can read `format` through a V#.
bool supportsBufferFormat(const abi::GpuTarget &target, formats::Format format);
/// Whether the target can read `format` through a T#.
bool supportsImageFormat(const abi::GpuTarget &target, formats::Format format);

/// Image types; numbers are the hardware's.
enum class ImageType : uint8_t {
  Dim1D = 8,
  Dim2D = 9,
  Dim3D = 10,
  Cube = 11, ///< also arrays of cubes
  Dim1DArray = 12,
  Dim2DArray = 13,
  Dim2DMs = 14,
  Dim2DMsArray = 15,
};

/// A view of a linear image. Sizes are those of the whole image, level 0, whatever the view shows:
/// the layout follows from them.
struct ImageSrdInfo {
  uint64_t address = 0; ///< of slice 0, a multiple of 256
  ImageType type = ImageType::Dim2D;
  formats::Format format = formats::Format::Undefined;
  Swizzle swizzle = identitySwizzle;
  /// That of them which puts the channels of memory in order. Border colours go through the rest,
  /// as texels do.
  Swizzle formatSwizzle = identitySwizzle;
  uint32_t width = 1;  ///< 1 .. 65536 (gfx11: 16384)
  uint32_t height = 1; ///< likewise
  uint32_t depth = 1;  ///< of 3D images
  uint32_t imageLevels = 1;
  uint32_t baseLevel = 0;
  uint32_t levels = 1;
  /// Array types and cubes (in faces): the layers of the view. Other types have no layers: to show
  /// one layer of an array, let `address` be the address of that layer.
  uint32_t baseLayer = 0;
  uint32_t layers = 1;
  uint32_t samples = 1; ///< of multisampled types: 1, 2, 4, 8, 16
  float minLod = 0;     ///< clamped to 0 .. 15.996 (gfx12: 31.996)
  /// Texels from row to row, for 1D, 2D and 2D multisampled types of one level from gfx10.3 on;
  /// 0: as LinearLayout.h says.
  uint32_t rowPitchTexels = 0;
  /// A storage view of a slice range of a 3D image: baseLayer and layers are Z planes.
  bool slicedView3d = false;
};

void buildImageSrd(const abi::GpuTarget &target, const ImageSrdInfo &info, uint32_t out[8]);

/// What to do with coordinates outside the image (CLAMP); numbers are the hardware's.
enum class Address : uint8_t {
  Wrap = 0,
  Mirror = 1,
  ClampToEdge = 2,
  MirrorOnce = 3,
  ClampToBorder = 6,
  MirrorOnceBorder = 7,
};
enum class Compare : uint8_t {
  Never,
  Less,
  Equal,
  LessEqual,
  Greater,
  NotEqual,
  GreaterEqual,
  Always
};
enum class Filter : uint8_t { Point = 0, Linear = 1 };
enum class MipFilter : uint8_t { None = 0, Point = 1, Linear = 2 };
/// How the texels of a footprint become one (FILTER_MODE).
enum class Reduction : uint8_t { Blend = 0, Min = 1, Max = 2 };
/// BORDER_COLOR_TYPE. Table: entry `borderColorIndex` of the table of border colours, 16 bytes
/// each (four floats or integers, as the format asks).
enum class BorderColor : uint8_t {
  TransparentBlack = 0,
  OpaqueBlack = 1,
  OpaqueWhite = 2,
  Table = 3
};

struct SamplerSrdInfo {
  Filter magFilter = Filter::Point;
  Filter minFilter = Filter::Point;
  MipFilter mipFilter = MipFilter::None;
  std::array<Address, 3> address = {Address::ClampToEdge, Address::ClampToEdge,
                                    Address::ClampToEdge};
  Compare compare = Compare::Never; ///< used by comparing instructions only
  float minLod = 0;                 ///< clamped to 0 .. 15.996 (gfx12: 31.996)
  float maxLod = 15;
  float lodBias = 0;     ///< clamped to -32 .. 31.996
  uint32_t maxAniso = 1; ///< 1, 2, 4, 8, 16; above 1 the filters are anisotropic ones
  BorderColor borderColor = BorderColor::TransparentBlack;
  uint32_t borderColorIndex = 0; ///< 0 .. 4095
  Reduction reduction = Reduction::Blend;
  bool unnormalized = false;
  /// Filtering crosses the edges of cube faces.
  bool seamlessCube = true;
  /// TRUNC_COORD: coordinates are truncated, not rounded to the grid of the filter's weights, so
  /// that point sampling takes the floor. That goes for array layers too (shaders round them
  /// before) and for gathers (whose code clears the bit).
  bool truncateCoords = false;
};

void buildSamplerSrd(const abi::GpuTarget &target, const SamplerSrdInfo &info, uint32_t out[4]);

} // namespace pal::srd
