// SPDX-License-Identifier: MIT
// The ground and what is of triangles: matt, in the colours of the record.
#version 460
#extension GL_EXT_ray_tracing : require
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_GOOGLE_include_directive : require
#include "scene.glsl"
layout(buffer_reference, scalar) readonly buffer Corners { vec3 corners[]; };
layout(shaderRecordEXT, scalar) buffer Record {
  Corners mesh;
  vec3 colour, otherColour; // of the squares of a chessboard
};
layout(location = 0) rayPayloadInEXT Seen seen;
layout(location = 1) rayPayloadEXT float light;
hitAttributeEXT vec2 weights;

void main() {
  const uint first = gl_PrimitiveID * 3;
  const vec3 a = mesh.corners[first], b = mesh.corners[first + 1], c = mesh.corners[first + 2];
  vec3 normal = normalize(gl_ObjectToWorldEXT * vec4(cross(b - a, c - a), 0));
  normal = faceforward(normal, gl_WorldRayDirectionEXT, normal);
  const vec3 place = gl_WorldRayOriginEXT + gl_HitTEXT * gl_WorldRayDirectionEXT;
  const ivec2 square = ivec2(floor(place.xz));
  light = 0;
  const float facing = dot(normal, toLight);
  if (facing > 0)
    traceRayEXT(scene,
                gl_RayFlagsOpaqueEXT | gl_RayFlagsTerminateOnFirstHitEXT | gl_RayFlagsSkipClosestHitShaderEXT,
                0xff, 0, 0, 1, place + normal * 1e-3, 0.0, toLight, 1000.0, 1);
  const vec3 own = ((square.x + square.y) & 1) == 0 ? colour : otherColour;
  const float far = 1 - exp(-0.02 * gl_HitTEXT);
  seen.colour = mix(own * (0.3 + 0.9 * light * max(facing, 0)), skyColour(gl_WorldRayDirectionEXT), far);
}
