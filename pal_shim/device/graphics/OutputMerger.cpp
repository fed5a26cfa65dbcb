//===- OutputMerger.cpp - depth, stencil, blending -------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What happens to a pixel; create() is in OutputMergerState.cpp, the arithmetic in Blend.h and
/// DepthStencil.h.
#include "pal_shim/device/graphics/OutputMerger.h"
#include "pal_shim/device/graphics/DepthStencil.h"
#include "llvm/ADT/bit.h"
#include <bit>
#include <cstring>

namespace pal::device {

namespace {

using formats::Texel;

/// Calls \p run for each sample of \p mask that a surface can have.
template <typename Run> void forEachSample(uint32_t mask, Run run) {
  for (mask &= (1u << maxSamples) - 1; mask; mask &= mask - 1)
    run(static_cast<unsigned>(llvm::countr_zero(mask)));
}

/// Index of the channel of memory that \p select names; 4: none.
unsigned channelOf(srd::Select select) {
  return select >= srd::Select::X ? unsigned(select) - unsigned(srd::Select::X) : 4;
}

/// From r, g, b, a to the channels of memory.
Texel toChannels(const srd::Swizzle &swizzle, const std::array<uint32_t, 4> &color) {
  Texel texel = {};
  for (unsigned i = 0; i < 4; ++i)
    if (const unsigned channel = channelOf(swizzle[i]); channel < 4)
      texel[channel] = color[i];
  return texel;
}

/// From the channels of memory to r, g, b, a; alpha is 1 where nothing stores it.
Rgba fromChannels(const srd::Swizzle &swizzle, const Texel &texel) {
  Rgba color = {0, 0, 0, 1};
  for (unsigned i = 0; i < 4; ++i)
    if (const unsigned channel = channelOf(swizzle[i]); channel < 4)
      color[i] = std::bit_cast<float>(texel[channel]);
  return color;
}

/// The bits of \p changed in \p old replaced.
template <typename Bits> Bits merged(const Bits &old, const Bits &changed, const Bits &writable) {
  Bits result;
  for (unsigned i = 0; i < result.size(); ++i)
    result[i] = (old[i] & ~writable[i]) | (changed[i] & writable[i]);
  return result;
}

} // namespace

//===--- Depth and stencil -------------------------------------------------===//

bool OutputMerger::hasDepthStencil() const {
  const DepthStencilState &state = draw->depthStencil;
  return (depth.exists() && (state.depthTest || state.depthBounds)) ||
         (stencil.exists() && state.stencilTest);
}

uint32_t OutputMerger::testDepthStencil(const PixelPlace &place, bool frontFacing, uint32_t mask,
                                        const float *depths, int stencilReference) const {
  if (!hasDepthStencil())
    return mask;
  const DepthStencilState &state = draw->depthStencil;
  const StencilFace &face = frontFacing ? state.front : state.back;
  const uint8_t reference =
      stencilReference < 0 ? face.reference : static_cast<uint8_t>(stencilReference);
  uint32_t passed = 0;
  forEachSample(mask, [&](unsigned sample) {
    if (testSample(place, sample, face, reference, depths[sample]))
      passed |= 1u << sample;
  });
  return passed;
}

bool OutputMerger::testSample(const PixelPlace &place, unsigned sample, const StencilFace &face,
                              uint8_t reference, float z) const {
  const DepthStencilState &state = draw->depthStencil;
  uint8_t *depthAt = depth.sample(place, sample);
  if (state.depthBounds && depthAt) {
    Texel stored;
    formats::unpack(depth.description().format, depthAt, stored);
    const float value = std::bit_cast<float>(stored[0]);
    if (!(state.minDepthBounds <= value && value <= state.maxDepthBounds))
      return false;
  }

  uint8_t *stencilAt = state.stencilTest ? stencil.sample(place, sample) : nullptr;
  auto writeStencil = [&](StencilOp op) {
    const uint8_t result = stencilResult(op, *stencilAt, reference);
    *stencilAt = (*stencilAt & ~face.writeMask) | (result & face.writeMask);
  };
  if (stencilAt && !compare<unsigned>(face.compare, reference & face.compareMask,
                                      *stencilAt & face.compareMask)) {
    writeStencil(face.fail);
    return false;
  }
  const bool depthPassed = !state.depthTest || !depthAt || testDepth(depthAt, z);
  if (stencilAt)
    writeStencil(depthPassed ? face.pass : face.depthFail);
  return depthPassed;
}

uint32_t OutputMerger::readDepth(const uint8_t *place) const {
  uint32_t word = 0;
  std::memcpy(&word, place, formats::formatInfo(depth.description().format).texelBytes);
  return word;
}

bool OutputMerger::testDepth(uint8_t *place, float z) const {
  const formats::Format format = depth.description().format;
  const formats::FormatInfo &info = formats::formatInfo(format);
  // What would be stored is what is compared: fixed point is clamped and rounded first.
  std::array<uint8_t, 4> bytes = {};
  formats::pack(format, {std::bit_cast<uint32_t>(z), 0, 0, 0}, bytes.data());
  const uint32_t value = readDepth(bytes.data()), texel = readDepth(place);
  const uint32_t stored = texel & depthBits;
  const CompareOp op = draw->depthStencil.depthCompare;
  const bool passed = info.kind == formats::NumberKind::Float
                          ? compare(op, std::bit_cast<float>(value), std::bit_cast<float>(stored))
                          : compare(op, value, stored);
  if (passed && draw->depthStencil.depthWrite) {
    const uint32_t changed = (texel & ~depthBits) | (value & depthBits);
    std::memcpy(place, &changed, info.texelBytes);
  }
  return passed;
}

//===--- Colours -----------------------------------------------------------===//

void OutputMerger::writeColors(const PixelPlace &place, uint32_t mask,
                               const PixelColors &pixel) const {
  for (unsigned i = 0; i < maxColorTargets; ++i)
    if (colors[i].surface.exists() && (pixel.written >> i & 1))
      writeTarget(colors[i], i, place, mask, pixel);
}

void OutputMerger::writeTarget(const ColorTarget &target, unsigned index, const PixelPlace &place,
                               uint32_t mask, const PixelColors &pixel) const {
  std::array<uint32_t, 4> color = pixel.values[index], second = pixel.second;
  if (draw->raster.alphaToOne && !target.isInteger)
    color[3] = second[3] = std::bit_cast<uint32_t>(1.0f);
  if (target.mode == ColorMode::Blend)
    return blendTarget(target, index, place, mask, std::bit_cast<Rgba>(color),
                       std::bit_cast<Rgba>(second));

  const Texel channels = toChannels(target.surface.description().swizzle, color);
  TexelBits encoded = {};
  target.pack(&channels, 1, reinterpret_cast<uint8_t *>(encoded.data()), 0);
  forEachSample(mask, [&](unsigned sample) {
    uint8_t *texel = target.surface.sample(place, sample);
    if (!texel)
      return;
    TexelBits result = encoded;
    if (!target.wholeTexel || target.mode == ColorMode::Logic) {
      TexelBits old = {};
      std::memcpy(&old, texel, target.texelBytes);
      if (target.mode == ColorMode::Logic)
        for (unsigned i = 0; i < result.size(); ++i)
          result[i] = combineBits(draw->blend.logicOp, encoded[i], old[i]);
      result = merged(old, result, target.writable);
    }
    std::memcpy(texel, &result, target.texelBytes);
  });
}

void OutputMerger::blendTarget(const ColorTarget &target, unsigned index, const PixelPlace &place,
                               uint32_t mask, const Rgba &source, const Rgba &second) const {
  const srd::Swizzle &swizzle = target.surface.description().swizzle;
  BlendInputs inputs = {source, second, {}, draw->blend.constants};
  forEachSample(mask, [&](unsigned sample) {
    uint8_t *texel = target.surface.sample(place, sample);
    if (!texel)
      return;
    Texel stored;
    target.unpack(texel, 0, 1, &stored);
    inputs.destination = fromChannels(swizzle, stored);
    const Rgba color = blend(draw->blend.targets[index], inputs, target.range);
    const Texel channels = toChannels(swizzle, std::bit_cast<std::array<uint32_t, 4>>(color));
    TexelBits result = {}, old = {};
    target.pack(&channels, 1, reinterpret_cast<uint8_t *>(result.data()), 0);
    std::memcpy(&old, texel, target.texelBytes);
    result = merged(old, result, target.writable);
    std::memcpy(texel, &result, target.texelBytes);
  });
}

} // namespace pal::device
