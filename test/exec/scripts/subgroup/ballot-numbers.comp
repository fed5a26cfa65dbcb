// SPDX-License-Identifier: MIT
// Ballots of numbers that differ, where NaN is asked for separately.
//! buffer 0.0 f32 : 1 nan 2 2
//! buffer 0.1 f32 : 2 1 nan 2
//! buffer 0.2 u32 : 0*12
//! expect 0.2 u32 : 1*4 3*4 1*4
#version 450
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) readonly buffer A { float a[]; };
layout(set = 0, binding = 1) readonly buffer B { float b[]; };
layout(set = 0, binding = 2) buffer C { uint c[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  float x = a[i], y = b[i];
  bool isNumber = !isnan(x) && !isnan(y);
  c[i] = subgroupBallotBitCount(subgroupBallot(isNumber && x != y));
  c[i + 4u] = subgroupBallotBitCount(subgroupBallot(!(isNumber && x != y)));
  c[i + 8u] = subgroupBallotBitCount(subgroupBallot(!(isnan(y) || isnan(x)) && (x < y || x > y)));
}
