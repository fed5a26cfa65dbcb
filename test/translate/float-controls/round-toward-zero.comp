// RUN: amdllpc %s -emit-lgc -o - | FileCheck %s
// RoundingModeRTZ: LLVM folds constants to the nearest number, so operands are hidden from it.
#version 460
#extension GL_EXT_spirv_intrinsics : require
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4468], 4463, 32);
layout(local_size_x = 1) in;
layout(constant_id = 0) const float k = 0.1;
layout(binding = 0) buffer B { float a; double d; };
void main() {
  // CHECK: [[X:%.*]] = call float @llvm.arithmetic.fence.f32(float 0x3FB99999A0000000)
  // CHECK: [[Y:%.*]] = call float @llvm.arithmetic.fence.f32(float 3.000000e+00)
  // CHECK: fmul {{.*}}float [[X]], [[Y]]
  a = k * 3.0;
  // CHECK-NOT: fence
  d = d + 0.1lf;
  // CHECK: ret void
}
