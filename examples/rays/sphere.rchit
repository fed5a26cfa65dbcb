// SPDX-License-Identifier: MIT
// A sphere: its colour, with a reflection that is the stronger the flatter the ray comes.
#version 460
#extension GL_EXT_ray_tracing : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_GOOGLE_include_directive : require
#include "scene.glsl"
layout(shaderRecordEXT, scalar) buffer Record {
  vec3 colour;
  float mirror;
};
layout(location = 0) rayPayloadInEXT Seen seen;
layout(location = 1) rayPayloadEXT float light;
layout(location = 2) rayPayloadEXT Seen reflected;
hitAttributeEXT vec3 normal;

void main() {
  const vec3 n = normalize(vec3(normal * gl_WorldToObjectEXT));
  const vec3 d = gl_WorldRayDirectionEXT;
  const vec3 place = gl_WorldRayOriginEXT + gl_HitTEXT * d + n * 1e-3;
  light = 0;
  const float facing = dot(n, toLight);
  if (facing > 0)
    traceRayEXT(scene,
                gl_RayFlagsOpaqueEXT | gl_RayFlagsTerminateOnFirstHitEXT | gl_RayFlagsSkipClosestHitShaderEXT,
                0xff, 0, 0, 1, place, 0.0, toLight, 1000.0, 1);
  const float flat_ = pow(1 - abs(dot(n, d)), 5);
  reflected.colour = skyColour(reflect(d, n));
  reflected.reflections = seen.reflections - 1;
  if (seen.reflections > 0)
    traceRayEXT(scene, gl_RayFlagsOpaqueEXT, 0xff, 0, 0, 0, place, 0.0, reflect(d, n), 1000.0, 2);
  const vec3 matt = colour * (0.25 + 0.9 * light * max(facing, 0));
  const float shine = light * pow(max(dot(reflect(d, n), toLight), 0), 60);
  seen.colour = mix(matt, reflected.colour, mix(mirror, 1, flat_)) + shine;
}
