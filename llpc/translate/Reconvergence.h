//===- Reconvergence.h - breaks that must stay inside their loop ----------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llpc/spirv/Module.h"

namespace llpc {

/// Blocks that leave a loop after a convergent operation: block label -> loop header label.
/// Empty when the function has no loop or no convergent operation.
llvm::DenseMap<spirv::Id, spirv::Id> findReconvergeBreaks(const spirv::Module &module,
                                                          const spirv::Function &function);

} // namespace llpc
