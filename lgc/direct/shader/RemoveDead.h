//===- RemoveDead.h - instructions whose results nobody reads -------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/direct/shader/Program.h"

namespace lgc::direct {

/// Removes instructions that only compute what is not read: selection goes forward, and values of
/// several dwords are needed as a whole there. Before registers are allocated.
void removeDead(Program &program);

} // namespace lgc::direct
