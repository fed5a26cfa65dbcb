//===- DirectTier.h - which modules the direct tier generates -------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/Compile.h"
#include "lgc/target/TargetSession.h"
#include "llvm/ADT/SmallVector.h"

namespace lgc {

/// A module behind all passes, by the direct tier if the state asks for it. True: \p object is the
/// code object, as LLVM's before finishCodeObject(). False: nothing has changed, and \p refusal
/// says why if this tier was asked for. Errors: Internal.
llvm::Expected<bool> generateDirectly(llvm::Module &module, OutputKind kind,
                                      const PipelineState &state,
                                      llvm::SmallVectorImpl<char> &object,
                                      InstructionCounts &instructions, std::string &refusal);

} // namespace lgc
