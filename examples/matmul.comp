#version 450
// C = A x B in 16 x 16 tiles held in shared memory.
layout(local_size_x = 16, local_size_y = 16) in;

layout(push_constant) uniform Params { uint rows; uint columns; uint inner; } params;
layout(set = 0, binding = 0) readonly buffer A { float a[]; };
layout(set = 0, binding = 1) readonly buffer B { float b[]; };
layout(set = 0, binding = 2) writeonly buffer C { float c[]; };

shared float tileA[16][16];
shared float tileB[16][16];

void main() {
  uvec2 local = gl_LocalInvocationID.xy;
  uint row = gl_GlobalInvocationID.y;
  uint column = gl_GlobalInvocationID.x;
  float sum = 0.0;
  for (uint k = 0; k < params.inner; k += 16) {
    bool insideA = row < params.rows && k + local.x < params.inner;
    bool insideB = k + local.y < params.inner && column < params.columns;
    tileA[local.y][local.x] = insideA ? a[row * params.inner + k + local.x] : 0.0;
    tileB[local.y][local.x] = insideB ? b[(k + local.y) * params.columns + column] : 0.0;
    barrier();
    for (uint i = 0; i < 16; ++i)
      sum += tileA[local.y][i] * tileB[i][local.x];
    barrier();
  }
  if (row < params.rows && column < params.columns)
    c[row * params.columns + column] = sum;
}
