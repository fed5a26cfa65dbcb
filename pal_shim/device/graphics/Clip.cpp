//===- Clip.cpp - clipping of homogeneous primitives -----------------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/graphics/Clip.h"
#include <cmath>

using namespace llvm;

namespace pal::device {

ViewportTransform::ViewportTransform(const Viewport &viewport, bool negativeOneToOne) {
  double x = viewport.x, y = viewport.y, width = viewport.width, height = viewport.height;
  double nearZ = viewport.minDepth, farZ = viewport.maxDepth;
  scale = {width / 2, height / 2, farZ - nearZ};
  offset = {x + width / 2, y + height / 2, nearZ};
  if (negativeOneToOne) {
    scale[2] = (farZ - nearZ) / 2;
    offset[2] = (nearZ + farZ) / 2;
  }
  isValid = std::isfinite(scale[2]) && std::isfinite(offset[2]);
  for (double bound : {x, y, x + width, y + height})
    isValid &= std::abs(bound) <= maxViewportBound; // false for NaN
}

double ClipVolume::Plane::at(const ClipVertex &vertex) const {
  if (distance >= 0)
    return vertex.distances[distance];
  double sum = 0;
  for (unsigned k = 0; k < 4; ++k)
    sum += coefficients[k] * vertex.position[k];
  return sum;
}

ClipVolume::ClipVolume(const RasterState &state, const ViewportTransform &transform,
                       uint8_t clipMask) {
  if (state.depthClipEnable) {
    depthPlanes.push_back({{0, 0, 1, state.negativeOneToOne ? 1.0 : 0.0}});
    depthPlanes.push_back({{0, 0, -1, 1}});
  }
  for (unsigned axis = 0; axis < 2; ++axis) {
    for (unsigned side = 0; side < 2; ++side) {
      double sign = side ? -1 : 1;
      std::array<double, 4> view = {0, 0, 0, 1}, guard = {0, 0, 0, 0};
      view[axis] = sign;
      // sign * (scale * x / w + offset) + guardBand >= 0, multiplied by w
      guard[axis] = sign * transform.scale[axis];
      guard[3] = sign * transform.offset[axis] + guardBand;
      viewSides[axis * 2 + side] = {view};
      guardSides[axis * 2 + side] = {guard};
    }
  }
  for (int distance = 0; distance < 8; ++distance)
    if (clipMask & (1 << distance))
      userPlanes.push_back({{}, distance});
}

/// The point of an edge on the plane, from its distances there: one not negative, one negative.
static ClipVertex intersect(const ClipVertex &inside, const ClipVertex &outside,
                            double insideDistance, double outsideDistance) {
  double t = insideDistance / (insideDistance - outsideDistance);
  auto mix = [t](double from, double to) { return from + t * (to - from); };
  ClipVertex result;
  for (unsigned k = 0; k < 4; ++k)
    result.position[k] = mix(inside.position[k], outside.position[k]);
  result.i = mix(inside.i, outside.i);
  result.j = mix(inside.j, outside.j);
  for (unsigned k = 0; k < 8; ++k)
    result.distances[k] = mix(inside.distances[k], outside.distances[k]);
  result.isOriginal = false;
  return result;
}

/// One step of Sutherland and Hodgman. \p drawn: whether line mode draws the edge that the plane
/// makes.
template <typename Distance>
static bool clipAtPlane(ClipPolygon &polygon, Distance distance, bool drawn) {
  SmallVector<double, 16> at;
  bool anyInside = false, anyOutside = false;
  for (const ClipVertex &vertex : polygon) {
    at.push_back(distance(vertex));
    (at.back() >= 0 ? anyInside : anyOutside) = true;
  }
  if (!anyOutside || !anyInside)
    return anyInside;
  ClipPolygon result;
  for (size_t k = 0; k < polygon.size(); ++k) {
    size_t next = k + 1 == polygon.size() ? 0 : k + 1;
    bool isInside = at[k] >= 0, nextInside = at[next] >= 0;
    if (isInside)
      result.push_back(polygon[k]);
    if (isInside == nextInside)
      continue;
    result.push_back(isInside ? intersect(polygon[k], polygon[next], at[k], at[next])
                              : intersect(polygon[next], polygon[k], at[next], at[k]));
    result.back().drawsEdge = isInside ? drawn : polygon[k].drawsEdge;
  }
  polygon = std::move(result);
  return true;
}

bool ClipVolume::isOutsideOneSide(const ClipPolygon &polygon) const {
  for (const Plane &plane : viewSides) {
    bool allOutside = true;
    for (const ClipVertex &vertex : polygon)
      allOutside &= plane.at(vertex) < 0;
    if (allOutside)
      return true;
  }
  return false;
}

bool ClipVolume::clipPolygon(ClipPolygon &polygon, ClipSides sides) const {
  if (isOutsideOneSide(polygon))
    return false;
  auto clip = [&polygon](const Plane &plane, bool drawn) {
    return clipAtPlane(polygon, [&](const ClipVertex &vertex) { return plane.at(vertex); }, drawn);
  };
  for (const Plane &plane : depthPlanes)
    if (!clip(plane, false))
      return false;
  auto aboveMinW = [](const ClipVertex &vertex) { return vertex.position[3] - minW; };
  if (!clipAtPlane(polygon, aboveMinW, false))
    return false;
  for (const Plane &plane : sides == ClipSides::GuardBand ? guardSides : viewSides)
    if (!clip(plane, false))
      return false;
  // The edge along a plane of the user closes the outline; that along the view volume does not.
  for (const Plane &plane : userPlanes)
    if (!clip(plane, true))
      return false;
  return true;
}

static bool clipLineAt(ClipVertex &a, ClipVertex &b, double atA, double atB) {
  if (atA < 0 && atB < 0)
    return false;
  if (atA < 0)
    a = intersect(b, a, atB, atA);
  else if (atB < 0)
    b = intersect(a, b, atA, atB);
  return true;
}

bool ClipVolume::clipLine(ClipVertex &a, ClipVertex &b) const {
  auto clip = [&](const Plane &plane) { return clipLineAt(a, b, plane.at(a), plane.at(b)); };
  for (const Plane &plane : depthPlanes)
    if (!clip(plane))
      return false;
  if (!clipLineAt(a, b, a.position[3] - minW, b.position[3] - minW))
    return false;
  for (const Plane &plane : guardSides)
    if (!clip(plane))
      return false;
  for (const Plane &plane : userPlanes)
    if (!clip(plane))
      return false;
  return true;
}

bool ClipVolume::containsPoint(const ClipVertex &vertex) const {
  bool isInside = vertex.position[3] >= minW;
  for (const Plane &plane : depthPlanes)
    isInside &= plane.at(vertex) >= 0;
  for (const Plane &plane : viewSides)
    isInside &= plane.at(vertex) >= 0;
  for (const Plane &plane : userPlanes)
    isInside &= plane.at(vertex) >= 0;
  return isInside;
}

} // namespace pal::device
