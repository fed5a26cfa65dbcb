//===- RasterPlanes.cpp - what varies over a primitive ---------------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/graphics/RasterPlanes.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace pal::device {

ScreenVertex toScreen(const ClipVertex &vertex, const ViewportTransform &transform,
                      bool isClipped) {
  // Clipping huge numbers leaves rounding errors that may be anything.
  double w = isClipped ? std::max(vertex.position[3], minW) : vertex.position[3];
  std::array<double, 3> place = transform.apply(vertex.position, w);
  for (unsigned axis = 0; isClipped && axis < 2; ++axis)
    place[axis] = std::clamp(place[axis], -guardBand, guardBand);
  return {.x = place[0],
          .y = place[1],
          .z = place[2],
          .inverseW = 1 / w,
          .i = vertex.i,
          .j = vertex.j,
          .linearI = vertex.i,
          .linearJ = vertex.j};
}

static Plane scaled(const Plane &plane, double factor) {
  return {plane.c * factor, plane.dx * factor, plane.dy * factor};
}
static Plane sum(const Plane &a, const Plane &b) { return {a.c + b.c, a.dx + b.dx, a.dy + b.dy}; }
static bool isFinite(const Plane &plane) {
  return std::isfinite(plane.c) && std::isfinite(plane.dx) && std::isfinite(plane.dy);
}

/// From the values at three vertices and the weights of the latter two. What is equal at all three
/// stays exactly equal.
static Plane blend(double value0, double value1, double value2, const Plane &weight1,
                   const Plane &weight2) {
  Plane result = sum(scaled(weight1, value1 - value0), scaled(weight2, value2 - value0));
  result.c += value0;
  return result;
}

namespace {
/// Weights of the second and third of three points, linear in the framebuffer.
struct Weights {
  Plane second, third;
};
} // namespace

static Weights weightsOf(const ScreenVertex &a, const ScreenVertex &b, const ScreenVertex &c) {
  double bx = b.x - a.x, by = b.y - a.y, cx = c.x - a.x, cy = c.y - a.y;
  double area = bx * cy - cx * by;
  Plane second{0, cy / area, -cx / area}, third{0, -by / area, bx / area};
  second.c = -(second.dx * a.x + second.dy * a.y);
  third.c = -(third.dx * a.x + third.dy * a.y);
  return {second, third};
}

/// All vertices are in front of the viewer: the weights in the framebuffer give everything.
static void setPlanesInFront(RasterPrimitive &primitive, ArrayRef<ScreenVertex> vertices) {
  const ScreenVertex &a = vertices[0], &b = vertices[1], &c = vertices[2];
  Weights weights = weightsOf(a, b, c);
  primitive.linearI = weights.second;
  primitive.linearJ = weights.third;
  primitive.inverseW = blend(a.inverseW, b.inverseW, c.inverseW, weights.second, weights.third);
  primitive.perspectiveI = scaled(weights.second, b.inverseW);
  primitive.perspectiveJ = scaled(weights.third, c.inverseW);
  primitive.depth = blend(a.z, b.z, c.z, weights.second, weights.third);
}

/// Cross product of the homogeneous framebuffer positions of two vertices: a plane that is 0 on
/// the line through both.
static Plane edgePlane(const std::array<double, 3> &p, const std::array<double, 3> &q) {
  return {.c = p[0] * q[1] - p[1] * q[0],
          .dx = p[1] * q[2] - p[2] * q[1],
          .dy = p[2] * q[0] - p[0] * q[2]};
}

/// Some vertex is beside or behind the viewer. weight / w of each vertex is the plane that is 0 at
/// the other two, also there (Olano and Greer, "Triangle Scan Conversion using 2D Homogeneous
/// Coordinates").
static void setPlanesBehind(RasterPrimitive &primitive, ArrayRef<ClipVertex> original,
                            const ScreenPolygon &polygon, const ViewportTransform &transform) {
  std::array<std::array<double, 3>, 3> places;
  for (unsigned k = 0; k < 3; ++k) {
    const std::array<double, 4> &position = original[k].position;
    for (unsigned axis = 0; axis < 2; ++axis)
      places[k][axis] =
          transform.scale[axis] * position[axis] + transform.offset[axis] * position[3];
    places[k][2] = position[3];
  }
  std::array<Plane, 3> weights;
  for (unsigned k = 0; k < 3; ++k)
    weights[k] = edgePlane(places[(k + 1) % 3], places[(k + 2) % 3]);
  double determinant =
      weights[0].dx * places[0][0] + weights[0].dy * places[0][1] + weights[0].c * places[0][2];
  Plane depth;
  for (unsigned k = 0; k < 3; ++k) {
    weights[k] = scaled(weights[k], 1 / determinant);
    primitive.inverseW = sum(primitive.inverseW, weights[k]);
    depth = sum(depth, scaled(weights[k], original[k].position[2] * transform.scale[2]));
  }
  depth.c += transform.offset[2];
  primitive.depth = depth;
  primitive.perspectiveI = weights[1];
  primitive.perspectiveJ = weights[2];

  // Through the projections of the original vertices, which are defined unless one is beside the
  // viewer; then through what clipping left.
  primitive.linearI = scaled(weights[1], original[1].position[3]);
  primitive.linearJ = scaled(weights[2], original[2].position[3]);
  bool isBeside = false;
  for (const ClipVertex &vertex : original)
    isBeside |= vertex.position[3] == 0;
  for (size_t k = 1; isBeside && k + 1 < polygon.size(); ++k) {
    const ScreenVertex &a = polygon[0], &b = polygon[k], &c = polygon[k + 1];
    Weights fan = weightsOf(a, b, c);
    primitive.linearI = blend(a.i, b.i, c.i, fan.second, fan.third);
    primitive.linearJ = blend(a.j, b.j, c.j, fan.second, fan.third);
    isBeside = !isFinite(primitive.linearI) || !isFinite(primitive.linearJ);
  }
}

