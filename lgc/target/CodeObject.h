//===- CodeObject.h - after LLVM has written the ELF ----------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/Compile.h"
#include "lgc/target/TargetSession.h"
#include "llvm/ADT/SmallVector.h"
#include <string>
#include <vector>

namespace lgc {

/// What travels in sections that are not loaded; empty ones are left out.
struct CodeObjectExtras {
  std::string ir; ///< section .AMDGPU.comment.llvmir
  /// Section .AMDGPU.disasm, with a symbol _amdgpu_XX_disasm for each hardware stage's part.
  std::string disassembly;
  std::vector<uint8_t> partInfo; ///< section .kiln.part
};

/// Reads the statistics of every stage out of a code object (`instructions` by name of the
/// entry point), adds the extras as sections that are not loaded,
/// and checks the result against the rules of the PAL ABI. Errors: Internal when a rule is broken.
llvm::Error finishCodeObject(llvm::SmallVectorImpl<char> &elf, const PipelineState &state,
                             const CodeObjectExtras &extras, const InstructionCounts &instructions,
                             CompileResult &result);

} // namespace lgc
