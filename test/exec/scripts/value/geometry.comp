// SPDX-License-Identifier: MIT
// Geometric functions of numbers whose results are known: Pythagorean quadruples, axes, a ray that
// is refracted and one that is totally reflected. Vulkan derives their precision from division and
// square roots, of 2.5 and 3 ulp, so a few ulp are allowed.
//! requires shaderFloat16 shaderFloat64 storageBuffer16BitAccess
//! foreach T f16 f32 f64
//! buffer 0.0 ${T} : 3 4 12 0.5 -0.75 2
//! buffer 0.1 ${T} : 7*42
//! expect 0.1 ${T} ~ulp=8 : 13 5 13 13 5 1
//! ... 0.23076923076923078 0.3076923076923077 0.92307692307692313 0.59999999999999998 0.80000000000000004
//! ... 20 18 -11 0 0 1
//! ... 3 4 -12 3 -4 12 -3 4 12
//! ... 0.375 0 -0.92702481088695787 0 0 0 0.75 0 -0.66143782776614768
//! ... 3 4 12 -3 -4 -12 18
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define f16 float16_t
#define f32 float
#define f64 double
#define f16v2 f16vec2
#define f16v3 f16vec3
#define f16v4 f16vec4
#define f32v2 vec2
#define f32v3 vec3
#define f32v4 vec4
#define f64v2 dvec2
#define f64v3 dvec3
#define f64v4 dvec4
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) readonly buffer X { ${T} x[]; };
layout(set = 0, binding = 1) buffer R { ${T} r[]; };
uint at = 0;
void put(${T} v) { r[at++] = v; }
void put(${T}v2 v) { put(v.x); put(v.y); }
void put(${T}v3 v) { put(v.x); put(v.y); put(v.z); }
void main() {
  ${T}v3 v = ${T}v3(x[0], x[1], x[2]), z = ${T}v3(0, 0, 1);
  put(length(v));
  put(length(v.xy));
  put(length(${T}v4(v, 0)));
  put(distance(v + z * x[5], ${T}v3(0, 0, 2)));
  put(distance(v.xy, ${T}v2(0)));
  put(length(${T}(x[3] * x[5])));
  put(normalize(v));
  put(normalize(v.xy));
  // (3,4,12) x (0.5,-0.75,2): 4*2 + 12*0.75 = 17; 12*0.5 - 3*2 = 0; -2.25 - 2 = -4.25
  ${T}v3 c = cross(v, ${T}v3(x[3], x[4], x[5]));
  put(c + ${T}v3(3, 18, -6.75));
  put(cross(${T}v3(1, 0, 0) * x[5], ${T}v3(0, 1, 0) * x[3]));
  put(reflect(v, z));
  put(reflect(v, z.xzy));
  put(reflect(v, z.zxy));
  // cos = sqrt(7)/4 of the incoming ray; eta 1/2, 2 and 1.
  ${T}v3 ray = ${T}v3(-x[4], 0, -0.66143782776614768LF);
  put(refract(ray, z, x[3]));
  put(refract(ray, z, x[5]));
  put(refract(ray, z, ${T}(1)));
  put(faceforward(v, -z, v));
  put(faceforward(v, z, v));
  put(dot(v, ${T}v3(x[5], ${T}(-3), x[5])));
}
