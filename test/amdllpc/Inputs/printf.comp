#version 460
#extension GL_EXT_debug_printf : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer Data { uint data[]; };
void main() {
  debugPrintfEXT("lane %d\n", gl_LocalInvocationIndex);
  data[gl_LocalInvocationIndex] = 1;
  debugPrintfEXT("done\n");
}
