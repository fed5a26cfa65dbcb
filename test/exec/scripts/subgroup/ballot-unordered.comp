// SPDX-License-Identifier: MIT
// Ballots of ordered and unordered comparisons with numbers of which some are NaN.
//! requires shaderFloat64
//! subgroup 0 32 64
//! buffer 0.0 f32 : 1 2 3 nan 1 2 3 nan 1 2 3 nan 1 2 3 nan 1 2 3 nan 1 2 3 nan 1 2 3 nan 1 2 3 nan
//! ... 1 2 3 nan 1 2 3 nan 1 2 3 nan 1 2 3 nan 1 2 3 nan 1 2 3 nan 1 2 3 nan 1 2 3 nan
//! buffer 0.1 u32 : 0*512
//! expect 0.1 u32 : eval 512 { i / 64 == 0 ? (i % 4 == 0 || i % 4 == 2) : i / 64 == 1 ? (i % 4 == 0 || i % 4 == 2) :
//! ... i / 64 == 2 ? i % 4 != 1 : i / 64 == 3 ? (i % 4 == 0 || i % 4 == 2) : i / 64 == 4 ? SG / 2 :
//! ... i / 64 == 5 ? 0 : i / 64 == 6 ? 1 : i % 4 == 2 }
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { float a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };
uint isIn(uvec4 ballot) { return uint(subgroupBallotBitExtract(ballot, gl_SubgroupInvocationID)); }
void main() {
  uint i = gl_LocalInvocationIndex, at = i;
  float x = a[i], two = a[1];
  bool lessOrGreater = x < two || x > two;
  b[at] = isIn(subgroupBallot(lessOrGreater)); at += 64;
  b[at] = isIn(subgroupBallot(abs(x - two) > 0.0)); at += 64;
  b[at] = isIn(subgroupBallot(x != two)); at += 64;
  double d = double(x);
  b[at] = isIn(subgroupBallot(d < 2.0 || d > 2.0)); at += 64;
  b[at] = subgroupBallotBitCount(subgroupBallot(x < 2.0 || x > 2.0)); at += 64;
  float y = i % 4 == 1 || i % 4 == 3 ? x : two; // never less or greater, but not always equal
  b[at] = uint(subgroupAny(y < two || y > two)); at += 64;
  b[at] = uint(subgroupAny(y != two)); at += 64;
  b[at] = isIn(subgroupBallot(x > two));
}
