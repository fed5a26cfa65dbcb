//===- DirectGlue.h - code of glue without LLVM ---------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Glue is a few loads, or a few conversions and exports: instructions in a row, for which
/// lgc/direct chooses opcodes and registers in microseconds where LLVM's code generation takes
/// milliseconds. What lgc/direct does not know (docs/parts.md#direct) goes to LLVM.
#pragma once

#include "lgc/Part.h"
#include "lgc/glue/Glue.h"

namespace lgc {

/// Makes the code object of what buildGlue() made, `.kiln.part` included, and sets data and
/// statistics. False: it is left to LLVM, and the module is as it was. Errors: Internal.
llvm::Expected<bool> generateGlue(llvm::Module &module, const PipelineState &state,
                                  const PartInfo &info, CompileResult &result);

} // namespace lgc
