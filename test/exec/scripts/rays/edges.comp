// Rays that hit edges and vertices of meshes exactly: Vulkan, "Watertightness": neither missed nor hit twice.
// All coordinates are small multiples of powers of two, so nothing is rounded.
//! requires accelerationStructure rayQuery
//! skip lavapipe: it hits all triangles of an edge
// Two face the other way.
//! buffer square none f32 : 0 0 0 2 0 0 2 2 0  2 2 0 0 2 0 0 0 0  2 0 0 4 0 0 2 2 0  4 0 0 4 2 0 2 2 0
//! ... 0 2 0 2 2 0 0 4 0  2 2 0 0 4 0 2 4 0  2 2 0 4 2 0 4 4 0  2 2 0 4 4 0 2 4 0
//! buffer octahedron none f32 : 1 0 0 0 1 0 0 0 1  0 1 0 -1 0 0 0 0 1  -1 0 0 0 -1 0 0 0 1  0 -1 0 1 0 0 0 0 1
//! ... 0 1 0 1 0 0 0 0 -1  -1 0 0 0 1 0 0 0 -1  0 -1 0 -1 0 0 0 0 -1  1 0 0 0 -1 0 0 0 -1
//! accel square bottom
//! geometry triangles square 8
//! accel octahedron bottom
//! geometry triangles octahedron 8
//! accel top top
//! instance square mask=1
//! instance square mask=2 transform=0,0,1,0,1,0,0,0,0,1,0,0
//! instance square mask=4 transform=0,1,0,0,0,0,1,0,1,0,0,0
//! instance square mask=8 transform=0,1,0,0,1,0,0,0,0,0,1,0
//! instance octahedron mask=16
//! bind 0.0 accel top
//! buffer 0.1 u32 : 9*1568
//! buffer 0.2 u32 : 9*30
//! dispatch 25
// 49 points of a square, 8 directions, 4 ways to lie in space: one triangle.
//! expect 0.1 u32 : 1*1568
// From above and below: a face, an edge and a vertex, through which the ray comes in, and so again where it leaves; then
// the four edges and two vertices of the outline, where it comes in and out or passes by; what is beside it.
//! expect 0.2 u32 : 2 2 2 2 2 2 2 2 0 0 0 0 0 0 0  2 2 2 2 2 2 2 2 0 0 0 0 0 0 0
#version 460
#extension GL_EXT_ray_query : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform accelerationStructureEXT top;
layout(set = 0, binding = 1) buffer Squares { uint squares[]; };
layout(set = 0, binding = 2) buffer Octahedron { uint octahedron[]; };

const vec2 slants[8] = vec2[8](vec2(0, 0), vec2(1, 0), vec2(0, -1), vec2(-1, 1), vec2(0.5, -2), vec2(-2, -0.25),
                               vec2(4, 0.5), vec2(-0.5, 8));
const vec2 places[15] = vec2[15](vec2(0.25, 0.25), vec2(-0.5, 0.25), vec2(0.5, 0), vec2(0, 0.5), vec2(-0.25, 0), vec2(0, -0.75),
                                 vec2(0, 0), vec2(0.125, -0.5), vec2(0.5, 0.5), vec2(-0.25, 0.75), vec2(0.75, -0.25),
                                 vec2(-0.5, -0.5), vec2(1, 0), vec2(0, -1), vec2(0.75, 0.75));

uint hits(vec3 origin, vec3 direction, uint mask) {
  rayQueryEXT query;
  rayQueryInitializeEXT(query, top, gl_RayFlagsNoOpaqueEXT, mask, origin, 0, direction, 100);
  uint count = 0;
  while (rayQueryProceedEXT(query))
    ++count;
  return count;
}

vec3 turned(vec3 v, uint way) {
  return way == 0 ? v : way == 1 ? v.zxy : way == 2 ? v.yzx : v.yxz;
}

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < 1568) {
    uint way = i & 3, point = (i >> 2) % 49;
    vec2 slant = slants[(i >> 2) / 49];
    vec3 at = vec3(0.5 + 0.5 * (point % 7), 0.5 + 0.5 * (point / 7), 0);
    vec3 direction = vec3(slant, (point & 1) != 0 ? 1 : -1);
    squares[i] = hits(turned(at - 2 * direction, way), turned(direction, way), 1u << way);
  } else if (i - 1568 < 30) {
    uint k = i - 1568;
    float side = k < 15 ? 1 : -1;
    uint count = hits(vec3(places[k % 15], 4 * side), vec3(0, 0, -side), 16);
    octahedron[k] = k % 15 < 8 ? count : count == 2 ? 0 : count;
  }
}
