//===- BresenhamCoverage.cpp - which pixels a thin line leaves -------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The diamond of a pixel is what is less than half a pixel from its centre, |dx| + |dy| < 1/2; a
/// line draws the pixels whose diamonds it leaves. Both ends are thought to be shifted by
/// (-e, -e * e) for a tiny e, which decides all ties:
///
///   - a point on the boundary of a diamond is inside on its two right sides, and at its right
///     corner, but not at the others;
///   - an end exactly on a line between pixels belongs to the pixel left of or above it.
///
/// Along the longer axis there is one pixel a step: where the line crosses the middle of the step,
/// or, if it ends before that, where it began inside a diamond. (A line that begins outside all
/// diamonds of a step behind the middle cannot enter one: it is no steeper than their sides.)
#include "pal_shim/device/graphics/RasterCoverage.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <tuple>

using namespace llvm;

namespace pal::device {

namespace {

constexpr int64_t half = subPixels / 2;

/// The pixel that holds a shifted coordinate.
int64_t pixelOf(int64_t coordinate) { return (coordinate - 1) >> subPixelBits; }

int64_t floorDivide(int64_t a, int64_t b) {
  int64_t quotient = a / b;
  return quotient - (a % b < 0); // b > 0
}

/// Along the major axis, across it.
struct MajorMinor {
  int64_t major = 0, minor = 0;
};

class Walker {
public:
  explicit Walker(const BresenhamLine &line) {
    int64_t dx = line.b.x - line.a.x, dy = line.b.y - line.a.y;
    xMajor = std::abs(dx) >= std::abs(dy);
    // A wide line is this many thin ones, side by side.
    int64_t shift = int64_t(line.width - 1) * half;
    a = split(line.a);
    b = split(line.b);
    a.minor -= shift;
    b.minor -= shift;
    first = pixelOf(a.major);
    last = pixelOf(b.major);
    int64_t ignored;
    startsLate = !pixelAt(first, ignored);
    if (first == last) {
      steps = startsLate ? 0 : 1;
      return;
    }
    bool endsEarly = !pixelAt(last, ignored);
    steps = uint32_t(std::abs(last - first) + 1 - startsLate - endsEarly);
  }

  uint32_t stepCount() const { return steps; }
  bool isXMajor() const { return xMajor; }
  int64_t lowest() const { return std::min(first, last); }
  int64_t highest() const { return std::max(first, last); }
  uint32_t stepOf(int64_t major) const { return uint32_t(std::abs(major - first) - startsLate); }

  /// The pixel across at a place of the major axis between the ends; false if none is drawn.
  bool pixelAt(int64_t major, int64_t &minor) const {
    int64_t middle = major * subPixels + half;
    if (middle >= std::min(a.major, b.major) && middle < std::max(a.major, b.major)) {
      minor = crossing(middle);
      return !isInside(b, major, minor);
    }
    minor = pixelOf(a.minor);
    return isInside(a, major, minor) && !isInside(b, major, minor);
  }

private:
  MajorMinor split(const FixedPoint &point) const {
    return xMajor ? MajorMinor{point.x, point.y} : MajorMinor{point.y, point.x};
  }

  int64_t crossing(int64_t middle) const {
    int64_t along = b.major - a.major, across = b.minor - a.minor;
    if (along < 0) {
      along = -along;
      across = -across;
    }
    int64_t scaled = a.minor * along + (middle - a.major) * across;
    int64_t pixel = floorDivide(scaled, along * subPixels);
    bool isTie = scaled == pixel * along * subPixels;
    // The shift against the x axis moves a rising x-major line down by slope * e.
    bool staysBelow = xMajor && across > 0;
    return isTie && !staysBelow ? pixel - 1 : pixel;
  }

  bool isInside(const MajorMinor &point, int64_t major, int64_t minor) const {
    int64_t along = point.major - (major * subPixels + half);
    int64_t across = point.minor - (minor * subPixels + half);
    int64_t distance = std::abs(along) + std::abs(across);
    return distance < half || (distance == half && (xMajor ? along : across) > 0);
  }

  bool xMajor = true;
  MajorMinor a, b;
  int64_t first = 0, last = 0;
  bool startsLate = false;
  uint32_t steps = 0;
};

struct Pixel {
  int32_t x, y;
};

void sendQuads(SmallVectorImpl<Pixel> &pixels, const SampleGrid &grid, CoverageSink sink) {
  // Tile by tile, so that quads of larger fragments are complete when a tile is.
  auto quadOf = [](const Pixel &pixel) {
    return std::tuple(pixel.y >> 3, pixel.x >> 3, pixel.y >> 1, pixel.x >> 1);
  };
  llvm::sort(pixels,
             [&](const Pixel &left, const Pixel &right) { return quadOf(left) < quadOf(right); });
  for (size_t begin = 0; begin < pixels.size();) {
    RasterQuad quad{.x = pixels[begin].x & ~1, .y = pixels[begin].y & ~1};
    size_t end = begin;
    for (; end < pixels.size() && quadOf(pixels[end]) == quadOf(pixels[begin]); ++end)
      quad.coverage[(pixels[end].x & 1) + 2 * (pixels[end].y & 1)] = grid.mask;
    sink(quad);
    begin = end;
  }
}

} // namespace

uint32_t coverBresenham(const BresenhamLine &line, const SampleGrid &grid, const PixelRect &bounds,
                        function_ref<bool(uint32_t step)> isDrawn, CoverageSink sink) {
  Walker walker(line);
  bool xMajor = walker.isXMajor();
  int64_t begin = std::max<int64_t>(walker.lowest(), xMajor ? bounds.x0 : bounds.y0);
  int64_t end = std::min<int64_t>(walker.highest() + 1, xMajor ? bounds.x1 : bounds.y1);
  SmallVector<Pixel, 64> pixels;
  for (int64_t major = begin; major < end; ++major) {
    int64_t minor;
    if (!walker.pixelAt(major, minor) || !isDrawn(walker.stepOf(major)))
      continue;
    for (unsigned k = 0; k < line.width; ++k, ++minor) {
      Pixel pixel =
          xMajor ? Pixel{int32_t(major), int32_t(minor)} : Pixel{int32_t(minor), int32_t(major)};
      if (bounds.contains(pixel.x, pixel.y))
        pixels.push_back(pixel);
    }
  }
  sendQuads(pixels, grid, sink);
  return walker.stepCount();
}

} // namespace pal::device
