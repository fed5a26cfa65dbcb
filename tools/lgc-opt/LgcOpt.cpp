//===- LgcOpt.cpp - run single passes on LLVM IR --------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// lgc-opt [-passes=...] [-compile] [-glue=KIND] [-filetype=ll|asm|obj] [-mcpu=gfx1100]
///         [-verify-each] [-o FILE] [FILE]
/// Reads .ll or .bc, runs passes (LLVM's and ours, LLVM's textual syntax), then with -compile the
/// whole back end, and prints the module, or what -filetype= names. With -glue=, glue is compiled
/// instead, from the module's state and the signature that the passes have noted.
/// The processor is that of !lgc.target unless -mcpu= names another. LLVM's own options
/// (-print-after-all, -opt-bisect-limit, ...) work.
/// Exit code: 0, or 1 after an error message on stderr.
#include "lgc/Compile.h"
#include "lgc/CompileError.h"
#include "lgc/Ops.h"
#include "lgc/Part.h"
#include "lgc/Shader.h"
#include "lgc/StateMetadata.h"
#include "lgc/lowering/Passes.h"
#include "lgc/pipeline/PassPipeline.h"
#include "lgc/target/TargetMachine.h"
#include "pal_shim/abi/Try.h"
#include "tools/cli/Arguments.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/StandardInstrumentations.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace {

cl::OptionCategory category("lgc-opt options");
cl::extrahelp examples("\nExamples:\n"
                       "  lgc-opt -passes=lgc-lower-buffers blur.lgc.ll\n"
                       "  lgc-opt -compile -filetype=asm -mcpu=gfx1201 -o blur.s blur.lgc.ll\n"
                       "  amdllpc -emit-lgc -o - blur.comp | lgc-opt -compile -filetype=obj -o "
                       "blur.elf\n");
cl::opt<std::string> input(cl::Positional, cl::desc("<input .ll or .bc>"), cl::init("-"),
                           cl::cat(category));
cl::opt<std::string> output("o", cl::desc("output file"), cl::init("-"), cl::cat(category));
cl::opt<std::string> passes("passes", cl::desc("pass pipeline"), cl::cat(category));
cl::opt<std::string> processor("mcpu", cl::desc("target, overrides !lgc.target"),
                               cl::cat(category));
cl::opt<bool> verifyEach("verify-each", cl::desc("verify IR and operations after each pass"),
                         cl::cat(category));
cl::opt<bool> compileAll("compile", cl::desc("run the whole back end"), cl::cat(category));
cl::opt<lgc::OutputKind>
    fileType("filetype", cl::desc("what to write"), cl::init(lgc::OutputKind::Ir),
             cl::values(clEnumValN(lgc::OutputKind::Ir, "ll", "LLVM IR"),
                        clEnumValN(lgc::OutputKind::Assembly, "asm", "assembly text"),
                        clEnumValN(lgc::OutputKind::Object, "obj", "PAL code object")),
             cl::cat(category));
cl::opt<std::string> glue("glue",
                          cl::desc("instead of the module, the glue for what its passes noted: "
                                   "vertex-fetch, color-export"),
                          cl::cat(category));
cl::opt<bool> stats("kiln-stats", cl::desc("print statistics on stderr (-compile)"),
                    cl::cat(category));
cl::opt<unsigned> repeat("repeat", cl::desc("compile that often, print the time (-compile)"),
                         cl::init(1), cl::cat(category));

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
  lgc::PipelineState state = KILN_TRY(lgc::readState(module));
  state.target = processor;
  lgc::writeState(module, state);
  return Error::success();
}

