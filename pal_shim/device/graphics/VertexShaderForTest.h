//===- VertexShaderForTest.h - last geometry stages in assembler -----------===//
// SPDX-License-Identifier: MIT
/// \file
/// Vertex shaders for every family and both ways to the rasteriser, around a piece of code that is
/// the same for all.
#pragma once

#include "pal_shim/device/core/AssembleForTest.h"

namespace pal::device::test {

inline constexpr const char *allFamilies[] = {"gfx1010", "gfx1030", "gfx1100", "gfx1150",
                                              "gfx1201"};

/// Enables all lanes of a primitive shader; the thread in the group to v21. Wave size 32.
inline constexpr const char *threadOfGroup = R"(
  s_mov_b32 exec_lo, -1
  v_mbcnt_lo_u32_b32 v20, -1, 0
  s_bfe_u32 s7, s3, 0x40018
  s_lshl_b32 s0, s7, 5
  v_add_nc_u32 v21, s0, v20
)";

struct VertexShaderForTest {
  std::string target;
  bool isNgg = true;
  bool isPassthrough = true;
  /// Code between the set-up and the exports: vertex id in v10, instance in v11, thread in the
  /// group in v21; leaves the position in v[24:27], attribute 0 in v[28:31].
  std::string body;
  /// What stands in for the words of primitives that leave, in v0; at the place where they export.
  std::string primitiveCode = "";
  bool allocates = true;

  bool isMajor(unsigned major) const {
    return llvm::StringRef(target).starts_with("gfx" + std::to_string(major));
  }
  std::string text() const;
  /// The stage and its registers in \p graphics. User data: the global table, then API entries.
  void addTo(TestGraphics &graphics) const;
};

} // namespace pal::device::test
