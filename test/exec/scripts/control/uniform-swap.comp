// SPDX-License-Identifier: MIT
// Values of each lane that change places in a loop which all lanes leave together.
//! buffer 0.0 u32 : eval 128 { i * 7 + 1 }
//! buffer 0.1 u32 : 0*256
//! push u32 : 5
//! dispatch 2
//! expect 0.1 u32 : eval 256 { i % 2 == 0 ? (i / 2 * 7 + 1) ^ 1000 : i / 2 * 7 + 1 }
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uvec2 b[]; };
layout(push_constant) uniform P { uint turns; };
void main() {
  uint i = gl_GlobalInvocationID.x, x = a[i], y = a[i] ^ 1000;
  for (uint k = 0; k < turns; ++k) {
    uint t = x;
    x = y;
    y = t;
  }
  b[i] = uvec2(x, y);
}
