//===- ShadingRates.cpp - how many pixels a fragment has -------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The hardware has a combiner for rates of vertices and another one for rates of primitives; the
/// program has one of them bypassed when it exports rates of the other kind. Where neither exports,
/// both see one pixel, which no operation changes twice.
#include "pal_shim/device/graphics/ShadingRates.h"
#include "pal_shim/abi/Try.h"
#include <algorithm>
#include <cstdlib>

using namespace llvm;

namespace pal::device {

namespace {

constexpr uint8_t maxLog2 = 1; ///< of both sides of the fragments that the hardware shades

Error refuse(const Twine &message) {
  return make_error<DeviceFault>(DeviceFault::Kind::BadLaunch, message.str());
}

FragmentSize sizeOfTexel(uint8_t texel) {
  return {.log2Width = uint8_t(texel >> 2 & 3), .log2Height = uint8_t(texel & 3)};
}

uint8_t combine(RateCombiner combiner, uint8_t a, uint8_t b) {
  switch (combiner) {
  case RateCombiner::Replace:
    return b;
  case RateCombiner::Min:
    return std::min(a, b);
  case RateCombiner::Max:
    return std::max(a, b);
  case RateCombiner::Multiply:
    return a + b; // of logarithms
  default:
    return a;
  }
}

} // namespace

std::optional<FragmentSize> exportedRate(Generation generation, unsigned bits) {
  auto low = uint8_t(bits & 3), high = uint8_t(bits >> 2 & 3);
  if (isGfx10(generation)) {
    if (low > 1 || high > 1)
      return std::nullopt;
    return FragmentSize{.log2Width = low, .log2Height = high};
  }
  if (low > 2 || high > 2 || std::abs(low - high) > 1)
    return std::nullopt;
  return FragmentSize{.log2Width = high, .log2Height = low};
}

FragmentSize combineRates(RateCombiner combiner, FragmentSize a, FragmentSize b) {
  return {.log2Width = combine(combiner, a.log2Width, b.log2Width),
          .log2Height = combine(combiner, a.log2Height, b.log2Height)};
}

Error ShadingRates::use(const DrawInfo &draw, const LoadedProgram &program, MemoryView &memory) {
  state = draw.raster.shadingRate;
  isOnePixel = state.pipeline == FragmentSize() && state.primitive == RateCombiner::Keep &&
               state.attachment == RateCombiner::Keep;
  if (isOnePixel)
    return Error::success();
  const GraphicsProgram &graphics = *program.graphics;
  generation = graphics.stage(abi::HardwareStage::Ps)->data.generation;
  if (generation == Generation::Gfx101)
    return refuse("fragment shading rates on " + program.context->target.name);
  bypassVertex = graphics.vertex.bypassVertexRate;
  bypassPrimitive = graphics.vertex.bypassPrimitiveRate;
  const Surface &texels = draw.targets.shadingRate;
  if (texels.exists() && (texels.format != formats::Format::X8_Uint || texels.samples != 1))
    return refuse(Twine("shading rate target: format ") + formats::formatInfo(texels.format).name +
                  ", " + Twine(texels.samples) + " samples");
  BoundSurface bound = KILN_TRY(BoundSurface::bind(texels, "shading rate target", memory));
  surface = bound;
  return Error::success();
}

FragmentSize ShadingRates::ofTile(const RasterPrimitive &primitive, int32_t x, int32_t y) const {
  if (!surface.exists())
    return {};
  PixelPlace place = {uint32_t(x) / rateTilePixels, uint32_t(y) / rateTilePixels, primitive.layer};
  if (surface.description().slices == 1)
    place.layer = 0;
  const uint8_t *texel = surface.sample(place, 0);
  return texel ? sizeOfTexel(*texel) : FragmentSize();
}

std::optional<FragmentSize> ShadingRates::at(const RasterPrimitive &primitive, int32_t x,
                                             int32_t y) const {
  std::optional<FragmentSize> ofVertex = exportedRate(generation, primitive.vertexRate);
  std::optional<FragmentSize> ofPrimitive = exportedRate(generation, primitive.primitiveRate);
  if (!ofVertex || !ofPrimitive)
    return std::nullopt;
  FragmentSize size = state.pipeline;
  if (!bypassVertex)
    size = combineRates(state.primitive, size, *ofVertex);
  if (!bypassPrimitive)
    size = combineRates(state.primitive, size, *ofPrimitive);
  if (state.attachment != RateCombiner::Keep)
    size = combineRates(state.attachment, size, ofTile(primitive, x, y));
  // Vulkan: the largest supported rate that is not larger in either direction.
  return FragmentSize{.log2Width = std::min(size.log2Width, maxLog2),
                      .log2Height = std::min(size.log2Height, maxLog2)};
}

} // namespace pal::device
