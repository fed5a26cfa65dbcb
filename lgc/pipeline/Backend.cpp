//===- Backend.cpp - module in, code object out ---------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Runs the passes of BuildPasses.cpp and code generation on one module, with the kept LLVM state
/// of a pool. Between steps the collected diagnostics are looked at; the first step with an error
/// is the last one.
#include "lgc/Compile.h"
#include "lgc/CompileError.h"
#include "lgc/Ops.h"
#include "lgc/Part.h"
#include "lgc/Shader.h"
#include "lgc/StateMetadata.h"
#include "lgc/glue/DirectGlue.h"
#include "lgc/glue/Glue.h"
#include "lgc/lowering/Passes.h"
#include "lgc/pipeline/BuildPasses.h"
#include "lgc/pipeline/Diagnostics.h"
#include "lgc/pipeline/PassPipeline.h"
#include "lgc/target/CodeObject.h"
#include "lgc/target/TargetSession.h"
#include "pal_shim/abi/Try.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <ctime>
#include <mutex>

using namespace llvm;

namespace lgc {
namespace {

/// Adds the CPU time that the thread uses during its life to a sum, in milliseconds.
class Stopwatch {
public:
  explicit Stopwatch(double &sum) : sum(sum), start(now()) {}
  ~Stopwatch() { sum += now() - start; }

private:
  static double now() {
    timespec time = {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
  }
  double &sum;
  double start;
};

std::string moduleText(const Module &module) {
  std::string text;
  raw_string_ostream(text) << module;
  return text;
}

Error verifyIr(const Module &module, const Twine &when) {
  std::string text;
  raw_string_ostream os(text);
  if (verifyModule(module, &os))
    return internalError("invalid IR " + when + ": " + text);
  return Error::success();
}

/// No lgc operation may reach code generation.
Error checkNoOps(const Module &module) {
  for (const Function &function : module)
    if (function.isDeclaration() && !function.use_empty() && function.getName().starts_with("lgc."))
      return unsupported("operation '" + function.getName() + "' has no lowering");
  return Error::success();
}

/// A shader whose behaviour is undefined from its first instruction on must still be a function:
/// LLVM emits nothing for `unreachable`, and a driver cannot place an entry point of size 0.
///   before: entry: unreachable        after: entry: ret void
void endEmptyEntries(Module &module) {
  for (Function *entry : entryFunctions(module)) {
    auto *end = dyn_cast<UnreachableInst>(&*entry->getEntryBlock().getFirstNonPHIOrDbg());
    if (!end)
      continue;
    Type *type = entry->getReturnType();
    ReturnInst::Create(module.getContext(), type->isVoidTy() ? nullptr : PoisonValue::get(type),
                       end->getIterator());
    end->eraseFromParent();
  }
}

void writeIr(const Module &module, OutputKind kind, CompileResult &result) {
  SmallVector<char, 0> output;
  raw_svector_ostream os(output);
  if (kind == OutputKind::Ir)
    os << module;
  else
    WriteBitcodeToFile(module, os);
  result.data.assign(output.begin(), output.end());
}

/// LLVM's analysis managers, in the order in which they may be destroyed.
struct AnalysisManagers {
  LoopAnalysisManager lam;
  FunctionAnalysisManager fam;
  CGSCCAnalysisManager cgam;
  ModuleAnalysisManager mam;

  void registerAll(PassBuilder &builder) {
    builder.registerModuleAnalyses(mam);
    builder.registerCGSCCAnalyses(cgam);
    builder.registerFunctionAnalyses(fam);
    builder.registerLoopAnalyses(lam);
    builder.crossRegisterProxies(lam, fam, cgam, mam);
  }
};

/// Makes passes verify and dump, when the options ask for it.
void instrument(PassInstrumentationCallbacks &callbacks, const BackendOptions &options,
                const Module &module) {
  registerPassNames(callbacks);
  callbacks.registerAfterPassCallback([&](StringRef pass, Any, const PreservedAnalyses &preserved) {
    if (preserved.areAllPreserved())
      return;
    bool ours = pass.starts_with("lgc-");
    if (ours && options.verifyEach) {
      reportError(module.getContext(), verifyIr(module, "after " + pass));
      reportError(module.getContext(), verifyOps(module));
    }
    if (ours && options.dumpIr)
      options.dumpIr(pass, moduleText(module));
  });
}

} // namespace

struct Backend::Impl {
  BackendOptions options;
  std::mutex mutex;
  std::vector<std::unique_ptr<TargetSession>> idle;

