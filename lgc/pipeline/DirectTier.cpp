//===- DirectTier.cpp - which modules the direct tier generates -----------===//
// SPDX-License-Identifier: MIT
#include "lgc/pipeline/DirectTier.h"
#include "lgc/CompileError.h"
#include "lgc/PhaseClock.h"
#include "lgc/Shader.h"
#include "lgc/direct/shader/CheckUniformity.h"
#include "lgc/direct/shader/ShaderObject.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace lgc {

using pal::abi::HardwareStage;

StringRef directRefusalOf(OutputKind kind, const PipelineState &state) {
  if (state.options.tier != Tier::Direct)
    return "";
  // A listing of LLVM would show other code than what is in the object.
  if (kind == OutputKind::Assembly || state.options.includeDisassembly)
    return "listing";
  return "";
}

bool hasCalledFunctions(const Module &module) {
  return any_of(module, [](const Function &function) {
    return !function.isDeclaration() && function.hasLocalLinkage() && !function.use_empty();
  });
}

static std::optional<HardwareStage> stageOf(const Function &function) {
  for (unsigned i = 0; i < pal::abi::hardwareStageCount; ++i)
    if (const auto stage = static_cast<HardwareStage>(i);
        function.getName() == pal::abi::entryPointSymbol(stage))
      return stage;
  return std::nullopt;
}

/// Reads an object as LLVM's are read. Its statistics must be what was known before.
static Error checkObject(SmallVectorImpl<char> &object, const PipelineState &state,
                         const CompileResult &result) {
  InstructionCounts instructions;
  for (const auto &[stage, stats] : result.stages)
    instructions[pal::abi::entryPointSymbol(stage).str()] = stats.instructions;
  CompileResult read;
  KILN_TRY(finishCodeObject(object, state, {}, instructions, read));
  return read.stages == result.stages && read.stats == result.stats
             ? Error::success()
             : internalError("direct tier: the metadata say something else than the code");
}

/// Lowering makes conditions constant, as compares of local ids with the workgroup's size are.
static void foldBranches(Function &function) {
  SmallVector<BasicBlock *, 8> decided;
  for (BasicBlock &block : function)
    if (const auto *branch = dyn_cast<BranchInst>(block.getTerminator());
        branch && branch->isConditional() && isa<ConstantInt>(branch->getCondition()))
      decided.push_back(&block);
  if (decided.empty())
    return;
  for (BasicBlock *block : decided)
    ConstantFoldTerminator(block);
  removeUnreachableBlocks(function);
  for (BasicBlock &block : make_early_inc_range(function))
    MergeBlockIntoPredecessor(&block);
}

Expected<bool> generateDirectly(Module &module, const PipelineState &state,
                                const CodeObjectExtras &extras, SmallVectorImpl<char> &object,
                                CompileResult &result, PassSession *verifier) {
  const pal::abi::GpuTarget *target = pal::abi::findTarget(state.target);
  KILN_CHECK(target, "a target that lowering let pass");
  SmallVector<direct::StageCode, 2> stages;
  PhaseClock clock;
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    foldBranches(function);
    const std::optional<HardwareStage> stage = stageOf(function);
    if (!stage) {
      result.directRefusal = calledFunction;
      return false;
    }
    std::optional<direct::ShaderCode> code =
        direct::generateShader(function, *target, chooseWaveSize(state, *stage),
                               result.directRefusal, verifier != nullptr);
    KILN_CHECK(code || !result.directRefusal.empty(), "refusals have a reason");
    if (!code)
      return false;
    if (verifier)
      if (const std::string finding =
              direct::checkUniformity(function, verifier->uniformityOf(function));
          !finding.empty())
        return internalError("direct tier: " + finding);
    stages.push_back({*stage, std::move(*code)});
  }
  clock.charge(result.times.codegen);
  const std::vector<uint8_t> bytes = KILN_TRY(direct::writeShaderObject(module, stages, *target));
  object.assign(bytes.begin(), bytes.end());
  KILN_TRY(addExtras(object, extras));
  sort(stages, [](const auto &a, const auto &b) { return a.stage < b.stage; });
  std::vector<StageStatistics> statistics;
  for (const direct::StageCode &stage : stages)
    statistics.push_back({stage.stage, direct::statisticsOf(stage.code)});
  KILN_TRY(setStatistics(std::move(statistics), state, result));
  if (verifier || state.options.pipelineHash[0] % 16 == 0)
    KILN_TRY(checkObject(object, state, result));
  clock.charge(result.times.object);
  return true;
}

} // namespace lgc
