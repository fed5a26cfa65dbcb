// SPDX-License-Identifier: MIT
// Specialization constants as values of every kind of code: branches, loops, switches, arguments, composites, functions of
// their own. The defaults would give other results.
//! foreach N 0 1 5 4294967295
//! spec 0 u32 ${N}
//! spec 1 f32 -1.5
//! spec 2 u32 1
//! spec 3 i32 -7
//! spec 4 u32 3
//! buffer 0.0 u32 : 9*16
//! buffer 0.1 u32 : 0 10 20 30 40 50 60 70
//! expect 0.0 u32 : eval 1 { ${N} } eval 1 { ${N} == 1 ? 100 : ${N} == 5 ? 101 : ${N} == 4294967295 ? 102 : 103 } 1 21 4294967289 6 30 eval 1 { ${N} % 8 * 10 } 0 30 2 bits(0xbfc00000) bits(0x40100000) bits(0xbfc00000) bits(0x00000007) 4294967292
#version 450
layout(local_size_x = 1) in;
layout(constant_id = 0) const uint n = 77;
layout(constant_id = 1) const float f = 2.0;
layout(constant_id = 2) const bool flag = false;
layout(constant_id = 3) const int negative = 4;
layout(constant_id = 4) const uint rounds = 2;
layout(constant_id = 5) const uint unused = 2;
layout(constant_id = 6) const uint own = 7;
const uint product = rounds * own;
const vec2 both = vec2(f, f);
layout(set = 0, binding = 0) buffer R { uint r[]; };
layout(set = 0, binding = 1) readonly buffer X { uint x[]; };
uint sumOf(uint count) {
  uint sum = 0;
  for (uint i = 0; i < count; ++i)
    sum += x[i];
  return sum;
}
uint again() { return product; }
uint value(uint n) { return n; } // an index that is a constant itself has to be known
void main() {
  r[0] = n;
  switch (n) {
  case 1: r[1] = 100; break;
  case 5: r[1] = 101; break;
  case 4294967295u: r[1] = 102; break;
  default: r[1] = 103; break;
  }
  if (flag)
    r[2] = 1;
  r[3] = again();
  r[4] = uint(negative);
  r[5] = rounds + sumOf(rounds) / 10;
  r[6] = flag ? sumOf(rounds) : 0;
  r[7] = x[value(n) & 7];
  uint at = rounds;
  uint values[4] = {0, 1, 2, 3};
  values[value(rounds)] += at * 9;
  r[8] = values[0];
  r[9] = values[3];
  uvec4 vector = uvec4(3, 2, 1, 0);
  r[10] = vector[value(own) & rounds - 2];
  r[11] = floatBitsToUint(both.y);
  r[12] = floatBitsToUint(dot(both, both) / 2);
  r[13] = floatBitsToUint(min(f, float(n)));
  r[14] = own;
  r[15] = uint(negative + int(rounds));
}
