//===- CubeMap.cpp - faces of cube maps ------------------------------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/image/CubeMap.h"
#include <cmath>

namespace pal::device {

Direction cubeDirection(unsigned face, float s, float t) {
  switch (face) {
  case 0:
    return {1, -t, -s};
  case 1:
    return {-1, -t, s};
  case 2:
    return {s, 1, t};
  case 3:
    return {s, -1, -t};
  case 4:
    return {s, -t, 1};
  default:
    return {-s, -t, -1};
  }
}

bool projectOnFace(unsigned face, const Direction &d, float &s, float &t) {
  float major = face < 2 ? d.x : face < 4 ? d.y : d.z;
  if (face & 1)
    major = -major;
  if (!(major > 0))
    return false;
  float sc = face == 0 ? -d.z : face == 1 ? d.z : face == 5 ? -d.x : d.x;
  float tc = face == 2 ? d.z : face == 3 ? -d.z : -d.y;
  s = sc / major;
  t = tc / major;
  return true;
}

unsigned majorFace(const Direction &d) {
  float x = std::fabs(d.x), y = std::fabs(d.y), z = std::fabs(d.z);
  if (z >= x && z >= y)
    return d.z < 0 ? 5 : 4;
  if (y >= x)
    return d.y < 0 ? 3 : 2;
  return d.x < 0 ? 1 : 0;
}

void moveToNeighbourFace(TexelPosition &p, int32_t size) {
  unsigned face = unsigned(p.slice) % 6;
  auto centre = [&](int32_t i) { return (2 * float(i) + 1) / float(size) - 1; };
  Direction direction = cubeDirection(face, centre(p.x), centre(p.y));
  unsigned neighbour = majorFace(direction);
  float s = 0, t = 0;
  projectOnFace(neighbour, direction, s, t);
  auto index = [&](float c) {
    return std::clamp(int32_t(std::floor((c + 1) * 0.5f * float(size))), 0, size - 1);
  };
  p.slice = p.slice - int32_t(face) + int32_t(neighbour);
  p.x = index(s);
  p.y = index(t);
}

} // namespace pal::device
