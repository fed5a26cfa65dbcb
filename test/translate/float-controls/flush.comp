// RUN: amdllpc %s -emit-lgc -o - | FileCheck %s
// RUN: amdllpc %s -filetype=asm -o - | FileCheck %s --check-prefix=ASM
// DenormFlushToZero: operands and results pass llvm.canonicalize, which costs nothing where the hardware
// flushes. Moves do not, other widths neither.
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_spirv_intrinsics : require
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4465], 4460, 32);
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { float a, b, c; vec2 v; mat2 m; float p; double d; };
// ASM-DAG: v_fma{{.*}}_f32
// ASM-DAG: v_max_f32{{.*}} -v
// ASM: s_endpgm
void main() {
  // CHECK-DAG: [[A:%.*]] = call float @llvm.canonicalize.f32(
  // CHECK-DAG: [[B:%.*]] = call float @llvm.canonicalize.f32(
  // CHECK: [[M:%.*]] = fmul nsz arcp contract afn float [[A]], [[B]]
  // CHECK: [[N:%.*]] = call float @llvm.canonicalize.f32(float [[M]])
  // CHECK: [[C:%.*]] = call float @llvm.canonicalize.f32(
  // CHECK: [[S:%.*]] = fadd nsz arcp contract afn float [[N]], [[C]]
  // CHECK: call float @llvm.canonicalize.f32(float [[S]])
  p = a * b + c;
  // CHECK: [[U:%.*]] = call <2 x float> @llvm.canonicalize.v2f32(
  // CHECK: [[V:%.*]] = fneg {{.*}}<2 x float> [[U]]
  // CHECK: call <2 x float> @llvm.canonicalize.v2f32(<2 x float> [[V]])
  v = -v;
  // CHECK-COUNT-2: call <2 x float> @llvm.canonicalize.v2f32
  // CHECK: call float @llvm.canonicalize.f32
  // CHECK-COUNT-2: call <2 x float> @llvm.canonicalize.v2f32
  m = m * c;
  // CHECK-NOT: canonicalize
  // CHECK: fmul {{.*}}double
  d = d * 2.0lf;
  // CHECK: [[L:%.*]] = call float @llvm.canonicalize.f32(
  // CHECK: [[R:%.*]] = call float @llvm.canonicalize.f32(float 0.000000e+00)
  // CHECK: fcmp {{.*}}ogt float [[L]], [[R]]
  // CHECK-NOT: canonicalize
  b = a > 0 ? b : c;
  // CHECK: ret void
}
