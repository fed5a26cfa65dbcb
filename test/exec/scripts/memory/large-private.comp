// An array of 400,000 bytes in each of 64 lanes: gfx12 has room for 1 MiB (pal_shim/abi/Scratch.h).
//! skip gfx1010: 131056 bytes a lane at most
//! skip gfx1030: 131056 bytes a lane at most
//! skip gfx1100: 131068 bytes a lane at most
//! skip gfx1150: 131068 bytes a lane at most
//! skip lavapipe: it takes minutes
//! buffer 0.0 u32 : 9*64
//! buffer 0.1 u32 : 0..63
//! dispatch 1
//! expect 0.0 u32 : 0..63
#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Result { uint results[]; };
layout(set = 0, binding = 1) readonly buffer Places { uint places[]; };
void main() {
  uint lane = gl_LocalInvocationIndex;
  uint large[100000];
  for (uint i = 0; i < 100000; i += 7777)
    large[(i * 31 + lane) % 100000] = i;
  large[99900 + places[lane]] = lane;
  results[lane] = large[99900 + places[lane ^ 32 ^ (places[1] << 5)]];
}
