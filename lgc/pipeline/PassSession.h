//===- PassSession.h - kept analysis managers -----------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/pipeline/BuildPasses.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/Passes/PassBuilder.h"
#include <deque>

namespace lgc {

/// LLVM's analysis managers with all analyses registered, and the lists of passes, which together
/// take 40 us to make: as long as the passes take of a small shader. Kept from one module to the
/// next, one module at a time. Nothing that they know of a module outlives its clear().
class PassSession {
public:
  /// \p machine and \p callbacks outlive it.
  explicit PassSession(llvm::TargetMachine &machine,
                       llvm::PassInstrumentationCallbacks *callbacks = nullptr);

  /// The state of the module whose passes run next, until clear(): what StateAnalysis says. Without
  /// one it reads the module's metadata.
  void setState(const PipelineState &state) { given = &state; }
  /// Made once.
  std::vector<PassStep> &passesFor(const PassChoice &choice);
  void run(llvm::ModulePassManager &passes, llvm::Module &module) { passes.run(module, mam); }
  /// Of a module behind all passes. Good until clear().
  const llvm::UniformityInfo &uniformityOf(llvm::Function &function) {
    return fam.getResult<llvm::UniformityInfoAnalysis>(function);
  }
  /// Before the module goes, or is changed by anything but passes.
  void clear();

private:
  struct Steps {
    PassChoice choice;
    std::vector<PassStep> steps;
  };

  const PipelineState *given = nullptr;
  std::deque<Steps> kept;    ///< references stay valid
  llvm::PassBuilder builder; ///< analyses ask it for the pipeline of alias analyses
  // In the order in which they may be destroyed.
  llvm::LoopAnalysisManager lam;
  llvm::FunctionAnalysisManager fam;
  llvm::CGSCCAnalysisManager cgam;
  llvm::ModuleAnalysisManager mam;
};

} // namespace lgc
