// RUN: amdllpc %s -emit-lgc -o - | FileCheck %s
// Offsets of std140, std430 and scalar layout, row-major matrices and runtime arrays.
#version 460
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 1) in;
struct S { float f; vec2 v; };
layout(std140, binding = 0) uniform U { float pad; S s[3]; mat3 m; layout(row_major) mat2x3 r; float end; } u;
layout(std430, binding = 1) buffer B { float pad; S s[3]; mat3 m; layout(row_major) mat2x3 r; float end; float tail[]; } b;
layout(scalar, binding = 2) buffer C { float pad; vec3 v; S s[3]; mat3 m; layout(row_major) mat2x3 r; float end; vec3 tail[]; } c;
layout(binding = 3) uniform I { int i; };
void main() {
  // U: s at 16, stride 16; m at 64, columns 16 apart; r: three rows of 2, 16 apart, at 112; end 160.
  // B: s at 8, stride 16; m at 64; r at 112, rows 8 apart; end 136; tail 140.
  // C: v 4; s at 16, stride 12; m at 52, columns 12 apart; r at 88, rows 8 apart; end 112; tail 116.
  // CHECK-DAG: [[U:%.*]] = call ptr addrspace(7) @lgc.buffer.ptr{{.*}}
  // CHECK: [[US:%.*]] = getelementptr i8, ptr addrspace(7) [[U]], i32 56
  // CHECK: load <2 x float>, ptr addrspace(7) [[US]], align 8, !invariant.load
  // CHECK: getelementptr i8, ptr addrspace(7) {{%.*}}, i32 32
  // CHECK-NEXT: store <2 x float>
  b.s[1].v = u.s[2].v;
  // One column of the row-major matrix: three elements, 16 bytes apart.
  // CHECK: [[UR:%.*]] = getelementptr i8, ptr addrspace(7) [[U]], i32 116
  // CHECK: load float, ptr addrspace(7) [[UR]], align 4
  // CHECK: [[UR1:%.*]] = getelementptr i8, ptr addrspace(7) [[UR]], i32 16
  // CHECK: load float, ptr addrspace(7) [[UR1]], align 4
  // CHECK: getelementptr i8, ptr addrspace(7) [[UR]], i32 32
  // CHECK: getelementptr i8, ptr addrspace(7) {{%.*}}, i32 4
  // CHECK-NEXT: store <3 x float> {{.*}}, align 4
  c.v = u.r[1];
  // CHECK: getelementptr i8, ptr addrspace(7) [[U]], i32 160
  // CHECK: [[END:%.*]] = getelementptr i8, ptr addrspace(7) {{%.*}}, i32 136
  // CHECK: store float {{.*}} [[END]]
  b.end = u.end;
  // CHECK: [[I:%.*]] = load i32
  // CHECK: [[SCALED:%.*]] = mul i32 [[I]], 12
  // CHECK: [[ROW:%.*]] = getelementptr i8, ptr addrspace(7) [[C:%.*]], i32 [[SCALED]]
  // CHECK: [[TAIL:%.*]] = getelementptr i8, ptr addrspace(7) [[ROW]], i32 116
  // CHECK: load <3 x float>, ptr addrspace(7) [[TAIL]], align 4
  vec3 t = c.tail[i];
  // The element of a row-major matrix at a dynamic row: stride of the rows, then of the columns.
  // CHECK: [[I2:%.*]] = load i32
  // CHECK: mul i32 [[I2]], 8
  // CHECK: getelementptr i8, ptr addrspace(7) {{%.*}}, i32 92
  // CHECK-NEXT: store float
  c.r[1][i] = t.x;
  // CHECK: [[I3:%.*]] = load i32
  // CHECK: mul i32 [[I3]], 12
  // CHECK: getelementptr i8, ptr addrspace(7) {{%.*}}, i32 52
  // CHECK-NEXT: store <3 x float>
  c.m[i] = t;
  // Length of the runtime array: (bytes - offset) / stride, not below 0.
  // CHECK: [[BYTES:%.*]] = call i32 @lgc.buffer.length{{.*}}(ptr addrspace(7) [[C]])
  // CHECK: [[REST:%.*]] = call i32 @llvm.usub.sat.i32(i32 [[BYTES]], i32 116)
  // CHECK: udiv i32 [[REST]], 12
  b.pad = float(c.tail.length());
}
