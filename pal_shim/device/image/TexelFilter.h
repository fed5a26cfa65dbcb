//===- TexelFilter.h - texels of one level, filtered -----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// From coordinates on one level to a texel: choice of texels, wrapping, borders, cube edges, depth
/// comparison, blending (Vulkan "Texel Input Operations", "Texel Filtering").
#pragma once

#include "pal_shim/device/image/ImageResource.h"

namespace pal::device {

/// Coordinates of one lane.
struct SamplePoint {
  float s = 0, t = 0, r = 0; ///< normalised, or texels when the sampler says so; of a cube: 0..1
  uint32_t slice = 0;        ///< layer; of a cube 6 * layer + face
  int32_t offset[3] = {};    ///< texel offset
  float reference = 0;       ///< depth comparison
};

class TexelFilter {
public:
  TexelFilter(Wave &wave, const ImageResource &image, const Sampler &sampler, bool compares,
              bool unnormalized);

  /// One texel value at a level of the image. False after a fault.
  bool sample(const SamplePoint &point, uint32_t level, bool linear, unsigned lane,
              formats::Texel &result);
  /// The four texels of the linear footprint: (i0, j1), (i1, j1), (i1, j0), (i0, j0).
  bool gather(const SamplePoint &point, uint32_t level, unsigned lane, formats::Texel result[4]);

private:
  struct Axis {
    int32_t first, count; ///< texels first .. first + count - 1
    float fraction;       ///< weight of the second
  };
  enum class Footprint { Nearest, Linear, Gather };
  Axis axis(float coord, float size, Footprint footprint, int32_t offset) const;
  /// False: the texel is beyond a cube's corner and does not exist, or a fault.
  bool fetch(const SamplePoint &point, uint32_t level, int32_t x, int32_t y, int32_t z,
             formats::Texel &texel);
  bool fetchInside(const TexelPosition &p, formats::Texel &texel);
  bool fetchBorder(formats::Texel &texel);
  bool wrapPosition(TexelPosition &p, int32_t z) const;
  bool crossCubeEdge(TexelPosition &p) const;
  void compareTexel(float reference, formats::Texel &texel) const;
  void fillMissing(formats::Texel *texels, const bool *exists, unsigned count) const;
  bool usesCube() const { return image.type == ImageType::Cube && sampler.seamlessCube; }

  Wave &wave;
  const ImageResource &image;
  const Sampler &sampler;
  bool compares, unnormalized;
  unsigned currentLane = 0;
};

} // namespace pal::device
