// SPDX-License-Identifier: MIT
// frexp and modf of rearranged components: with vectors, LLVM's InstCombine moves the shuffle behind llvm.frexp and ends.
//! buffer 0.0 f32 : 6 -0.75 1 40
//! buffer 0.1 f32 : 99*12
//! buffer 0.2 i32 : 99*12
//! expect 0.1 f32 : 0.75 0.5 0.625 0.5 -0.75 0.75 0.75 0.75 -0.75 0.5 -0.75 0.5
//! expect 0.2 i32 : 3 1 6 1 0 3 3 3 0 1 0 1
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) readonly buffer X { vec4 x; };
layout(set = 0, binding = 1) writeonly buffer F { float f[12]; };
layout(set = 0, binding = 2) writeonly buffer E { int e[12]; };
void main() {
  ivec2 two;
  vec2 a = frexp(x.xz, two);
  f[0] = a.x, f[1] = a.y, e[0] = two.x, e[1] = two.y;
  ivec4 four;
  vec4 b = frexp(x.wzyx, four);
  for (int i = 0; i < 4; ++i)
    f[2 + i] = b[i], e[2 + i] = four[i];
  vec2 c = frexp(x.xx, two);
  f[6] = c.x, f[7] = c.y, e[6] = two.x, e[7] = two.y;
  vec4 d = frexp(vec4(x.yz, x.yz), four);
  for (int i = 0; i < 4; ++i)
    f[8 + i] = d[i], e[8 + i] = four[i];
}
