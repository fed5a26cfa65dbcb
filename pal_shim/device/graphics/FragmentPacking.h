//===- FragmentPacking.h - which quads share a wave ------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Quads become waves in the order in which they arrived:
///   a b c d e f              -> abcd ef
/// With primitive-ordered shading no wave has a pixel twice, and a wave that overlaps another comes
/// behind it. A quad goes into the first wave that this allows, so that samples of one pixel (a1
/// a2) or primitives above each other fill waves, too:
///   a1 a2 b1 b2 c1 c2 d1 d2  -> a1b1c1d1 a2b2c2d2
/// Quads of different areas of the picture never overlap, so waves of one area follow each other
/// and different areas need no order. Private to the fragment stage.
#pragma once

#include "pal_shim/device/graphics/FragmentWave.h"

namespace pal::device {

class FragmentPacking {
public:
  /// Waves that need no order among each other when shading is not ordered, else those of one area.
  struct Run {
    size_t first = 0, count = 0;
  };

  /// Brings \p quads into the order of their waves, of at most \p perWave quads.
  void pack(std::vector<FragmentQuad> &quads, llvm::ArrayRef<RasterPrimitive> primitives,
            size_t perWave, bool isOrdered);
  size_t waves() const { return firstQuads.size() - 1; }
  size_t firstQuad(size_t wave) const { return firstQuads[wave]; }
  llvm::ArrayRef<FragmentQuad> quadsOf(llvm::ArrayRef<FragmentQuad> quads, size_t wave) const {
    return quads.slice(firstQuads[wave], firstQuads[wave + 1] - firstQuads[wave]);
  }
  /// All waves, in order; one when shading is not ordered.
  llvm::ArrayRef<Run> runs() const { return areaRuns; }

private:
  void packOrdered(std::vector<FragmentQuad> &quads, llvm::ArrayRef<RasterPrimitive> primitives,
                   size_t perWave);

  std::vector<size_t> firstQuads = {0}; ///< of each wave, and the end
  std::vector<Run> areaRuns;
};

/// Which of at most 32 waves of an area have a pixel in common; all pixels of their fragments
/// count. Bit i of number w: wave w overlaps wave i, which is older.
std::vector<uint32_t> overlapsOf(llvm::ArrayRef<llvm::ArrayRef<FragmentQuad>> waves);

} // namespace pal::device
