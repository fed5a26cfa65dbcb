#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
// Sum of an array, one partial sum per workgroup: subgroup reduction, then shared memory.
layout(local_size_x = 256) in;

layout(set = 0, binding = 0) readonly buffer Input { float values[]; };
layout(set = 0, binding = 1) writeonly buffer Output { float sums[]; };

shared float partial[64];

void main() {
  uint i = gl_GlobalInvocationID.x;
  float sum = subgroupAdd(i < values.length() ? values[i] : 0.0);
  if (subgroupElect())
    partial[gl_SubgroupID] = sum;
  barrier();
  if (gl_LocalInvocationIndex == 0) {
    float total = 0.0;
    for (uint s = 0; s < gl_NumSubgroups; ++s)
      total += partial[s];
    sums[gl_WorkGroupID.x] = total;
  }
}
