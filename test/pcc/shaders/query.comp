// SPDX-License-Identifier: MIT
#version 460
#extension GL_EXT_ray_query : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(set = 0, binding = 1) uniform accelerationStructureEXT scene;
void main() {
  rayQueryEXT query;
  rayQueryInitializeEXT(query, scene, 0, 0xff, vec3(0), 0.0, vec3(0, 0, 1), 1.0);
  data[gl_GlobalInvocationID.x] = rayQueryProceedEXT(query) ? 1 : 0;
}