Expected<std::unique_ptr<TargetMachine>> machineFor(const Module &module) {
  lgc::PipelineState state = KILN_TRY(lgc::readState(module));
  return lgc::createTargetMachine(state.target.empty() ? "gfx1100" : state.target,
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
  KILN_TRY(builder.parsePassPipeline(manager, passes));
  manager.run(module, mam);
  return Error::success();
}

int fail(Error error) {
  lgc::ErrorText text = lgc::consumeToText(std::move(error));
  errs() << "lgc-opt: " << lgc::errorKindName(text.kind) << ": " << text.message << '\n';
  return 1;
}

void printStatistics(const lgc::CompileResult &result) {
  for (const lgc::StageStatistics &stage : result.stages) {
    const lgc::Statistics &s = stage.stats;
    errs() << pal::abi::hardwareStageKey(stage.stage).drop_front() << ": vgprs " << s.vgprs
           << " sgprs " << s.sgprs << " lds " << s.ldsBytes << " scratch " << s.scratchBytes
           << " code " << s.codeBytes << " instructions " << s.instructions << " wave" << s.waveSize
           << " waves/simd " << s.wavesPerSimd << '\n';
  }
  errs() << format("ms: lower %.3f optimize %.3f codegen %.3f\n", result.times.lower,
                   result.times.optimize, result.times.codegen);
}

/// Compiles clones of `module` again and again; reports the time of one.
void measure(lgc::Backend &backend, const Module &module) {
  lgc::PhaseTimes sum;
  for (unsigned i = 0; i < repeat; ++i) {
    auto result = backend.compile(CloneModule(module), fileType);
    if (!result) {
      consumeError(result.takeError());
      return;
    }
    if (i == 0) {
      sum = {};
      continue; // the first makes what the others keep
    }
    sum.lower += result->times.lower / (repeat - 1);
    sum.optimize += result->times.optimize / (repeat - 1);
    sum.codegen += result->times.codegen / (repeat - 1);
  }
  errs() << format("mean ms: lower %.3f optimize %.3f codegen %.3f\n", sum.lower, sum.optimize,
                   sum.codegen);
}

/// The whole back end, or only code generation for what the passes made.
Expected<std::vector<uint8_t>> compile(std::unique_ptr<Module> module) {
  lgc::BackendOptions options;
  options.verifyEach = verifyEach;
  lgc::Backend backend(std::move(options));
  if (repeat > 1)
    measure(backend, *module);
  auto result = KILN_TRY(backend.compile(std::move(module), fileType));
  if (stats)
    printStatistics(result);
  return std::move(result.data);
}

Expected<std::vector<uint8_t>> compileGlue(const Module &module) {
  lgc::PipelineState state = KILN_TRY(lgc::readState(module));
  lgc::PartInfo info = lgc::partInfoOf(module);
  info.kind = glue == "color-export" ? lgc::PartKind::ColorExport : lgc::PartKind::VertexFetch;
  lgc::BackendOptions options;
  options.verifyEach = verifyEach;
  auto result = KILN_TRY(lgc::Backend(std::move(options)).compileGlue(state, info, fileType));
  return std::move(result.data);
}

} // namespace

int main(int argc, char **argv) {
  lgc::initializeTarget();
  cl::SetVersionPrinter([](raw_ostream &os) { os << cli::versionText("lgc-opt") << '\n'; });
  cl::HideUnrelatedOptions(category); // LLVM's own: --help-hidden
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
  if (Error error = passes.empty() ? Error::success() : runPasses(*module, machine->get()))
    return fail(std::move(error));
  if (verifyModule(*module, &errs()) || failed)
    return 1;
  std::vector<uint8_t> data;
  if (!glue.empty()) {
    auto result = compileGlue(*module);
    if (!result)
      return fail(result.takeError());
    data = std::move(*result);
    module.reset();
  } else if (compileAll || fileType != lgc::OutputKind::Ir) {
    auto result = compile(std::move(module));
    if (!result)
      return fail(result.takeError());
    data = std::move(*result);
  }

  std::error_code code;
  ToolOutputFile out(output, code, sys::fs::OF_Text);
  if (code) {
    errs() << "lgc-opt: " << output << ": " << code.message() << '\n';
    return 1;
  }
  if (module)
    out.os() << *module;
  out.os().write(reinterpret_cast<const char *>(data.data()), data.size());
  out.keep();
  return 0;
}
