//===- MeshWave.h - registers of mesh shaders' waves -----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A mesh shader is the hardware GS in fast launch mode: workgroups are started, not vertices.
/// Registers at the start (docs/hw-notes.md, "Task and mesh shaders"); what is not named here stays
/// undefined:
///   s2   ordered id [11:0], if `.ngg_wave_id_en`
///   s3   number of the wave in its group [27:24]
///   s8.. user data
///   gfx10.3: a lane for each vertex and primitive that may leave
///     s5 scratch offset   v5 of the group's first lane: number of the workgroup
///   gfx11 and later: the workgroup as its shader has it
///     s4 workgroup id x, y, 16 bits each   s5 [14:0] base of the attribute ring, [31:16] z
///     v0 local id, 10 bits each
///   EXEC means nothing: all lanes here
#pragma once

#include "pal_shim/device/core/GraphicsProgram.h"
#include "pal_shim/device/core/Wave.h"

namespace pal::device {

struct MeshGroup {
  const GraphicsProgram &program;
  llvm::ArrayRef<uint32_t> userSgprs;
  uint32_t number = 0;            ///< of the group in the draw
  std::array<uint32_t, 3> id;     ///< in its launch
  uint32_t flatId = 0;            ///< likewise
  uint32_t attributeRingBase = 0; ///< 0 where there is none

  void fill(Wave &wave, unsigned index) const;
};

/// Lanes that are started for a workgroup.
uint32_t meshLanes(const GraphicsProgram &program, Generation generation);

} // namespace pal::device
