//===- CodeObject.h - after LLVM has written the ELF ----------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/Compile.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace lgc {

/// Text for people that travels in the code object; empty texts are left out.
struct CodeObjectTexts {
  std::string ir;          ///< section .AMDGPU.comment.llvmir
  std::string disassembly; ///< section .AMDGPU.disasm, symbol _amdgpu_cs_disasm
};

/// Reads the statistics out of LLVM's code object, adds the texts as sections that are not loaded,
/// and checks the result against the rules of the PAL ABI. Errors: Internal when a rule is broken.
llvm::Error finishCodeObject(llvm::SmallVectorImpl<char> &elf, const PipelineState &state,
                             const CodeObjectTexts &texts, Statistics &stats);

} // namespace lgc
