//===- SpirvTools.h - assembler, disassembler and validator ---------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "Options.h"

namespace amdllpc {

/// Errors: InvalidInput with line and column.
llvm::Expected<std::vector<uint8_t>> assembleSpirv(const std::string &text);

/// For people; a note instead of text when SPIRV-Tools cannot read the module.
std::string disassembleSpirv(llvm::ArrayRef<uint32_t> words);

/// Runs the validator. An installed validator that is too old to know an opcode or enumerant of a
/// module that our reader accepts gives a warning instead of an error.
llvm::Error validateSpirv(llvm::ArrayRef<uint32_t> words, const Options &options,
                          std::vector<std::string> &warnings);

} // namespace amdllpc
