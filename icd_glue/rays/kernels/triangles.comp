// SPDX-License-Identifier: MIT
// Triangle nodes of a geometry, at their final places.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
#include "leaves.glsl"
layout(local_size_x = 256) in;

layout(buffer_reference, scalar, buffer_reference_align = 2) buffer Short { uint16_t value; };

uint loadShort(uint64_t address) { return uint(Short(address).value); }
float loadHalf(uint64_t address) { return unpackHalf2x16(loadShort(address)).x; }
float loadSnorm(uint64_t address) { return unpackSnorm2x16(loadShort(address)).x; }

uint indexOf(Range range, uint vertex) {
  if (args.indexBytes == 0)
    return vertex;
  uint64_t address = args.indices + range.offset + uint64_t(args.indexBytes) * vertex;
  if (args.indexBytes == 4)
    return load(address);
  return args.indexBytes == 2 ? loadShort(address) : uint(Byte(address).value);
}

vec3 vertexAt(uint64_t address) {
  switch (args.format) {
  case formatFloat2:
    return vec3(loadFloat(address), loadFloat(address + 4), 0);
  case formatHalf4:
    return vec3(loadHalf(address), loadHalf(address + 2), loadHalf(address + 4));
  case formatHalf2:
    return vec3(loadHalf(address), loadHalf(address + 2), 0);
  case formatSnorm16x4:
    return vec3(loadSnorm(address), loadSnorm(address + 2), loadSnorm(address + 4));
  case formatSnorm16x2:
    return vec3(loadSnorm(address), loadSnorm(address + 2), 0);
  default:
    return loadFloat3(address);
  }
}

void storeTriangle(uint64_t node, vec3 vertices[3], uint primitive) {
  if (isWide) {
    storeWidePrimitive(node, wideTriangleHead, widePairTriangle, vertices, primitive);
    return;
  }
  for (uint corner = 0; corner < 3; ++corner)
    storeFloat3(node + triangleVertices + 12 * corner, vertices[corner]);
  for (uint offset = 36; offset < leafBytes; offset += 4)
    store(node + offset, 0);
  storeLeafIds(node, primitive);
  store(node + triangleId,
        triangleIdPlain | ((args.geometry & geometryOpaque) != 0 ? triangleIdOpaque : 0));
}

void main() {
  Range range = geometryRange();
  uint primitive = gl_GlobalInvocationID.x;
  uint leaf = args.firstLeaf + primitive;
  bool exists = primitive < args.maxPrimitives;
  bool isActive = primitive < range.primitives;
  vec3 vertices[3] = vec3[3](vec3(noNumber), vec3(noNumber), vec3(noNumber));
  if (isActive) {
    // Without indices primitiveOffset is that of the vertices.
    uint64_t base = args.source + (args.indexBytes == 0 ? range.offset : 0);
    for (uint corner = 0; corner < 3; ++corner) {
      uint vertex = range.firstVertex + indexOf(range, primitive * 3 + corner);
      vertices[corner] = vertexAt(base + uint64_t(args.stride) * vertex);
    }
    if (args.transform != 0) {
      Transform transform = loadTransform(args.transform + range.transformOffset);
      for (uint corner = 0; corner < 3; ++corner)
        vertices[corner] = apply(transform, vertices[corner]);
    }
    for (uint corner = 0; corner < 3; ++corner)
      isActive = isActive && !hasNan(vertices[corner]);
  }
  Bounds bounds = Bounds(min(min(vertices[0], vertices[1]), vertices[2]),
                         max(max(vertices[0], vertices[1]), vertices[2]));
  uint64_t node;
  if (findLeaf(leaf, exists, node)) {
    if (!isActive)
      vertices = vec3[3](vec3(noNumber), vec3(noNumber), vec3(noNumber));
    storeTriangle(node, vertices, primitive);
  }
  finishLeaf(leaf, exists, isActive, bounds);
}
