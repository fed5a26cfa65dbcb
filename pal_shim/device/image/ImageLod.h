//===- ImageLod.h - level of detail and anisotropy -------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// From derivatives to levels (Vulkan "Level-of-Detail Operation"). Implicit derivatives are
/// differences inside a quad of lanes: lane 1 minus lane 0 in x, lane 2 minus lane 0 in y, the same
/// for all four lanes; of cubes, as the plane of each lane's own face shows them.
#pragma once

#include "pal_shim/device/image/ImageResource.h"
#include "pal_shim/device/image/TexelFilter.h"

namespace pal::device {

/// Derivatives of (s, t, r) in units of the coordinates.
struct Derivatives {
  float dx[3] = {}, dy[3] = {};
};

/// What a shader asks for.
struct LodRequest {
  bool hasLod = false; ///< `lod` replaces what derivatives give
  float lod = 0;
  float bias = 0;        ///< of the shader; the sampler's is added
  float minLod = -1e30f; ///< of the shader
  bool ofView = false;   ///< level 0 of the view, whatever the image's minLod
};

struct LodResult {
  float raw = 0;     ///< before clamping, with biases
  float clamped = 0; ///< between the sampler's limits
  float levels = 0;  ///< within the view's levels: 0 is its first one; a whole number unless levels
                     ///< are blended
  uint32_t taps = 1; ///< samples along the axis of anisotropy
  bool alongX = true; ///< that axis is d/dx
};

/// Of the view's first level: bigger derivatives, higher levels.
LodResult computeLod(const ImageResource &image, const Sampler &sampler, bool unnormalized,
                     const Derivatives &derivatives, const LodRequest &request);

/// Of the quad of \p lane, from the coordinates of its lanes.
Derivatives implicitDerivatives(const ImageResource &image, const SamplePoint *quad, unsigned lane);

} // namespace pal::device
