//===- InstructionCount.h - number of instructions of some code -----------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "pal_shim/abi/TargetInfo.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace pal::device {

/// Machine instructions that follow each other in \p code, a VOPD pair being one; also of code that
/// cannot be loaded, as that of parts. Errors: AbiError Malformed for bytes that are no instruction
/// of the target; Unsupported for a target that LLVM does not know.
llvm::Expected<uint64_t> countInstructions(const abi::GpuTarget &target, unsigned waveSize,
                                           llvm::ArrayRef<uint8_t> code);

} // namespace pal::device