  Expected<std::unique_ptr<TargetSession>> take(const PipelineState &state);
  void giveBack(std::unique_ptr<TargetSession> session);
  Error runPasses(Module &module, function_ref<std::vector<PassStep>()> makeSteps,
                  TargetSession &session, DiagnosticCollector &diagnostics, PhaseTimes &times);
  Expected<CompileResult> run(Module &module, OutputKind kind, const PipelineState &state,
                              TargetSession &session, DiagnosticCollector &diagnostics);
  Error runGlue(Module &module, OutputKind kind, const PipelineState &state, const PartInfo &glue,
                TargetSession &session, DiagnosticCollector &diagnostics, CompileResult &result);
  Error generate(Module &module, OutputKind kind, const PipelineState &state,
                 TargetSession &session, DiagnosticCollector &diagnostics, CompileResult &result);
};

/// An idle session for this target and level, the one used last first, or a new one.
Expected<std::unique_ptr<TargetSession>> Backend::Impl::take(const PipelineState &state) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    for (auto it = idle.rbegin(); it != idle.rend(); ++it) {
      if ((*it)->target() != state.target || (*it)->level() != state.options.optLevel)
        continue;
      std::unique_ptr<TargetSession> session = std::move(*it);
      idle.erase(std::next(it).base());
      return session;
    }
  }
  return TargetSession::create(state.target, state.options.optLevel);
}

void Backend::Impl::giveBack(std::unique_ptr<TargetSession> session) {
  if (session->isWornOut())
    return;
  std::lock_guard<std::mutex> lock(mutex);
  idle.push_back(std::move(session));
}

Error Backend::Impl::runPasses(Module &module, function_ref<std::vector<PassStep>()> makeSteps,
                               TargetSession &session, DiagnosticCollector &diagnostics,
                               PhaseTimes &times) {
  AnalysisManagers managers;
  PassInstrumentationCallbacks callbacks;
  bool instrumented = options.verifyEach || options.dumpIr;
  if (instrumented)
    instrument(callbacks, options, module);
  std::optional<Stopwatch> setUp(std::in_place, times.lower);
  PassBuilder builder(&session.machine(), PipelineTuningOptions(), std::nullopt,
                      instrumented ? &callbacks : nullptr);
  registerPasses(builder);
  managers.registerAll(builder);
  std::vector<PassStep> steps = makeSteps();
  setUp.reset();
  for (PassStep &step : steps) {
    Stopwatch watch(step.phase == PassStep::Phase::Lower ? times.lower : times.optimize);
    step.passes.run(module, managers.mam);
    if (options.dumpIr && step.phase == PassStep::Phase::Optimize)
      options.dumpIr(step.name, moduleText(module));
    KILN_TRY(diagnostics.takeError());
  }
  endEmptyEntries(module);
  return checkNoOps(module);
}

Error Backend::Impl::generate(Module &module, OutputKind kind, const PipelineState &state,
                              TargetSession &session, DiagnosticCollector &diagnostics,
                              CompileResult &result) {
  SmallVector<char, 0> output;
  CodeObjectExtras extras;
  InstructionCounts instructions;
  if (kind == OutputKind::Object && state.options.includeIr)
    extras.ir = moduleText(module);
  if (kind == OutputKind::Object && state.part.any())
    extras.partInfo = encodePartInfo(partInfoOf(module));
  if (kind == OutputKind::Object && state.options.includeDisassembly) {
    // Code generation changes the module, so the listing comes from a copy.
    std::unique_ptr<Module> copy = CloneModule(module);
    session.generate(*copy, /*assembly=*/true, output, instructions);
    extras.disassembly.assign(output.begin(), output.end());
  }
  {
    Stopwatch watch(result.times.codegen);
    session.generate(module, kind == OutputKind::Assembly, output, instructions);
  }
  KILN_TRY(diagnostics.takeError());
  if (kind == OutputKind::Object) {
    KILN_TRY(finishCodeObject(output, state, extras, instructions, result));
  } else {
    for (const auto &[name, count] : instructions)
      result.stats.instructions += count;
  }
  result.data.assign(output.begin(), output.end());
  return Error::success();
}

Expected<CompileResult> Backend::Impl::run(Module &module, OutputKind kind,
                                           const PipelineState &state, TargetSession &session,
                                           DiagnosticCollector &diagnostics) {
  CompileResult result;
  {
    Stopwatch watch(result.times.lower);
    if (options.dumpIr)
      options.dumpIr("lgc", moduleText(module));
    if (options.verifyInput)
      KILN_TRY(verifyOps(module));
    if (options.verifyEach)
      KILN_TRY(verifyIr(module, "from the front end"));
  }
  auto makeSteps = [&] { return buildPasses(state, readTraits(module)); };
  KILN_TRY(runPasses(module, makeSteps, session, diagnostics, result.times));
  if (options.verifyEach)
    KILN_TRY(verifyIr(module, "before code generation"));
  if (options.dumpIr)
    options.dumpIr("llvm", moduleText(module));
  if (kind == OutputKind::Ir || kind == OutputKind::Bitcode) {
    writeIr(module, kind, result);
    return result;
  }
  KILN_TRY(generate(module, kind, state, session, diagnostics, result));
  return result;
}

