//===- PassSession.h - kept analysis managers -----------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/Passes/PassBuilder.h"

namespace lgc {

/// LLVM's analysis managers with all analyses registered, which takes 30 us: as long as the passes
/// take of a small shader. Kept from one module to the next, one module at a time. Nothing that
/// they know of a module outlives its clear().
class PassSession {
public:
  /// \p machine and \p callbacks outlive it.
  explicit PassSession(llvm::TargetMachine &machine,
                       llvm::PassInstrumentationCallbacks *callbacks = nullptr);

  void run(llvm::ModulePassManager &passes, llvm::Module &module) { passes.run(module, mam); }
  /// Of a module behind all passes. Good until clear().
  const llvm::UniformityInfo &uniformityOf(llvm::Function &function) {
    return fam.getResult<llvm::UniformityInfoAnalysis>(function);
  }
  /// Before the module goes, or is changed by anything but passes.
  void clear();

private:
  llvm::PassBuilder builder; ///< analyses ask it for the pipeline of alias analyses
  // In the order in which they may be destroyed.
  llvm::LoopAnalysisManager lam;
  llvm::FunctionAnalysisManager fam;
  llvm::CGSCCAnalysisManager cgam;
  llvm::ModuleAnalysisManager mam;
};

} // namespace lgc
