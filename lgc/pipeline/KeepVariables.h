//===- KeepVariables.h - variables that debuggers can find -----------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/IR/PassManager.h"

namespace lgc {

/// Whether a function is compiled for a debugger: it has debug information, and is not optimised.
bool isForDebugger(const llvm::Function &function, bool isOptimized);

/// Behind inlining. For debuggers: variables that debug information names stay in memory, every
/// access to them is made, in order, and each statement begins with an instruction that does
/// nothing, `s_ttracedata_imm`, where debuggers stop; so do barriers and accesses that are atomic
/// (DebugNames.h). Else: debug information loses its variables,
/// so that code is what it is without; their names stay (NameValues.h).
struct KeepVariablesPass : llvm::PassInfoMixin<KeepVariablesPass> {
  explicit KeepVariablesPass(bool isOptimized) : isOptimized(isOptimized) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);

private:
  bool isOptimized;
};

} // namespace lgc
