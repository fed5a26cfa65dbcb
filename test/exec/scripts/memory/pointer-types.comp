// SPDX-License-Identifier: MIT
// Buffer device addresses: accesses of all sizes, at constant and computed offsets, and atomics.
//! requires bufferDeviceAddress shaderInt64 shaderInt16 shaderInt8 storageBuffer8BitAccess storageBuffer16BitAccess shaderBufferInt64Atomics
//! buffer data u32 : 0*1024
//! buffer 0.0 u64 : 0
//! append u32 : 0*32
//! address 0.0@0 data
//! expect data u32 : eval 32 { i * 3 }
//! expect data@256 u8 : eval 32 { i + 1 }
//! expect data@320 u16 : eval 32 { 1000 + i * 2 }
//! expect data@512 u64 : eval 32 { 4294967296 * (i + 1) + i }
//! expect data@1024 u32 : eval 128 { i }
//! expect data@2048 u32 : 528 31 1 4294967295 62 7
//! expect data@2112 u64 : 34359738896 31 99
//! expect data@3000 u32 : 77
//! expect 0.0@8 u32 : eval 32 { i + 1 + 1000 + i * 2 + i + i * 4 + 3 }
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_atomic_int64 : require
layout(local_size_x = 32) in;
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Data {
  uint a[64];
  uint8_t bytes[64];
  uint16_t shorts[96];
  uint64_t wide[64];
  uvec4 fours[64];
  uint counters[16];
  uint64_t wideCounters[16];
  uint padding[190];
  uint far;
};
layout(set = 0, binding = 0) buffer B { Data data; uint o[32]; };
void main() {
  uint i = gl_LocalInvocationID.x;
  data.a[i] = i * 3;
  data.bytes[i] = uint8_t(i + 1);
  data.shorts[i] = uint16_t(1000 + i * 2);
  data.wide[i] = (uint64_t(i + 1) << 32) + i;
  data.fours[i] = uvec4(i * 4) + uvec4(0, 1, 2, 3);
  if (i == 0)
    data.far = 77;
  atomicAdd(data.counters[0], i + 1);
  atomicMax(data.counters[1], i);
  atomicOr(data.counters[2], 1);
  if (i == 9)
    atomicAdd(data.counters[3], 0xFFFFFFFFu);
  uint old = atomicAdd(data.counters[4], 2);
  atomicCompSwap(data.counters[4], 64, 62);
  if (i == 5)
    atomicExchange(data.counters[5], 7);
  atomicAdd(data.wideCounters[0], uint64_t(i + 1) + (uint64_t(i == 3) << 35));
  atomicMax(data.wideCounters[1], uint64_t(i));
  uint64_t seen = atomicCompSwap(data.wideCounters[2], uint64_t(0), uint64_t(99));
  barrier();
  uint sum = uint(data.bytes[i]) + uint(data.shorts[i]) + uint(data.wide[i]) + data.fours[i].w;
  o[i] = sum + (old > 1000 || (seen != 0 && seen != 99) ? 1 : 0);
}
