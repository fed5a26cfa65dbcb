//===- Blit.cpp - scaled and converting copies ----------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A destination texel with centre x takes the source at
///   u = (x - begin(to)) * (end(from) - begin(from)) / (end(to) - begin(to)) + begin(from)
/// likewise v and w (Vulkan "vkCmdBlitImage"). What to read and how to weigh it depends on one
/// coordinate at a time, so it is computed once for each axis; rows of the source are converted
/// once and kept while they are needed.
#include "icd_glue/image/CopyEngine.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <cmath>
#include <vector>

namespace icd {

using pal::formats::Format;
using pal::formats::FormatInfo;
using pal::formats::formatInfo;
using pal::formats::Texel;

namespace {

/// Two source positions and the weight of the second; for nearest filtering both are the same.
struct Tap {
  uint32_t first, second;
  double weight;
};

/// The taps of destination positions [low, high) on one axis.
struct Axis {
  uint32_t low = 0;
  std::vector<Tap> taps;
};

bool makeAxis(int32_t fromBegin, int32_t fromEnd, uint32_t fromSize, int32_t toBegin, int32_t toEnd,
              uint32_t toSize, bool linear, Axis &axis) {
  const int32_t low = std::min(toBegin, toEnd), high = std::max(toBegin, toEnd);
  if (low < 0 || static_cast<uint32_t>(high) > toSize || fromSize == 0)
    return false;
  axis.low = static_cast<uint32_t>(low);
  axis.taps.clear();
  if (low == high)
    return true;
  const double scale = (double(fromEnd) - double(fromBegin)) / (double(toEnd) - double(toBegin));
  const double last = fromSize - 1;
  for (int32_t x = low; x < high; ++x) {
    const double u = (x + 0.5 - toBegin) * scale + fromBegin;
    const double texel = std::floor(linear ? u - 0.5 : u);
    const double weight = linear ? u - 0.5 - texel : 0;
    axis.taps.push_back({static_cast<uint32_t>(std::clamp(texel, 0.0, last)),
                         static_cast<uint32_t>(std::clamp(texel + (linear ? 1 : 0), 0.0, last)),
                         weight});
  }
  return true;
}

/// Converted rows of the source; the last few are kept.
class RowCache {
public:
  RowCache(const HostPlane &source, uint32_t level) : source(source), level(level) {}

  const std::vector<Texel> &row(uint32_t y, uint32_t slice) {
    ++now;
    Entry *oldest = &entries[0];
    for (Entry &entry : entries) {
      if (entry.y == y && entry.slice == slice) {
        entry.lastUse = now;
        return entry.texels;
      }
      if (entry.lastUse < oldest->lastUse)
        oldest = &entry;
    }
    Entry &entry = *oldest;
    entry.lastUse = now;
    const pal::srd::LinearLevel &shape = source.plane.layout.level(level);
    const PlaneFormat &format = source.plane.format;
    const FormatInfo &info = formatInfo(format.format);
    entry.y = y;
    entry.slice = slice;
    entry.texels.resize(shape.width);
    convertRow(info, shape, y, slice, entry.texels);
    for (Texel &texel : entry.texels)
      texel = applySwizzle(texel, format.swizzle, info.isInteger());
    return entry.texels;
  }

private:
  void convertRow(const FormatInfo &info, const pal::srd::LinearLevel &shape, uint32_t y,
                  uint32_t slice, std::vector<Texel> &texels) const {
    const Format format = source.plane.format.format;
    const uint8_t *row =
        source.host + source.plane.layout.offset(level, 0, y / info.blockHeight, slice);
    if (!info.isBlock())
      return pal::formats::unpackRun(format)(row, info.texelBytes, shape.width, texels.data());
    std::array<Texel, 16> block;
    for (uint32_t x = 0; x < shape.width; ++x) {
      if (x % info.blockWidth == 0)
        pal::formats::decodeBlock(format, row + size_t(x / info.blockWidth) * info.texelBytes,
                                  block.data());
      texels[x] = block[4 * (y % 4) + x % 4];
    }
  }

