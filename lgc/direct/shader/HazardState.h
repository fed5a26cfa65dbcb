//===- HazardState.h - what hazards remember of the code so far -----------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/direct/shader/OpEffects.h"

namespace lgc::direct {

/// What one vector instruction has written; registers that were written again are taken out.
struct VectorResult {
  VgprSet regs;
  uint8_t age = 0; ///< vector instructions behind it
  /// Transcendental ones of them; or scalar writes of EXEC behind it.
  uint8_t others = 0;
  bool operator==(const VectorResult &) const = default;
};

/// Bits of vector memory and LDS.
namespace memory {
inline constexpr uint8_t vector = 1, lds = 2;
}

struct HazardState {
  // gfx10.1
  SgprSet memoryReads; ///< of vector memory and LDS, which may still read them
  SgprSet scalarReads; ///< of scalar loads
  uint8_t memorySeen = 0, memoryBranched = 0; ///< the last of the two; ... with a branch behind it
  // gfx11
  llvm::SmallVector<VectorResult, 4> results, transResults;
  // gfx11 with 64 lanes, gfx12: scalar registers whose next write must be waited for by readers,
  // and those that have been written so.
  SgprSet watched, scalarWrites, vectorWrites;

  /// Either may have been.
  void join(const HazardState &other);
};

/// What the blocks of a loop may leave behind for its next iteration, without what ends it.
struct LoopEffects {
  SgprSet memoryReads, scalarReads; ///< as above
  uint8_t memorySeen = 0;           ///< any of the two
  VgprSet results, transResults;    ///< of vector instructions
  bool writesExec = false;          ///< by a scalar instruction
  SgprSet valuReads, masks;         ///< of vector instructions
  SgprSet scalarWrites, vectorWrites;

  void add(const OpEffects &effects);
  void add(const LoopEffects &other);
};

/// The second registers of pairs whose first one is in \p set, and the reverse, too.
SgprSet pairsOf(const SgprSet &set);
/// Registers that hazards of scalar operands know: no M0, no EXEC.
const SgprSet &forwardedSgprs();
bool writesExec(const OpEffects &effects);

} // namespace lgc::direct
