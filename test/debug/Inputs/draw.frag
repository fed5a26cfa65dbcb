#version 450
layout(location = 0) in vec2 place;
layout(location = 1) flat in int first;
layout(location = 0) out vec4 color;
float shadeOf(float x)
{
  float half_ = x * 0.5;
  return half_ + 1.0;
}
void main() {
  vec2 pixel = place * 64.0;
  float shade = 0.25;
  if (pixel.x > 32.0) {
    shade = shadeOf(pixel.x);
  } else {
    shade = -pixel.y;
  }
  color = vec4(pixel, shade, float(first));
  color.x += 1.0;
}
