//===- BuildPasses.cpp - the order of all IR passes -----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The only place where the order of passes is written. Each line that must stand where it stands
/// says why. Measurements behind the choice of LLVM's passes: docs/hw-notes.md#llvm.
#include "lgc/pipeline/BuildPasses.h"
#include "lgc/lowering/Passes.h"
#include "lgc/lowering/rays/RayQueryCode.h"
#include "lgc/pipeline/KeepVariables.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/SCCP.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"
#include "llvm/Transforms/Utils/Mem2Reg.h"

using namespace llvm;

namespace lgc {
namespace {

using Phase = PassStep::Phase;

/// Options of every SimplifyCFG run. Blocks are what LLVM's code generation takes long for, so
/// two-sided ifs become selects and common code is hoisted.
SimplifyCFGOptions cfgOptions() {
  return SimplifyCFGOptions()
      .forwardSwitchCondToPhi(true)
      .convertSwitchToLookupTable(false) // a table in memory is dearer than selects
      .needCanonicalLoops(true)
      .hoistCommonInsts(true)
      // Why not: `if (c) use(imageA) else use(imageB)` would become one access with a descriptor
      // that differs between lanes, dearer than the branch; descriptor handles of two bindings
      // could not be lowered at all. Costs 0.4 % code in the corpus.
      .sinkCommonInsts(false);
}

/// Of functions that do something: shaders of depth passes do nothing, and each pass would make its
/// analyses of them.
class UnlessEmptyPass : public PassInfoMixin<UnlessEmptyPass> {
public:
  explicit UnlessEmptyPass(FunctionPassManager passes) : passes(std::move(passes)) {}
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &fam) {
    if (function.size() == 1 && function.getEntryBlock().size() == 1)
      return PreservedAnalyses::all();
    return passes.run(function, fam);
  }

private:
  FunctionPassManager passes;
};

bool hasBackEdge(const Function &function) {
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>, 8> edges;
  if (function.size() > 1)
    FindFunctionBackedges(function, edges);
  return !edges.empty();
}

ModulePassManager forFunctions(FunctionPassManager passes) {
  ModulePassManager result;
  result.addPass(createModuleToFunctionPassAdaptor(UnlessEmptyPass(std::move(passes))));
  return result;
}

/// Of functions with variables in memory, which SROA looks for in the entry block, behind asking
/// for its analyses. For debuggers only what may be promoted as a whole: SROA would take apart what
/// they look for.
struct PromoteVariablesPass : PassInfoMixin<PromoteVariablesPass> {
  explicit PromoteVariablesPass(OptLevel level = OptLevel::Default) : level(level) {}
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &fam) {
    const bool hasVariables = any_of(function.getEntryBlock(), IsaPred<AllocaInst>);
    if (hasVariables && isForDebugger(function, level != OptLevel::None))
      return PromotePass().run(function, fam);
    return hasVariables ? SROAPass(SROAOptions::ModifyCFG).run(function, fam)
                        : PreservedAnalyses::all();
  }

private:
  OptLevel level;
};

/// ADCE, which needs no post-dominators where there is one block only.
struct RemoveDeadPass : PassInfoMixin<RemoveDeadPass> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &fam) {
    if (function.size() > 1)
      return ADCEPass().run(function, fam);
    bool changed = false;
    for (Instruction &inst : make_early_inc_range(reverse(function.getEntryBlock()))) {
      if (!isInstructionTriviallyDead(&inst))
        continue;
      salvageDebugInfo(inst);
      inst.eraseFromParent();
      changed = true;
    }
    if (!changed)
      return PreservedAnalyses::all();
    PreservedAnalyses preserved;
    preserved.preserveSet<CFGAnalyses>();
    return preserved;
  }
};

/// Of functions with loops.
struct SimplifyLoopsPass : PassInfoMixin<SimplifyLoopsPass> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &fam) {
    return hasBackEdge(function) ? LoopSimplifyPass().run(function, fam) : PreservedAnalyses::all();
  }
};

