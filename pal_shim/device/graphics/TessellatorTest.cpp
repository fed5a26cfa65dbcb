//===- TessellatorTest.cpp - levels of a patch to points and primitives ----===//
// SPDX-License-Identifier: MIT
// Expected counts, places and properties: Vulkan specification, chapter "Tessellation", with the
// limit maxTessellationGenerationLevel 64.
#include "pal_shim/device/graphics/Tessellator.h"
#include "llvm/ADT/ArrayRef.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <set>

using namespace pal::device;

namespace {

using Domain = TessellationDomain;
using Spacing = TessellationSpacing;
using Output = TessellationOutput;
using Levels = TessellationLevels;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr int64_t units = domainUnits;
constexpr Spacing spacings[] = {Spacing::Equal, Spacing::FractionalOdd, Spacing::FractionalEven};

TessellatedPatch run(Domain domain, Spacing spacing, const Levels &levels,
                     Output output = Output::ClockwiseTriangles) {
  TessellatedPatch patch;
  tessellate({domain, spacing, output}, levels, patch);
  return patch;
}

/// Segments that a level makes, "Tessellator Spacing".
unsigned segmentsOf(float level, Spacing spacing) {
  float f = spacing == Spacing::FractionalEven  ? std::clamp(level, 2.0f, 64.0f)
            : spacing == Spacing::FractionalOdd ? std::clamp(level, 1.0f, 63.0f)
                                                : std::clamp(level, 1.0f, 64.0f);
  unsigned n = 1;
  while (static_cast<float>(n) < f || (spacing == Spacing::FractionalEven && n % 2 == 1) ||
         (spacing == Spacing::FractionalOdd && n % 2 == 0))
    ++n;
  return n;
}

/// Twice the signed area, in square units: the specification's a, positive if clockwise.
int64_t areaOf(const TessellatedPatch &patch, size_t triangle) {
  auto corner = [&](size_t k) { return patch.points[patch.indices[3 * triangle + k]]; };
  int64_t area = 0;
  for (size_t k = 0; k < 3; ++k) {
    DomainPoint a = corner(k), b = corner((k + 1) % 3);
    area += int64_t(a.u) * b.v - int64_t(b.u) * a.v;
  }
  return area;
}

/// Positions on an isoline of one segment count: what a level makes of an edge.
std::vector<uint32_t> edgeOf(float level, Spacing spacing) {
  std::vector<uint32_t> result;
  for (DomainPoint point : run(Domain::Isolines, spacing, {.outer = {1, level}}).points)
    result.push_back(point.u);
  return result;
}

/// Where the first \p count points lie on an edge of the patch, in coordinates along it.
std::set<uint32_t> onEdge(const TessellatedPatch &patch, size_t count, Domain domain,
                          unsigned edge) {
  std::set<uint32_t> result;
  for (DomainPoint p : llvm::ArrayRef(patch.points).take_front(count)) {
    bool triangle = domain == Domain::Triangles;
    uint32_t across[] = {p.u, p.v, triangle ? p.w() : domainUnits - p.u, domainUnits - p.v};
    uint32_t along[] = {p.v, p.u, p.v, p.u};
    if (across[edge] == 0)
      result.insert(along[edge]);
  }
  return result;
}

/// Every triangle lies clockwise, and each of their edges borders another one or the domain's edge:
/// so they cover it once. \p strict: none is flat.
void expectCovers(const TessellatedPatch &patch, Domain domain, bool strict) {
  ASSERT_EQ(patch.verticesPerPrimitive, 3u);
  ASSERT_EQ(patch.indices.size() % 3, 0u);
  int64_t sum = 0, least = std::numeric_limits<int64_t>::max();
  std::set<std::pair<uint32_t, uint32_t>> edges;
  std::set<uint32_t> used(patch.indices.begin(), patch.indices.end());
  for (size_t k = 0; k < patch.count(); ++k) {
    int64_t area = areaOf(patch, k);
    sum += area;
    least = std::min(least, area);
    for (unsigned corner = 0; corner < 3; ++corner)
      ASSERT_TRUE(
          edges.insert({patch.indices[3 * k + corner], patch.indices[3 * k + (corner + 1) % 3]})
              .second)
          << "an edge of two triangles in the same direction";
  }
  EXPECT_EQ(used.size(), patch.points.size());
  EXPECT_GE(least, strict ? 1 : 0);
  EXPECT_EQ(sum, (domain == Domain::Triangles ? 1 : 2) * units * units);
  for (auto [from, to] : edges) {
    if (edges.count({to, from}))
      continue;
    DomainPoint a = patch.points[from], b = patch.points[to];
    bool isBorder = (a.u == 0 && b.u == 0) || (a.v == 0 && b.v == 0);
    if (domain == Domain::Triangles)
      isBorder |= a.w() == 0 && b.w() == 0;
    else
      isBorder |=
          (a.u == domainUnits && b.u == domainUnits) || (a.v == domainUnits && b.v == domainUnits);
    ASSERT_TRUE(isBorder) << "a gap";
  }
}

/// "Triangle Tessellation" and "Quad Tessellation": what the rings and the grid have.
struct Counts {
  size_t points = 0, triangles = 0;
};
Counts expectedCounts(Domain domain, Spacing spacing, const Levels &levels) {
  bool triangle = domain == Domain::Triangles;
  unsigned edges = triangle ? 3 : 4, axes = triangle ? 1 : 2;
  size_t outer = 0, inner[2] = {0, 0};
  bool flat = true;
  for (unsigned k = 0; k < edges; ++k) {
    outer += segmentsOf(levels.outer[k], spacing);
    flat &= segmentsOf(levels.outer[k], spacing) == 1;
  }
  for (unsigned k = 0; k < axes; ++k) {
    inner[k] = segmentsOf(levels.inner[k], spacing);
    flat &= inner[k] == 1;
  }
  if (flat)
    return {edges, edges - 2};
  for (size_t &n : inner)
    if (n == 1)
      n = spacing == Spacing::FractionalOdd ? 3 : 2;
  Counts counts = {outer, outer};
  if (triangle) {
    for (size_t n = inner[0]; n >= 2;) {
      n -= 2;
      counts.points += n ? 3 * n : 1;
      // Once as the inner ring, once as the outer one.
      counts.triangles += n == 1 ? 3 + 1 : 2 * 3 * n;
    }
  } else {
    size_t m = inner[0], n = inner[1];
    counts.points += (m - 1) * (n - 1);
    counts.triangles += 2 * (m - 2) + 2 * (n - 2) + 2 * (m - 2) * (n - 2);
  }
  return counts;
}

/// Levels of all kinds: whole, just above, in between, out of range.
std::vector<Levels> manyLevels(unsigned count) {
  const float chosen[] = {0.25f,
                          1,
                          std::nextafter(1.0f, 2.0f),
                          1.5f,
                          1.99f,
                          2,
                          2.001f,
                          2.5f,
                          3,
                          std::nextafter(3.0f, 4.0f),
                          3.75f,
                          4,
                          4.5f,
                          5,
                          6.5f,
                          7,
                          8,
                          9.0625f,
                          15.9f,
                          16,
                          17,
                          31.3f,
                          32.5f,
                          33,
                          61.0001f,
                          62,
                          62.999f,
                          63,
                          63.5f,
                          64,
                          1000,
                          infinity};
  std::mt19937 random(7);
  auto one = [&] { return chosen[random() % std::size(chosen)]; };
  std::vector<Levels> result;
  for (unsigned k = 0; k < count; ++k) {
    Levels levels;
    for (float &level : levels.outer)
      level = one();
    for (float &level : levels.inner)
      level = one();
    if (k % 5 == 0)
      levels.inner[k % 2] = k % 3 ? -1.0f : nan;
    result.push_back(levels);
  }
  return result;
}

TEST(Tessellator, DiscardsPatchesByTheOuterLevelsOfTheDomain) {
  const std::pair<Domain, unsigned> domains[] = {
      {Domain::Isolines, 2}, {Domain::Triangles, 3}, {Domain::Quads, 4}};
  for (auto [domain, relevant] : domains)
    for (float level : {0.0f, -0.0f, -1.0f, -infinity, nan})
      for (unsigned k = 0; k < 4; ++k) {
        Levels levels = {.outer = {2, 2, 2, 2}, .inner = {2, 2}};
        levels.outer[k] = level;
        TessellatedPatch patch = run(domain, Spacing::Equal, levels);
        EXPECT_EQ(patch.count() == 0, k < relevant) << level << " in " << k;
        EXPECT_EQ(patch.points.empty(), k < relevant);
        EXPECT_EQ(run(domain, Spacing::Equal, levels, Output::Points).count() == 0, k < relevant);
      }
  // Above 0 is enough, and inner levels discard nothing.
  for (float inner : {0.0f, -3.0f, -infinity, nan}) {
    Levels levels = {.outer = {1e-40f, 1e-3f, 1, 1}, .inner = {inner, inner}};
    EXPECT_EQ(run(Domain::Quads, Spacing::Equal, levels).count(), 2u) << inner;
    EXPECT_EQ(run(Domain::Triangles, Spacing::FractionalOdd, levels).count(), 1u) << inner;
    EXPECT_EQ(run(Domain::Triangles, Spacing::FractionalEven, levels).count(), 6u) << inner;
  }
}

TEST(Tessellator, RoundsLevels) {
  const struct {
    float level;
    unsigned equal, odd, even;
  } cases[] = {{0.1f, 1, 1, 2},  {1, 1, 1, 2},        {1.1f, 2, 3, 2},     {2, 2, 3, 2},
               {2.1f, 3, 3, 4},  {3, 3, 3, 4},        {3.5f, 4, 5, 4},     {4, 4, 5, 4},
               {62, 62, 63, 62}, {62.5f, 63, 63, 64}, {63, 63, 63, 64},    {63.5f, 64, 63, 64},
               {64, 64, 63, 64}, {64.5f, 64, 63, 64}, {1e30f, 64, 63, 64}, {infinity, 64, 63, 64}};
  for (const auto &c : cases) {
    EXPECT_EQ(edgeOf(c.level, Spacing::Equal).size(), c.equal + 1) << c.level;
    EXPECT_EQ(edgeOf(c.level, Spacing::FractionalOdd).size(), c.odd + 1) << c.level;
    EXPECT_EQ(edgeOf(c.level, Spacing::FractionalEven).size(), c.even + 1) << c.level;
  }
}

TEST(Tessellator, EdgesAreSymmetricAndEndAtTheCorners) {
  for (Spacing spacing : spacings)
    for (float level = 1; level <= 64; level += 0.03125f) {
      std::vector<uint32_t> edge = edgeOf(level, spacing);
      ASSERT_EQ(edge.front(), 0u);
      ASSERT_EQ(edge.back(), domainUnits);
      ASSERT_TRUE(std::is_sorted(edge.begin(), edge.end())) << level;
      for (size_t k = 0; k < edge.size(); ++k)
        ASSERT_EQ(edge[k] + edge[edge.size() - 1 - k], domainUnits) << level << " " << k;
    }
}

TEST(Tessellator, WholeLevelsMakeEqualSegments) {
  for (Spacing spacing : spacings)
    for (unsigned n = 1; n <= 64; ++n) {
      if ((spacing == Spacing::FractionalOdd && n % 2 == 0) ||
          (spacing == Spacing::FractionalEven && n % 2 == 1))
        continue;
      std::vector<uint32_t> edge = edgeOf(static_cast<float>(n), spacing);
      ASSERT_EQ(edge.size(), n + 1);
      for (unsigned k = 0; k <= n; ++k)
        EXPECT_LE(std::abs(edge[k] - double(units) * k / n), 0.5) << n << " " << k;
    }
}

// n - 2 equal segments and two of another length, symmetric; their length relative to the others
// goes from nearly 0 to 1 as the level goes from n - 2 to n.
TEST(Tessellator, FractionalSpacing) {
  for (Spacing spacing : {Spacing::FractionalOdd, Spacing::FractionalEven})
    for (unsigned n = spacing == Spacing::FractionalOdd ? 3 : 4; n <= 64; n += 2) {
      double before = 0;
      for (unsigned step = 1; step < 8; ++step) {
        float level = static_cast<float>(n - 2) + static_cast<float>(step) / 4;
        std::vector<uint32_t> edge = edgeOf(level, spacing);
        ASSERT_EQ(edge.size(), n + 1);
        std::vector<int> lengths;
        for (unsigned k = 0; k < n; ++k)
          lengths.push_back(static_cast<int>(edge[k + 1] - edge[k]));
        std::vector<unsigned> byLength(n);
        for (unsigned k = 0; k < n; ++k)
          byLength[k] = k;
        std::sort(byLength.begin(), byLength.end(),
                  [&](unsigned a, unsigned b) { return lengths[a] < lengths[b]; });
        ASSERT_EQ(byLength[0] + byLength[1], n - 1) << level; // opposite one another
        // Both ends of a segment are rounded.
        ASSERT_LE(lengths[byLength[n - 1]] - lengths[byLength[2]], 2) << level;
        double ratio = double(lengths[byLength[0]]) / lengths[byLength[n - 1]];
        ASSERT_GT(ratio, before) << level;
        ASSERT_LT(ratio, 1) << level;
        before = ratio;
      }
      std::vector<uint32_t> nearly = edgeOf(std::nextafter(static_cast<float>(n), 0.0f), spacing);
      EXPECT_EQ(nearly, edgeOf(static_cast<float>(n), spacing));
      std::vector<uint32_t> barely =
          edgeOf(std::nextafter(static_cast<float>(n - 2), 64.0f), spacing);
      ASSERT_EQ(barely.size(), n + 1);
      uint32_t shortest = domainUnits;
      for (unsigned k = 0; k < n; ++k)
        shortest = std::min(shortest, barely[k + 1] - barely[k]);
      EXPECT_EQ(shortest, 0u);
    }
}

TEST(Tessellator, Isolines) {
  for (Spacing spacing : spacings)
    for (float lineLevel : {0.5f, 1.0f, 2.5f, 7.0f, 64.0f, 70.0f})
      for (float level : {1.0f, 1.5f, 4.0f, 9.25f, 64.0f}) {
        Levels levels = {.outer = {lineLevel, level, -1, nan}, .inner = {nan, 50}};
        TessellatedPatch patch = run(Domain::Isolines, spacing, levels, Output::Lines);
        unsigned lines = segmentsOf(lineLevel, Spacing::Equal), m = segmentsOf(level, spacing);
        EXPECT_EQ(patch.verticesPerPrimitive, 2u);
        ASSERT_EQ(patch.count(), size_t(lines) * m);
        ASSERT_EQ(patch.points.size(), size_t(lines) * (m + 1));
        std::map<uint32_t, int64_t> covered; // by line
        for (size_t k = 0; k < patch.count(); ++k) {
          DomainPoint a = patch.points[patch.indices[2 * k]];
          DomainPoint b = patch.points[patch.indices[2 * k + 1]];
          ASSERT_EQ(a.v, b.v);
          covered[a.v] += int64_t(b.u) - a.u;
        }
        ASSERT_EQ(covered.size(), lines);
        unsigned number = 0;
        for (auto [v, length] : covered) {
          EXPECT_EQ(length, units);
          EXPECT_LE(std::abs(v - double(units) * number++ / lines), 0.5);
        }
        EXPECT_EQ(run(Domain::Isolines, spacing, levels, Output::Points).count(),
                  patch.points.size());
      }
}

TEST(Tessellator, NothingIsSubdividedWhereAllLevelsAreOne) {
  TessellatedPatch triangle = run(Domain::Triangles, Spacing::Equal, {});
  EXPECT_EQ(triangle.points,
            (std::vector<DomainPoint>{{0, 0}, {domainUnits, 0}, {0, domainUnits}}));
  EXPECT_EQ(triangle.indices, (std::vector<uint32_t>{0, 1, 2}));
  EXPECT_EQ(triangle.points[0].w(), domainUnits);
  TessellatedPatch quad = run(Domain::Quads, Spacing::FractionalOdd, {});
  EXPECT_EQ(quad.points.size(), 4u);
  EXPECT_EQ(quad.count(), 2u);
  // The second inner and fourth outer level are none of triangles'.
  EXPECT_EQ(
      run(Domain::Triangles, Spacing::Equal, {.outer = {1, 1, 1, 9}, .inner = {1, 9}}).count(), 1u);
}

// The figures of the specification and the exact coordinates of small levels.
TEST(Tessellator, Examples) {
  Levels four = {.outer = {4, 4, 4, 4}, .inner = {4, 2}};
  TessellatedPatch patch = run(Domain::Triangles, Spacing::Equal, four);
  EXPECT_EQ(patch.points.size(), 12u + 6 + 1);
  EXPECT_EQ(patch.count(), 12u + 6 + 6);
  // Perpendiculars through 1/4 of two edges meet at 1/6 of the height.
  auto near = [](DomainPoint p, double u, double v) {
    return std::abs(p.u - u * units) <= 2 && std::abs(p.v - v * units) <= 2;
  };
  auto has = [&](double u, double v) {
    return std::count_if(patch.points.begin(), patch.points.end(),
                         [&](DomainPoint p) { return near(p, u, v); }) == 1;
  };
  EXPECT_TRUE(has(1 / 6.0, 1 / 6.0));
  EXPECT_TRUE(has(2 / 3.0, 1 / 6.0));
  EXPECT_TRUE(has(1 / 6.0, 2 / 3.0));
  EXPECT_TRUE(has(5 / 12.0, 1 / 6.0));
  EXPECT_TRUE(has(1 / 6.0, 5 / 12.0));
  EXPECT_TRUE(has(5 / 12.0, 5 / 12.0));
  EXPECT_TRUE(has(1 / 3.0, 1 / 3.0));
  patch = run(Domain::Triangles, Spacing::Equal, {.outer = {5, 5, 5, 1}, .inner = {5, 1}});
  EXPECT_EQ(patch.points.size(), 15u + 9 + 3);
  EXPECT_EQ(patch.count(), 15u + 9 + 9 + 3 + 1);

  patch = run(Domain::Quads, Spacing::Equal, four);
  EXPECT_EQ(patch.points.size(), 16u + 3);
  EXPECT_EQ(patch.count(), 16u + 4);
  EXPECT_TRUE(has(0.25, 0.5)); // the first inner level divides u
  EXPECT_TRUE(has(0.5, 0.5));
  patch = run(Domain::Quads, Spacing::Equal, {.outer = {4, 7, 4, 7}, .inner = {7, 4}});
  EXPECT_EQ(patch.points.size(), 22u + 18);
  EXPECT_EQ(patch.count(), 22u + 14 + 2 * 10); // ten inner rectangles
}

TEST(Tessellator, TrianglesCoverTheDomainOnce) {
  for (Domain domain : {Domain::Triangles, Domain::Quads})
    for (Spacing spacing : spacings)
      for (const Levels &levels : manyLevels(120)) {
        SCOPED_TRACE(::testing::Message()
                     << int(domain) << " " << int(spacing) << " " << levels.outer[0] << " "
                     << levels.outer[1] << " " << levels.outer[2] << " " << levels.outer[3] << ", "
                     << levels.inner[0] << " " << levels.inner[1]);
        TessellatedPatch patch = run(domain, spacing, levels);
        Counts counts = expectedCounts(domain, spacing, levels);
        EXPECT_EQ(patch.points.size(), counts.points);
        EXPECT_EQ(patch.count(), counts.triangles);
        expectCovers(patch, domain, spacing == Spacing::Equal);
        if (HasFailure())
          return;
      }
}

// Neighbours meet: an edge has the points of its own level, whatever the other levels and whichever
// edge of which domain it is.
TEST(Tessellator, EdgesDependOnTheirLevelOnly) {
  for (Domain domain : {Domain::Triangles, Domain::Quads})
    for (Spacing spacing : spacings)
      for (const Levels &levels : manyLevels(60)) {
        unsigned edges = domain == Domain::Triangles ? 3 : 4;
        // Inner points come later; fractional odd spacing may have them on the edge too.
        size_t count = 0;
        for (unsigned edge = 0; edge < edges; ++edge)
          count += segmentsOf(levels.outer[edge], spacing);
        TessellatedPatch patch = run(domain, spacing, levels);
        for (unsigned edge = 0; edge < edges; ++edge) {
          std::vector<uint32_t> expected = edgeOf(levels.outer[edge], spacing);
          ASSERT_EQ(onEdge(patch, count, domain, edge),
                    std::set<uint32_t>(expected.begin(), expected.end()))
              << int(domain) << " " << int(spacing) << " edge " << edge;
        }
      }
}

// "Inner triangles" are the same whatever the outer levels.
TEST(Tessellator, TheInsideDependsOnInnerLevelsOnly) {
  for (Domain domain : {Domain::Triangles, Domain::Quads}) {
    auto inside = [&](float outer) {
      std::vector<DomainPoint> result;
      for (DomainPoint p :
           run(domain, Spacing::FractionalEven, {.outer = {outer, 3, outer, 1}, .inner = {6.5f, 9}})
               .points)
        if (p.u && p.v && p.u < domainUnits && p.v < domainUnits &&
            (domain == Domain::Quads || p.w()))
          result.push_back(p);
      return result;
    };
    EXPECT_EQ(inside(1), inside(63));
    EXPECT_EQ(inside(1).size(), domain == Domain::Triangles ? 3u * 6 + 3 * 4 + 3 * 2 + 1 : 7u * 9);
  }
}

TEST(Tessellator, OrderAndPointMode) {
  for (Domain domain : {Domain::Triangles, Domain::Quads})
    for (const Levels &levels : manyLevels(20)) {
      TessellatedPatch clockwise = run(domain, Spacing::FractionalOdd, levels);
      TessellatedPatch other = run(domain, Spacing::FractionalOdd, levels, Output::OtherTriangles);
      ASSERT_EQ(clockwise.points, other.points);
      ASSERT_EQ(clockwise.count(), other.count());
      for (size_t k = 0; k < clockwise.count(); ++k) {
        ASSERT_GE(areaOf(clockwise, k), 0);
        ASSERT_EQ(areaOf(clockwise, k), -areaOf(other, k));
      }
      TessellatedPatch points = run(domain, Spacing::FractionalOdd, levels, Output::Points);
      EXPECT_EQ(points.verticesPerPrimitive, 1u);
      ASSERT_EQ(points.points, clockwise.points);
      ASSERT_EQ(points.count(), points.points.size());
      EXPECT_EQ(std::set<uint32_t>(points.indices.begin(), points.indices.end()).size(),
                points.count());
    }
}

TEST(Tessellator, ReplacesWhatThePatchHeld) {
  Levels levels = {.outer = {5, 3.5f, 2, 8}, .inner = {6, 7}};
  TessellatedPatch fresh = run(Domain::Quads, Spacing::Equal, levels);
  TessellatedPatch reused = run(Domain::Isolines, Spacing::Equal, {}, Output::Points);
  tessellate({.domain = Domain::Quads}, levels, reused);
  EXPECT_EQ(reused.points, fresh.points);
  EXPECT_EQ(reused.indices, fresh.indices);
  EXPECT_EQ(reused.verticesPerPrimitive, 3u);
}

TEST(Tessellator, CoordinatesAreExactFloats) {
  EXPECT_EQ((DomainPoint{domainUnits, 0}).coordinates(), (std::array<float, 2>{1, 0}));
  for (Spacing spacing : spacings)
    for (DomainPoint p :
         run(Domain::Triangles, spacing, {.outer = {3, 7.3f, 63}, .inner = {11.7f, 1}}).points) {
      auto [u, v] = p.coordinates();
      EXPECT_EQ(1 - u - v, static_cast<float>(p.w()) / domainUnits);
      EXPECT_EQ(1 - (1 - u), u);
    }
}

} // namespace
