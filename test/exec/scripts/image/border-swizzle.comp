// SPDX-License-Identifier: MIT
// Border colours go through the swizzle of the view, as texels do (VK_EXT_border_color_swizzle), whatever the order of
// the channels in memory is.
//! requires borderColorSwizzle borderColorSwizzleFromImage
//! foreach FORMAT r8g8b8a8_unorm b8g8r8a8_unorm a2b10g10r10_unorm_pack32
//! image a ${FORMAT} 2d 4x4 : u32 0*16
//! sampler black filter=nearest wrap=border border=2
//! bind 0.0 combined a black swizzle=a01g
//! bind 0.1 combined a black swizzle=gbar
//! bind 0.2 combined a black swizzle=argb
//! bind 0.3 combined a black
//! buffer 0.4 f32 : 0*32
//! expect 0.4 f32 : 1 0 1 0  0 0 1 0  1 0 0 0  0 0 0 1  0 0 1 0  0 0 0 0  0 0 0 0  0 0 0 0
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform sampler2D a;
layout(set = 0, binding = 1) uniform sampler2D b;
layout(set = 0, binding = 2) uniform sampler2D c;
layout(set = 0, binding = 3) uniform sampler2D d;
layout(set = 0, binding = 4) buffer B { vec4 v[8]; };
void main() {
  const vec2 outside = vec2(-0.5), inside = vec2(0.5);
  v[0] = textureLod(a, outside, 0);
  v[1] = textureLod(b, outside, 0);
  v[2] = textureLod(c, outside, 0);
  v[3] = textureLod(d, outside, 0);
  v[4] = textureLod(a, inside, 0);
  v[5] = textureLod(b, inside, 0);
  v[6] = textureLod(c, inside, 0);
  v[7] = textureLod(d, inside, 0);
}
