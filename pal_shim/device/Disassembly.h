//===- Disassembly.h - text of machine code -------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "pal_shim/abi/TargetInfo.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace pal::device {

/// \p code as assembler text, an instruction a line with its byte offset and its dwords, and a
/// label in front of each that branches lead to:
///
///     label_0010:
///       s_cbranch_execz label_0024                  // 00000010: BFA50004
///
/// Errors: AbiError Malformed for bytes that are no instruction of the target; Unsupported for a
/// target that LLVM does not know.
llvm::Expected<std::string> disassemble(const abi::GpuTarget &target, unsigned waveSize,
                                        llvm::ArrayRef<uint8_t> code);

} // namespace pal::device
