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
  // The sampler's counts with explicit levels, too, level 0 of the _lz forms among them.
  lod += sampler.bias + request.bias;
  result.raw = lod;
  result.clamped = clampLod(lod, std::max(sampler.minLod, request.minLod), sampler.maxLod);
  float lowest = request.ofView ? 0 : std::max(image.minLod - float(image.baseLevel), 0.0f);
  float last = float(image.lastLevel - image.baseLevel);
  float level = clampLod(std::max(result.clamped, lowest), 0, last);
  if (sampler.mipFilter == 0)
    result.levels = 0;
  else
    result.levels = sampler.mipFilter == 1 ? std::min(nearestLevel(level), last) : level;
  return result;
}

/// \p point as seen from the plane of \p slice 's face; as far as can be where it is behind that.
static SamplePoint onFace(SamplePoint point, uint32_t slice) {
  if (point.slice % 6 == slice % 6)
    return point;
  Direction there = cubeDirection(point.slice % 6, 2 * point.s - 1, 2 * point.t - 1);
  float s = 0, t = 0;
  bool isInFront = projectOnFace(slice % 6, there, s, t);
  point.s = isInFront ? (s + 1) / 2 : 1e10f;
  point.t = isInFront ? (t + 1) / 2 : 1e10f;
  return point;
}

Derivatives implicitDerivatives(const ImageResource &image, const SamplePoint *quad,
                                unsigned lane) {
  SamplePoint points[3] = {quad[0], quad[1], quad[2]};
  if (image.type == ImageType::Cube)
    for (SamplePoint &point : points)
      point = onFace(point, quad[lane].slice);
  Derivatives d;
  for (unsigned direction = 0; direction < 2; ++direction) {
    const SamplePoint &next = points[1 + direction];
    float *out = direction ? d.dy : d.dx;
    out[0] = next.s - points[0].s;
    out[1] = next.t - points[0].t;
    out[2] = next.r - points[0].r;
  }
  return d;
}

} // namespace pal::device
