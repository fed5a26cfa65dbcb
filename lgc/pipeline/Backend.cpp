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
#include "lgc/PhaseClock.h"
#include "lgc/Shader.h"
#include "lgc/StateMetadata.h"
#include "lgc/glue/DirectGlue.h"
#include "lgc/glue/Glue.h"
#include "lgc/lowering/Passes.h"
#include "lgc/lowering/interface/AttributeSlots.h"
#include "lgc/lowering/interface/KeepHalf.h"
#include "lgc/pipeline/BuildPasses.h"
#include "lgc/pipeline/ContextPool.h"
#include "lgc/pipeline/Diagnostics.h"
#include "lgc/pipeline/DirectTier.h"
#include "lgc/pipeline/EmptyEntries.h"
#include "lgc/pipeline/IrText.h"
#include "lgc/pipeline/PassPipeline.h"
#include "lgc/pipeline/PassSession.h"
#include "lgc/target/CodeObject.h"
#include "lgc/target/TargetSession.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <mutex>

using namespace llvm;

namespace lgc {
namespace {

void dump(Module &module, StringRef step, const BackendOptions &options) {
  if (options.nameValues)
    nameValues(module);
  options.dumpIr(step, moduleText(module));
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

/// Which half of a module behind the shared passes takes longer to compile, by its instructions.
/// Each costs more in front of rasterization, where exports and culling are still to come: over 28
/// pipelines those halves took 1.7 times as long as the fragment shaders.
PartState::Half longerHalf(Module &module) {
  size_t fragment = 0, others = 0;
  for (Function *entry : entryFunctions(module))
    (shaderStageOf(*entry) == ShaderStage::Fragment ? fragment : others) +=
        entry->getInstructionCount();
  constexpr size_t exports = 60;
  return fragment > 2 * others + exports ? PartState::Half::Fragment
                                         : PartState::Half::PreRasterization;
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

/// Makes passes verify and dump, when the options ask for it.
void instrument(PassInstrumentationCallbacks &callbacks, const BackendOptions &options,
                Module &module) {
  registerPassNames(callbacks);
  callbacks.registerAfterPassCallback(
      [&](StringRef pass, const Any &, const PreservedAnalyses &preserved) {
        if (preserved.areAllPreserved())
          return;
        bool ours = pass.starts_with("lgc-");
        if (ours && options.verifyEach) {
          reportError(module.getContext(), verifyIr(module, "after " + pass));
          reportError(module.getContext(), verifyOps(module));
        }
        if (ours && options.dumpIr)
          dump(module, pass, options);
      });
}

} // namespace

struct Backend::Impl {
  /// What one compilation at a time can use.
  struct Session {
    std::unique_ptr<TargetSession> target;
    std::unique_ptr<PassSession> passes; ///< of target's machine
  };

  BackendOptions options;
  ContextPool contexts;
  std::mutex mutex;
  std::vector<Session> idle;

  static Expected<Session> make(const PipelineState &state);
  Expected<Session> take(const PipelineState &state);
  void giveBack(Session session);
  Error runPasses(Module &module, PassChoice::List list, const PipelineState &state,
                  Session &session, DiagnosticCollector &diagnostics, PhaseClock &clock,
                  PhaseTimes &times, bool isForDirectTier = false);
  Error checkInput(Module &module);
  Expected<CompileResult> run(Module &module, OutputKind kind, const PipelineState &state,
                              Session &session, DiagnosticCollector &diagnostics);
  Error finish(Module &module, OutputKind kind, const PipelineState &state, Session &session,
               DiagnosticCollector &diagnostics, CompileResult &result);
  Expected<CompileResult> runHalf(Module &module, const PipelineState &state, Session &session,
                                  DiagnosticCollector &diagnostics);
  Expected<CompileResult> runHalfOf(StringRef bitcode);
  Error runGlue(Module &module, OutputKind kind, const PipelineState &state, const PartInfo &glue,
                Session &session, DiagnosticCollector &diagnostics, CompileResult &result);
  Error generate(Module &module, OutputKind kind, const PipelineState &state, Session &session,
                 DiagnosticCollector &diagnostics, CompileResult &result);
};

Expected<Backend::Impl::Session> Backend::Impl::make(const PipelineState &state) {
  std::unique_ptr<TargetSession> target =
      KILN_TRY(TargetSession::create(state.target, state.options.optLevel));
  auto passes = std::make_unique<PassSession>(target->machine());
  return Session{std::move(target), std::move(passes)};
}

/// An idle session for this target and level, the one used last first, or a new one.
Expected<Backend::Impl::Session> Backend::Impl::take(const PipelineState &state) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    for (auto it = idle.rbegin(); it != idle.rend(); ++it) {
      if (it->target->target() != state.target || it->target->level() != state.options.optLevel)
        continue;
      Session session = std::move(*it);
      idle.erase(std::next(it).base());
      return session;
    }
  }
  return make(state);
}

void Backend::Impl::giveBack(Session session) {
  if (session.target->isWornOut())
    return;
  std::lock_guard<std::mutex> lock(mutex);
  idle.push_back(std::move(session));
}

Error Backend::Impl::runPasses(Module &module, PassChoice::List list, const PipelineState &state,
                               Session &session, DiagnosticCollector &diagnostics,
                               PhaseClock &clock, PhaseTimes &times, bool isForDirectTier) {
  PassInstrumentationCallbacks callbacks;
  std::optional<PassSession> instrumented;
  if (options.verifyEach || options.dumpIr) {
    instrument(callbacks, options, module);
    instrumented.emplace(session.target->machine(), &callbacks);
  }
  PassSession &passes = instrumented ? *instrumented : *session.passes;
  llvm::scope_exit clear([&] { passes.clear(); });
  passes.setState(state);
  std::vector<PassStep> &steps = passes.passesFor(choosePasses(list, state, module));
  auto sumOf = [&](PassStep::Phase phase) -> double & {
    return phase == PassStep::Phase::Lower ? times.lower : times.optimize;
  };
  PassStep::Phase phase = PassStep::Phase::Lower; // what comes in front of the first one, too
  for (PassStep &step : steps) {
    if (step.phase != phase)
      clock.charge(sumOf(phase));
    // Behind inlining: what is refused in the end anyway need not be optimised before.
    if (isForDirectTier && step.phase == PassStep::Phase::Optimize && hasCalledFunctions(module))
      break;
    phase = step.phase;
    passes.run(step.passes, module);
    if (options.dumpIr && step.phase == PassStep::Phase::Optimize)
      dump(module, step.name, options);
    KILN_TRY(diagnostics.takeError());
  }
  clock.charge(sumOf(phase));
  return Error::success();
}

Error Backend::Impl::generate(Module &module, OutputKind kind, const PipelineState &state,
                              Session &session, DiagnosticCollector &diagnostics,
                              CompileResult &result) {
  SmallVector<char, 0> output;
  CodeObjectExtras extras;
  InstructionCounts instructions;
  const bool isObject = kind == OutputKind::Object;
  if (isObject && state.options.includeIr)
    extras.ir = moduleText(module);
  if (isObject && state.part.any())
    extras.partInfo = encodePartInfo(partInfoOf(module));
  if (isObject && state.options.includeDisassembly) {
    // Code generation changes the module, so the listing comes from a copy.
    std::unique_ptr<Module> copy = CloneModule(module);
    session.target->generate(*copy, /*assembly=*/true, output, instructions);
    extras.disassembly.assign(output.begin(), output.end());
  }
  if (state.options.tier == Tier::Direct) {
    llvm::scope_exit clear([&] { session.passes->clear(); });
    result.isDirect =
        KILN_TRY(generateDirectly(module, state, extras, output, result,
                                  options.verifyEach ? session.passes.get() : nullptr));
    result.isRefused = !result.isDirect;
    KILN_TRY(diagnostics.takeError());
    result.data.assign(output.begin(), output.end());
    return Error::success();
  }
  {
    Stopwatch watch(result.times.codegen);
    session.target->generate(module, kind == OutputKind::Assembly, output, instructions);
  }
  KILN_TRY(diagnostics.takeError());
  if (isObject) {
    Stopwatch watch(result.times.object);
    KILN_TRY(finishCodeObject(output, state, extras, instructions, result));
  }
  for (const auto &[name, count] : instructions)
    result.stats.instructions += isObject ? 0 : count;
  result.data.assign(output.begin(), output.end());
  return Error::success();
}

Error Backend::Impl::checkInput(Module &module) {
  if (options.dumpIr)
    dump(module, "lgc", options);
  if (options.verifyInput)
    KILN_TRY(verifyOps(module));
  return options.verifyEach ? verifyIr(module, "from the front end") : Error::success();
}

/// Behind all passes.
Error Backend::Impl::finish(Module &module, OutputKind kind, const PipelineState &state,
                            Session &session, DiagnosticCollector &diagnostics,
                            CompileResult &result) {
  endEmptyEntries(module);
  KILN_TRY(checkNoOps(module));
  if (options.verifyEach)
    KILN_TRY(verifyIr(module, "before code generation"));
  if (options.dumpIr)
    dump(module, "llvm", options);
  if (kind == OutputKind::Ir || kind == OutputKind::Bitcode) {
    writeIr(module, kind, result);
    return Error::success();
  }
  return generate(module, kind, state, session, diagnostics, result);
}

Expected<CompileResult> Backend::Impl::run(Module &module, OutputKind kind,
                                           const PipelineState &state, Session &session,
                                           DiagnosticCollector &diagnostics) {
  CompileResult result;
  PhaseClock clock;
  KILN_TRY(checkInput(module));
  const bool isForDirectTier = kind == OutputKind::Object && state.options.tier == Tier::Direct;
  KILN_TRY(runPasses(module, PassChoice::List::All, state, session, diagnostics, clock,
                     result.times, isForDirectTier));
  if (isForDirectTier && hasCalledFunctions(module)) {
    result.isRefused = true;
    result.directRefusal = calledFunction;
    return result;
  }
  KILN_TRY(finish(module, kind, state, session, diagnostics, result));
  return result;
}

/// Of a module behind the shared passes. The state names the half.
Expected<CompileResult> Backend::Impl::runHalf(Module &module, const PipelineState &state,
                                               Session &session, DiagnosticCollector &diagnostics) {
  CompileResult result;
  const ThreadTime time;
  PhaseClock clock;
  for (PassChoice::List list : {PassChoice::List::Half, PassChoice::List::Own})
    KILN_TRY(runPasses(module, list, state, session, diagnostics, clock, result.times));
  KILN_TRY(finish(module, OutputKind::Object, state, session, diagnostics, result));
  result.times.scaleTo(time.ms());
  return result;
}

/// The same in a context of its own, with a session of its own.
Expected<CompileResult> Backend::Impl::runHalfOf(StringRef bitcode) {
  const ThreadTime time;
  ContextLease lease = contexts.lend();
  LLVMContext &context = *lease;
  DiagnosticCollector diagnostics(context);
  std::unique_ptr<Module> module;
  PipelineState state;
  auto read = getLazyBitcodeModule(MemoryBufferRef(bitcode, "half"), context);
  if (!read)
    return internalError("bitcode of our own: " + toString(read.takeError()));
  module = std::move(*read);
  if (Error error = module->materializeMetadata())
    return internalError("metadata of our own: " + toString(std::move(error)));
  state = KILN_TRY(readState(*module));
  eraseOtherHalf(*module, state.part.half);
  if (Error error = module->materializeAll())
    return internalError("functions of our own: " + toString(std::move(error)));
  const double reading = time.ms();
  const size_t instructions = module->getInstructionCount();
  Session session = KILN_TRY(take(state));
  Expected<CompileResult> result = runHalf(*module, state, session, diagnostics);
  if (!result)
    return result;
  result->times.lower += reading;
  giveBack(std::move(session));
  lease.keep(instructions);
  return result;
}

Error Backend::Impl::runGlue(Module &module, OutputKind kind, const PipelineState &state,
                             const PartInfo &glue, Session &session,
                             DiagnosticCollector &diagnostics, CompileResult &result) {
  writeGlueMetadata(module);
  PhaseClock clock;
  KILN_TRY(
      runPasses(module, PassChoice::List::Glue, state, session, diagnostics, clock, result.times));
  endEmptyEntries(module);
  KILN_TRY(checkNoOps(module));
  if (options.verifyEach)
    KILN_TRY(verifyIr(module, "before code generation"));
  if (options.dumpIr)
    dump(module, "llvm", options);
  if (kind == OutputKind::Ir || kind == OutputKind::Bitcode) {
    writeIr(module, kind, result);
    return Error::success();
  }
  SmallVector<char, 0> output;
  InstructionCounts instructions;
  {
    Stopwatch watch(result.times.codegen);
    session.target->generate(module, kind == OutputKind::Assembly, output, instructions);
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
  impl->contexts.clear();
  std::lock_guard<std::mutex> lock(impl->mutex);
  impl->idle.clear();
}

ContextLease Backend::lendContext() { return impl->contexts.lend(); }

ContextLease Backend::makeNamedContext() { return ContextPool::makeNamed(); }

Expected<CompileResult> Backend::compile(std::unique_ptr<Module> module, OutputKind kind) {
  const PipelineState state = KILN_TRY(readState(*module));
  return compile(std::move(module), state, kind);
}

Expected<CompileResult> Backend::compile(std::unique_ptr<Module> module, const PipelineState &given,
                                         OutputKind kind) {
  PipelineState state = given;
  const StringRef refusal = directRefusalOf(kind, state);
  if (!refusal.empty())
    state.options.tier = Tier::Llvm;
  // Why new for text: LLVM's kept assembly printer leaves out the leading section directive from
  // the second module on, and the same input must give the same bytes.
  const bool text = kind == OutputKind::Assembly || state.options.includeDisassembly;
  Expected<Impl::Session> session = text ? Impl::make(state) : impl->take(state);
  if (!session)
    return session.takeError();
  DiagnosticCollector diagnostics(module->getContext());
  Expected<CompileResult> result = impl->run(*module, kind, state, *session, diagnostics);
  // Why: a failed run may have left LLVM's kept state in the middle of something.
  if (result && !text)
    impl->giveBack(std::move(*session));
  if (result && !refusal.empty()) // else the direct tier's own
    result->directRefusal = refusal.str();
  return result;
}

Expected<HalfResults> Backend::compileHalves(std::unique_ptr<Module> module,
                                             const PipelineState &given, RunBoth runBoth) {
  PipelineState state = given;
  if (!directRefusalOf(OutputKind::Object, state).empty())
    state.options.tier = Tier::Llvm;
  Impl::Session session = KILN_TRY(impl->take(state));
  DiagnosticCollector diagnostics(module->getContext());
  PhaseTimes shared;
  const ThreadTime time;
  PhaseClock clock;
  KILN_TRY(impl->checkInput(*module));
  KILN_TRY(impl->runPasses(*module, PassChoice::List::Shared, state, session, diagnostics, clock,
                           shared));
  // Contexts of LLVM belong to one thread each. The half that takes longer goes on here, where
  // nothing has to be read again.
  const PartState::Half here = longerHalf(*module);
  const bool isFragmentHere = here == PartState::Half::Fragment;
  SmallVector<char, 0> bitcode;
  // Once for both, so that they number the slots alike.
  linkBuiltInSlots(*module, state);
  state.part.half = isFragmentHere ? PartState::Half::PreRasterization : PartState::Half::Fragment;
  writeState(*module, state);
  raw_svector_ostream os(bitcode);
  WriteBitcodeToFile(*module, os);
  state.part.half = here;
  clock.charge(shared.lower);
  shared.scaleTo(time.ms());
  std::optional<Expected<CompileResult>> ownHalf, otherHalf;
  runBoth([&] { ownHalf.emplace(impl->runHalf(*module, state, session, diagnostics)); },
          [&] { otherHalf.emplace(impl->runHalfOf(StringRef(bitcode.data(), bitcode.size()))); });
  if (*ownHalf)
    impl->giveBack(std::move(session));
  KILN_TRY(joinErrors(otherHalf->takeError(), ownHalf->takeError()));
  (*ownHalf)->times.lower += shared.lower;
  (*ownHalf)->times.optimize += shared.optimize;
  return isFragmentHere ? HalfResults{std::move(**otherHalf), std::move(**ownHalf)}
                        : HalfResults{std::move(**ownHalf), std::move(**otherHalf)};
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
  Expected<Impl::Session> session = text ? Impl::make(state) : impl->take(state);
  if (!session)
    return session.takeError();
  KILN_TRY(impl->runGlue(module, kind, state, glue, *session, diagnostics, result));
  if (!text)
    impl->giveBack(std::move(*session));
  return result;
}

} // namespace lgc
