; RUN: lgc-opt -passes=lgc-lower-descriptors -verify-each %s -o - | FileCheck %s

; In a relocatable part a binding's place in its table is a literal that linking fills in; what lies
; inside the binding (halves, elements) stays a number. Descriptors in the root are user data as ever.

; CHECK-LABEL: define void @lgc.shader.CS()
; CHECK: call i32 @lgc.user.data__i32_i32(i32 3)
; CHECK: [[TABLE:%.*]] = inttoptr i64 {{.*}} to ptr addrspace(4)
; CHECK: [[SPILL:%.*]] = call ptr addrspace(4) @lgc.spill.table__p4()
; CHECK: call <4 x i32> @lgc.user.data__v4i32_i32(i32 8)
define void @lgc.shader.CS() {
  %i = call i32 @lgc.builtin__i32_i32(i32 3)

  ; CHECK: [[R:%.*]] = call range(i32 0, -2147483648) i32 @llvm.amdgcn.reloc.constant(metadata [[B1:![0-9]+]])
  ; CHECK: [[W:%.*]] = zext i32 [[R]] to i64
  ; CHECK: [[P:%.*]] = getelementptr inbounds i8, ptr addrspace(4) [[TABLE]], i64 [[W]]
  ; CHECK: load <4 x i32>, ptr addrspace(4) [[P]], align 4, !invariant.load !{{[0-9]+}}, !lgc.uniform
  %h1 = call ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32 0, i32 1, i32 0)
  %b1 = call ptr addrspace(7) @lgc.buffer.ptr__p7_p4_i32(ptr addrspace(4) %h1, i32 0)

  ; An index that differs between lanes: the loop over its values is about nothing else.
  ; CHECK: [[R2:%.*]] = call range({{.*}}) i32 @llvm.amdgcn.reloc.constant(metadata [[B2:![0-9]+]])
  ; CHECK: [[W2:%.*]] = zext i32 [[R2]] to i64
  ; CHECK: [[Q2:%.*]] = getelementptr inbounds i8, ptr addrspace(4) [[TABLE]], i64 [[W2]]
  ; CHECK: [[M:%.*]] = mul nuw i32 %i, 16
  ; CHECK: [[S:%.*]] = zext i32 [[M]] to i64
  ; CHECK: [[P2:%.*]] = getelementptr inbounds i8, ptr addrspace(4) [[Q2]], i64 [[S]]
  ; CHECK: load <4 x i32>, ptr addrspace(4) [[P2]]
  %h2 = call ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32 0, i32 2, i32 %i)
  %b2 = call ptr addrspace(7) @lgc.buffer.ptr__p7_p4_i32(ptr addrspace(4) %h2, i32 3)
  store i32 0, ptr addrspace(7) %b2

  ; Element 2 of an array of combined image samplers: image at 96, sampler 32 bytes behind.
  ; CHECK: call range({{.*}}) i32 @llvm.amdgcn.reloc.constant(metadata [[B3:![0-9]+]])
  ; CHECK: getelementptr inbounds i8, ptr addrspace(4) [[TABLE]], i64 %{{[0-9]+}}
  ; CHECK: getelementptr inbounds i8, ptr addrspace(4) {{.*}}, i64 96
  ; CHECK: load <8 x i32>
  ; CHECK: getelementptr inbounds i8, ptr addrspace(4) {{.*}}, i64 32
  ; CHECK: load <4 x i32>
  %h3 = call ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32 0, i32 3, i32 2)
  %image = call <8 x i32> @lgc.load.desc__v8i32_p4_i32_i32(ptr addrspace(4) %h3, i32 0, i32 0)
  %sampler = call <4 x i32> @lgc.load.desc__v4i32_p4_i32_i32(ptr addrspace(4) %h3, i32 1, i32 0)
  store <8 x i32> %image, ptr addrspace(7) %b1
  store <4 x i32> %sampler, ptr addrspace(7) %b1

  ; An inline uniform block.
  ; CHECK: [[R4:%.*]] = call range({{.*}}) i32 @llvm.amdgcn.reloc.constant(metadata [[B4:![0-9]+]])
  ; CHECK: [[W4:%.*]] = zext i32 [[R4]] to i64
  ; CHECK: [[P4:%.*]] = getelementptr inbounds i8, ptr addrspace(4) [[TABLE]], i64 [[W4]]
  ; CHECK: ptrtoint ptr addrspace(4) [[P4]] to i64
  %h4 = call ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32 0, i32 4, i32 0)
  %b4 = call ptr addrspace(7) @lgc.buffer.ptr__p7_p4_i32(ptr addrspace(4) %h4, i32 2)
  %v4 = load i32, ptr addrspace(7) %b4
  store i32 %v4, ptr addrspace(7) %b1

  ; Dynamic buffers: element 1 of an array, and one that is not known.
  %h5 = call ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32 0, i32 5, i32 1)
  %b5 = call ptr addrspace(7) @lgc.buffer.ptr__p7_p4_i32(ptr addrspace(4) %h5, i32 0)
  store i32 0, ptr addrspace(7) %b5
  ; CHECK: [[R6:%.*]] = call range({{.*}}) i32 @llvm.amdgcn.reloc.constant(metadata [[B5:![0-9]+]])
  ; CHECK: [[M6:%.*]] = mul nuw i32 %i, 16
  ; CHECK: [[S6:%.*]] = add i32 [[M6]], [[R6]]
  ; CHECK: [[W6:%.*]] = zext i32 [[S6]] to i64
  ; CHECK: getelementptr inbounds i8, ptr addrspace(4) [[SPILL]], i64 [[W6]]
  %h6 = call ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32 0, i32 5, i32 %i)
  %b6 = call ptr addrspace(7) @lgc.buffer.ptr__p7_p4_i32(ptr addrspace(4) %h6, i32 0)
  store i32 0, ptr addrspace(7) %b6
  ret void
}
; CHECK-DAG: [[B1]] = !{!"kiln.table.0.1"}
; CHECK-DAG: [[B2]] = !{!"kiln.table.0.2"}
; CHECK-DAG: [[B3]] = !{!"kiln.table.0.3"}
; CHECK-DAG: [[B4]] = !{!"kiln.table.0.4"}
; CHECK-DAG: [[B5]] = !{!"kiln.root.4"}

