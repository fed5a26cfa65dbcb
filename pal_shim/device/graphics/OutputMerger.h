//===- OutputMerger.h - depth, stencil, blending ---------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The fixed function behind fragment shaders, a pixel at a time: depth bounds, stencil and depth
/// tests, colour blending, logic operations, conversion to the format of the target. Rules: Vulkan
/// specification, chapters "Fragment Operations" and "The Framebuffer".
///
/// Sample masks have bit s for sample s. With fewer samples in a target than in the raster state
/// (mixed samples are not offered) the caller has refused the draw.
#pragma once

#include "pal_shim/device/Draw.h"
#include "pal_shim/device/core/AddressSpace.h"
#include "llvm/Support/Error.h"

namespace pal::device {

struct PixelPlace {
  uint32_t x = 0, y = 0, layer = 0;
};

/// What a fragment shader exported for one pixel.
struct PixelColors {
  /// Bit t: colour target t was written. The values are floats or integers, by what the export
  /// format says, r, g, b, a.
  uint8_t written = 0;
  std::array<std::array<uint32_t, 4>, maxColorTargets> values = {};
  std::array<uint32_t, 4> second = {}; ///< second blend source of target 0
};

class OutputMerger {
public:
  /// Looks up the memory of all surfaces. Errors: DeviceFault MemoryAccess for a surface that is
  /// not wholly inside an allocation, Unsupported formats.
  static llvm::Expected<OutputMerger> create(const DrawInfo &draw, MemoryView &memory);

  /// Depth bounds, stencil and depth test of the samples in \p mask, with their writes. \p depths:
  /// of each sample, before clamping to 0..1 of fixed-point formats. \p stencilReference: what the
  /// shader exported; negative: the state's. Returns the samples that passed.
  uint32_t testDepthStencil(const PixelPlace &place, bool frontFacing, uint32_t mask,
                            const float *depths, int stencilReference) const;

  /// Blends and writes \p colors into the samples in \p mask of every target.
  void writeColors(const PixelPlace &place, uint32_t mask, const PixelColors &colors) const;

  /// The coverage that alpha-to-coverage makes of \p alpha, for `samples` samples.
  static uint32_t coverageOfAlpha(float alpha, uint32_t samples, const PixelPlace &place);

  /// Whether any test or write of depth or stencil can happen.
  bool hasDepthStencil() const;

private:
  struct Target {
    const Surface *surface = nullptr;
    uint8_t *host = nullptr; ///< byte 0 of the plane; null: no surface
  };
  const DrawInfo *draw = nullptr;
  std::array<Target, maxColorTargets> colors;
  Target depth, stencil;
};

} // namespace pal::device
