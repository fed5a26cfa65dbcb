; RUN: split-file %s %t
; RUN: cat %t/shaders.ll %t/vertices.ll > %t/1.ll
; RUN: cat %t/shaders.ll %t/stream.ll > %t/2.ll
; RUN: cat %t/shaders.ll %t/wave.ll > %t/3.ll
; RUN: cat %t/shaders.ll %t/invocations.ll > %t/4.ll
; RUN: cat %t/shaders.ll %t/overflow.ll > %t/5.ll
; RUN: not lgc-opt -mcpu=gfx1201 -passes=lgc-lower-geometry %t/4.ll -o - 2>&1 | FileCheck --check-prefix=INVOCATIONS12 %s
; RUN: not lgc-opt -mcpu=gfx1030 -passes=lgc-lower-geometry %t/4.ll -o - 2>&1 | FileCheck --check-prefix=INVOCATIONS %s
; RUN: not lgc-opt -mcpu=gfx1030 -passes=lgc-lower-geometry %t/5.ll -o - 2>&1 | FileCheck --check-prefix=OVERFLOW %s
; RUN: not lgc-opt -mcpu=gfx1100 -passes=lgc-lower-geometry %t/1.ll -o - 2>&1 | FileCheck --check-prefix=VERTICES %s
; RUN: not lgc-opt -mcpu=gfx1030 -passes=lgc-lower-geometry %t/1.ll -o - 2>&1 | FileCheck --check-prefix=RING %s
; RUN: not lgc-opt -mcpu=gfx1100 -passes=lgc-lower-geometry %t/2.ll -o - 2>&1 | FileCheck --check-prefix=STREAM %s
; RUN: not lgc-opt -mcpu=gfx1030 -passes=lgc-lower-geometry %t/3.ll -o - 2>&1 | FileCheck --check-prefix=WAVE %s

; VERTICES: geometry shader emits up to 1024 vertices, the limit is 256
; RING: geometry shader: the vertices of one invocation have 4096 components, the limit is 4095
; STREAM: raster stream 4, the limit is 3
; INVOCATIONS12: geometry shader with 128 invocations, the limit is 32
; INVOCATIONS: geometry shader with 128 invocations, the limit is 127
; OVERFLOW: geometry shader emits up to 65536 vertices, the limit is 1024
; WAVE: wave size 32 of a geometry shader without NGG
;--- vertices.ll
!lgc.graphics = !{!0, !1}
!0 = !{!"stages", !"vertex", !"geometry", !"fragment"}
!1 = !{!"geometry.outputVertices", i32 1024}
;--- stream.ll
!lgc.graphics = !{!0, !1}
!0 = !{!"stages", !"vertex", !"geometry", !"fragment"}
!1 = !{!"rasterStream", i32 4}
;--- invocations.ll
!lgc.graphics = !{!0, !1}
!0 = !{!"stages", !"vertex", !"geometry", !"fragment"}
!1 = !{!"geometry.invocations", i32 128}
;--- overflow.ll
!lgc.graphics = !{!0, !1}
!0 = !{!"stages", !"vertex", !"geometry", !"fragment"}
!1 = !{!"geometry.outputVertices", i32 65536}
;--- wave.ll
!lgc.graphics = !{!0}
!lgc.shader.geometry = !{!1}
!0 = !{!"stages", !"vertex", !"geometry", !"fragment"}
!1 = !{!"waveSize", i32 32}
;--- shaders.ll
define void @lgc.shader.VS() {
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> splat (float 1.0), i32 512, i32 0, i32 0, i32 poison)
  ret void
}
define void @lgc.shader.GS() {
  %p = call <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32 512, i32 0, i32 0, i32 0)
  call void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float> %p, i32 512, i32 0, i32 0, i32 poison)
  call void @lgc.emit.vertex__void_i32(i32 0)
  ret void
}
declare void @lgc.output.store__void_v4f32_i32_i32_i32_i32(<4 x float>, i32, i32, i32, i32)
declare <4 x float> @lgc.input.load__v4f32_i32_i32_i32_i32(i32, i32, i32, i32)
declare void @lgc.emit.vertex__void_i32(i32)
