#version 450
layout(set = 0, binding = 1) uniform sampler2D image;
layout(set = 0, binding = 2) buffer B { uint count; };
layout(location = 0) in vec2 tex;
layout(location = 0) out vec4 color;
vec4 fetch(vec2 at)
{
  return texture(image, at);
}
void main() {
  vec4 value = fetch(tex);
  if (value.a < 0.5)
    discard;
  atomicAdd(count, 1u);
  value.r = exp2(value.r);
  color = value;
}
