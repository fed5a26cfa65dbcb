// RUN: amdllpc %s -emit-lgc -o - | FileCheck %s
// Every compute built-in is read once at entry; WorkgroupSize is a constant.
#version 460
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_EXT_device_group : require
layout(local_size_x = 8, local_size_y = 4) in;
layout(binding = 0) buffer B { uvec4 o[]; };
void main() {
  // CHECK-DAG: call <3 x i32> @lgc.builtin__v3i32_i32(i32 0)
  // CHECK-DAG: call <3 x i32> @lgc.builtin__v3i32_i32(i32 1)
  // CHECK-DAG: call <3 x i32> @lgc.builtin__v3i32_i32(i32 2)
  // CHECK-DAG: call i32 @lgc.builtin__i32_i32
  // CHECK-DAG: call <4 x i32> @lgc.builtin__v4i32_i32
  o[0] = uvec4(gl_WorkGroupID, gl_LocalInvocationIndex);
  o[1] = uvec4(gl_NumWorkGroups, gl_SubgroupID);
  o[2] = uvec4(gl_LocalInvocationID, gl_NumSubgroups);
  o[3] = uvec4(gl_GlobalInvocationID, gl_SubgroupSize);
  o[4] = gl_SubgroupEqMask + gl_SubgroupGeMask + gl_SubgroupGtMask + gl_SubgroupLeMask + gl_SubgroupLtMask;
  o[5] = uvec4(gl_SubgroupInvocationID, gl_DeviceIndex, gl_WorkGroupSize.xy);
}
