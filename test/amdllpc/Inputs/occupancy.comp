// The 128 KiB of LDS of four SIMDs hold four workgroups, of a wave of 64 each.
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer Data { float values[]; };
shared float tile[8192];
void main() {
  tile[gl_LocalInvocationIndex] = values[gl_GlobalInvocationID.x];
  barrier();
  values[gl_GlobalInvocationID.x] = tile[gl_LocalInvocationIndex * 127 & 8191];
}
