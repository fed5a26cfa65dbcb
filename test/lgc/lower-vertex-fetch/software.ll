; RUN: lgc-opt -passes=lgc-lower-vertex-fetch %s -o - | FileCheck %s
; RUN: lgc-opt -passes=lgc-lower-vertex-fetch -mcpu=gfx1030 %s -o - | FileCheck %s --check-prefix=GFX10
; RUN: lgc-opt -passes=lgc-lower-vertex-fetch -mcpu=gfx1201 %s -o - | FileCheck %s --check-prefix=GFX12

; Entries of the table have the stride where a descriptor has its last word. The descriptor has elements of a byte
; (stride 1, only indices are compared). Offsets have 64 bits. An attribute that is not wholly inside has an index that
; is beyond everything.
; CHECK: %vertex.buffer = load <4 x i32>, ptr addrspace(4) {{.*}}, !invariant.load
; CHECK: %[[HIGH:.*]] = extractelement <4 x i32> %vertex.buffer, i64 1
; CHECK: %[[A:.*]] = and i32 %[[HIGH]], 65535
; CHECK: %[[W:.*]] = or i32 %[[A]], 65536
; CHECK: %[[D:.*]] = insertelement <4 x i32> %vertex.buffer, i32 %[[W]], i64 1
; CHECK: %[[S:.*]] = insertelement <4 x i32> %[[D]], i32 268521388, i64 3
; GFX10: insertelement <4 x i32> {{.*}}, i32 285298604, i64 3
; GFX12: insertelement <4 x i32> {{.*}}, i32 302075820, i64 3
; CHECK: %[[I:.*]] = zext i32 %vertex.index to i64
; CHECK: %[[STRIDE:.*]] = extractelement <4 x i32> %vertex.buffer, i64 3
; CHECK: %[[ST:.*]] = zext i32 %[[STRIDE]] to i64
; CHECK: %element = mul i64 %[[I]], %[[ST]]
; CHECK: %[[BYTES:.*]] = extractelement <4 x i32> %vertex.buffer, i64 2
; CHECK: %[[B:.*]] = zext i32 %[[BYTES]] to i64
; CHECK: %[[END:.*]] = sub i64 %[[B]], 12
; CHECK: %[[OUT:.*]] = icmp sgt i64 %element, %[[END]]
; CHECK: %[[LOW:.*]] = trunc i64 %element to i32
; CHECK: %[[AT:.*]] = select i1 %[[OUT]], i32 -1, i32 %[[LOW]]
; CHECK: call <4 x float> @llvm.amdgcn.struct.tbuffer.load.v4f32(<4 x i32> %[[S]], i32 %[[AT]], i32 8, i32 0, i32 {{.*}}, i32 0)
; The second attribute ends elsewhere in the same element.
; CHECK: sub i64 {{.*}}, 24
; CHECK: icmp sgt i64 %element,
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
