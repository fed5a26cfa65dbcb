//===- CodeObject.h - after LLVM has written the ELF ----------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/Compile.h"
#include "lgc/target/TargetSession.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace lgc {

/// Text for people that travels in the code object; empty texts are left out.
struct CodeObjectTexts {
  std::string ir; ///< section .AMDGPU.comment.llvmir
  /// Section .AMDGPU.disasm, with a symbol _amdgpu_XX_disasm for each hardware stage's part.
  std::string disassembly;
};

/// Reads the statistics of every stage out of LLVM's code object (`instructions` by name of the
/// entry point), adds the texts as sections that are not loaded,
/// and checks the result against the rules of the PAL ABI. Errors: Internal when a rule is broken.
llvm::Error finishCodeObject(llvm::SmallVectorImpl<char> &elf, const PipelineState &state,
                             const CodeObjectTexts &texts, const InstructionCounts &instructions,
                             CompileResult &result);

} // namespace lgc
