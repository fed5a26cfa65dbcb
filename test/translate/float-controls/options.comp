#version 460
// Options of AMD's driver for applications that rely on how floats are rounded.
// RUN: amdllpc %s -emit-lgc -o - | FileCheck %s --check-prefixes=CHECK,AUTO
// RUN: amdllpc %s -emit-lgc -disable-fma -no-contract-op-dot -o - | FileCheck %s --check-prefixes=CHECK,APART
// RUN: amdllpc %s -emit-lgc -fp32-denormal-mode=preserve -o - | FileCheck %s --check-prefix=KEEP
// RUN: amdllpc %s -emit-lgc -fp32-denormal-mode=ftz -o - | FileCheck %s --check-prefix=FLUSH
// RUN: amdllpc %s -emit-lgc -forward-propagate-no-contract -o - | FileCheck %s --check-prefix=FORWARD
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { vec4 v[2]; float f[2]; };
void main() {
  // CHECK-LABEL: define void @lgc.shader.CS()
  // AUTO: call {{.*}}float @llvm.fma.f32(
  // APART-NOT: llvm.fma
  // APART: [[P:%.*]] = fmul nsz arcp afn float
  // APART-NEXT: fadd nsz arcp afn float [[P]],
  f[0] = fma(f[0], f[0], f[1]);
  // AUTO-COUNT-3: fadd nsz arcp contract afn float
  // APART-COUNT-3: fadd nsz arcp afn float
  f[1] = dot(v[0], v[1]);
  // CHECK: ret void
}
// KEEP: !{!"fp32", !"demandsDenorms"}
// FLUSH: call {{.*}}@llvm.canonicalize.f32
// FLUSH: !{!"fp32", !"flushDenorms", !"demandsDenorms"}
// FORWARD: !{!"forwardPropagateNoContract", i32 1}
