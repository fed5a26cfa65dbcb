//===- ShadersForTest.h - IR of small shaders -----------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace lgc::test {

/// Each invocation stores its number.
inline constexpr const char *storeShader = R"(
define void @lgc.shader.CS() {
  %id = call <3 x i32> @lgc.builtin__v3i32_i32(i32 4)
  %x = extractelement <3 x i32> %id, i32 0
  %low = call i32 @lgc.user.data__i32_i32(i32 2)
  %p = inttoptr i32 %low to ptr addrspace(1)
  %q = getelementptr i32, ptr addrspace(1) %p, i32 %x
  store i32 %x, ptr addrspace(1) %q
  ret void
}
declare <3 x i32> @lgc.builtin__v3i32_i32(i32)
declare i32 @lgc.user.data__i32_i32(i32)
)";

/// Workgroup memory of ldsShader: 300 * 4 bytes, which are no whole granules.
inline constexpr uint32_t ldsBytes = 1200;
inline constexpr const char *ldsShader = R"(
@v = internal addrspace(3) global [300 x i32] zeroinitializer
define void @lgc.shader.CS() {
  %i = call i32 @lgc.builtin__i32_i32(i32 3)
  %p = getelementptr i32, ptr addrspace(3) @v, i32 %i
  %old = atomicrmw add ptr addrspace(3) %p, i32 1 syncscope("workgroup") monotonic
  %q = inttoptr i32 %old to ptr addrspace(1)
  store i32 %i, ptr addrspace(1) %q
  ret void
}
declare i32 @lgc.builtin__i32_i32(i32)
)";

} // namespace lgc::test
