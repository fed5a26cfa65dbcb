#version 460
#extension GL_EXT_demote_to_helper_invocation : require
layout(location = 0) in vec4 colour;
layout(location = 1) flat in ivec2 code;
layout(location = 2) noperspective in vec2 uv[2];
layout(set = 0, binding = 0) uniform sampler2D image;
layout(set = 0, binding = 1, std430) buffer Counters { uint counters[]; };
layout(location = 0) out vec4 target;
layout(location = 1) out ivec2 codes;
layout(depth_less) out float gl_FragDepth;
void main() {
  for (int i = 0; i < code.y; ++i) {
    if (colour.x > float(i))
      discard;
    if (uv[i & 1].x < 0.0)
      demote;
  }
  atomicAdd(counters[code.x], helperInvocationEXT() ? 1u : 2u);
  target = texture(image, uv[code.x]) + dFdx(colour) + interpolateAtOffset(colour, uv[1]);
  codes = code + gl_SampleMaskIn[0] + gl_SampleID;
  gl_FragDepth = gl_FragCoord.z * (gl_FrontFacing ? 0.5 : 0.25);
  gl_SampleMask[0] = gl_PrimitiveID;
}
