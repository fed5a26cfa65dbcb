//===- Tessellator.cpp - levels of a patch to domain points and primitives -===//
// SPDX-License-Identifier: MIT
// Vulkan specification, chapter "Tessellation". What it leaves to the implementation:
// - Fractional spacing: a position on the edge moves in a straight line from where it is with two
//   segments less to where it is with all of them. Each half of the edge gets its new segment after
//   one of those that it had when their number was last a power of two, in turn from the end to the
//   middle, so that edges are refined evenly.
// - The strip between two concentric rings: the next segment is taken from the side that is behind,
//   the inner one if they are level.
// - The grid inside a quad: its cells are divided as strips between rings, so that an edge joins
// the
//   corners of neighbouring rings and values that are equal along a ring stay so.
// A third of what is counted in units of the domain must be whole for the rings of triangles to be
// parallel to the edges exactly; only so no triangle, however thin, is turned over by rounding.
#include "pal_shim/device/graphics/Tessellator.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <cmath>

namespace pal::device {
namespace {

constexpr uint64_t fullWeight = 1 << 24;

/// Into how many segments a level divides an edge and how far they have moved to where they are
/// with a level of that number: 0 just after they appeared, fullWeight when all are equal.
struct EdgeLevel {
  unsigned segments = 1;
  uint64_t weight = fullWeight;
};

EdgeLevel clampLevel(float level, TessellationSpacing spacing) {
  bool even = spacing == TessellationSpacing::FractionalEven;
  bool odd = spacing == TessellationSpacing::FractionalOdd;
  float least = even ? 2 : 1, most = odd ? maxTessellationLevel - 1 : maxTessellationLevel;
  float clamped = level > least ? std::min(level, most) : least; // NaN: least
  auto segments = static_cast<unsigned>(std::ceil(clamped));
  if (spacing == TessellationSpacing::Equal)
    return {segments, fullWeight};
  segments += (segments & 1) != unsigned(odd);
  // Exact: floats from 1 on have no more than 23 bits behind the point.
  double missing = (static_cast<double>(segments) - clamped) / 2;
  return {segments, fullWeight - static_cast<uint64_t>(missing * fullWeight)};
}

/// Point \p index of \p total on a half edge of two segments less: that of the segment that was
/// split is there twice.
unsigned coarseIndex(unsigned index, unsigned total) {
  unsigned whole = (total - 2) / 2; // segments in the half before
  unsigned split = whole ? 2 * (whole - llvm::bit_floor(whole)) + 1 : 0;
  return index > split ? index - 1 : index;
}

using Positions = llvm::SmallVector<uint32_t, maxTessellationLevel + 1>;

/// Where the segments of an edge end, from 0 to domainUnits. The other half mirrors the first.
/// \p unit: what those before the middle are multiples of.
Positions subdivide(EdgeLevel level, uint32_t unit = 1) {
  unsigned n = level.segments;
  Positions positions(n + 1, domainUnits / 2);
  for (unsigned k = 0; 2 * k < n; ++k) {
    uint64_t numerator = k, denominator = n;
    if (level.weight != fullWeight) {
      numerator = coarseIndex(k, n) * n * (fullWeight - level.weight) + k * (n - 2) * level.weight;
      denominator = n * (n - 2) * fullWeight;
    }
    // Round to the nearest: at most 12 + 24 + 17 bits.
    denominator *= unit;
    uint64_t rounded = (2 * numerator * domainUnits + denominator) / (2 * denominator);
    uint64_t most = domainUnits / 2 / unit;
    positions[k] = static_cast<uint32_t>(std::min(rounded, most)) * unit;
    positions[n - k] = domainUnits - positions[k];
  }
  return positions;
}

/// Numbers of points along a side of a ring.
using Side = llvm::SmallVector<uint32_t, maxTessellationLevel + 1>;
template <size_t sides> using Ring = std::array<Side, sides>;

/// Points inside a quad patch, row by row.
struct PointGrid {
  uint32_t first = 0, columns = 0, rows = 0;

  uint32_t at(uint32_t row, uint32_t column) const { return first + row * columns + column; }
  Ring<4> ring(uint32_t depth) const;
};

class Builder {
public:
  Builder(const TessellationMode &mode, TessellatedPatch &patch) : patch(patch), mode(mode) {}

  void isolines(const TessellationLevels &levels);
  void triangles(const TessellationLevels &levels);
  void quads(const TessellationLevels &levels);

private:
  uint32_t addPoint(uint32_t u, uint32_t v) {
    patch.points.push_back({u, v});
    return static_cast<uint32_t>(patch.points.size() - 1);
  }
  /// Vertices in clockwise order.
  void addTriangle(uint32_t a, uint32_t b, uint32_t c);
  void fillStrip(const Side &outer, const Side &inner);
  void fillGrid(const PointGrid &grid, Ring<4> outer);
  template <size_t sides, typename Place>
  Ring<sides> addRing(const std::array<Positions, sides> &positions, Place place);
  Ring<3> addTriangleRing(const std::array<Positions, 3> &positions, uint32_t height);

