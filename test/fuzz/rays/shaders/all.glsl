// SPDX-License-Identifier: MIT
// All stages of the pipeline, which the stage's name as a macro chooses. Recursion, callables and candidates are what
// tables and structures decide about.
#version 460
#extension GL_EXT_ray_tracing : require
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_buffer_reference_uvec2 : require
layout(buffer_reference, std430) buffer Results { uint results[]; };
layout(push_constant) uniform Push {
  uvec2 top, results;
  vec4 origin, direction; // w: range of the ray
  uint flags, mask, offset, stride;
};
layout(shaderRecordEXT) buffer Record { uint number; };

#ifdef RGEN
layout(location = 0) rayPayloadEXT uint payload;
layout(location = 1) callableDataEXT uint data;
void main() {
  payload = data = 0;
  const uvec2 at = gl_LaunchIDEXT.xy;
  traceRayEXT(accelerationStructureEXT(top), flags, mask, offset, stride, at.y, origin.xyz + vec3(at, 0), origin.w,
              direction.xyz, direction.w, 0);
  executeCallableEXT(at.x, 1);
  Results(results).results[at.x + 8 * at.y] = payload + data;
}
#endif
#ifdef RMISS
layout(location = 0) rayPayloadInEXT uint payload;
void main() { payload += number; }
#endif
#ifdef RCHIT
layout(location = 0) rayPayloadInEXT uint payload;
void main() {
  payload += number + gl_PrimitiveID + gl_InstanceID;
  if (payload < 1000)
    traceRayEXT(accelerationStructureEXT(top), flags, mask, offset, stride, 0, origin.xyz, 0.0, gl_WorldRayDirectionEXT,
                gl_HitTEXT + 1, 0);
}
#endif
#ifdef RAHIT
void main() {
  if ((number & 1) != 0)
    ignoreIntersectionEXT;
  if ((number & 2) != 0)
    terminateRayEXT;
}
#endif
#ifdef RINT
void main() {
  for (uint i = 0; i < (number & 3); ++i)
    reportIntersectionEXT(gl_ObjectRayOriginEXT.z * i, i);
}
#endif
#ifdef RCALL
layout(location = 1) callableDataInEXT uint data;
void main() {
  data += number;
  if (data < 100)
    executeCallableEXT(data & 7, 1);
}
#endif
