//===- SpillRewrite.h - instructions around spilled units -----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Spilled units are in memory wherever code meets (SpillMemory.h). In a region, which is entered
/// at its first block only, instructions use copies of them: what is read is loaded once, what is
/// written is stored where its register is needed for something else, or where other code goes on.
/// The copy that goes is the one whose next use is furthest.
///
/// Copies of VGPRs have the lanes that were active when they were loaded or written: none outlives
/// a change of EXEC, in front of which they are stored.
#pragma once

#include "lgc/direct/shader/SpillChoice.h"

namespace lgc::direct {

/// What an instruction of the new program is.
struct SpillStep {
  enum class Kind : uint8_t {
    Old,     ///< the next one of the old program, perhaps with copies as operands
    Load,    ///< of registers of a unit
    Store,   ///< the same
    Remake,  ///< of a constant, or of what is loaded from elsewhere
    Gone,    ///< none: the next one of the old program is not there any more
    Helping, ///< for one of those
  };
  Kind kind = Kind::Old;
  uint32_t unit = noUnit; ///< of the old program
  uint8_t first = 0, count = 0;
  Operand copy; ///< the first register that is loaded or stored
};

/// By block, in order; for CheckSpills.h.
using SpillTrace = std::vector<std::vector<SpillStep>>;

/// \p limit: registers that are there. Returns 0, or how many more units should have been spilled,
/// in registers; \p program is of no use then.
unsigned rewriteSpills(Program &program, const LiveIntervals &live, const SpillChoice &choice,
                       Bank bank, unsigned limit, SpillTrace *trace);

} // namespace lgc::direct
