//===- ImageLod.cpp - level of detail and anisotropy -----------------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/image/ImageLod.h"
#include "pal_shim/device/image/CubeMap.h"
#include <cmath>

namespace pal::device {

namespace {

/// Length of a derivative in texels of the view's first level.
float texelLength(const ImageResource &image, const float *d) {
  float u = d[0] * float(image.levelWidth(image.baseLevel));
  float v = image.is1D() ? 0 : d[1] * float(image.levelHeight(image.baseLevel));
  float w = image.type == ImageType::D3 ? d[2] * float(image.levelSlices(image.baseLevel)) : 0;
  return std::sqrt(u * u + v * v + w * w);
}

/// NaN becomes \p low.
float clampLod(float value, float low, float high) {
  return value > low ? std::min(value, std::max(low, high)) : low;
}

/// Nearest whole level; ties go up (Vulkan permits either; so does lavapipe).
float nearestLevel(float level) { return std::floor(level + 0.5f); }

} // namespace

LodResult computeLod(const ImageResource &image, const Sampler &sampler, bool unnormalized,
                     const Derivatives &derivatives, const LodRequest &request) {
  LodResult result;
  if (unnormalized)
    return result;
  float lod = request.lod;
  if (!request.hasLod) {
    float x = texelLength(image, derivatives.dx), y = texelLength(image, derivatives.dy);
    float major = std::fmax(x, y), minor = std::fmin(x, y);
    float ratio = 1;
    if (sampler.maxAniso > 1 && major > 0) {
      ratio = std::fmin(minor > 0 ? major / minor : 1e30f, float(sampler.maxAniso));
      result.taps = uint32_t(std::ceil(ratio));
      result.alongX = x >= y;
    }
    lod = std::log2(major / ratio);
  }
  if (!request.noBias)
    lod += sampler.bias + request.bias;
  result.raw = lod;
  result.clamped = clampLod(lod, std::max(sampler.minLod, request.minLod), sampler.maxLod);
  float lowest = std::max(image.minLod - float(image.baseLevel), 0.0f);
  float last = float(image.lastLevel - image.baseLevel);
  float level = clampLod(std::max(result.clamped, lowest), 0, last);
  if (sampler.mipFilter == 0)
    result.levels = 0;
  else
    result.levels = sampler.mipFilter == 1 ? std::min(nearestLevel(level), last) : level;
  return result;
}

Derivatives implicitDerivatives(const ImageResource &image, const SamplePoint *quad) {
  Derivatives d;
  const SamplePoint &origin = quad[0];
  for (unsigned direction = 0; direction < 2; ++direction) {
    const SamplePoint &next = quad[1 + direction];
    float s = next.s, t = next.t;
    // A neighbour on another face is seen from the plane of this one.
    if (image.type == ImageType::Cube && next.slice % 6 != origin.slice % 6) {
      Direction there = cubeDirection(next.slice % 6, 2 * s - 1, 2 * t - 1);
      if (projectOnFace(origin.slice % 6, there, s, t))
        s = (s + 1) / 2, t = (t + 1) / 2;
      else
        s = t = 1e10f; // behind: as far as can be
    }
    float *out = direction ? d.dy : d.dx;
    out[0] = s - origin.s;
    out[1] = t - origin.t;
    out[2] = next.r - origin.r;
  }
  return d;
}

} // namespace pal::device
