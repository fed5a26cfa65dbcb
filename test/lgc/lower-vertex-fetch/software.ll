; RUN: lgc-opt -passes=lgc-lower-vertex-fetch %s -o - | FileCheck %s
; RUN: lgc-opt -passes=lgc-lower-vertex-fetch -mcpu=gfx1030 %s -o - | FileCheck %s --check-prefix=GFX10
; RUN: lgc-opt -passes=lgc-lower-vertex-fetch -mcpu=gfx1201 %s -o - | FileCheck %s --check-prefix=GFX12

; Entries of the table have the stride where a descriptor has its last word. The descriptor has elements of a byte
; (stride 1, only indices are compared). A product of more than 32 bits is beyond everything, and so is an attribute
; whose last byte is not inside.
; CHECK: %vertex.buffer = load <4 x i32>, ptr addrspace(4) {{.*}}, !invariant.load
; CHECK: %[[HIGH:.*]] = extractelement <4 x i32> %vertex.buffer, i64 1
; CHECK: %[[W:.*]] = or i32 %[[HIGH]], 65536
; CHECK: %[[D:.*]] = insertelement <4 x i32> %vertex.buffer, i32 %[[W]], i64 1
; CHECK: %[[S:.*]] = insertelement <4 x i32> %[[D]], i32 268521388, i64 3
; GFX10: insertelement <4 x i32> {{.*}}, i32 285298604, i64 3
; GFX12: insertelement <4 x i32> {{.*}}, i32 302075820, i64 3
; CHECK: %[[I:.*]] = zext i32 %vertex.index to i64
; CHECK: %[[STRIDE:.*]] = extractelement <4 x i32> %vertex.buffer, i64 3
; CHECK: %[[ST:.*]] = zext i32 %[[STRIDE]] to i64
; CHECK: %[[P:.*]] = mul i64 %[[I]], %[[ST]]
; CHECK: %[[LOW:.*]] = trunc i64 %[[P]] to i32
; CHECK: %[[SHIFTED:.*]] = lshr i64 %[[P]], 32
; CHECK: %[[UP:.*]] = trunc i64 %[[SHIFTED]] to i32
; CHECK: %[[FITS:.*]] = icmp eq i32 %[[UP]], 0
; CHECK: %element = select i1 %[[FITS]], i32 %[[LOW]], i32 -1
; CHECK: %[[BYTES:.*]] = extractelement <4 x i32> %vertex.buffer, i64 2
; CHECK: %[[PLACES:.*]] = call i32 @llvm.usub.sat.i32(i32 %[[BYTES]], i32 11)
; CHECK: %[[IN:.*]] = icmp ult i32 %element, %[[PLACES]]
; CHECK: %byte = select i1 %[[IN]], i32 %element, i32 -1
; CHECK: call <4 x float> @llvm.amdgcn.struct.tbuffer.load.v4f32(<4 x i32> %[[S]], i32 %byte, i32 8, i32 0, i32 {{.*}}, i32 0)
; The second attribute ends elsewhere in the same element.
; CHECK: call i32 @llvm.usub.sat.i32({{.*}}, i32 23)
; CHECK: icmp ult i32 %element,
; CHECK: call <2 x i32> @llvm.amdgcn.struct.buffer.load.v2i32(<4 x i32> %[[S]], i32 %{{.*}}, i32 16, i32 0, i32 0)
define void @lgc.shader.VS() {
  %in0 = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 0, i32 0, i32 0, i32 poison)
  store volatile <4 x float> %in0, ptr addrspace(1) null
  %in1 = call <2 x i32> @lgc.input.load__v2i32_i32_i32_i32_i32(i32 1, i32 0, i32 0, i32 poison)
  store volatile <2 x i32> %in1, ptr addrspace(1) null
  ret void
}
declare <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32, i32, i32, i32)
declare <2 x i32> @lgc.input.load__v2i32_i32_i32_i32_i32(i32, i32, i32, i32)
!lgc.target = !{!0}
!lgc.graphics = !{!1, !2}
!lgc.vertex.bindings = !{!3}
!lgc.vertex.attributes = !{!10, !11}
!0 = !{!"gfx1100"}
!1 = !{!"stages", !"vertex"}
!2 = !{!"useSoftwareVertexBufferDescriptors", i32 1}
!3 = !{i32 0, i32 32, i32 0, i32 1}
!10 = !{i32 0, i32 0, i32 8, !"RGBA8.unorm"}
!11 = !{i32 1, i32 0, i32 16, !"RG32.uint"}
