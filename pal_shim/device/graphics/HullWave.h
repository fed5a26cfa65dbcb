//===- HullWave.h - registers of merged vertex and control waves -----------===//
// SPDX-License-Identifier: MIT
/// \file
/// The hardware HS: a group of waves has the patches that share LDS. Lane l of wave w runs the
/// vertex shader for control point t = w * wave size + l of all of the group's patches, one patch
/// after the other, and the control shader for output control point t alike. A control point that
/// patches share is run for each. Registers at the start (docs/hw-notes.md, "What graphics waves
/// start with", "Tessellation"):
///   s2   where the group's part of the off-chip buffer begins, bytes
///   s3   vertices [7:0], control points [15:8] of the wave, number of the wave [27:24]
///   s4   where the group's tessellation factors begin, bytes
///   s5   gfx10: scratch offset; gfx11 and later: number of the wave in its group, if asked for
///   s8.. user data
///   v0 patch id   v1 patch in the group [7:0], output control point [12:8]
///   gfx10, gfx11: v2 vertex id   v3 vertex in the group   v5 instance
///   gfx12: v2 vertex id   v3 instance
///   EXEC means nothing: all lanes here
#pragma once

#include "pal_shim/device/Debug.h"
#include "pal_shim/device/core/GraphicsProgram.h"
#include "pal_shim/device/core/Wave.h"
#include "pal_shim/device/graphics/Tessellator.h"
#include "pal_shim/device/graphics/VertexGroup.h"

namespace pal::device {

/// Threads of a group, and control points of a patch on either side.
inline constexpr unsigned maxHullThreads = 256, maxControlPoints = 32;

/// Those of a draw with patches of \p points: what a driver writes to VGT_LS_HS_CONFIG where the
/// program leaves the number open. Of patches that many fit a group as it has threads for.
HullRegisters registersOfDraw(HullRegisters registers, unsigned points);

/// How the tessellator works for a program. Errors: DeviceFault BadLaunch that names the register
/// field whose value the hardware or this device does not have.
llvm::Expected<TessellationMode> modeOf(const HullRegisters &registers);

/// What a patch has in the buffer of tessellation factors.
unsigned factorDwords(TessellationDomain domain);
/// \p words: factorDwords of one patch. Outer levels, then inner ones; of isolines the number of
/// segments comes before the number of lines.
TessellationLevels levelsOf(TessellationDomain domain, llvm::ArrayRef<uint32_t> words);

struct HullGroup {
  const HullRegisters &registers;
  /// Control points of the first patch, then of the second, ...; `primitiveId` is the patch's.
  llvm::ArrayRef<VertexGroup::Vertex> vertices;
  llvm::ArrayRef<uint32_t> userSgprs;
  uint32_t offChipBase = 0, factorBase = 0; ///< bytes

  unsigned patches() const { return unsigned(vertices.size()) / registers.inputVertices; }
  /// Waves that it takes to have a lane for everything.
  unsigned waves(unsigned waveSize) const;
  void fill(Wave &wave, unsigned index) const;
  /// What thread \p number of the group runs the control shader for; nothing: it does not.
  std::optional<DrawInvocation::Primitive> controlPoint(size_t number) const;
};

} // namespace pal::device
