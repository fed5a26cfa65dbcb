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

#include "pal_shim/device/graphics/Blend.h"
#include "pal_shim/device/graphics/BoundSurface.h"
#include "llvm/Support/Error.h"

namespace pal::device {

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
  /// Looks up the memory of all surfaces; refers to \p draw, and to that memory, from now on.
  /// Errors: DeviceFault; MemoryAccess for a surface that is not wholly inside an allocation,
  /// BadDescriptor for sizes that contradict its layout, BadLaunch for formats and state that
  /// targets cannot have.
  static llvm::Expected<OutputMerger> create(const DrawInfo &draw, MemoryView &memory);

  /// Depth bounds, stencil and depth test of the samples in \p mask, with their writes. \p depths:
  /// of each sample, before clamping to 0..1 of fixed-point formats; floating-point ones take any
  /// number. \p stencilReference: what the shader exported, of which 8 bits count; negative: the
  /// state's. Returns the samples that passed; outside of a surface its tests pass.
  uint32_t testDepthStencil(const PixelPlace &place, bool frontFacing, uint32_t mask,
                            const float *depths, int stencilReference) const;

  /// Blends and writes \p colors into the samples in \p mask of every target, with
  /// RasterState::alphaToOne. Pixels and layers that a target does not have are dropped.
  void writeColors(const PixelPlace &place, uint32_t mask, const PixelColors &colors) const;

  /// The coverage that alpha-to-coverage makes of \p alpha, for `samples` samples: sample s if
  /// alpha > s / samples; one sample: if alpha > 0.5 (lavapipe's choice). The same at every
  /// \p place: no dither. NaN covers nothing.
  static uint32_t coverageOfAlpha(float alpha, uint32_t samples, const PixelPlace &place);

  /// Whether any test or write of depth or stencil can happen.
  bool hasDepthStencil() const;

private:
  /// 16 bytes of memory, as texels are combined bit by bit.
  using TexelBits = std::array<uint32_t, 4>;
  enum class ColorMode : uint8_t { Replace, Blend, Logic };

  struct ColorTarget {
    BoundSurface surface; ///< none: nothing to write
    ColorMode mode = ColorMode::Replace;
    bool isInteger = false;
    bool wholeTexel = false; ///< all bits are writable
    uint8_t texelBytes = 0;
    TexelBits writable = {}; ///< bits that the write mask lets through
    BlendRange range;
    formats::PackRun pack = nullptr;
    formats::UnpackRun unpack = nullptr;
  };

  static llvm::Expected<ColorTarget> createColor(const DrawInfo &draw, unsigned index,
                                                 MemoryView &memory);
  void writeTarget(const ColorTarget &target, unsigned index, const PixelPlace &place,
                   uint32_t mask, const PixelColors &colors) const;
  void blendTarget(const ColorTarget &target, unsigned index, const PixelPlace &place,
                   uint32_t mask, const Rgba &source, const Rgba &second) const;
  bool testSample(const PixelPlace &place, unsigned sample, const StencilFace &face,
                  uint8_t reference, float depth) const;
  bool testDepth(uint8_t *place, float depth) const;
  uint32_t readDepth(const uint8_t *place) const;

  const DrawInfo *draw = nullptr;
  std::array<ColorTarget, maxColorTargets> colors;
  BoundSurface depth, stencil;
  uint32_t depthBits = 0; ///< bits of a texel of the depth surface that are depth
};

} // namespace pal::device
