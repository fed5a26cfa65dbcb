//===- CodeObject.h - after LLVM has written the ELF ----------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/Compile.h"
#include "llvm/ADT/SmallVector.h"

namespace lgc {

/// Reads the statistics out of LLVM's code object, adds the sections that the options ask for (IR
/// text `ir`, disassembly), and checks the result against the rules of the PAL ABI.
/// Errors: LimitExceeded (LDS), Internal when a rule is broken.
llvm::Error finishCodeObject(llvm::SmallVectorImpl<char> &elf, const PipelineState &state,
                             llvm::StringRef ir, Statistics &stats);

} // namespace lgc
