//===- TileQuads.cpp - quads of pixels to quads of fragments ---------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/graphics/TileQuads.h"

namespace pal::device {

namespace {

unsigned laneOf(int32_t x, int32_t y) { return unsigned((x & 1) | (y & 1) << 1); }

} // namespace

FragmentQuad fragmentQuadOf(const RasterQuad &from) {
  FragmentQuad quad;
  quad.x = from.x;
  quad.y = from.y;
  std::copy(from.coverage.begin(), from.coverage.end(), quad.covered.begin());
  quad.samples = quad.visible = quad.covered;
  quad.fullyCovered = from.fullyCovered;
  return quad;
}

void TileQuads::add(const RasterPrimitive &other, const RasterQuad &quad) {
  if (isUnused) {
    isUnused = false;
    raster = other;
    left = quad.x & ~(size - 1);
    top = quad.y & ~(size - 1);
    quads = {};
  }
  RasterQuad &to = quads[unsigned(quad.y - top) / 2 * quadsPerRow + unsigned(quad.x - left) / 2];
  for (unsigned lane = 0; lane < 4; ++lane)
    to.coverage[lane] |= quad.coverage[lane];
  to.fullyCovered |= quad.fullyCovered;
}

/// The quad of fragments whose first pixel is (x, y).
FragmentQuad TileQuads::fragments(FragmentSize fragment, int32_t x, int32_t y) const {
  FragmentQuad result;
  result.x = x;
  result.y = y;
  result.size = fragment;
  for (unsigned lane = 0; lane < 4; ++lane) {
    bool isFull = true;
    for (unsigned pixel = 0; pixel < result.pixels(); ++pixel) {
      int32_t pixelX = result.pixelX(lane, pixel), pixelY = result.pixelY(lane, pixel);
      const RasterQuad &from = quadAt(pixelX, pixelY);
      unsigned fromLane = laneOf(pixelX, pixelY);
      result.covered[lane] |= SampleBits(from.coverage[fromLane]) << (pixel * bitsPerPixel);
      isFull &= from.fullyCovered >> fromLane & 1;
    }
    result.fullyCovered |= uint8_t(unsigned(isFull) << lane);
  }
  result.samples = result.visible = result.covered;
  return result;
}

void TileQuads::take(FragmentSize fragment, Sink sink) {
  for (int32_t y = top; y < top + size; y += 2 << fragment.log2Height)
    for (int32_t x = left; x < left + size; x += 2 << fragment.log2Width) {
      FragmentQuad quad = fragments(fragment, x, y);
      SampleBits any = 0;
      for (SampleBits covered : quad.covered)
        any |= covered;
      if (any)
        sink(raster, quad);
    }
  isUnused = true;
}

} // namespace pal::device
