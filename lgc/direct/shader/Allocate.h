//===- Allocate.h - registers for units -----------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A linear scan: a unit has one interval of positions, from its first to its last use, extended
/// over loops that it is used in and comes from outside of. Intervals suffice for lanes that wait,
/// too: vector instructions write the registers of active lanes only, and what a wave has once is
/// never read behind an iteration in which it was not written (Locations.h).
#pragma once

#include "lgc/direct/shader/Program.h"

namespace lgc::direct {

/// Makes registers of all operands. False: there are not enough.
bool allocateRegisters(Program &program);

} // namespace lgc::direct
