#version 460
#extension GL_EXT_ray_tracing : require
layout(set = 0, binding = 0) uniform accelerationStructureEXT top;
layout(location = 0) rayPayloadInEXT vec4 payload;
layout(location = 1) rayPayloadEXT vec4 next;
float wave(float x) {
  return sin(x);
}
void main() {
  traceRayEXT(top, 0, 0xff, 0, 0, 0, vec3(1), 0.0, vec3(0, 1, 0), 100.0, 1);
  payload = next +
      wave(gl_HitTEXT);
}
