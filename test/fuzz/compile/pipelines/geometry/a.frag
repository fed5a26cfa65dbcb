#version 460
layout(early_fragment_tests) in;
layout(location = 0) centroid in vec4 shade;
layout(set = 0, binding = 0, rgba8) writeonly uniform image2D image;
void main() { imageStore(image, ivec2(gl_FragCoord.xy) + gl_Layer, shade + gl_PrimitiveID); }
