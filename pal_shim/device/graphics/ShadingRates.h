//===- ShadingRates.h - how many pixels a fragment has ---------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Rates of the pipeline, of primitives and of tiles of the framebuffer, combined (Vulkan "Fragment
/// Shading Rates"). Private to the fragment stage.
#pragma once

#include "pal_shim/device/core/Dispatch.h"
#include "pal_shim/device/core/GraphicsProgram.h"
#include "pal_shim/device/graphics/BoundSurface.h"
#include "pal_shim/device/graphics/Raster.h"

namespace pal::device {

/// What four bits of a position or primitive export mean; nothing if they mean none.
/// HW(gfx10.3): log2 of the width in bits 1:0, of the height in bits 3:2, up to 2 x 2.
/// HW(gfx11+): an enumeration: log2 of the height in bits 1:0, of the width in bits 3:2, without
/// 1 x 4 and 4 x 1.
std::optional<FragmentSize> exportedRate(Generation generation, unsigned bits);

/// The result of a combiner, without a limit.
FragmentSize combineRates(RateCombiner combiner, FragmentSize a, FragmentSize b);

class ShadingRates {
public:
  /// Takes the rates of \p draw, to which this refers from now on, in place of one pixel
  /// everywhere. Errors: DeviceFault; those of a surface, and BadLaunch for rates on gfx10.1.
  llvm::Error use(const DrawInfo &draw, const LoadedProgram &program, MemoryView &memory);

  /// Every fragment is one pixel, whatever primitives say.
  bool areOnePixel() const { return isOnePixel; }
  /// The size of fragments of \p primitive in the tile of pixel (x, y), at most 2 x 2. Nothing if
  /// the program has exported what has no meaning.
  std::optional<FragmentSize> at(const RasterPrimitive &primitive, int32_t x, int32_t y) const;

private:
  FragmentSize ofTile(const RasterPrimitive &primitive, int32_t x, int32_t y) const;

  bool isOnePixel = true;
  Generation generation = Generation::Gfx11;
  ShadingRateState state;
  bool bypassVertex = false, bypassPrimitive = false;
  BoundSurface surface;
};

} // namespace pal::device
