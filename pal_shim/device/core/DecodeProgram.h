//===- DecodeProgram.h - all code of a program that can be reached ---------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "pal_shim/device/core/Decoder.h"
#include "pal_shim/device/core/OpIndex.h"
#include "pal_shim/device/core/ProgramData.h"

namespace pal::device {

/// Decodes what \p entry reaches. When that includes a jump through registers, everything that
/// starts at one of \p functions counts as reached, too. Fills code, dualHalves, indexOfDword,
/// entry and launch.vgprs of \p program.
///
/// Errors: AbiError Unsupported naming every operation that cannot be executed, with the pc and
/// text of its first use; Malformed when control flow leaves the code, enters the middle of an
/// instruction, or reaches bytes that are none.
llvm::Error decodeProgram(Decoder &decoder, const OpIndex &ops, OpcodeCounters &counters,
                          llvm::ArrayRef<uint8_t> code, uint64_t entry,
                          llvm::ArrayRef<uint64_t> functions, ProgramData &program);

} // namespace pal::device
