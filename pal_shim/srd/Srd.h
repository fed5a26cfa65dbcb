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

} // namespace pal::srd
