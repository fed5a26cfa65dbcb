//===- Allocate.h - registers for units -----------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A linear scan over LiveIntervals.
#pragma once

#include "lgc/direct/shader/Program.h"

namespace lgc::direct {

/// Makes registers of all operands. False: there are not enough, of which \p lacking says the bank;
/// operands are as before then.
bool allocateRegisters(Program &program, Bank *lacking = nullptr);

} // namespace lgc::direct
