// RUN: amdllpc -auto-layout-desc -emit-lgc -o - %s | FileCheck %s
// The result is never the value itself, which may be a denormal that the compare flushed.
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { float x[]; } data;
void main() {
  uint i = gl_GlobalInvocationID.x;
  // CHECK: [[ONE:%.*]] = call {{.*}}float @llvm.copysign.f32(float 1.000000e+00, float [[X:%.*]])
  // CHECK: [[NONZERO:%.*]] = fcmp {{.*}}une float [[X]], 0.000000e+00
  // CHECK: select {{.*}}i1 [[NONZERO]], float [[ONE]], float 0.000000e+00
  data.x[i] = sign(data.x[i]);
}