/// Whole-module legality and attributes.
ModulePassManager checks() {
  ModulePassManager passes;
  // First of all: later passes rely on a call graph without cycles and of bounded size.
  passes.addPass(LowerCallsPass());
  // Before lower-attributes: the new shader gets them too.
  passes.addPass(AddFragmentShaderPass());
  // Early: target costs come from the attributes.
  passes.addPass(LowerAttributesPass());
  return passes;
}

/// One function, variables as allocas.
ModulePassManager flatten(const PassChoice &choice) {
  ModulePassManager passes;
  if (choice.hasCalls) {
    // First: what moves need not be copied.
    passes.addPass(OptInlineOncePass());
    passes.addPass(AlwaysInlinerPass(/*InsertLifetime=*/false));
    passes.addPass(GlobalDCEPass());
  }
  // After inlining: Private variables must belong to one function. Before SROA: it removes them.
  passes.addPass(LowerPrivateGlobalsPass());
  // After inlining and lower-private-globals, which take shaders of ray tracing one by one. Before
  // lower-ray-queries: traversal is one.
  passes.addPass(LowerRayTracingPass());
  // After inlining and lower-private-globals, when each query is a variable of one function. Before
  // SROA, which takes queries apart.
  passes.addPass(LowerRayQueriesPass());
  // After inlining, when all variables belong to one function. Before SROA, which it stops.
  passes.addPass(createModuleToFunctionPassAdaptor(
      KeepVariablesPass(choice.level != OptLevel::None || choice.tier == Tier::Direct)));
  // After inlining, before SROA: takes what must not be taken apart.
  passes.addPass(createModuleToFunctionPassAdaptor(LowerLargeValuesPass()));
  // Before lower-builtins: asks for LocalInvocationIndex.
  passes.addPass(LowerWorkgroupGlobalsPass());
  return passes;
}

/// Cleans the front end's output, so that lowering sees what is really used: a descriptor that is
/// only read by dead code must cost nothing.
ModulePassManager firstClean(const PassChoice &choice) {
  FunctionPassManager passes;
  // At every level: handles and pointers must not hide in memory from the lowering passes.
  passes.addPass(PromoteVariablesPass(choice.level));
  if (choice.level == OptLevel::None) {
    passes.addPass(DecideRoundingPass());
    return forFunctions(std::move(passes));
  }
  // What is common is found behind the lowering too; here that costs as much as it saves, and code
  // is 0.9 % larger.
  passes.addPass(InstSimplifyPass());
  passes.addPass(SimplifyCFGPass(cfgOptions()));
  // Before all that differs between pipelines with the same shader, levels and tiers.
  passes.addPass(DecideRoundingPass());
  // The unroller decides by what it sees. Without loops the second time is enough: code of compute
  // shaders gets 0.7 % smaller, of graphics pipelines 0.1 % larger.
  if (choice.level != OptLevel::Quick && choice.hasLoops)
    passes.addPass(InstCombinePass());
  return forFunctions(std::move(passes));
}

/// What shaders of a graphics pipeline hand to each other.
ModulePassManager link() {
  ModulePassManager passes;
  // After the first clean-up, which shows what is read and what is constant. Before the operations:
  // code that only computed unread outputs must not ask for descriptors.
  passes.addPass(LinkInterfacePass());
  return passes;
}

