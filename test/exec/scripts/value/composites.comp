// SPDX-License-Identifier: MIT
// Construction, extraction, insertion and shuffles of nested structures, arrays and vectors.
//! buffer 0.0 f32 : 1..32
//! buffer 0.1 f32 : 0*32
//! expect 0.1 f32 : 4 3 2 1  1 1 9 8  12 5 14 15  1 2 50 4  20 18 17 19  7 8 21 22  100 24 23 26  3 1 2 40
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) readonly buffer A { vec4 a[8]; };
layout(set = 0, binding = 1) buffer B { vec4 b[8]; };
struct In { vec2 p[2]; float q; };
struct S { In x[2]; vec3 v; };
void main() {
  b[0] = a[0].wzyx;
  b[1] = vec4(a[0].xx, a[2].x, a[1].w);
  vec4 t = vec4(a[2].w, a[3].yzw);
  t.y = a[1].x;
  b[2] = vec4(t.x, t.y, a[3].y, a[3].z);
  b[3] = a[0];
  b[3].z = 50.0;
  b[4] = a[4].wyxz;
  S s = S(In[2](In(vec2[2](a[0].xy, a[1].zw), 3.0), In(vec2[2](a[5].xy, a[5].zw), 40.0)), a[6].xyz);
  S r = s;
  r.x[0].p[1] = s.x[1].p[0];
  b[5] = vec4(s.x[0].p[1], r.x[0].p[1]);
  r.x[1].p[0].x = 100.0;
  b[6] = vec4(r.x[1].p[0].x, s.x[1].p[1].yx, s.v.y);
  b[7] = vec4(r.x[0].q, r.x[0].p[0], r.x[1].q);
}
