// SPDX-License-Identifier: MIT
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D image;
layout(binding = 1) uniform sampler2D others[2];
layout(binding = 2, rgba8) uniform writeonly image2D target;
void main() {
  vec2 at = (vec2(gl_GlobalInvocationID.xy) + 0.5) / 64.0;
  imageStore(target, ivec2(gl_GlobalInvocationID.xy),
             textureLod(image, at, 0.0) + textureLod(others[1], at, 1.0));
}
