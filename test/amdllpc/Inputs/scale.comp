#version 450
layout(local_size_x = 64) in;
layout(constant_id = 3) const float factor = 2.0;
layout(set = 0, binding = 0) buffer Data { float values[]; };
void main() { values[gl_GlobalInvocationID.x] *= factor; }
