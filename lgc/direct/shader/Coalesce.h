//===- Coalesce.h - results where they are wanted -------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/direct/shader/Program.h"

namespace lgc::direct {

/// Where a value is only computed to be moved into a register of another unit, as phis and
/// registers in a row are made, it is computed into that register. Before registers are allocated.
void coalesceMoves(Program &program);

} // namespace lgc::direct
