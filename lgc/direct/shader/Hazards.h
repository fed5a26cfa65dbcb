//===- Hazards.h - what hardware does not wait for by itself --------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Some generations have pairs of instructions between which code must put something, or results
/// are wrong (docs/parts.md#hazards):
///
///   before                      behind (gfx11.0)
///   v_rcp_f32 v0, v1            v_rcp_f32 v0, v1
///   v_add_f32 v2, v0, v0        s_waitcnt_depctr 0xfff
///                               v_add_f32 v2, v0, v0
#pragma once

#include "lgc/direct/shader/Program.h"

namespace lgc::direct {

/// Adds what mends hazards in front of the second instruction of each. Registers must be allocated,
/// and waits for loads be there (Waits.h), which mend some. Instructions in their long forms; loops
/// are entered at their first blocks only.
/// Where LLVM's and ACO's rules differ, the stricter one holds, apart from what the rows of
/// Hazards.cpp say. Not known, because no instruction of ours has them: compares that write EXEC,
/// lane permutations, image instructions, LDS direct loads. Branch offsets of 0x3f (gfx10.1) are
/// for whoever encodes.
void mendHazards(Program &program);

} // namespace lgc::direct
