# SPDX-License-Identifier: MIT
"""The shader of random_rays.py."""

SHADER = """#version 460
#extension GL_EXT_ray_query : require
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_spirv_intrinsics : require
layout(local_size_x = 64) in;
// GL_EXT_ray_tracing_position_fetch, which not every compiler knows.
spirv_instruction(extensions = ["SPV_KHR_ray_tracing_position_fetch"], capabilities = [5391], id = 5340)
vec3[3] positions(spirv_by_reference rayQueryEXT query, int committed);
struct Ray { vec4 origin; vec4 direction; uint flags, mask; uint pad0, pad1; };
#if BUILT
layout(set = 0, binding = 0) uniform accelerationStructureEXT top;
#else
layout(set = 0, binding = 0) buffer Places { uvec2 structure; uint state; };
layout(set = 0, binding = 4) buffer Words { uint words[]; };
#define top accelerationStructureEXT(structure)
#endif
layout(set = 0, binding = 1) readonly buffer Rays { Ray rays[]; };
layout(set = 0, binding = 2) buffer Numbers { uint numbers[]; };
layout(set = 0, binding = 3) buffer Distances { float distances[]; };
layout(set = 0, binding = 5) readonly buffer Boxes { vec4 boxes[]; };

#if !BUILT
// Places of structures in instances, from the start of the buffer on, become addresses.
void addAddresses() {
  uvec2 base = uvec2(structure.x >> 3 | structure.y << 29, structure.y >> 3);
  for (uint i = 0; i < INSTANCES; ++i) {
    uint at = (PLACE + i * STEP) / 4;
    uint carry;
    words[at] = uaddCarry(words[at], base.x, carry);
    words[at + 1] = base.y + carry;
  }
}
#endif

float apart(vec3 a, vec3 b) { return length(a - b) / (1 + length(a) + length(b)); }

// How far matrices, rays in the space of the instance, positions and weights are from belonging together.
float contradiction(rayQueryEXT query, vec3 origin, vec3 direction) {
  mat4x3 toWorld = rayQueryGetIntersectionObjectToWorldEXT(query, true);
  mat4x3 toObject = rayQueryGetIntersectionWorldToObjectEXT(query, true);
  vec3 localOrigin = rayQueryGetIntersectionObjectRayOriginEXT(query, true);
  vec3 localDirection = rayQueryGetIntersectionObjectRayDirectionEXT(query, true);
  float t = rayQueryGetIntersectionTEXT(query, true);
  float worst = apart(toObject * vec4(origin, 1), localOrigin);
  worst = max(worst, apart(toObject * vec4(direction, 0), localDirection));
  worst = max(worst, apart(toWorld * vec4(localOrigin + t * localDirection, 1), origin + t * direction));
  worst = max(worst, apart(rayQueryGetWorldRayOriginEXT(query), origin));
  worst = max(worst, apart(rayQueryGetWorldRayDirectionEXT(query), direction));
  if (rayQueryGetIntersectionTypeEXT(query, true) == gl_RayQueryCommittedIntersectionTriangleEXT) {
    vec3 v[3] = positions(query, 1);
    vec2 weights = rayQueryGetIntersectionBarycentricsEXT(query, true);
    vec3 point = v[0] * (1 - weights.x - weights.y) + v[1] * weights.x + v[2] * weights.y;
    worst = max(worst, apart(point, localOrigin + t * localDirection));
  }
  return worst;
}

void main() {
  uint i = gl_GlobalInvocationID.x;
#if !BUILT
  if (gl_WorkGroupID.x >= 1000) {
    if (gl_LocalInvocationIndex == 0)
      addAddresses();
    return;
  }
#endif
  if (i >= rays.length())
    return;
  Ray ray = rays[i];
  rayQueryEXT query;
  rayQueryInitializeEXT(query, top, ray.flags, ray.mask, ray.origin.xyz, ray.origin.w,
                        ray.direction.xyz, ray.direction.w);
  while (rayQueryProceedEXT(query)) {
    uint instance = rayQueryGetIntersectionInstanceIdEXT(query, false);
    uint geometry = rayQueryGetIntersectionGeometryIndexEXT(query, false);
    uint primitive = rayQueryGetIntersectionPrimitiveIndexEXT(query, false);
    if (rayQueryGetIntersectionTypeEXT(query, false) == gl_RayQueryCandidateIntersectionTriangleEXT) {
      if ((primitive * 7 + geometry * 3 + instance) % 4 != 0)
        rayQueryConfirmIntersectionEXT(query);
    } else {
      uint box = 0;
      for (uint k = 0; k < boxes.length(); k += 2)
        if (floatBitsToUint(boxes[k].w) == (instance << 16 | geometry << 8 | primitive))
          box = k;
      vec3 centre = (boxes[box].xyz + boxes[box + 1].xyz) * 0.5;
      vec3 origin = rayQueryGetIntersectionObjectRayOriginEXT(query, false);
      vec3 direction = rayQueryGetIntersectionObjectRayDirectionEXT(query, false);
      float t = dot(centre - origin, direction) / dot(direction, direction);
      if (t >= rayQueryGetRayTMinEXT(query) && t <= rayQueryGetIntersectionTEXT(query, true))
        rayQueryGenerateIntersectionEXT(query, t);
    }
  }
  uint type = rayQueryGetIntersectionTypeEXT(query, true);
  bool first = (rayQueryGetRayFlagsEXT(query) & gl_RayFlagsTerminateOnFirstHitEXT) != 0;
  for (uint k = 0; k < 8; ++k)
    numbers[8 * i + k] = 0;
  for (uint k = 0; k < 3; ++k)
    distances[3 * i + k] = 0;
  numbers[8 * i] = first ? min(type, 1u) : type;
  if (type == 0 || first)
    return;
  numbers[8 * i + 1] = rayQueryGetIntersectionInstanceIdEXT(query, true);
  numbers[8 * i + 2] = rayQueryGetIntersectionInstanceCustomIndexEXT(query, true);
  numbers[8 * i + 3] = rayQueryGetIntersectionGeometryIndexEXT(query, true);
  numbers[8 * i + 4] = rayQueryGetIntersectionPrimitiveIndexEXT(query, true);
  numbers[8 * i + 6] = rayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetEXT(query, true);
  numbers[8 * i + 7] = uint(contradiction(query, ray.origin.xyz, ray.direction.xyz) < 1e-3);
  distances[3 * i] = rayQueryGetIntersectionTEXT(query, true);
  if (type != gl_RayQueryCommittedIntersectionTriangleEXT)
    return;
  numbers[8 * i + 5] = uint(rayQueryGetIntersectionFrontFaceEXT(query, true));
  vec2 weights = rayQueryGetIntersectionBarycentricsEXT(query, true);
  distances[3 * i + 1] = weights.x;
  distances[3 * i + 2] = weights.y;
}
"""
