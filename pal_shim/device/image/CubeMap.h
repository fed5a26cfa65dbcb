//===- CubeMap.h - faces of cube maps --------------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Faces are +x -x +y -y +z -z; s and t run as in Vulkan "Cube Map Face Selection".
#pragma once

#include "pal_shim/device/image/ImageResource.h"

namespace pal::device {

struct Direction {
  float x, y, z;
};

/// Direction through (s, t), each -1 .. 1 inside the face.
Direction cubeDirection(unsigned face, float s, float t);
/// Where the direction meets the plane of \p face: s and t in -1 .. 1 inside the face. False if it
/// goes the other way.
bool projectOnFace(unsigned face, const Direction &direction, float &s, float &t);
/// The face that the direction hits.
unsigned majorFace(const Direction &direction);
/// Moves a texel that lies one row or column beyond its face to the face there.
void moveToNeighbourFace(TexelPosition &p, int32_t size);

} // namespace pal::device
