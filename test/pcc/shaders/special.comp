// SPDX-License-Identifier: MIT
#version 450
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint factor = 2u;
layout(constant_id = 7) const float offset = 0.5;
layout(constant_id = 9) const bool isOn = false;
layout(binding = 0) buffer Data { float data[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  data[i] = isOn ? data[i] * float(factor) + offset : 0.0;
}
