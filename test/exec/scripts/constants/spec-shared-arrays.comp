// SPDX-License-Identifier: MIT
// Arrays in workgroup memory whose sizes are expressions of specialization constants: side by side, behind one of a known size,
// in functions. Each invocation writes all arrays, and reads what another one wrote: arrays that overlap would show.
//! foreach W 1 7 33
//! foreach H 1 2 3
//! spec 0 i32 ${W}
//! spec 1 i32 ${H}
//! buffer 0.0 u32 : 0*256
//! expect 0.0 u32 : eval 256 {
//! ...  i < 64 ? 1000 + 63 - i :
//! ...  i < 128 ? 5000 + (127 - i) % (${W} * ${H}) + (127 - i) % (${W} * ${H} + 3) :
//! ...  i < 192 ? 4000 + 1000 * (i % 4) + (191 - i) % ${W} :
//! ...  8000 + 255 - i + ${H} }
#version 450
layout(local_size_x = 64) in;
layout(constant_id = 0) const int width = 1;
layout(constant_id = 1) const int height = 1;
layout(set = 0, binding = 0) buffer B { uint b[256]; };
const int area = width * height;
shared uint fixedSize[64];
shared uint one[area];
shared vec2 two[area + 3];
shared ivec4 four[width];
shared float last[64 + height];
uint get(uint i) { return one[i % uint(area)] + uint(two[i % uint(area + 3)].y); }
void main() {
  uint i = gl_LocalInvocationIndex;
  fixedSize[i] = 1000 + i;
  for (uint k = i; k < area; k += 64) one[k] = 2000 + k;
  for (uint k = i; k < area + 3; k += 64) two[k] = vec2(float(k), float(3000 + k));
  if (i < width) four[i] = ivec4(4000 + i, 5000 + i, 6000 + i, 7000 + i);
  for (uint k = i; k < 64 + height; k += 64) last[k] = float(8000 + k);
  barrier();
  uint other = 63 - i;
  b[i] = fixedSize[other];
  b[64 + i] = get(other);
  b[128 + i] = uint(four[other % uint(width)][i % 4]);
  b[192 + i] = uint(last[other + height]);
}
