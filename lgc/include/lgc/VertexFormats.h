//===- VertexFormats.h - how formats of vertex attributes are read --------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/TexelFormat.h"
#include <array>

namespace lgc {

/// How to read one element of a format.
struct VertexFormatInfo {
  unsigned channels = 0;     ///< 0: no format for vertex buffers
  unsigned channelBytes = 0; ///< 0: packed, all channels in one unit of elementBytes
  unsigned elementBytes = 0;
  bool raw = false;       ///< dwords as they are; else a typed load converts
  bool isInteger = false; ///< the load gives integers, else floats
  /// Channel of the element that holds r, g, b, a.
  std::array<unsigned, 4> source = {0, 1, 2, 3};

  /// What Vulkan guarantees of an attribute's address.
  unsigned alignment() const { return channelBytes ? channelBytes : elementBytes; }
};

VertexFormatInfo vertexFormatInfo(const TexelFormat &format);

/// Number of the buffer format (V# and typed loads) with `channels` channels of the size and kind
/// of `format`; 0 when the hardware has none. \p channels is 1, 2 or 4, or all of a packed format.
/// Source: RDNA ISA manuals, "Buffer formats" (MTBUF FORMAT field).
unsigned hardwareBufferFormat(const TexelFormat &format, unsigned channels, unsigned gfxMajor);

} // namespace lgc
