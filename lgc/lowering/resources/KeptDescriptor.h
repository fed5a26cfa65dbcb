//===- KeptDescriptor.h - descriptors that debuggers can find --------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/IR/InstrTypes.h"

namespace lgc {

/// For debuggers a copy of a buffer's descriptor stays in memory: debug information that says of
/// the \p pointer which variable it leads to says so of the copy (lgc/DebugSpace.h). Optimised code
/// has none (lgc/pipeline/KeepVariables.h).
void keepForDebuggers(llvm::CallBase &pointer, llvm::Value &descriptor);

} // namespace lgc
