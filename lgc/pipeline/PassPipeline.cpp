//===- PassPipeline.cpp - lgc's passes by name ----------------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/pipeline/PassPipeline.h"
#include "lgc/lowering/Passes.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;

namespace lgc {
namespace {

bool addModulePass(StringRef name, ModulePassManager &passes) {
#define LGC_MODULE_PASS(Class, passName, summary)                                                  \
  if (name == passName) {                                                                          \
    passes.addPass(Class());                                                                       \
    return true;                                                                                   \
  }
#include "lgc/PassRegistry.def"
  return false;
}

bool addFunctionPass([[maybe_unused]] StringRef name,
                     [[maybe_unused]] FunctionPassManager &passes) {
#define LGC_FUNCTION_PASS(Class, passName, summary)                                                \
  if (name == passName) {                                                                          \
    passes.addPass(Class());                                                                       \
    return true;                                                                                   \
  }
#include "lgc/PassRegistry.def"
  return false;
}

} // namespace

void registerPasses(PassBuilder &builder) {
  using Element = ArrayRef<PassBuilder::PipelineElement>;
  builder.registerPipelineParsingCallback([](StringRef name, ModulePassManager &passes, Element) {
    return addModulePass(name, passes);
  });
  builder.registerPipelineParsingCallback([](StringRef name, FunctionPassManager &passes, Element) {
    return addFunctionPass(name, passes);
  });
  builder.registerAnalysisRegistrationCallback(
      [](ModuleAnalysisManager &manager) { manager.registerPass([] { return StateAnalysis(); }); });
}

void registerPassNames(PassInstrumentationCallbacks &callbacks) {
#define LGC_MODULE_PASS(Class, passName, summary) callbacks.addClassToPassName(passName, passName);
#define LGC_FUNCTION_PASS(Class, passName, summary)                                                \
  callbacks.addClassToPassName(passName, passName);
#include "lgc/PassRegistry.def"
}

} // namespace lgc
