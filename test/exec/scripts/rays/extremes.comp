// Directions as long and as short as floats have them, and triangles so small or large that products of their
// coordinates are not in range. Everything is 16 units of the triangle away.
//! requires accelerationStructure rayQuery
//! buffer unit none f32 : 0 0 0 1 0 0 0 1 0
//! buffer small none f32 : 0 0 0 8.470329472543003e-22 0 0 0 8.470329472543003e-22 0
//! buffer large none f32 : 0 0 0 1.152921504606847e18 0 0 0 1.152921504606847e18 0
//! buffer box none f32 : 0 0 0 1 1 1
//! accel unit bottom
//! geometry triangles unit 1 opaque=1
//! accel small bottom
//! geometry triangles small 1 opaque=1
//! accel large bottom
//! geometry triangles large 1 opaque=1
//! accel box bottom
//! geometry aabbs box 1
//! accel top top
//! instance unit mask=1
//! instance small mask=2
//! instance large mask=4
//! instance unit mask=8 transform=1e-18,0,0,0,0,1e-18,0,0,0,0,1e-18,0
//! instance box mask=16
//! bind 0.0 accel top
//! buffer 0.1 f32 : 9*72
//! dispatch 1
// Distance as a part of that, weights; of the box 1.
//! expect 0.1 f32 ~rel=1e-5 : 1 0.25 0.5 1 0.25 0.5 1 0.25 0.5 1 0.25 0.5 1 0.25 0.5 1 0.25 0.5
//! ... 1 0.25 0.5 1 0.25 0.5 1 0.25 0.5 1 0.25 0.5 1 0.25 0.5 1 0.25 0.5
//! ... 1 0.25 0.5 1 0.25 0.5 1 0.25 0.5 1 0.25 0.5
// Ranges that end before the triangle, or begin behind it.
//! ... 0 0 0 0 0 0 0 0 0 0 0 0
//! ... 1 0 0 1 0 0 1 0 0 1 0 0
#version 460
#extension GL_EXT_ray_query : require
layout(local_size_x = 24) in;
layout(set = 0, binding = 0) uniform accelerationStructureEXT top;
layout(set = 0, binding = 1) buffer Result { float results[]; };

// Its direction's length, the triangle's size, the distance; from what part of that the ray goes to what part.
struct Case { float lengthOfDirection, size, at, from, to; uint mask; };
const Case cases[24] = Case[24](
    // 1.5 * 2^126, 2^127, 2^100, 1, 2^-100, 2^-120
    Case(1.276058875953519e38, 1, 1.2538606408771068e-37, 0.0, 1.25, 1),
    Case(1.7014118346046923e38, 1, 9.4039548065783e-38, 0.0, 1.25, 1),
    Case(1.2676506002282294e30, 1, 1.262177448353619e-29, 0.0, 1.25, 1),
    Case(1, 1, 16.0, 0.0, 1.25, 1),
    Case(7.888609052210118e-31, 1, 2.028240960365167e+31, 0.0, 1.25, 1),
    Case(7.52316384526264e-37, 1, 2.1267647932558654e+37, 0.0, 1.25, 1),
    Case(1, 8.470329472543003e-22, 1.3552527156068805e-20, 0.0, 1.25, 2),
    Case(1.1258999068426240e15, 8.470329472543003e-22, 1.2037062152420224e-35, 0.0, 1.25, 2),
    Case(7.888609052210118e-31, 8.470329472543003e-22, 17179869184.0, 0.0, 1.25, 2),
    Case(1, 1.152921504606847e18, 1.8446744073709552e+19, 0.0, 1.25, 4),
    Case(1.7014118346046923e38, 1.152921504606847e18, 1.0842021724855044e-19, 0.0, 1.25, 4),
    Case(8.673617379884035e-19, 1.152921504606847e18, 2.1267647932558654e+37, 0.0, 1.25, 4),
    Case(1, 1e-18, 1.6e-17, 0.0, 1.25, 8),
    Case(1.1258999068426240e15, 1e-18, 1.4210854715202005e-32, 0.0, 1.25, 8),
    Case(8.673617379884035e-19, 1e-18, 18.446744073709553, 0.0, 1.25, 8),
    Case(7.888609052210118e-31, 1e-18, 20282409603651.67, 0.0, 1.25, 8),
    Case(1.276058875953519e38, 1, 1.2538606408771068e-37, 0.0, 0.9375, 1),
    Case(1.276058875953519e38, 1, 1.2538606408771068e-37, 1.0625, 1.25, 1),
    Case(7.52316384526264e-37, 1, 2.1267647932558654e+37, 0.0, 0.9375, 1),
    Case(7.888609052210118e-31, 8.470329472543003e-22, 17179869184.0, 1.0625, 1.25, 2),
    Case(1.276058875953519e38, 1, 1.2538606408771068e-37, 0.0, 1.25, 16),
    Case(1.7014118346046923e38, 1, 9.4039548065783e-38, 0.0, 1.25, 16),
    Case(1, 1, 16.0, 0.0, 1.25, 16),
    Case(7.52316384526264e-37, 1, 2.1267647932558654e+37, 0.0, 1.25, 16));

void main() {
  uint i = gl_LocalInvocationIndex;
  Case c = cases[i];
  const vec3 way = vec3(0.5, -0.25, -1);
  vec3 origin = (vec3(0.25, 0.5, 0) - 16 * way) * c.size;
  rayQueryEXT query;
  rayQueryInitializeEXT(query, top, 0, c.mask, origin, c.from * c.at,
                        way * c.lengthOfDirection, c.to * c.at);
  uint candidates = 0;
  while (rayQueryProceedEXT(query))
    ++candidates;
  vec3 found = vec3(candidates, 0, 0);
  if (rayQueryGetIntersectionTypeEXT(query, true) == gl_RayQueryCommittedIntersectionTriangleEXT)
    found = vec3(rayQueryGetIntersectionTEXT(query, true) / c.at,
                 rayQueryGetIntersectionBarycentricsEXT(query, true));
  for (uint k = 0; k < 3; ++k)
    results[3 * i + k] = found[k];
}
