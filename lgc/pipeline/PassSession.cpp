//===- PassSession.cpp - kept analysis managers ---------------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/pipeline/PassSession.h"
#include "lgc/lowering/Passes.h"
#include "lgc/pipeline/PassPipeline.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace lgc {

PassSession::PassSession(TargetMachine &machine, PassInstrumentationCallbacks *callbacks)
    : builder(&machine, PipelineTuningOptions(), std::nullopt, callbacks) {
  registerPasses(builder);
  // First: of several the first one counts.
  mam.registerPass([this] { return StateAnalysis(&given); });
  builder.registerModuleAnalyses(mam);
  builder.registerCGSCCAnalyses(cgam);
  builder.registerFunctionAnalyses(fam);
  builder.registerLoopAnalyses(lam);
  builder.crossRegisterProxies(lam, fam, cgam, mam);
}

std::vector<PassStep> &PassSession::passesFor(const PassChoice &choice) {
  const auto found = find_if(kept, [&](const Steps &known) { return known.choice == choice; });
  if (found != kept.end())
    return found->steps;
  return kept.emplace_back(choice, buildPasses(choice)).steps;
}

void PassSession::clear() {
  given = nullptr;
  mam.clear();
  cgam.clear();
  fam.clear();
  lam.clear();
}

} // namespace lgc
