# SPDX-License-Identifier: MIT
"""The shaders of random_ray_pipelines.py."""

COMMON = """#version 460
#extension GL_EXT_ray_tracing : require
struct Found { uint type, instance, custom, geometry, primitive, front, sbt, sound; float t; vec2 weights; };
"""

HIT = COMMON + """layout(location = 0) rayPayloadInEXT Found found;
layout(shaderRecordEXT) buffer Record { uint number; };

float apart(vec3 a, vec3 b) { return length(a - b) / (1 + length(a) + length(b)); }

// Do matrices and rays in the space of the instance belong together?
bool isSound() {
  vec3 origin = gl_WorldRayOriginEXT, direction = gl_WorldRayDirectionEXT;
  float worst = apart(gl_WorldToObjectEXT * vec4(origin, 1), gl_ObjectRayOriginEXT);
  worst = max(worst, apart(gl_WorldToObjectEXT * vec4(direction, 0), gl_ObjectRayDirectionEXT));
  worst = max(worst, apart(gl_ObjectToWorldEXT * vec4(gl_ObjectRayOriginEXT + gl_HitTEXT * gl_ObjectRayDirectionEXT, 1),
                           origin + gl_HitTEXT * direction));
  return worst < 1e-3;
}

void fill(uint type, bool front, vec2 weights) {
  found = Found(type, gl_InstanceID, gl_InstanceCustomIndexEXT, gl_GeometryIndexEXT, gl_PrimitiveID, uint(front),
                number - gl_GeometryIndexEXT, uint(isSound()), gl_HitTEXT, weights);
}
"""

SHADERS = "[rgen]\n" + COMMON + """#extension GL_EXT_ray_flags_primitive_culling : require
layout(primitive_culling);
struct Ray { vec4 origin; vec4 direction; uint flags, mask; uint pad0, pad1; };
layout(set = 0, binding = 0) uniform accelerationStructureEXT top;
layout(set = 0, binding = 1) readonly buffer Rays { Ray rays[]; };
layout(set = 0, binding = 2) buffer Numbers { uint numbers[]; };
layout(set = 0, binding = 3) buffer Distances { float distances[]; };
layout(location = 0) rayPayloadEXT Found found;

void main() {
  uint i = gl_LaunchIDEXT.x;
  Ray ray = rays[i];
  found = Found(99, 0, 0, 0, 0, 0, 0, 0, 0, vec2(0));
  traceRayEXT(top, ray.flags, ray.mask, 0, 1, 0, ray.origin.xyz, ray.origin.w, ray.direction.xyz, ray.direction.w, 0);
  if ((ray.flags & gl_RayFlagsTerminateOnFirstHitEXT) != 0)
    found = Found(min(found.type, 1), 0, 0, 0, 0, 0, 0, 0, 0, vec2(0));
  uint values[8] = uint[8](found.type, found.instance, found.custom, found.geometry, found.primitive, found.front,
                           found.sbt, found.sound);
  for (uint k = 0; k < 8; ++k)
    numbers[8 * i + k] = values[k];
  distances[3 * i] = found.t;
  distances[3 * i + 1] = found.weights.x;
  distances[3 * i + 2] = found.weights.y;
}
[rmiss]
""" + COMMON + """layout(location = 0) rayPayloadInEXT Found found;
void main() { found = Found(0, 0, 0, 0, 0, 0, 0, 0, 0, vec2(0)); }
[rahit]
""" + COMMON + """layout(location = 0) rayPayloadInEXT Found found;
hitAttributeEXT vec2 weights;
void main() {
  if ((gl_PrimitiveID * 7 + gl_GeometryIndexEXT * 3 + gl_InstanceID) % 4 == 0)
    ignoreIntersectionEXT;
}
[rchit]
""" + HIT + """hitAttributeEXT vec2 weights;
void main() { fill(1, gl_HitKindEXT == gl_HitKindFrontFacingTriangleEXT, weights); }
[rint]
""" + COMMON + """layout(set = 0, binding = 5) readonly buffer Boxes { vec4 boxes[]; };
void main() {
  uint name = gl_InstanceID << 16 | gl_GeometryIndexEXT << 8 | gl_PrimitiveID;
  uint box = 0;
  for (uint k = 0; k < boxes.length(); k += 2)
    if (floatBitsToUint(boxes[k].w) == name)
      box = k;
  vec3 low = boxes[box].xyz, high = boxes[box + 1].xyz, centre = (low + high) * 0.5;
  vec3 direction = gl_ObjectRayDirectionEXT;
  // Implementations may come here with boxes that are missed.
  vec3 a = (low - gl_ObjectRayOriginEXT) / direction, b = (high - gl_ObjectRayOriginEXT) / direction;
  vec3 entries = min(a, b), leaves = max(a, b);
  if (max(max(entries.x, entries.y), entries.z) <= min(min(leaves.x, leaves.y), leaves.z))
    reportIntersectionEXT(dot(centre - gl_ObjectRayOriginEXT, direction) / dot(direction, direction), 5);
}
[rchit boxhit]
""" + HIT + """void main() { fill(2, gl_HitKindEXT != 5, vec2(0)); }
"""
