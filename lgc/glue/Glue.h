//===- Glue.h - code between the parts of a pipeline ----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Glue (lgc/Part.h) is made directly as one function in the form that lgc-lower-entry-point
/// leaves: its arguments are the registers that it starts with. So only code generation follows
/// (Backend::compileGlue), by lgc/direct or by LLVM.
#pragma once

#include "lgc/Part.h"
#include "lgc/lowering/entry/MetadataTree.h"
#include "lgc/target/TargetSession.h"
#include "llvm/ADT/SmallVector.h"

namespace lgc {

struct CompileResult;

/// Makes `module`, which must be empty, the glue that `info.kind` and its signature ask for, with
/// notes of its PAL metadata (PalRegisters.h). Problems are reported to the
/// context (Unsupported: formats); Errors: InvalidInput for a kind that is no glue, a signature
/// that is missing or impossible, an unknown target.
llvm::Error buildGlue(llvm::Module &module, const PipelineState &state, const PartInfo &info);

/// Puts version and notes into an empty tree, and returns `amdpal.pipelines[0]`. The notes are gone
/// from the module.
MetadataNode &startGlueMetadata(llvm::Module &module, MetadataTree &tree);
/// The same as metadata of the module, to which LLVM adds its counts.
void writeGlueMetadata(llvm::Module &module);

/// Reads statistics of LLVM's code object.
llvm::Error readGlueStatistics(llvm::ArrayRef<uint8_t> elf, const InstructionCounts &instructions,
                               CompileResult &result);
/// The code object with the section that has `info`. A driver never loads glue by itself, so no
/// rules of the PAL ABI are checked. Errors: Internal.
llvm::Expected<std::vector<uint8_t>> addPartInfo(llvm::ArrayRef<uint8_t> elf, const PartInfo &info);

} // namespace lgc