  TessellatedPatch &patch;
  const TessellationMode &mode;
};

void Builder::addTriangle(uint32_t a, uint32_t b, uint32_t c) {
  if (mode.output == TessellationOutput::OtherTriangles)
    std::swap(b, c);
  patch.indices.insert(patch.indices.end(), {a, b, c});
}

/// Triangles between parallel sides: \p inner may be a single point.
void Builder::fillStrip(const Side &outer, const Side &inner) {
  size_t outerCount = outer.size() - 1, innerCount = inner.size() - 1;
  for (size_t o = 0, i = 0; o < outerCount || i < innerCount;) {
    bool outerIsBehind = (2 * o + 1) * innerCount < (2 * i + 1) * outerCount;
    if (i == innerCount || (o < outerCount && outerIsBehind)) {
      addTriangle(outer[o], outer[o + 1], inner[i]);
      ++o;
    } else {
      addTriangle(outer[o], inner[i + 1], inner[i]);
      ++i;
    }
  }
}

/// Points along a ring, those of its corners once. \p place: side and position -> point.
template <size_t sides, typename Place>
Ring<sides> Builder::addRing(const std::array<Positions, sides> &positions, Place place) {
  Ring<sides> ring;
  for (size_t side = 0; side < sides; ++side)
    for (uint32_t position : llvm::ArrayRef(positions[side]).drop_back())
      ring[side].push_back(place(side, position));
  for (size_t side = 0; side < sides; ++side)
    ring[side].push_back(ring[(side + 1) % sides].front());
  return ring;
}

void Builder::isolines(const TessellationLevels &levels) {
  Positions lines = subdivide(clampLevel(levels.outer[0], TessellationSpacing::Equal));
  Positions segments = subdivide(clampLevel(levels.outer[1], mode.spacing));
  for (uint32_t v : llvm::ArrayRef(lines).drop_back())
    for (size_t k = 0; k < segments.size(); ++k) {
      uint32_t point = addPoint(segments[k], v);
      if (k)
        patch.indices.insert(patch.indices.end(), {point - 1, point});
    }
}

/// The levels as the subdivision takes them. \p flat: all are exactly 1, nothing is subdivided.
template <size_t edges, size_t axes> struct ClampedLevels {
  std::array<EdgeLevel, edges> outer;
  std::array<EdgeLevel, axes> inner;
  bool flat = true;

  ClampedLevels(const TessellationLevels &levels, TessellationSpacing spacing) {
    for (size_t k = 0; k < edges; ++k) {
      outer[k] = clampLevel(levels.outer[k], spacing);
      flat &= outer[k].segments == 1;
    }
    for (size_t k = 0; k < axes; ++k) {
      inner[k] = clampLevel(levels.inner[k], spacing);
      flat &= inner[k].segments == 1;
    }
    // "As though it were originally specified as 1 + epsilon".
    EdgeLevel barelyMore =
        spacing == TessellationSpacing::FractionalOdd ? EdgeLevel{3, 0} : EdgeLevel{2, fullWeight};
    for (EdgeLevel &level : inner)
      if (level.segments == 1 && !flat)
        level = barelyMore;
  }
};

/// \p height: of the ring over the edges of the patch, in the coordinate that is 0 there. Sides
/// v = 0, w = 0, u = 0, each position the foot of the perpendicular from the point to the edge.
Ring<3> Builder::addTriangleRing(const std::array<Positions, 3> &positions, uint32_t height) {
  return addRing<3>(positions, [&](size_t side, uint32_t position) {
    uint32_t to = position - height / 2, from = domainUnits - height - to;
    std::array<DomainPoint, 3> places = {{{to, height}, {from, to}, {height, from}}};
    return addPoint(places[side].u, places[side].v);
  });
}

void Builder::triangles(const TessellationLevels &original) {
  ClampedLevels<3, 1> levels(original, mode.spacing);
  Ring<3> outer = addTriangleRing(
      {subdivide(levels.outer[1]), subdivide(levels.outer[2]), subdivide(levels.outer[0])}, 0);
  if (levels.flat)
    return addTriangle(outer[0][0], outer[1][0], outer[2][0]);
  Positions inner = subdivide(levels.inner[0], 3);
  unsigned segments = levels.inner[0].segments;
  for (unsigned k = 1; 2 * k <= segments; ++k) {
    Ring<3> next;
    if (2 * k == segments) {
      // Thirds are not whole; the nearest that is within every ring.
      next.fill({addPoint(domainUnits / 3, domainUnits / 3)});
    } else {
      auto between = llvm::ArrayRef(inner).slice(k, segments - 2 * k + 1);
      Positions side(between.begin(), between.end());
      next = addTriangleRing({side, side, side}, inner[k] / 3 * 2);
    }
    for (unsigned side = 0; side < 3; ++side)
      fillStrip(outer[side], next[side]);
    outer = std::move(next);
  }
  if (segments % 2)
    addTriangle(outer[0][0], outer[1][0], outer[2][0]);
}

/// The ring of the grid that lies \p depth points inside; its sides run as those of the patch.
Ring<4> PointGrid::ring(uint32_t depth) const {
  const uint32_t right = columns - 1 - depth, bottom = rows - 1 - depth;
  Ring<4> ring;
  for (uint32_t k = depth; k <= right; ++k) {
    ring[0].push_back(at(depth, k));
    ring[2].push_back(at(bottom, right + depth - k));
  }
  for (uint32_t k = depth; k <= bottom; ++k) {
    ring[1].push_back(at(k, right));
    ring[3].push_back(at(bottom + depth - k, depth));
  }
  return ring;
}

/// Strips between rings, and what the last ring leaves between two rows or columns of points.
void Builder::fillGrid(const PointGrid &grid, Ring<4> outer) {
  const uint32_t rings = (std::min(grid.columns, grid.rows) + 1) / 2;
  for (uint32_t depth = 0; depth < rings; ++depth) {
    Ring<4> inner = grid.ring(depth);
    for (unsigned side = 0; side < 4; ++side)
      fillStrip(outer[side], inner[side]);
    outer = std::move(inner);
  }
  const uint32_t last = rings - 1;
  for (uint32_t row = last; row + 1 < grid.rows - last; ++row)
    for (uint32_t column = last; column + 1 < grid.columns - last; ++column) {
      uint32_t right = grid.at(row, column + 1), below = grid.at(row + 1, column);
      addTriangle(grid.at(row, column), right, below);
      addTriangle(right, grid.at(row + 1, column + 1), below);
    }
}

void Builder::quads(const TessellationLevels &original) {
  ClampedLevels<4, 2> levels(original, mode.spacing);
  // Sides v = 0, u = 1, v = 1, u = 0, the latter two from 1 to 0.
  Ring<4> outer =
      addRing<4>({subdivide(levels.outer[1]), subdivide(levels.outer[2]),
                  subdivide(levels.outer[3]), subdivide(levels.outer[0])},
                 [&](size_t side, uint32_t position) {
                   uint32_t back = domainUnits - position;
                   std::array<DomainPoint, 4> places = {
                       {{position, 0}, {domainUnits, position}, {back, domainUnits}, {0, back}}};
                   return addPoint(places[side].u, places[side].v);
                 });
  if (levels.flat) {
    addTriangle(outer[0][0], outer[1][0], outer[3][0]);
    return addTriangle(outer[1][0], outer[2][0], outer[3][0]);
  }
  // The grid without what lies on the edges of the patch, row after row. The first inner level
  // divides u, the second v.
  Positions us = subdivide(levels.inner[0]), vs = subdivide(levels.inner[1]);
  auto columns = static_cast<uint32_t>(us.size() - 2), rows = static_cast<uint32_t>(vs.size() - 2);
  auto first = static_cast<uint32_t>(patch.points.size());
  for (uint32_t row = 0; row < rows; ++row)
    for (uint32_t column = 0; column < columns; ++column)
      addPoint(us[column + 1], vs[row + 1]);
  fillGrid({first, columns, rows}, outer);
}

/// How many outer levels the domain has, and what subdivides it.
struct DomainInfo {
  unsigned outerLevels;
  void (Builder::*build)(const TessellationLevels &);
};

constexpr DomainInfo domains[] = {
    {2, &Builder::isolines}, {3, &Builder::triangles}, {4, &Builder::quads}};

} // namespace

void tessellate(const TessellationMode &mode, const TessellationLevels &levels,
                TessellatedPatch &patch) {
  bool isolines = mode.domain == TessellationDomain::Isolines;
  patch.points.clear();
  patch.indices.clear();
  patch.verticesPerPrimitive = isolines ? 2 : 3;
  const DomainInfo &domain = domains[static_cast<size_t>(mode.domain)];
  bool drawn = std::all_of(levels.outer.begin(), levels.outer.begin() + domain.outerLevels,
                           [](float level) { return level > 0; }); // NaN is not
  if (drawn)
    (Builder(mode, patch).*domain.build)(levels);
  if (mode.output != TessellationOutput::Points)
    return;
  patch.verticesPerPrimitive = 1;
  patch.indices.resize(patch.points.size());
  for (uint32_t k = 0; k < patch.indices.size(); ++k)
    patch.indices[k] = k;
}

} // namespace pal::device
