#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { float b[]; };
layout(push_constant) uniform Push { uint first, count; } push;
layout(constant_id = 3) const uint steps = 1u;
void main() {
  float x = b[gl_GlobalInvocationID.x];
  for (uint k = 0u; k < steps * 100u; ++k)
    x = sin(x);
  b[gl_GlobalInvocationID.x] = x + float(push.first + push.count);
}
