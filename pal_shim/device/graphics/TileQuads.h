//===- TileQuads.h - quads of pixels to quads of fragments -----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Fragments of several pixels: a quad of them is up to 4 x 4 pixels, aligned to its size, so it
/// lies in one tile of rates. The rasteriser sends a primitive's quads of 2 x 2 pixels tile by
/// tile; these wait here until the tile is complete. Private to the fragment stage.
///
///     1 x 1     2 x 1     1 x 2     2 x 2       lanes of a quad
///     01        0011      01        0011
///     23        2233      01        0011
///                         23        2233
///                         23        2233
#pragma once

#include "pal_shim/device/graphics/FragmentWave.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace pal::device {

/// Fragments of one pixel.
FragmentQuad fragmentQuadOf(const RasterQuad &quad);

class TileQuads {
public:
  bool isEmpty() const { return isUnused; }
  /// Whether \p quad of \p other belongs to the tile and the primitive that wait here.
  bool takes(const RasterPrimitive &other, const RasterQuad &quad) const {
    return !isUnused && quad.x / size == left / size && quad.y / size == top / size &&
           other == raster;
  }
  /// The first of a tile, or one that takes() says yes to.
  void add(const RasterPrimitive &other, const RasterQuad &quad);

  const RasterPrimitive &primitive() const { return raster; }
  int32_t x() const { return left; } ///< of the tile
  int32_t y() const { return top; }

  using Sink = llvm::function_ref<void(const RasterPrimitive &, const FragmentQuad &)>;
  /// Hands on all quads in which anything is covered, row by row, and is empty.
  void take(FragmentSize fragment, Sink sink);

private:
  static constexpr int32_t size = int32_t(rateTilePixels);
  static constexpr unsigned quadsPerRow = rateTilePixels / 2;
  const RasterQuad &quadAt(int32_t x, int32_t y) const {
    return quads[unsigned(y - top) / 2 * quadsPerRow + unsigned(x - left) / 2];
  }
  FragmentQuad fragments(FragmentSize fragment, int32_t x, int32_t y) const;

  bool isUnused = true;
  RasterPrimitive raster;
  int32_t left = 0, top = 0;
  std::array<RasterQuad, quadsPerRow * quadsPerRow> quads;
};

} // namespace pal::device
