// RUN: amdllpc -auto-layout-desc -gfxip=11.0.0 -filetype=asm -o - %s | FileCheck %s
// Functions that have a hardware instruction are that instruction, without range handling.
#version 460
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { float f[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  float x = f[i], y = f[i + 64], z = f[i + 128];
  // CHECK-LABEL: _amdgpu_cs_main:
  // Reciprocal, square root and the like appear once, so no Newton step or scaling stands beside.
  // CHECK-NOT: v_div_
  // CHECK-NOT: v_cmp_
  // CHECK-NOT: v_ldexp
  // CHECK-DAG: v_rcp_f32
  f[i + 192] = x / y;
  // CHECK-DAG: v_sqrt_f32
  f[i + 256] = sqrt(x);
  // CHECK-DAG: v_rsq_f32
  f[i + 320] = inversesqrt(y);
  // CHECK-DAG: v_exp_f32
  f[i + 384] = exp2(z);
  // CHECK-DAG: v_log_f32
  f[i + 448] = log2(z);
  // CHECK-DAG: v_sin_f32
  f[i + 512] = sin(x);
  // CHECK-DAG: v_fract_f32
  f[i + 576] = fract(y);
  // CHECK-DAG: v_rndne_f32
  f[i + 640] = roundEven(x);
  // CHECK-DAG: v_fma{{[a-z_]*}}_f32
  f[i + 704] = fma(x, y, z);
  // CHECK-DAG: v_cvt_pk_norm_i16_f32
  f[i + 768] = uintBitsToFloat(packSnorm2x16(vec2(x, y)));
  // CHECK-NOT: v_div_
  // CHECK-NOT: v_cmp_
  // CHECK: s_endpgm
}
