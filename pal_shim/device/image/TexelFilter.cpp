//===- TexelFilter.cpp - texels of one level, filtered ---------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Weights have full single precision; hardware rounds them to 8 bits, which Vulkan permits but
/// does not ask for. Where no weights come out, coordinates are rounded to 1/256 texel before
/// texels are chosen, as hardware does, unless the sampler truncates them: that moves what lies
/// less than 1/512 below a border to the next texel.
#include "pal_shim/device/image/TexelFilter.h"
#include "pal_shim/device/image/CubeMap.h"
#include "pal_shim/device/image/ImageData.h"
#include <cmath>
#include <cstring>

namespace pal::device {

namespace {

constexpr int32_t outside = -1;

int32_t floorMod(int32_t value, int32_t size) {
  int32_t rest = value % size;
  return rest < 0 ? rest + size : rest;
}

/// Index of a texel on an axis of \p size texels; `outside`: the border.
int32_t wrapIndex(Wrap wrap, int32_t index, int32_t size) {
  auto mirrorOnce = [&] { return index >= 0 ? index : -1 - index; };
  switch (wrap) {
  case Wrap::Repeat:
    return floorMod(index, size);
  case Wrap::Mirror: {
    int32_t folded = floorMod(index, 2 * size);
    return folded < size ? folded : 2 * size - 1 - folded;
  }
  case Wrap::MirrorOnce:
    return std::min(mirrorOnce(), size - 1);
  case Wrap::ClampToBorder:
    return uint32_t(index) < uint32_t(size) ? index : outside;
  case Wrap::MirrorOnceBorder: {
    int32_t folded = mirrorOnce();
    return folded < size ? folded : outside;
  }
  default:
    return std::clamp(index, 0, size - 1);
  }
}

float asFloat(uint32_t bits) { return std::bit_cast<float>(bits); }
uint32_t asBits(float value) { return std::bit_cast<uint32_t>(value); }

formats::Texel fixedBorder(const Sampler &sampler, bool isInteger) {
  uint32_t one = isInteger ? 1 : asBits(1.0f);
  uint32_t color = sampler.borderType == 2 ? one : 0;
  return {color, color, color, sampler.borderType == 0 ? 0 : one};
}

/// Components x, y, z, w of the border colour in the order of the channels of memory, by
/// BC_SWIZZLE.
constexpr uint8_t borderOrder[6][4] = {
    {0, 1, 2, 3}, {0, 3, 1, 2}, {3, 2, 1, 0}, {3, 0, 1, 2}, {2, 1, 0, 3}, {1, 0, 3, 2},
};

bool compareValues(unsigned function, float reference, float texel) {
  switch (function) {
  case 1:
    return reference < texel;
  case 2:
    return reference == texel;
  case 3:
    return reference <= texel;
  case 4:
    return reference > texel;
  case 5:
    return reference != texel;
  case 6:
    return reference >= texel;
  default:
    return function == 7;
  }
}

} // namespace

TexelFilter::TexelFilter(Wave &wave, const ImageResource &image, const Sampler &sampler,
                         bool compares, bool unnormalized)
    : wave(wave), image(image), sampler(sampler), compares(compares), unnormalized(unnormalized) {}

TexelFilter::Axis TexelFilter::axis(float coord, float size, Footprint footprint,
                                    int32_t offset) const {
  constexpr float grid = 256;
  float place = unnormalized ? coord : coord * size;
  if (footprint != Footprint::Nearest)
    place -= 0.5f;
  if (footprint != Footprint::Linear && !sampler.truncates)
    place = std::nearbyint(place * grid) / grid;
  // NaN and what no index can hold; far outside, all texels are alike except when repeating.
  constexpr float limit = 1 << 28;
  place = place >= -limit ? std::min(place, limit) : place < 0 ? -limit : 0;
  float whole = std::floor(place);
  return {int32_t(whole) + offset, footprint == Footprint::Nearest ? 1 : 2, place - whole};
}

bool TexelFilter::fetchInside(const TexelPosition &p, formats::Texel &texel) {
  texel = {};
  if (!image.contains(p))
    return true;
  return readTexel(wave, image, p, currentLane, texel);
}

bool TexelFilter::crossCubeEdge(TexelPosition &p) const {
  int32_t size = int32_t(image.levelWidth(p.level));
  bool xOut = uint32_t(p.x) >= uint32_t(size), yOut = uint32_t(p.y) >= uint32_t(size);
  if (xOut && yOut)
    return false;
  if (xOut || yOut)
    moveToNeighbourFace(p, size);
  return true;
}

/// False: the border.
bool TexelFilter::wrapPosition(TexelPosition &p, int32_t z) const {
  p.x = wrapIndex(sampler.wrap[0], p.x, int32_t(image.levelWidth(p.level)));
  bool inside = p.x != outside;
  if (!image.is1D()) {
    p.y = wrapIndex(sampler.wrap[1], p.y, int32_t(image.levelHeight(p.level)));
    inside &= p.y != outside;
  }
  if (image.type == ImageType::D3) {
    p.slice = wrapIndex(sampler.wrap[2], z, int32_t(image.levelSlices(p.level)));
    inside &= p.slice != outside;
  }
  return inside;
}

bool TexelFilter::fetchBorder(formats::Texel &texel) {
  formats::Texel color;
  if (sampler.borderType != 3) {
    color = fixedBorder(sampler, image.info->isInteger());
  } else {
    GpuAddress address = wave.group->borderColors + uint64_t(sampler.borderIndex) * sizeof(color);
    const uint8_t *memory = wave.group->memory->find(address, sizeof(color));
    if (!memory) {
      wave.memoryFault(address, sizeof(color), false, int(currentLane));
      return false;
    }
    std::memcpy(color.data(), memory, sizeof(color));
  }
  for (unsigned i = 0; i < 4; ++i)
    texel[i] = color[borderOrder[image.borderSwizzle][i]];
  return true;
}

bool TexelFilter::fetch(const SamplePoint &point, uint32_t level, int32_t x, int32_t y, int32_t z,
                        formats::Texel &texel) {
  TexelPosition p = {.x = x, .y = y, .slice = int32_t(point.slice), .level = level};
  if (usesCube()) {
    if (!crossCubeEdge(p) || !fetchInside(p, texel))
      return false;
  } else if (!wrapPosition(p, z)) {
    if (!fetchBorder(texel))
      return false;
  } else if (!fetchInside(p, texel)) {
    return false;
  }
  if (compares)
    compareTexel(point.reference, texel);
  return true;
}

void TexelFilter::compareTexel(float reference, formats::Texel &texel) const {
  // Vulkan "Depth Compare Operation": the reference is clamped for fixed-point formats.
  if (image.info->kind == formats::NumberKind::Unorm)
    reference = reference >= 0 ? std::min(reference, 1.0f) : 0;
  bool passes = compareValues(sampler.compare, reference, asFloat(texel[0]));
  texel = {asBits(passes ? 1.0f : 0.0f), 0, 0, asBits(1.0f)};
}

/// A cube's corner is the mean of the other three texels.
void TexelFilter::fillMissing(formats::Texel *texels, const bool *exists, unsigned count) const {
  for (unsigned i = 0; i < count; ++i) {
    if (exists[i])
      continue;
    for (unsigned c = 0; c < 4; ++c) {
      float sum = 0;
      unsigned others = 0;
      for (unsigned k = 0; k < count; ++k)
        if (exists[k])
          sum += asFloat(texels[k][c]), ++others;
      texels[i][c] = asBits(others ? sum / float(others) : 0.0f);
    }
  }
}

bool TexelFilter::sample(const SamplePoint &point, uint32_t level, bool linear, unsigned lane,
                         formats::Texel &result) {
  currentLane = lane;
  // Integers cannot be blended.
  linear &= !image.info->isInteger();
  bool is3D = image.type == ImageType::D3;
  const Footprint footprint = linear ? Footprint::Linear : Footprint::Nearest;
  Axis x = axis(point.s, float(image.levelWidth(level)), footprint, point.offset[0]);
  Axis y = {0, 1, 0}, z = {0, 1, 0};
  if (!image.is1D())
    y = axis(point.t, float(image.levelHeight(level)), footprint, point.offset[1]);
  if (is3D)
    z = axis(point.r, float(image.levelSlices(level)), footprint, point.offset[2]);
  if (usesCube() && !linear) {
    // A coordinate of exactly 1 belongs to the last texel.
    int32_t last = int32_t(image.levelWidth(level)) - 1;
    x.first = std::clamp(x.first, 0, last);
    y.first = std::clamp(y.first, 0, last);
  }
  formats::Texel texels[8];
  // Why double: equal texels must come out as they are, and products of single weights do not add
  // up to 1.
  double weights[8];
  bool exists[8];
  unsigned count = 0;
  for (int32_t k = 0; k < z.count; ++k)
    for (int32_t j = 0; j < y.count; ++j)
      for (int32_t i = 0; i < x.count; ++i, ++count) {
        exists[count] = fetch(point, level, x.first + i, y.first + j, z.first + k, texels[count]);
        if (wave.state == WaveState::Faulted)
          return false;
        auto part = [](const Axis &a, int32_t n) {
          return n ? double(a.fraction) : 1 - double(a.fraction);
        };
        weights[count] =
            linear ? part(x, i) * (y.count == 2 ? part(y, j) : 1) * (z.count == 2 ? part(z, k) : 1)
                   : 1;
      }
  if (!linear) {
    result = texels[0];
    return true;
  }
  fillMissing(texels, exists, count);
  for (unsigned c = 0; c < 4; ++c) {
    double value = 0;
    bool first = true;
    for (unsigned i = 0; i < count; ++i) {
      double texel = asFloat(texels[i][c]);
      if (sampler.reduction == Reduction::Blend) {
        value += weights[i] * texel;
      } else if (weights[i] != 0) {
        value = first                                 ? texel
                : sampler.reduction == Reduction::Min ? std::fmin(value, texel)
                                                      : std::fmax(value, texel);
        first = false;
      }
    }
    result[c] = asBits(float(value));
  }
  return true;
}

bool TexelFilter::gather(const SamplePoint &point, uint32_t level, unsigned lane,
                         formats::Texel result[4]) {
  currentLane = lane;
  Axis x = axis(point.s, float(image.levelWidth(level)), Footprint::Gather, point.offset[0]);
  Axis y = axis(point.t, float(image.levelHeight(level)), Footprint::Gather, point.offset[1]);
  constexpr int32_t dx[4] = {0, 1, 1, 0}, dy[4] = {1, 1, 0, 0};
  bool exists[4];
  for (unsigned i = 0; i < 4; ++i) {
    exists[i] = fetch(point, level, x.first + dx[i], y.first + dy[i], 0, result[i]);
    if (wave.state == WaveState::Faulted)
      return false;
  }
  fillMissing(result, exists, 4);
  return true;
}

} // namespace pal::device
