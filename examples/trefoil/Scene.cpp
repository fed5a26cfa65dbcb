//===- Scene.cpp - what the picture shows, as numbers ---------------------===//
// SPDX-License-Identifier: MIT
#include "Scene.h"
#include <cmath>

namespace {

constexpr float pi = 3.14159265F;

// The knot winds twice around the axis of a torus and three times around its tube.
constexpr float torusRadius = 2, windingRadius = 0.95F, ropeRadius = 0.46F;
constexpr unsigned ringCount = 288, ringSize = 28;

Vec3 operator+(Vec3 a, Vec3 b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Vec3 operator-(Vec3 a, Vec3 b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Vec3 operator*(float s, Vec3 a) { return {s * a[0], s * a[1], s * a[2]}; }
float dot(Vec3 a, Vec3 b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vec3 normalize(Vec3 a) { return 1 / std::sqrt(dot(a, a)) * a; }
Vec3 cross(Vec3 a, Vec3 b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Mat4 operator*(const Mat4 &a, const Mat4 &b) {
  Mat4 product = {};
  for (unsigned column = 0; column < 4; ++column)
    for (unsigned row = 0; row < 4; ++row)
      for (unsigned i = 0; i < 4; ++i)
        product[column][row] += a[i][row] * b[column][i];
  return product;
}

/// The torus' normal where the knot is: away from the middle of the tube. One of the knot's three
/// loops points up, so that it stands on the other two.
Vec3 torusNormal(float t) {
  float angle = 2 * t + pi / 2;
  return {std::cos(3 * t) * std::cos(angle), std::cos(3 * t) * std::sin(angle), std::sin(3 * t)};
}

Vec3 knotPoint(float t) {
  float angle = 2 * t + pi / 2;
  return torusRadius * Vec3{std::cos(angle), std::sin(angle), 0} + windingRadius * torusNormal(t);
}

/// A ring of vertices around the curve. The normal of the torus is never along the curve, which
/// makes it one axis of the ring; the other is across both.
void addRing(Mesh &mesh, float t) {
  constexpr float step = 0.001F;
  Vec3 along = normalize(knotPoint(t + step) - knotPoint(t - step));
  Vec3 out = torusNormal(t), side = cross(along, out);
  for (unsigned i = 0; i <= ringSize; ++i) {
    float angle = 2 * pi * float(i) / ringSize;
    Vec3 normal = std::cos(angle) * out + std::sin(angle) * side;
    mesh.vertices.push_back(
        {knotPoint(t) + ropeRadius * normal, normal, {t / (2 * pi), float(i) / ringSize}});
  }
}

/// Turns the knot a little, and lifts it until it touches the ground.
void place(std::vector<Vertex> &vertices) {
  constexpr float turn = -0.35F;
  auto turned = [](Vec3 v) -> Vec3 {
    return {std::cos(turn) * v[0] + std::sin(turn) * v[2], v[1],
            std::cos(turn) * v[2] - std::sin(turn) * v[0]};
  };
  float lowest = 0;
  for (const Vertex &vertex : vertices)
    lowest = std::fmin(lowest, vertex.position[1]);
  for (Vertex &vertex : vertices) {
    vertex.position = turned(vertex.position - Vec3{0, lowest, 0});
    vertex.normal = turned(vertex.normal);
  }
}

void addQuad(Mesh &mesh, unsigned a, unsigned b, unsigned c, unsigned d) {
  for (unsigned index : {a, b, c, a, c, d})
    mesh.indices.push_back(uint16_t(index));
}

void addGround(Mesh &mesh) {
  constexpr float size = 80, squares = 0.4F; // half a pair of squares per unit
  unsigned first = unsigned(mesh.vertices.size());
  for (auto [x, z] : {std::array{-size, size}, {size, size}, {size, -size}, {-size, -size}})
    mesh.vertices.push_back({{x, 0, z}, {0, 1, 0}, {squares * x, squares * z}});
  addQuad(mesh, first, first + 1, first + 2, first + 3);
}

/// Rotates and moves: what is at \p eye comes to the origin, and \p target to the axis -z.
Mat4 lookAt(Vec3 eye, Vec3 target) {
  Vec3 back = normalize(eye - target), right = normalize(cross({0, 1, 0}, back));
  Vec3 up = cross(back, right);
  Mat4 view = {};
  for (unsigned i = 0; i < 3; ++i)
    view[i] = {right[i], up[i], back[i], 0};
  view[3] = {-dot(right, eye), -dot(up, eye), -dot(back, eye), 1};
  return view;
}

/// Vulkan's clip space: y goes down, z from 0 to 1.
Mat4 perspective(float height, float aspect, float near, float far) {
  Mat4 m = {};
  m[0][0] = 1 / (height * aspect);
  m[1][1] = -1 / height;
  m[2] = {0, 0, far / (near - far), -1};
  m[3][2] = near * far / (near - far);
  return m;
}

Mat4 orthographic(float halfSize, float far) {
  Mat4 m = {};
  m[0][0] = 1 / halfSize;
  m[1][1] = -1 / halfSize;
  m[2][2] = -1 / far;
  m[3][3] = 1;
  return m;
}

} // namespace

Mesh makeMesh() {
  Mesh mesh = {};
  for (unsigned ring = 0; ring <= ringCount; ++ring)
    addRing(mesh, 2 * pi * float(ring) / ringCount);
  place(mesh.vertices);
  for (unsigned ring = 0; ring < ringCount; ++ring)
    for (unsigned i = 0; i < ringSize; ++i) {
      unsigned here = ring * (ringSize + 1) + i, next = here + ringSize + 1;
      addQuad(mesh, here, here + 1, next + 1, next);
    }
  mesh.knotIndices = uint32_t(mesh.indices.size());
  addGround(mesh);
  return mesh;
}

SceneBlock makeSceneBlock(float aspect) {
  const Vec3 eye = {-1.2F, 4.6F, 12}, middle = {0, 2.7F, 0};
  const Vec3 toLight = normalize({-0.75F, 1, 0.45F});
  SceneBlock block = {};
  block.camera = perspective(0.35F, aspect, 1, 120) * lookAt(eye, {0.4F, 2.3F, 0});
  block.light = orthographic(4.4F, 20) * lookAt(middle + 10 * toLight, middle);
  block.eye = {eye[0], eye[1], eye[2], 1};
  block.toLight = {toLight[0], toLight[1], toLight[2], 0};
  block.fog = {0.045F, 0.062F, 0.12F, 0.0011F};
  return block;
}