Error Backend::Impl::runGlue(Module &module, OutputKind kind, const PipelineState &state,
                             const PartInfo &glue, TargetSession &session,
                             DiagnosticCollector &diagnostics, CompileResult &result) {
  writeGlueMetadata(module);
  KILN_TRY(runPasses(module, buildGluePasses, session, diagnostics, result.times));
  if (options.verifyEach)
    KILN_TRY(verifyIr(module, "before code generation"));
  if (options.dumpIr)
    options.dumpIr("llvm", moduleText(module));
  if (kind == OutputKind::Ir || kind == OutputKind::Bitcode) {
    writeIr(module, kind, result);
    return Error::success();
  }
  SmallVector<char, 0> output;
  InstructionCounts instructions;
  {
    Stopwatch watch(result.times.codegen);
    session.generate(module, kind == OutputKind::Assembly, output, instructions);
  }
  KILN_TRY(diagnostics.takeError());
  const ArrayRef<uint8_t> bytes(reinterpret_cast<const uint8_t *>(output.data()), output.size());
  if (kind != OutputKind::Object) {
    result.data = bytes.vec();
    return Error::success();
  }
  KILN_TRY(readGlueStatistics(bytes, instructions, result));
  result.data = KILN_TRY(addPartInfo(bytes, glue));
  return Error::success();
}

Backend::Backend(BackendOptions options) : impl(std::make_unique<Impl>()) {
  impl->options = std::move(options);
}

Backend::~Backend() = default;

void Backend::trim() {
  std::lock_guard<std::mutex> lock(impl->mutex);
  impl->idle.clear();
}

Expected<CompileResult> Backend::compile(std::unique_ptr<Module> module, OutputKind kind) {
  PipelineState state = KILN_TRY(readState(*module));
  // Why new for text: LLVM's kept assembly printer leaves out the leading section directive from
  // the second module on, and the same input must give the same bytes.
  const bool text = kind == OutputKind::Assembly || state.options.includeDisassembly;
  Expected<std::unique_ptr<TargetSession>> session =
      text ? TargetSession::create(state.target, state.options.optLevel) : impl->take(state);
  if (!session)
    return session.takeError();
  DiagnosticCollector diagnostics(module->getContext());
  Expected<CompileResult> result = impl->run(*module, kind, state, **session, diagnostics);
  // Why: a failed run may have left LLVM's kept state in the middle of something.
  if (result && !text)
    impl->giveBack(std::move(*session));
  return result;
}

Expected<CompileResult> Backend::compileGlue(const PipelineState &state, const PartInfo &glue,
                                             OutputKind kind) {
  auto made = KILN_TRY(makeGlue(state, glue, kind, GlueBy::Anything));
  KILN_CHECK(made, "glue that nothing makes");
  return std::move(*made);
}

Expected<std::optional<CompileResult>> Backend::generateGlue(const PipelineState &state,
                                                             const PartInfo &glue) {
  return makeGlue(state, glue, OutputKind::Object, GlueBy::DirectOnly);
}

Expected<std::optional<CompileResult>>
Backend::makeGlue(const PipelineState &state, const PartInfo &glue, OutputKind kind, GlueBy by) {
  LLVMContext context;
  Module module("glue", context);
  DiagnosticCollector diagnostics(context);
  CompileResult result;
  {
    Stopwatch watch(result.times.lower);
    KILN_TRY(joinErrors(buildGlue(module, state, glue), diagnostics.takeError()));
  }
  if (impl->options.directGlue && kind == OutputKind::Object && !impl->options.dumpIr) {
    if (impl->options.verifyEach)
      KILN_TRY(verifyIr(module, "of glue"));
    Stopwatch watch(result.times.codegen);
    if (KILN_TRY(lgc::generateGlue(module, state, glue, result)))
      return result;
  }
  if (by == GlueBy::DirectOnly)
    return std::nullopt;
  const bool text = kind == OutputKind::Assembly; // as above
  Expected<std::unique_ptr<TargetSession>> session =
      text ? TargetSession::create(state.target, state.options.optLevel) : impl->take(state);
  if (!session)
    return session.takeError();
  KILN_TRY(impl->runGlue(module, kind, state, glue, **session, diagnostics, result));
  if (!text)
    impl->giveBack(std::move(*session));
  return result;
}

} // namespace lgc
