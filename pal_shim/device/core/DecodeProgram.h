//===- DecodeProgram.h - all code of a program that can be reached ---------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "pal_shim/device/core/Decoder.h"
#include "pal_shim/device/core/OpIndex.h"
#include "pal_shim/device/core/ProgramData.h"

namespace pal::device {

/// A function of the code, in bytes from its start.
struct CodeRange {
  uint64_t begin = 0, end = 0;
};

/// Decodes what \p entry reaches. When that includes a jump through registers, which may be a call
/// or a branch too far for its encoding, all of \p functions counts as reached, too. Fills code,
/// dualHalves, indexOfDword, entry and launch.vgprs of \p program.
///
/// Errors: AbiError Unsupported naming every operation that cannot be executed, with the pc and
/// text of its first use; Malformed when control flow leaves the code, enters the middle of an
/// instruction, or reaches bytes that are none.
llvm::Error decodeProgram(Decoder &decoder, const OpIndex &ops, OpcodeCounters &counters,
                          llvm::ArrayRef<uint8_t> code, uint64_t entry,
                          llvm::ArrayRef<CodeRange> functions, ProgramData &program);

} // namespace pal::device
