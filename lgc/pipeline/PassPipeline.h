//===- PassPipeline.h - lgc's passes for LLVM's pass builder --------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Names of lgc passes for text pipelines (lgc-opt), and the lists that a compilation runs.
#pragma once

#include "lgc/Pipeline.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class PassBuilder;
class PassInstrumentationCallbacks;
} // namespace llvm

namespace lgc {

/// Makes the names of PassRegistry.def known to `builder.parsePassPipeline`, and lgc's analyses to
/// the managers that the builder sets up.
void registerPasses(llvm::PassBuilder &builder);
/// Class names -> pass names, for -print-after=lgc-...
void registerPassNames(llvm::PassInstrumentationCallbacks &callbacks);

} // namespace lgc
