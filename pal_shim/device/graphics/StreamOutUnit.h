//===- StreamOutUnit.h - counters of transform feedback --------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Who counts primitives and what is captured of them, one view of a draw long. Programs of gfx10
/// without NGG leave it to the hardware, which says of every wave how many of its vertices are
/// captured and where they go. Others count themselves if they want to, in registers (gfx11) or in
/// a control buffer in the tables of the draw (gfx12). docs/hw-notes.md, "Transform feedback".
#pragma once

#include "pal_shim/device/Draw.h"
#include "pal_shim/device/core/GraphicsProgram.h"
#include "pal_shim/device/core/StagePort.h"
#include "pal_shim/device/core/UserData.h"
#include "llvm/ADT/SmallVector.h"

namespace pal::device {

class LoadedProgram;

/// Descriptors and control buffer of \p draw for its tables.
StreamOutTables streamOutTables(const LoadedProgram &program, const DrawInfo &draw);

class StreamOutUnit {
public:
  /// \p tables: of the draw; they stay alive.
  StreamOutUnit(const LoadedProgram &program, const DrawInfo &draw, const Region &tables);

  /// Waves of a hardware VS begin with the SGPRs that place() returns.
  bool isHardware() const { return registers.isEnabled; }
  unsigned rasterStream() const { return registers.rasterStream; }
  /// Does anything become of the primitives of a stream behind a copy shader?
  bool usesStream(unsigned stream) const {
    return stream == registers.rasterStream || registers.buffersOfStream[stream];
  }
  /// Counts primitives of the stream if the registers say so, for programs without NGG.
  void count(unsigned stream, uint64_t primitives) {
    if (registers.enabledStreams >> stream & 1)
      needed[stream] += primitives;
  }
  /// Takes the places for a wave of \p primitives of the stream: its SGPRs behind user data.
  llvm::SmallVector<uint32_t, 6> place(unsigned stream, unsigned primitives,
                                       unsigned verticesPerPrimitive);
  /// See StagePort.
  uint32_t addToCounter(Wave &wave, const CounterAccess &access);

  /// Writes back how far buffers are filled, and adds to the counts.
  void finish(DrawStatistics &counts);

private:
  const StreamOutRegisters &registers;
  StreamOut *const streamOut; ///< null: inactive
  const Region &tables;
  const bool countsInMemory; ///< gfx12
  std::array<uint32_t, streamOutBuffers> written = {};
  std::array<uint64_t, vertexStreams> needed = {}, captured = {};
  uint32_t turn = 0; ///< ordered id whose turn it is
};

} // namespace pal::device
