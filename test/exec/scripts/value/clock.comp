// SPDX-License-Identifier: MIT
// Clocks do not go backwards, neither those of 64 bits nor those of two words. The subgroup clock of
// GFX11 is a counter of 20 bits that begins again every now and then.
//! requires VK_KHR_shader_clock shaderSubgroupClock shaderDeviceClock shaderInt64
//! buffer 0.0 u32 : 0*64
//! expect 0.0 u32 : 15*64
#version 450
#extension GL_ARB_shader_clock : require
#extension GL_EXT_shader_realtime_clock : require
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer R { uint r[]; };
uint64_t join(uvec2 v) { return packUint2x32(v); }
bool isLater(uint64_t x, uint64_t y) { return y >= x || x < 1 << 20; }
void main() {
  uint i = gl_LocalInvocationID.x;
  uint64_t a = clockARB(), b = clockRealtimeEXT(), c = join(clock2x32ARB()), d = join(clockRealtime2x32EXT());
  barrier();
  for (uint k = 0; k < 10; ++k) atomicAdd(r[i], 0);
  uint64_t e = clockARB(), f = clockRealtimeEXT();
  r[i] = uint(isLater(a, c)) | uint(isLater(c, e)) << 1 | uint(d >= b) << 2 | uint(f >= d) << 3;
}
