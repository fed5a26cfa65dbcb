//===- Waits.h - what each wait waits for ---------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Follows the operations that are under way (loads, stores, exports, messages) along all paths, by
/// the rules of the counters that strict mode has (pal_shim/device/strict).
#pragma once

#include "tools/report/ControlFlow.h"

namespace report {

/// A wait, or an instruction that waits besides (VINTERP, LDS_DIRECT).
struct Wait {
  uint32_t instruction = 0;
  /// Instructions whose operations it may wait for, ascending. Empty: nothing can be under way.
  std::vector<uint32_t> operations;
};

/// By instruction. Waits of ALU results (s_delay_alu, s_wait_alu) are none of these.
std::vector<Wait> findWaits(const MachineCode &code, const ControlFlow &flow);

} // namespace report