/// lgc operations that become ordinary IR which the optimiser should see.
ModulePassManager lowerOperations() {
  ModulePassManager passes;
  // First: what follows sees one end of the shader.
  passes.addPass(LowerFragmentControlPass());
  // Before lower-descriptors: notes which kinds of resources are used.
  passes.addPass(LowerFragmentOutputsPass());
  // Before lower-descriptors, which ends the way from a sampler back to its binding.
  passes.addPass(LowerYcbcrPass());
  // After the first clean-up: descriptors that only dead code uses are gone. Before the optimiser:
  // equal and loop-invariant descriptor loads are ordinary loads to it.
  passes.addPass(LowerDescriptorsPass());
  // Before lower-subgroup: makes derivatives. Before the vertex stages are lowered: it decides
  // which of their outputs are attributes.
  passes.addPass(LowerFragmentInputsPass());
  passes.addPass(LowerBuiltinsPass());
  // While vertex shaders are functions of their own.
  passes.addPass(LowerVertexBuiltinsPass());
  passes.addPass(LowerVertexFetchPass());
  passes.addPass(LowerBarriersPass());
  // Before the optimiser, which merges equal samples and coordinate arithmetic; after the first
  // clean-up, so that components nobody reads are not requested.
  passes.addPass(LowerImagesPass());
  // Votes and reductions are uniform values: the earlier LLVM sees that, the better. Shuffles in
  // loops wait for lower-shuffles.
  passes.addPass(LowerSubgroupPass());
  // Before lower-arithmetic: makes dot products.
  passes.addPass(LowerMatricesPass());
  passes.addPass(LowerArithmeticPass());
  return passes;
}

/// Shaders of graphics pipelines become hardware stages: merged, their interfaces in memory, LDS
/// and exports. After the operations, whose lowering still asks which shader they stand in; before
/// the optimiser, which sees both halves of a merged stage as one function.
ModulePassManager lowerStages(const PassChoice &choice) {
  ModulePassManager passes;
  // First: turns evaluation shaders into shaders of vertices like any other.
  passes.addPass(LowerTessellationPass());
  if (choice.hasGeometry) {
    passes.addPass(LowerGeometryPass());
    // Outputs and counts of emitted vertices are variables; at every level, as after inlining.
    FunctionPassManager promote;
    promote.addPass(PromoteVariablesPass(choice.level));
    passes.addPass(createModuleToFunctionPassAdaptor(std::move(promote)));
  }
  // After lower-builtins and lower-barriers. In place of all other shaders before rasterization.
  passes.addPass(LowerMeshPass());
  // The last: takes the vertex or evaluation shader that is in no hardware stage yet.
  passes.addPass(LowerVertexExportsPass());
  return passes;
}

/// Of functions with arrays in memory: tables of constants are found to be such, which is worth far
/// more than it costs; and indices that lowering has made constants (the view's, without multiview)
/// leave no array.
struct CombineArraysPass : PassInfoMixin<CombineArraysPass> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &fam) {
    const bool hasArrays = any_of(instructions(function), [](const Instruction &inst) {
      return isa<AllocaInst>(inst) && !inst.hasMetadata(rayStackMark);
    });
    if (!hasArrays)
      return PreservedAnalyses::all();
    FunctionPassManager passes;
    passes.addPass(InstCombinePass());
    passes.addPass(PromoteVariablesPass());
    return passes.run(function, fam);
  }
};

/// Of functions with long switches: the direct tier has a mask for each target, and a compare for
/// each case. What is left of these are the compares of a search.
struct SplitSwitchesPass : PassInfoMixin<SplitSwitchesPass> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &fam) {
    constexpr unsigned mostCases = 16;
    const bool isLong = any_of(function, [](const BasicBlock &block) {
      const auto *choice = dyn_cast<SwitchInst>(block.getTerminator());
      return choice && choice->getNumCases() > mostCases;
    });
    return isLong ? LowerSwitchPass().run(function, fam) : PreservedAnalyses::all();
  }
};

/// Of the direct tier.
FunctionPassManager optimizeQuickly(const PassChoice &choice) {
  FunctionPassManager passes;
  passes.addPass(OptSplitAggregatesPass());
  passes.addPass(EarlyCSEPass());
  passes.addPass(CombineArraysPass());
  // Finds loops that are never entered, because a specialization constant says so.
  if (choice.hasLoops)
    passes.addPass(SCCPPass());
  passes.addPass(SimplifyCFGPass(cfgOptions()));
  // After what makes switches of compares, and selects of switches.
  passes.addPass(SplitSwitchesPass());
  return passes;
}

