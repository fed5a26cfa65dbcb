#version 450
// Horizontal blur: filtered samples, a specialization constant, a storage image as the result.
layout(local_size_x = 8, local_size_y = 8) in;
layout(constant_id = 0) const int radius = 4;

layout(set = 0, binding = 0) uniform sampler2D source;
layout(set = 1, binding = 0, rgba16f) uniform writeonly image2D target;

void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  vec2 texel = 1.0 / vec2(imageSize(target));
  vec4 sum = vec4(0.0);
  float weights = 0.0;
  for (int i = -radius; i <= radius; ++i) {
    float w = exp(-float(i * i) / float(radius * radius));
    sum += w * textureLod(source, (vec2(p) + vec2(float(i) + 0.5, 0.5)) * texel, 0.0);
    weights += w;
  }
  imageStore(target, p, sum / weights);
}
