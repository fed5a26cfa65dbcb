#version 450
// y = a * x + y: two storage buffers, a push constant and a bounds check by array length.
layout(local_size_x = 64) in;

layout(push_constant) uniform Params { float a; } params;
layout(set = 0, binding = 0) readonly buffer X { float x[]; };
layout(set = 0, binding = 1) buffer Y { float y[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < x.length())
    y[i] = params.a * x[i] + y[i];
}