FunctionPassManager optimizeLoops(const PassChoice &choice) {
  FunctionPassManager passes;
  LoopPassManager rotate;
  rotate.addPass(LoopRotatePass(/*EnableHeaderDuplication=*/true));
  rotate.addPass(LICMPass(LICMOptions()));
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(rotate), /*UseMemorySSA=*/true));
  if (!choice.unrollsLoops)
    return passes;
  // Directly before the unroller, whose threshold it sets.
  passes.addPass(OptLimitUnrollPass());
  LoopPassManager unroll;
  // 2 % of the time, no effect on the number of unrolled loops.
  if (choice.level == OptLevel::Fast)
    unroll.addPass(IndVarSimplifyPass());
  unroll.addPass(LoopFullUnrollPass());
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(unroll), /*UseMemorySSA=*/false));
  // Unrolled indices are constants now: arrays become registers.
  passes.addPass(PromoteVariablesPass());
  return passes;
}

/// The middle end proper.
ModulePassManager optimize(const PassChoice &choice) {
  const OptLevel level = choice.level;
  if (choice.tier == Tier::Direct)
    return forFunctions(optimizeQuickly(choice));
  ModulePassManager module;
  if (choice.hasLoops && level != OptLevel::Quick)
    module.addPass(createModuleToFunctionPassAdaptor(optimizeLoops(choice)));
  // After unrolling, which makes lanes constant; before what cleans up the others' addresses.
  if (choice.unrollsLoops)
    module.addPass(LowerShufflesPass());
  FunctionPassManager passes;
  // After unrolling, which makes indices constant; before what finds equal compares.
  passes.addPass(OptRegisterArraysPass());
  if (level == OptLevel::Fast)
    passes.addPass(GVNPass());
  // Graphics pipelines: memory SSA takes 0.5 % of the time for 0.02 % code.
  const bool memorySsa =
      level == OptLevel::Fast || (level != OptLevel::Quick && !choice.isGraphics);
  passes.addPass(EarlyCSEPass(memorySsa));
  passes.addPass(InstCombinePass());
  passes.addPass(SimplifyCFGPass(cfgOptions()));
  module.addPass(createModuleToFunctionPassAdaptor(std::move(passes)));
  return module;
}

/// Everything that needs to know which values are uniform, or that the optimiser cannot see
/// through.
ModulePassManager lowerToHardware() {
  ModulePassManager passes;
  // After loop unrolling, which makes offsets constant; before the entry point counts user data.
  passes.addPass(LowerPushConstantsPass());
  // After all that could fold the condition or move code out of the loop that it closes.
  passes.addPass(LowerReconvergePass());
  // Directly before lower-entry-point, which knows entry functions only.
  passes.addPass(PassEntryValuesPass());
  // After the optimiser: only user data that is still used gets registers. Before all that asks
  // for uniformity: calls count as divergent, inreg arguments as uniform.
  passes.addPass(LowerEntryPointPass());
  // After lower-entry-point: a load from a uniform address becomes a scalar load.
  passes.addPass(LowerBuffersPass());
  // After lower-buffers, lower-images: works on the hardware's intrinsics. After the optimiser: its
  // loops must not be taken apart.
  passes.addPass(LowerWaterfallPass());
  return passes;
}

/// Lowering leaves duplicates (descriptor loads, address arithmetic) and dead values.
ModulePassManager lastClean(const PassChoice &choice) {
  const OptLevel level = choice.level;
  FunctionPassManager passes;
  passes.addPass(EarlyCSEPass());
  addLlvmRepairs(passes);
  // After everything that could take equal pointers together.
  passes.addPass(LowerResourceWordsPass());
  passes.addPass(RemoveDeadPass());
  // After everything that changes control flow.
  passes.addPass(LowerMatrixBranchesPass());
  // Behind what would merge what it copies. The direct tier has masks in registers.
  if (choice.tier != Tier::Direct && level != OptLevel::None)
    passes.addPass(OptScalarConditionsPass());
  // Code generation cannot annotate a loop whose latch heads another loop. The other levels have
  // loop passes, which leave none, and LLVM's strength reduction, which would do it, is left out.
  if (level == OptLevel::None || level == OptLevel::Quick)
    passes.addPass(SimplifyLoopsPass());
  ModulePassManager module = forFunctions(std::move(passes));
  // After all that could make an input unused.
  module.addPass(LowerPsInputsPass());
  return module;
}

