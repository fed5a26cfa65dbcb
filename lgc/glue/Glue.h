//===- Glue.h - code between the parts of a pipeline ----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Glue (lgc/Part.h) is made directly as one function in the form that lgc-lower-entry-point
/// leaves: its arguments are the registers that it starts with. So only clean-up and code
/// generation follow (Backend::compileGlue).
#pragma once

#include "lgc/Part.h"
#include "lgc/target/TargetSession.h"
#include "llvm/ADT/SmallVector.h"

namespace lgc {

struct CompileResult;

/// Makes `module`, which must be empty, the glue that `info.kind` and its signature ask for, with
/// its PAL metadata: version, notes of PalRegisters.h, nothing else. Problems are reported to the
/// context (Unsupported: formats); Errors: InvalidInput for a kind that is no glue, a signature
/// that is missing or impossible, an unknown target.
llvm::Error buildGlue(llvm::Module &module, const PipelineState &state, const PartInfo &info);

/// Adds the section with `info` to the code object and reads statistics. A driver never loads glue
/// by itself, so no rules of the PAL ABI are checked.
llvm::Error finishGlue(llvm::SmallVectorImpl<char> &elf, const PartInfo &info,
                       const InstructionCounts &instructions, CompileResult &result);

} // namespace lgc
