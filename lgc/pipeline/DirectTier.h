//===- DirectTier.h - which modules the direct tier generates -------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/Compile.h"
#include "lgc/target/TargetSession.h"
#include "llvm/ADT/SmallVector.h"

namespace lgc {

/// Why the direct tier will not generate this, whatever the shaders are; empty: it may, or the
/// state does not ask for it.
llvm::StringRef directRefusalOf(OutputKind kind, const PipelineState &state);
/// A module behind all passes, by the direct tier. True: \p object is the code object, as LLVM's
/// before finishCodeObject(). False: \p refusal says why not. \p isVerified: as generateShader()
/// has it. Errors: Internal.
llvm::Expected<bool> generateDirectly(llvm::Module &module, const PipelineState &state,
                                      llvm::SmallVectorImpl<char> &object,
                                      InstructionCounts &instructions, std::string &refusal,
                                      bool isVerified);

} // namespace lgc
