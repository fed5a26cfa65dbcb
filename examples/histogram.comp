#version 450
// Brightness histogram of an image: shared-memory atomics, then one global atomic per bin.
layout(local_size_x = 16, local_size_y = 16) in;

layout(set = 0, binding = 0, rgba8) uniform readonly image2D source;
layout(set = 0, binding = 1) buffer Histogram { uint bins[256]; };

shared uint localBins[256];

void main() {
  localBins[gl_LocalInvocationIndex] = 0;
  barrier();
  ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  if (all(lessThan(p, imageSize(source)))) {
    float luma = dot(imageLoad(source, p).rgb, vec3(0.2126, 0.7152, 0.0722));
    atomicAdd(localBins[uint(clamp(luma, 0.0, 1.0) * 255.0)], 1u);
  }
  barrier();
  uint count = localBins[gl_LocalInvocationIndex];
  if (count != 0)
    atomicAdd(bins[gl_LocalInvocationIndex], count);
}
