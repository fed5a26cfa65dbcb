// SPDX-License-Identifier: MIT
// Keys of leaves: Morton codes of 30 bits. Inactive leaves come last.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "common.glsl"
layout(local_size_x = 256) in;

/// Two zeros between all of the lowest ten bits.
uint spread(uint value) {
  value = (value | value << 16) & 0x030000FFu;
  value = (value | value << 8) & 0x0300F00Fu;
  value = (value | value << 4) & 0x030C30C3u;
  return (value | value << 2) & 0x09249249u;
}

void main() {
  uint leaf = gl_GlobalInvocationID.x;
  if (leaf >= args.leafCount)
    return;
  Bounds bounds = loadBounds(leafBoundsAt(leaf));
  uint key = inactiveKey;
  if (!hasNan(bounds.low)) {
    vec3 low, high;
    for (uint axis = 0; axis < 3; ++axis) {
      low[axis] = unordered(load(args.scratch + stateMinimum + 4 * axis));
      high[axis] = unordered(load(args.scratch + stateMaximum + 4 * axis));
    }
    // Halves: the size of the scene may be infinite.
    vec3 size = high * 0.5 - low * 0.5;
    float extent = max(max(size.x, size.y), size.z);
    vec3 place = (bounds.low * 0.5 + bounds.high * 0.5) * 0.5 - low * 0.5;
    vec3 scaled = extent > 0 ? place / extent * 1024.0 : vec3(0);
    uvec3 cell = uvec3(clamp(scaled, vec3(0), vec3(1023)));
    key = spread(cell.x) << 2 | spread(cell.y) << 1 | spread(cell.z);
  }
  store2(pairAt(leaf), uvec2(key, leaf));
}
