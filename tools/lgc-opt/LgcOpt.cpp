//===- LgcOpt.cpp - run single passes on LLVM IR --------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// lgc-opt [-passes=...] [-mcpu=gfx1100] [-verify-each] [-o FILE] [FILE]
/// Reads .ll or .bc, runs passes (LLVM's and ours, LLVM's textual syntax) and prints the module.
/// The processor is that of !lgc.target unless -mcpu= names another. LLVM's own options
/// (-print-after-all, -opt-bisect-limit, ...) work.
/// Exit code: 0, or 1 after an error message on stderr.
#include "lgc/CompileError.h"
#include "lgc/Ops.h"
#include "lgc/Shader.h"
#include "lgc/StateMetadata.h"
#include "lgc/lowering/Passes.h"
#include "lgc/pipeline/PassPipeline.h"
#include "lgc/target/TargetMachine.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/StandardInstrumentations.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace {

cl::OptionCategory category("lgc-opt options");
cl::opt<std::string> input(cl::Positional, cl::desc("<input .ll or .bc>"), cl::init("-"),
                           cl::cat(category));
cl::opt<std::string> output("o", cl::desc("output file"), cl::init("-"), cl::cat(category));
cl::opt<std::string> passes("passes", cl::desc("pass pipeline"), cl::cat(category));
cl::opt<std::string> processor("mcpu", cl::desc("target, overrides !lgc.target"),
                               cl::cat(category));
cl::opt<bool> verifyEach("verify-each", cl::desc("verify IR and operations after each pass"),
                         cl::cat(category));

/// Prints every diagnostic; errors make the run fail.
struct Diagnostics : DiagnosticHandler {
  bool &failed;
  explicit Diagnostics(bool &failed) : failed(failed) {}
  bool handleDiagnostics(const DiagnosticInfo &info) override {
    DiagnosticPrinterRawOStream printer(errs());
    errs() << "lgc-opt: ";
    if (!isa<lgc::CompileDiagnostic>(info))
      errs() << LLVMContext::getDiagnosticMessagePrefix(info.getSeverity()) << ": ";
    info.print(printer);
    errs() << '\n';
    failed |= info.getSeverity() == DS_Error;
    return true;
  }
};

/// Applies -mcpu to the state, so that lgc's passes and LLVM's see the same processor.
Error applyProcessor(Module &module) {
  if (processor.empty())
    return Error::success();
  Expected<lgc::PipelineState> state = lgc::readState(module);
  if (!state)
    return state.takeError();
  state->target = processor;
  lgc::writeState(module, *state);
  return Error::success();
}

Expected<std::unique_ptr<TargetMachine>> machineFor(const Module &module) {
  Expected<lgc::PipelineState> state = lgc::readState(module);
  if (!state)
    return state.takeError();
  return lgc::createTargetMachine(state->target.empty() ? "gfx1100" : state->target,
                                  CodeGenOptLevel::Default);
}

Error runPasses(Module &module, TargetMachine *machine) {
  LoopAnalysisManager lam;
  FunctionAnalysisManager fam;
  CGSCCAnalysisManager cgam;
  ModuleAnalysisManager mam;
  PassInstrumentationCallbacks callbacks;
  StandardInstrumentations instrumentations(module.getContext(), /*DebugLogging=*/false,
                                            verifyEach);
  instrumentations.registerCallbacks(callbacks, &mam);
  lgc::registerPassNames(callbacks);
  if (verifyEach)
    callbacks.registerAfterPassCallback([&](StringRef pass, Any ir, const PreservedAnalyses &) {
      if (pass == "lgc-verify-ops")
        return;
      if (Error error = lgc::verifyOps(module)) {
        errs() << "lgc-opt: after " << pass << ":\n";
        lgc::reportError(module.getContext(), std::move(error));
      }
    });
  PassBuilder builder(machine, PipelineTuningOptions(), std::nullopt, &callbacks);
  lgc::registerPasses(builder);
  builder.registerModuleAnalyses(mam);
  builder.registerCGSCCAnalyses(cgam);
  builder.registerFunctionAnalyses(fam);
  builder.registerLoopAnalyses(lam);
  builder.crossRegisterProxies(lam, fam, cgam, mam);
  ModulePassManager manager;
  if (Error error = builder.parsePassPipeline(manager, passes))
    return error;
  manager.run(module, mam);
  return Error::success();
}

int fail(Error error) {
  lgc::ErrorText text = lgc::consumeToText(std::move(error));
  errs() << "lgc-opt: " << lgc::errorKindName(text.kind) << ": " << text.message << '\n';
  return 1;
}

} // namespace

int main(int argc, char **argv) {
  lgc::initializeTarget();
  cl::ParseCommandLineOptions(argc, argv, "lgc pass runner\n");
  LLVMContext context;
  bool failed = false;
  context.setDiagnosticHandler(std::make_unique<Diagnostics>(failed));
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module = parseIRFile(
      input, diagnostic, context,
      ParserCallbacks([](StringRef, StringRef layout) -> std::optional<std::string> {
        return layout.empty() ? std::optional(lgc::dataLayoutString().str()) : std::nullopt;
      }));
  if (!module) {
    diagnostic.print(argv[0], errs());
    return 1;
  }
  if (module->getTargetTriple().empty())
    module->setTargetTriple(Triple(lgc::targetTriple()));
  if (Error error = applyProcessor(*module))
    return fail(std::move(error));
  auto machine = machineFor(*module);
  if (!machine)
    return fail(machine.takeError());
  if (Error error = runPasses(*module, machine->get()))
    return fail(std::move(error));
  if (verifyModule(*module, &errs()) || failed)
    return 1;

  std::error_code code;
  ToolOutputFile out(output, code, sys::fs::OF_Text);
  if (code) {
    errs() << "lgc-opt: " << output << ": " << code.message() << '\n';
    return 1;
  }
  out.os() << *module;
  out.keep();
  return 0;
}
