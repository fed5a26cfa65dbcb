// SPDX-License-Identifier: MIT
// Anisotropic filtering with explicit derivatives of a / 64 along x and b / 64 along y. The level is
// log2(longer / min(longer / shorter, maxAnisotropy)), and what is averaged lies along the longer one.
//! requires samplerAnisotropy
//! skip lavapipe: chooses other levels, and has no anisotropy with explicit derivatives
//! foreach ANISO 1 2 4 8 16
//! image levels r32_sfloat 2d 64x64 mips=7 : f32 eval 5461 {
//! ... (i >= 4096) + (i >= 5120) + (i >= 5376) + (i >= 5440) + (i >= 5456) + (i >= 5460) }
//! image rows r32_sfloat 2d 64x64 mips=7 : f32 eval 5461 { i < 4096 ? (i >> 6 & 1) * 100 : 50 }
//! sampler s filter=linear mip=nearest aniso=${ANISO}
//! bind 0.0 combined levels s
//! bind 0.1 combined rows s
//! buffer shapes u32 : 8 1  8 2  2 16  64 1  4 4  32 8  1 64  16 16
//! bind 0.2 storage shapes
//! buffer 0.3 f32 : 0*8
//! buffer 0.4 f32 : 0*2
//! buffer 0.5 f32 : 0*2
//! expect 0.3 f32 : eval 8 {
//! ... popcount(max(shapes[2 * i], shapes[2 * i + 1]) / min(${ANISO},
//! ... max(shapes[2 * i], shapes[2 * i + 1]) / min(shapes[2 * i], shapes[2 * i + 1])) - 1) }
//! expect 0.4 f32 ~abs=0.5 : eval 2 { ${ANISO} >= 8 ? i * 100 : 50 }
//! expect 0.5 f32 ~abs=10 : 50*2
#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) uniform sampler2D levels;
layout(set = 0, binding = 1) uniform sampler2D rows;
layout(set = 0, binding = 2) buffer Shapes { uint shapes[]; };
layout(set = 0, binding = 3) buffer Level { float level[]; };
layout(set = 0, binding = 4) buffer Along { float along[]; };
layout(set = 0, binding = 5) buffer Across { float across[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  vec2 dx = vec2(float(shapes[2 * i]) / 64.0, 0.0), dy = vec2(0.0, float(shapes[2 * i + 1]) / 64.0);
  level[i] = textureGrad(levels, vec2(0.5), dx, dy).x;
  if (i < 2) {
    // The middle of a row of zeros, and of one of hundreds.
    vec2 place = vec2(0.5, (32.5 + float(i)) / 64.0);
    along[i] = textureGrad(rows, place, vec2(8.0 / 64.0, 0.0), vec2(0.0, 1.0 / 64.0)).x;
    across[i] = textureGrad(rows, place, vec2(1.0 / 64.0, 0.0), vec2(0.0, 8.0 / 64.0)).x;
  }
}
