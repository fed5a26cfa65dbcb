#version 450
#include "square.glsl"
layout(set = 0, binding = 0) buffer Data { float values[]; };
#ifdef TWICE
#define COUNT TWICE
#else
#define COUNT 1
#endif
void main() {
  for (int i = 0; i < COUNT; ++i)
    values[i] = square(values[i]);
}
