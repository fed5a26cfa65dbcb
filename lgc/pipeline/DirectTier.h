//===- DirectTier.h - which modules the direct tier generates -------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/Compile.h"
#include "lgc/pipeline/PassSession.h"
#include "lgc/target/CodeObject.h"
#include "llvm/ADT/SmallVector.h"

namespace lgc {

/// Why the direct tier will not generate this, whatever the shaders are; empty: it may, or the
/// state does not ask for it.
llvm::StringRef directRefusalOf(OutputKind kind, const PipelineState &state);
/// Why it does not generate modules with functions that are called, behind inlining.
inline constexpr llvm::StringLiteral calledFunction = "a function that is called";
bool hasCalledFunctions(const llvm::Module &module);
/// A module behind all passes, by the direct tier, with \p extras. True: \p object is the code
/// object, and \p result has the statistics. False: \p result says why not. With \p verifier,
/// registers are checked as generateShader() has it, what is scalar against LLVM's analysis, and
/// the object against the rules of the PAL ABI; else only that, of one in sixteen by their hashes,
/// because reading an object again takes longer than making it. Errors: Internal.
llvm::Expected<bool> generateDirectly(llvm::Module &module, const PipelineState &state,
                                      const CodeObjectExtras &extras,
                                      llvm::SmallVectorImpl<char> &object, CompileResult &result,
                                      PassSession *verifier);

} // namespace lgc
