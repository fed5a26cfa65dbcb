//===- SpirvTools.h - assembler, disassembler and validator ---------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace frontend {

/// Errors: InvalidInput with line and column.
llvm::Expected<std::vector<uint8_t>> assembleSpirv(const std::string &text);

/// For people; a note instead of text when SPIRV-Tools cannot read the module.
std::string disassembleSpirv(llvm::ArrayRef<uint32_t> words);

/// Runs the validator for \p targetEnv ("vulkan1.3", or "spirv" for rules of SPIR-V alone). An
/// installed validator that is too old to know an opcode or enumerant of a module that our reader
/// accepts gives a warning instead of an error.
llvm::Error validateSpirv(llvm::ArrayRef<uint32_t> words, llvm::StringRef targetEnv,
                          std::vector<std::string> &warnings);

} // namespace frontend
