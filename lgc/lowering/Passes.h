//===- Passes.h - the classes of all lgc passes ---------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Declares every pass of PassRegistry.def, and what passes share: the pipeline state as an
/// analysis, and reporting of errors. A pass's own file implements run() and explains itself.
#pragma once

#include "lgc/CompileError.h"
#include "lgc/Pipeline.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/PassManager.h"

namespace lgc {

/// The module's PipelineState: the one that the caller has given, or read from the module's
/// metadata once. Passes do not change the state, so the result stays valid. Metadata of a wrong
/// shape is reported once and gives default state.
class StateAnalysis : public llvm::AnalysisInfoMixin<StateAnalysis> {
public:
  StateAnalysis() = default;
  /// \p given, and what it points to, outlive the analysis; that may be null.
  explicit StateAnalysis(const PipelineState *const *given) : given(given) {}

  struct Result {
    PipelineState state;
    uint32_t waveSize = 64; ///< of compute shaders; others ask waveSizeOf()
    const PipelineState *operator->() const { return &state; }
    bool invalidate(llvm::Module &, const llvm::PreservedAnalyses &,
                    llvm::ModuleAnalysisManager::Invalidator &) {
      return false;
    }
  };
  Result run(llvm::Module &module, llvm::ModuleAnalysisManager &);

private:
  friend llvm::AnalysisInfoMixin<StateAnalysis>;
  static llvm::AnalysisKey Key;

  const PipelineState *const *given = nullptr;
};

/// An Error on its way through LLVMContext::diagnose, which is how passes report. Compilation goes
/// on to the next check of the diagnostic handler, so a pass must leave valid IR (poison results).
class CompileDiagnostic : public llvm::DiagnosticInfo {
public:
  CompileDiagnostic(ErrorKind kind, std::string message);
  static bool classof(const llvm::DiagnosticInfo *info);
  ErrorKind getErrorKind() const { return kind; }
  const std::string &getMessage() const { return message; }
  void print(llvm::DiagnosticPrinter &printer) const override;

private:
  ErrorKind kind;
  std::string message;
};

/// Does the optimiser unroll loops? What can profit waits for that.
bool unrollsLoops(const PipelineState &state);

/// Reports `error` as a CompileDiagnostic. Does nothing for success.
void reportError(llvm::LLVMContext &context, llvm::Error error);

// Lowerings are required: the optimiser's bisection must not skip them.
#define LGC_MODULE_PASS(Class, passName, summary)                                                  \
  struct Class : llvm::PassInfoMixin<Class> {                                                      \
    static llvm::StringRef name() { return passName; }                                             \
    static bool isRequired() { return true; }                                                      \
    llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &mam);           \
  };
#define LGC_FUNCTION_PASS(Class, passName, summary)                                                \
  struct Class : llvm::PassInfoMixin<Class> {                                                      \
    static llvm::StringRef name() { return passName; }                                             \
    static bool isRequired() { return true; }                                                      \
    llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &fam);     \
  };
#include "lgc/PassRegistry.def"

} // namespace lgc