bool setTrianglePlanes(RasterPrimitive &primitive, ArrayRef<ClipVertex> original,
                       const ScreenPolygon &polygon, const ViewportTransform &transform) {
  primitive.inverseW = {};
  bool allInFront = true;
  for (const ClipVertex &vertex : original)
    allInFront &= vertex.position[3] > 0;
  if (allInFront) {
    SmallVector<ScreenVertex, 3> vertices;
    for (const ClipVertex &vertex : original)
      vertices.push_back(toScreen(vertex, transform, false));
    setPlanesInFront(primitive, vertices);
  } else {
    setPlanesBehind(primitive, original, polygon, transform);
  }
  bool allFinite = true;
  for (const Plane *plane : {&primitive.perspectiveI, &primitive.perspectiveJ, &primitive.inverseW,
                             &primitive.linearI, &primitive.linearJ, &primitive.depth})
    allFinite &= isFinite(*plane);
  return allFinite;
}

void setLinePlanes(RasterPrimitive &primitive, const ScreenVertex &a, const ScreenVertex &b,
                   bool byMajorAxis) {
  double x = b.x - a.x, y = b.y - a.y;
  Plane t;
  if (byMajorAxis)
    t = std::abs(x) >= std::abs(y) ? Plane{0, 1 / x, 0} : Plane{0, 0, 1 / y};
  else
    t = {0, x / (x * x + y * y), y / (x * x + y * y)};
  if (!isFinite(t))
    t = {};
  t.c = -(t.dx * a.x + t.dy * a.y);
  auto along = [&t](double from, double to) {
    Plane plane = scaled(t, to - from);
    plane.c += from;
    return plane;
  };
  primitive.inverseW = along(a.inverseW, b.inverseW);
  primitive.perspectiveI = along(a.i * a.inverseW, b.i * b.inverseW);
  primitive.perspectiveJ = along(a.j * a.inverseW, b.j * b.inverseW);
  primitive.linearI = along(a.linearI, b.linearI);
  primitive.linearJ = along(a.linearJ, b.linearJ);
  primitive.depth = along(a.z, b.z);
}

void setConstantPlanes(RasterPrimitive &primitive, const ScreenVertex &vertex) {
  primitive.inverseW = {vertex.inverseW};
  primitive.perspectiveI = {vertex.i * vertex.inverseW};
  primitive.perspectiveJ = {vertex.j * vertex.inverseW};
  primitive.linearI = {vertex.linearI};
  primitive.linearJ = {vertex.linearJ};
  primitive.depth = {vertex.z};
}

/// What the constant of a depth bias is a multiple of (r in the specification).
static double biasUnit(DepthBiasUnit unit, formats::Format depthFormat, double maxDepth) {
  if (unit == DepthBiasUnit::One)
    return 1;
  const formats::FormatInfo &info = formats::formatInfo(depthFormat);
  if (info.kind != formats::NumberKind::Float)
    return std::ldexp(1.0, -int(info.bits[0]));
  constexpr int mantissaBits = 23, minExponent = -126;
  if (unit == DepthBiasUnit::Unorm)
    return std::ldexp(1.0, -(mantissaBits + 1));
  int exponent = minExponent;
  if (maxDepth > 0)
    exponent = std::max(std::ilogb(maxDepth), minExponent);
  return std::ldexp(1.0, exponent - mantissaBits);
}

double depthBias(const RasterState &state, formats::Format depthFormat, const Plane &depth,
                 double maxDepth) {
  if (!state.depthBiasEnable || depthFormat == formats::Format::Undefined)
    return 0;
  double slope = std::max(std::abs(depth.dx), std::abs(depth.dy));
  double bias = slope * state.depthBiasSlope +
                biasUnit(state.depthBiasUnit, depthFormat, maxDepth) * state.depthBiasConstant;
  double clamp = state.depthBiasClamp;
  if (clamp > 0)
    return std::min(bias, clamp);
  return clamp < 0 ? std::max(bias, clamp) : bias;
}

} // namespace pal::device
