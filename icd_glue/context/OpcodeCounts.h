//===- OpcodeCounts.h - KILN_OPCODE_COUNTS --------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "pal_shim/device/Device.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <string>

namespace icd {

/// One line "target mnemonic variant count" per opcode; a variant without a name is "-".
std::string formatOpcodeCounts(llvm::StringRef target,
                               const std::map<pal::device::OpcodeKey, uint64_t> &counts);

/// Appends them to \p path in one write, so that processes may share the file; whoever reads it
/// adds lines of the same opcode up. Errors: those of the system.
llvm::Error appendOpcodeCounts(const std::string &path, llvm::StringRef target,
                               const std::map<pal::device::OpcodeKey, uint64_t> &counts);

} // namespace icd