  struct Entry {
    uint32_t y = UINT32_MAX, slice = UINT32_MAX;
    uint64_t lastUse = 0;
    std::vector<Texel> texels;
  };
  const HostPlane &source;
  const uint32_t level;
  // Four rows are in use at once (two in y, two in z): the least recently used makes way.
  std::array<Entry, 8> entries;
  uint64_t now = 0;
};

double numberOf(const Texel &texel, unsigned component) {
  return llvm::bit_cast<float>(texel[component]);
}

/// Weighted sum of the eight neighbours; `rows`: (y0,z0), (y1,z0), (y0,z1), (y1,z1).
Texel filterTexel(const std::array<const std::vector<Texel> *, 4> &rows, const Tap &x, double wy,
                  double wz) {
  Texel out;
  for (unsigned c = 0; c < 4; ++c) {
    double line[4];
    for (unsigned i = 0; i < 4; ++i)
      line[i] = numberOf((*rows[i])[x.first], c) * (1 - x.weight) +
                (x.weight > 0 ? numberOf((*rows[i])[x.second], c) * x.weight : 0);
    const double near = line[0] * (1 - wy) + (wy > 0 ? line[1] * wy : 0);
    const double far = wz > 0 ? line[2] * (1 - wy) + (wy > 0 ? line[3] * wy : 0) : 0;
    out[c] = llvm::bit_cast<uint32_t>(static_cast<float>(near * (1 - wz) + far * wz));
  }
  return out;
}

struct Axes {
  Axis x, y, z;
};

bool makeAxes(const ImagePlane &source, const BlitSide &from, const ImagePlane &destination,
              const BlitSide &to, bool linear, Axes &axes) {
  if (from.layers.level >= source.levels || to.layers.level >= destination.levels)
    return false;
  const pal::srd::LinearLevel &read = source.layout.level(from.layers.level);
  const pal::srd::LinearLevel &write = destination.layout.level(to.layers.level);
  if (!makeAxis(from.begin.x, from.end.x, read.width, to.begin.x, to.end.x, write.width, linear,
                axes.x) ||
      !makeAxis(from.begin.y, from.end.y, read.height, to.begin.y, to.end.y, write.height, linear,
                axes.y))
    return false;
  if (source.is3d || destination.is3d) {
    // An image that is not 3D counts as one plane, at its layer.
    const uint32_t depth = source.is3d ? source.slicesOf(from.layers.level) : 1;
    const uint32_t depthOut = destination.is3d ? destination.slicesOf(to.layers.level) : 1;
    if (!makeAxis(from.begin.z, from.end.z, depth, to.begin.z, to.end.z, depthOut,
                  linear && source.is3d, axes.z))
      return false;
    for (Tap &tap : axes.z.taps) {
      tap.first += source.is3d ? 0 : from.layers.baseLayer;
      tap.second += source.is3d ? 0 : from.layers.baseLayer;
    }
    axes.z.low += destination.is3d ? 0 : to.layers.baseLayer;
  } else {
    const uint32_t count = from.layers.count == VK_REMAINING_ARRAY_LAYERS
                               ? source.slices - from.layers.baseLayer
                               : from.layers.count;
    if (from.layers.baseLayer > source.slices || count > source.slices - from.layers.baseLayer)
      return false;
    axes.z.low = to.layers.baseLayer;
    axes.z.taps.clear();
    for (uint32_t i = 0; i < count; ++i)
      axes.z.taps.push_back({from.layers.baseLayer + i, from.layers.baseLayer + i, 0});
  }
  const uint64_t slices = axes.z.taps.size();
  return axes.z.low + slices <= destination.slices;
}

} // namespace

bool blitImage(const HostPlane &source, const BlitSide &from, const HostPlane &destination,
               const BlitSide &to, VkFilter filter) {
  const FormatInfo &read = formatInfo(source.plane.format.format);
  const FormatInfo &write = formatInfo(destination.plane.format.format);
  if (write.isBlock() || read.isInteger() != write.isInteger() || source.plane.samples != 1 ||
      destination.plane.samples != 1)
    return false;
  const bool linear = filter == VK_FILTER_LINEAR && !read.isInteger();
  Axes axes;
  if (!makeAxes(source.plane, from, destination.plane, to, linear, axes))
    return false;
  RowCache cache(source, from.layers.level);
  const pal::formats::PackRun pack = pal::formats::packRun(destination.plane.format.format);
  std::vector<Texel> texels(axes.x.taps.size());
  for (size_t z = 0; z < axes.z.taps.size(); ++z) {
    for (size_t y = 0; y < axes.y.taps.size(); ++y) {
      const Tap &atY = axes.y.taps[y], &atZ = axes.z.taps[z];
      if (linear) {
        const std::array<const std::vector<Texel> *, 4> rows = {
            &cache.row(atY.first, atZ.first), &cache.row(atY.second, atZ.first),
            &cache.row(atY.first, atZ.second), &cache.row(atY.second, atZ.second)};
        for (size_t x = 0; x < texels.size(); ++x)
          texels[x] = filterTexel(rows, axes.x.taps[x], atY.weight, atZ.weight);
      } else {
        const std::vector<Texel> &row = cache.row(atY.first, atZ.first);
        for (size_t x = 0; x < texels.size(); ++x)
          texels[x] = row[axes.x.taps[x].first];
      }
      for (Texel &texel : texels)
        texel = reverseSwizzle(texel, destination.plane.format.swizzle);
      pack(texels.data(), texels.size(),
           destination.host +
               destination.plane.layout.offset(to.layers.level, axes.x.low,
                                               axes.y.low + static_cast<uint32_t>(y),
                                               axes.z.low + static_cast<uint32_t>(z)),
           write.texelBytes);
    }
  }
  return true;
}

} // namespace icd
