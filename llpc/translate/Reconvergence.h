//===- Reconvergence.h - breaks that must stay inside their loop ----------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llpc/spirv/Grammar.h"
#include "llpc/spirv/Module.h"

namespace llpc {

/// Must the invocations that execute `inst` together be those that reach it in the same iteration
/// of a loop?
bool isConvergent(const spirv::Module &module, const spirv::Inst &inst);

/// Blocks that leave a loop after a convergent operation: block label -> loop header label.
/// Empty when the function has no loop or no convergent operation.
llvm::DenseMap<spirv::Id, spirv::Id> findReconvergeBreaks(const spirv::Module &module,
                                                          const spirv::Function &function);

} // namespace llpc