/// Up to the stages being linked to each other.
void addShared(const PassChoice &choice, std::vector<PassStep> &steps) {
  steps.push_back({Phase::Lower, "checks", checks()});
  steps.push_back({Phase::Lower, "flatten", flatten(choice)});
  steps.push_back({Phase::Optimize, "first clean", firstClean(choice)});
  if (choice.isGraphics)
    steps.push_back({Phase::Lower, "link", link()});
}

/// Directly behind the linking: the halves know of each other what they ever will.
void addHalf(std::vector<PassStep> &steps) {
  ModulePassManager passes;
  passes.addPass(KeepHalfPass());
  steps.push_back({Phase::Lower, "half", std::move(passes)});
}

void addOwn(const PassChoice &choice, std::vector<PassStep> &steps) {
  steps.push_back({Phase::Lower, "operations", lowerOperations()});
  // Before the optimiser, which simplifies addresses in LDS and rings with the shaders' own code.
  if (choice.isGraphics)
    steps.push_back({Phase::Lower, "hardware stages", lowerStages(choice)});
  if (choice.level != OptLevel::None)
    steps.push_back({Phase::Optimize, "optimize", optimize(choice)});
  steps.push_back({Phase::Lower, "hardware", lowerToHardware()});
  steps.push_back({Phase::Optimize, "last clean", lastClean(choice)});
}

void addGlue(std::vector<PassStep> &steps) {
  FunctionPassManager passes;
  passes.addPass(EarlyCSEPass());
  // Values come and go as other types than they are used as.
  passes.addPass(InstCombinePass());
  steps.push_back({Phase::Optimize, "glue", forFunctions(std::move(passes))});
}

bool hasLoops(const Module &module) {
  return any_of(module, [](const Function &function) {
    return !function.isDeclaration() && hasBackEdge(function);
  });
}

} // namespace

void addLlvmRepairs(FunctionPassManager &passes) {
  // After everything that could make an overflow intrinsic of it again.
  passes.addPass(LowerCarriesPass());
  passes.addPass(LowerBitFieldsPass());
  passes.addPass(LowerDivisionsPass());
  passes.addPass(LowerProductsPass());
  passes.addPass(LowerSignsPass());
  // Behind lower-bit-fields, which makes shifts.
  passes.addPass(LowerByteShiftsPass());
  passes.addPass(LowerSelectsPass());
  passes.addPass(LowerPrivateLoadsPass());
  // After everything that could make one comparison of two again.
  passes.addPass(LowerBallotsPass());
}

PassChoice choosePasses(PassChoice::List list, const PipelineState &state, const Module &module) {
  PassChoice choice;
  choice.list = list;
  if (list == PassChoice::List::Glue || list == PassChoice::List::Half)
    return choice; // always the same
  choice.tier = state.options.tier;
  // The direct tier is about time: what is common is found, and little else is looked for.
  choice.level = choice.tier == Tier::Direct ? OptLevel::Quick : state.options.optLevel;
  choice.isGraphics = state.isGraphics();
  choice.hasGeometry = choice.isGraphics && state.graphics.has(ShaderStage::Geometry);
  choice.keepsHalf = state.part.half != PartState::Half::Both;
  choice.unrollsLoops = unrollsLoops(state);
  choice.hasCalls =
      count_if(module, [](const Function &function) { return !function.isDeclaration(); }) > 1;
  choice.hasLoops = hasLoops(module);
  return choice;
}

std::vector<PassStep> buildPasses(const PassChoice &choice) {
  using List = PassChoice::List;
  const List list = choice.list;
  std::vector<PassStep> steps;
  if (list == List::Glue)
    addGlue(steps);
  if (list == List::All || list == List::Shared)
    addShared(choice, steps);
  if (list == List::Half || (list == List::All && choice.keepsHalf))
    addHalf(steps);
  if (list == List::All || list == List::Own)
    addOwn(choice, steps);
  return steps;
}

} // namespace lgc
