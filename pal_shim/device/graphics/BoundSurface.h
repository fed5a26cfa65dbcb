//===- BoundSurface.h - a surface with its memory --------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Private to the output merger.
#pragma once

#include "pal_shim/device/Draw.h"
#include "pal_shim/device/core/AddressSpace.h"

namespace pal::device {

struct PixelPlace {
  uint32_t x = 0, y = 0, layer = 0;
};

/// A surface that was found to lie in memory with all its texels; or none.
class BoundSurface {
public:
  BoundSurface() = default;
  /// \p what: "depth target", for messages. Errors: DeviceFault MemoryAccess for memory that no
  /// allocation holds, BadDescriptor for sizes that contradict the layout.
  static llvm::Expected<BoundSurface> bind(const Surface &surface, llvm::StringRef what,
                                           MemoryView &memory);

  bool exists() const { return host; }
  const Surface &description() const { return *surface; }

  /// First byte of a sample; null outside the surface, or without one.
  uint8_t *sample(const PixelPlace &place, uint32_t sample) const {
    if (!host || place.x >= surface->width || place.y >= surface->height ||
        place.layer >= surface->slices || sample >= surface->samples)
      return nullptr;
    return host + surface->layout.offset(surface->level, place.x, place.y,
                                         surface->baseSlice + place.layer, sample);
  }

private:
  const Surface *surface = nullptr;
  uint8_t *host = nullptr; ///< byte 0 of the plane
};

} // namespace pal::device
