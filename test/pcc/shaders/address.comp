// SPDX-License-Identifier: MIT
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 32) in;
layout(buffer_reference, std430) buffer Data { uint64_t values[]; };
layout(push_constant) uniform Push { Data data; };
void main() { data.values[gl_GlobalInvocationID.x] *= 3ul; }
