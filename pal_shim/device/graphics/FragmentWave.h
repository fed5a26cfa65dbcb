//===- FragmentWave.h - invocations of a wave of the PS stage --------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What a wave of fragment shaders starts with and what it may ask for: registers and parameters.
/// Private to the fragment stage.
#pragma once

#include "pal_shim/device/core/GraphicsProgram.h"
#include "pal_shim/device/core/StagePort.h"
#include "pal_shim/device/graphics/Raster.h"

namespace pal::device {

/// Samples of a fragment's pixels: bit 16 * pixel + sample, pixels row by row, at most four.
using SampleBits = uint64_t;
inline constexpr unsigned bitsPerPixel = maxSamples;
/// The same samples of every pixel.
inline constexpr SampleBits inAllPixels = 0x0001'0001'0001'0001;

/// Four invocations, lanes in the order of RasterQuad.
struct FragmentQuad {
  uint32_t primitive = 0; ///< in FragmentSetup::primitives
  int32_t x = 0, y = 0;   ///< of pixel 0 of lane 0
  FragmentSize size;
  /// Samples of each fragment that the primitive covers.
  std::array<SampleBits, 4> covered = {};
  /// Samples that these invocations may write; 0: a helper.
  std::array<SampleBits, 4> samples = {};
  /// Samples as the shader sees them: all that are covered, or those that passed early tests.
  std::array<SampleBits, 4> visible = {};
  uint8_t fullyCovered = 0; ///< bit a fragment
  uint8_t sample = 0;       ///< which invocation of the pixel, with shading by sample

  int32_t width() const { return 2 << size.log2Width; } ///< of the quad, pixels
  int32_t height() const { return 2 << size.log2Height; }
  unsigned pixels() const { return 1u << (size.log2Width + size.log2Height); }
  /// Where pixel \p pixel of the fragment of \p lane is.
  int32_t pixelX(unsigned lane, unsigned pixel = 0) const {
    return x + int32_t(((lane & 1) << size.log2Width) + (pixel & ((1u << size.log2Width) - 1)));
  }
  int32_t pixelY(unsigned lane, unsigned pixel = 0) const {
    return y + int32_t((lane >> 1 << size.log2Height) + (pixel >> size.log2Width));
  }
};

/// What the waves of a flush share.
struct FragmentSetup {
  const FragmentRegisters *registers = nullptr;
  const DrawInfo *draw = nullptr;
  const GeometryOutput *geometry = nullptr;
  llvm::ArrayRef<RasterPrimitive> primitives;
  std::vector<uint32_t> userSgprs;
  Generation generation = Generation::Gfx11;
  bool hasScratchOffset = false; ///< gfx10: one more SGPR

  const PrimitiveOutput &primitive(const FragmentQuad &quad) const {
    return geometry->primitives[primitives[quad.primitive].primitive];
  }
};

/// Why the registers ask for something that is not modelled, or contradict each other; empty if
/// they do not.
std::string checkFragmentInputs(const FragmentRegisters &registers);

/// Sets the registers of a wave: SGPRs, VGPRs by SPI_PS_INPUT_ENA and _ADDR, EXEC. \p collision:
/// the word about overlapping waves (gfx10).
void fillFragmentWave(Wave &wave, const FragmentSetup &setup, llvm::ArrayRef<FragmentQuad> quads,
                      uint32_t collision);

/// A dword of an attribute for each quad. False: attribute number or control that the hardware has
/// no meaning for.
bool loadFragmentParameter(const FragmentSetup &setup, llvm::ArrayRef<FragmentQuad> quads,
                           unsigned attribute, unsigned channel, ParameterRow *rows);

} // namespace pal::device
