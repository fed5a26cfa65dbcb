// SPDX-License-Identifier: MIT
// Sampling a 1d-array image: nearest and linear filters, all ways of wrapping, levels between two.
//! requires imageCubeArray
//! foreach FILTER nearest linear
//! foreach WRAP repeat mirror clamp border
//! image tex r32_sfloat 1d-array 16 mips=2 layers=3 : f32 eval 72 { (i * 37) % 64 }
//! sampler s filter=${FILTER} mip=${FILTER} wrap=${WRAP}
//! bind 0.0 combined tex s
//! buffer 0.1 f32 : 0*256
//! compare 0.1 f32 ~abs=0.6
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform sampler1DArray tex;
layout(set = 0, binding = 1) buffer B { float b[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  // Away from the middle between two texels, where rounding decides.
  vec4 c = vec4(float(i) / 21.0 - 1.01, float((i * 5) & 63) / 17.0 - 1.13, float((i * 3) % 7) * 0.4 - 0.93, float(i % 3));
  c.y = float(i % 3);
  b[i] = textureLod(tex, c.xy, 0.0).x;
  b[64 + i] = textureLod(tex, c.xy, 1.0).x;
  b[128 + i] = textureLod(tex, c.xy, 0.3).x;
  b[192 + i] = float(textureSize(tex, 1).x) + float(textureQueryLevels(tex)) * 100.0;
}
