//===- PassSession.cpp - kept analysis managers ---------------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/pipeline/PassSession.h"
#include "lgc/pipeline/PassPipeline.h"

using namespace llvm;

namespace lgc {

PassSession::PassSession(TargetMachine &machine, PassInstrumentationCallbacks *callbacks)
    : builder(&machine, PipelineTuningOptions(), std::nullopt, callbacks) {
  registerPasses(builder);
  builder.registerModuleAnalyses(mam);
  builder.registerCGSCCAnalyses(cgam);
  builder.registerFunctionAnalyses(fam);
  builder.registerLoopAnalyses(lam);
  builder.crossRegisterProxies(lam, fam, cgam, mam);
}

void PassSession::clear() {
  mam.clear();
  cgam.clear();
  fam.clear();
  lam.clear();
}

} // namespace lgc
