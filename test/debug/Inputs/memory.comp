#version 450
layout(local_size_x = 8) in;
struct Item { vec3 at; int kind; };
layout(set = 0, binding = 0) buffer B { float total; Item items[]; };
layout(set = 0, binding = 1) buffer M { mat3x2 turn; layout(row_major) mat2x3 rows; float weights[3]; } m;
layout(push_constant) uniform P { float scale; uvec2 size; } push;
shared vec2 tile[8];
shared uint count;
void keep(uint i)
{
  items[i].at = vec3(float(i), 2.0, 3.0);
  items[i].kind = int(i) - 1;
}
void main() {
  uint i = gl_LocalInvocationIndex;
  tile[i] = vec2(float(i), 0.5);
  if (i == 0u) {
    count = 9u;
    m.turn = mat3x2(1.0, 2.0, 3.0, 4.0, 5.0, 6.0);
    m.rows = mat2x3(1.0, 2.0, 3.0, 4.0, 5.0, 6.0);
    m.weights = float[3](7.0, 8.0, 9.0);
  }
  barrier();
  keep(i);
  total = 12.5;
  float scale = push.scale;
  uint width = push.size.x;
  barrier();
  count = uint(scale) + width;
}
