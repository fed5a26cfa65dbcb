//===- Scene.h - what the picture shows, as numbers -----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The mesh of a trefoil knot that stands on a square of ground, and the camera and the light.
/// Plain arithmetic: nothing here knows of Vulkan but the conventions of its clip space.
#ifndef TREFOIL_SCENE_H
#define TREFOIL_SCENE_H
#include <array>
#include <cstdint>
#include <vector>

/// Right-handed, y up; the ground is y = 0. The knot is about 6 wide.
using Vec3 = std::array<float, 3>;
/// Four columns.
using Mat4 = std::array<std::array<float, 4>, 4>;

struct Vertex {
  Vec3 position;
  Vec3 normal;
  std::array<float, 2> coordinate; ///< knot: along and around, 0 to 1; ground: squares
};

/// Triangles, counterclockwise from outside; the ground comes after the knot.
struct Mesh {
  std::vector<Vertex> vertices;
  std::vector<uint16_t> indices;
  uint32_t knotIndices;
};

Mesh makeMesh();

/// The uniform block of the shaders (std140).
struct SceneBlock {
  Mat4 camera;
  Mat4 light;
  std::array<float, 4> eye;
  std::array<float, 4> toLight;
  std::array<float, 4> fog; ///< linear colour, and density
};

/// \p aspect is width over height.
SceneBlock makeSceneBlock(float aspect);

#endif
