#version 450
// Escape times of the Mandelbrot set: a divergent loop and a uniform buffer.
layout(local_size_x = 8, local_size_y = 8) in;

layout(set = 0, binding = 0, std140) uniform View { vec2 centre; float scale; uint limit; } view;
layout(set = 0, binding = 1, r32ui) uniform writeonly uimage2D escape;

void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  vec2 c = view.centre + view.scale * (vec2(p) / vec2(imageSize(escape)) - 0.5);
  vec2 z = vec2(0.0);
  uint n = 0;
  while (n < view.limit && dot(z, z) <= 4.0) {
    z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
    ++n;
  }
  imageStore(escape, p, uvec4(n));
}
