//===- Passes.cpp - what all lgc passes share -----------------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/lowering/Passes.h"
#include "lgc/Ops.h"
#include "lgc/Shader.h"
#include "lgc/StateMetadata.h"
#include "llvm/IR/DiagnosticPrinter.h"

using namespace llvm;

namespace lgc {

AnalysisKey StateAnalysis::Key;

StateAnalysis::Result StateAnalysis::run(Module &module, ModuleAnalysisManager &) {
  Result result;
  if (given && *given)
    result.state = **given;
  else if (Expected<PipelineState> state = readState(module))
    result.state = std::move(*state);
  else
    reportError(module.getContext(), state.takeError());
  result.waveSize = chooseWaveSize(result.state, pal::abi::HardwareStage::Cs);
  return result;
}

bool unrollsLoops(const PipelineState &state) {
  const OptLevel level = state.options.optLevel;
  return state.options.tier != Tier::Direct && !state.compute.disableLoopUnroll &&
         (level == OptLevel::Default || level == OptLevel::Fast);
}

/// Immutable after its first use; LLVM hands out the number.
static int diagnosticKind() {
  static const int kind = getNextAvailablePluginDiagnosticKind();
  return kind;
}

CompileDiagnostic::CompileDiagnostic(ErrorKind kind, std::string message)
    : DiagnosticInfo(static_cast<DiagnosticKind>(diagnosticKind()), DS_Error), kind(kind),
      message(std::move(message)) {}

bool CompileDiagnostic::classof(const DiagnosticInfo *info) {
  return info->getKind() == diagnosticKind();
}

void CompileDiagnostic::print(DiagnosticPrinter &printer) const {
  printer << errorKindName(kind) << ": " << message;
}

void reportError(LLVMContext &context, Error error) {
  if (!error)
    return;
  ErrorText text = consumeToText(std::move(error));
  context.diagnose(CompileDiagnostic(text.kind, std::move(text.message)));
}

PreservedAnalyses VerifyOpsPass::run(Module &module, ModuleAnalysisManager &) {
  reportError(module.getContext(), verifyOps(module));
  return PreservedAnalyses::all();
}

} // namespace lgc
