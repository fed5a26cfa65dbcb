// SPDX-License-Identifier: MIT
#version 450
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 color;
layout(depth_less) out float gl_FragDepth;
void main() {
  if (at.x > 0.75)
    discard;
  color = vec4(1.0);
  gl_FragDepth = gl_FragCoord.z * at.y;
}