declare i32 @lgc.builtin__i32_i32(i32) memory(none)
declare ptr addrspace(4) @lgc.resource.ptr__p4_i32_i32_i32(i32, i32, i32) memory(none)
declare ptr addrspace(7) @lgc.buffer.ptr__p7_p4_i32(ptr addrspace(4), i32) memory(none)
declare <8 x i32> @lgc.load.desc__v8i32_p4_i32_i32(ptr addrspace(4), i32, i32) memory(none)
declare <4 x i32> @lgc.load.desc__v4i32_p4_i32_i32(ptr addrspace(4), i32, i32) memory(none)

!lgc.target = !{!0}
!lgc.part = !{!8}
!lgc.user.data = !{!1, !6}
!0 = !{!"gfx1100"}
!1 = !{!"DescriptorTableVaPtr", i32 1, i32 3, i32 0, i32 0, i32 0, !2, !3, !4, !5}
!2 = !{!"DescriptorBuffer", i32 4, i32 4, i32 0, i32 1, i32 0}
!3 = !{!"DescriptorConstBuffer", i32 32, i32 8, i32 0, i32 2, i32 0}
!4 = !{!"DescriptorCombinedTexture", i32 48, i32 64, i32 0, i32 3, i32 0}
!5 = !{!"InlineBuffer", i32 16, i32 112, i32 0, i32 4, i32 0}
!6 = !{!"DescriptorBuffer", i32 16, i32 4, i32 0, i32 5, i32 0}
!8 = !{!"relocatable", i32 1}
