// SPDX-License-Identifier: MIT
// Samples an image on a grid that reaches a little outside it.
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform sampler2D image;
layout(set = 0, binding = 1) writeonly buffer Result { vec4 texels[]; };

void main() {
  const uvec2 id = gl_GlobalInvocationID.xy;
  const uvec2 size = gl_NumWorkGroups.xy * 8u;
  const vec2 position = (vec2(id) + 0.37) / vec2(size) * 1.2 - 0.1;
  texels[id.y * size.x + id.x] = textureLod(image, position, 0.0);
}
