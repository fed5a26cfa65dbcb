//===- CodegenPipeline.cpp - LLVM's code generation, filtered -------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Does what CodeGenTargetMachineImpl::addPassesToEmitFile does, but hands LLVM a pass manager that
/// looks at every pass before it takes it. That needs no command-line option, so nothing global.
#include "lgc/target/CodegenPipeline.h"
#include "lgc/CompileError.h"
#include "lgc/llvm22/BitCompares.h"
#include "lgc/llvm22/CallWaits.h"
#include "lgc/llvm22/DppCombine.h"
#include "lgc/llvm22/DualIssue.h"
#include "lgc/llvm22/ExecRange.h"
#include "lgc/llvm22/ExecWaits.h"
#include "lgc/llvm22/ForcedWaits.h"
#include "lgc/llvm22/FrameOffsets.h"
#include "lgc/llvm22/HoistGuard.h"
#include "lgc/llvm22/OrOnes.h"
#include "lgc/llvm22/PartialForwarding.h"
#include "lgc/llvm22/SdwaMoves.h"
#include "lgc/llvm22/UndefLanes.h"
#include "lgc/llvm22/VccBranch.h"
#include "lgc/llvm22/VccWaits.h"
#include "lgc/llvm22/WholeWaveConstants.h"
#include "lgc/llvm22/WholeWaveMasks.h"
#include "lgc/lowering/Passes.h"
#include "lgc/machine/BlockScheduler.h"
#include "lgc/machine/ConditionalPass.h"
#include "lgc/machine/DualPairs.h"
#include "lgc/machine/FallThrough.h"
#include "lgc/machine/FirstLanes.h"
#include "lgc/machine/KillFlags.h"
#include "lgc/machine/LineRows.h"
#include "lgc/machine/LoadOffsets.h"
#include "lgc/machine/MachineStep.h"
#include "lgc/machine/PartBoundaryWaits.h"
#include "lgc/machine/UniformFlow.h"
#include "pal_shim/abi/AbiNames.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Analysis/RegionPass.h"
#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/PassRegistry.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace lgc {
namespace {

/// At which levels of optimisation.
enum class Levels : uint8_t { All, Default, Quick, None };
enum class Condition : uint8_t {
  Always,
  NoFatPointers,
  NoLds,
  NoSdwa,
  BeforeGfx12,
  NoDebugInfo,
  NoAtomics,
  NoCalls,
  Graphics
};

struct DropRow {
  StringLiteral argument;
  Levels levels;
  Condition condition;
};

constexpr DropRow dropRows[] = {
#define KILN_DROP_PASS(argument, levels, condition, reason)                                        \
  {argument, Levels::levels, Condition::condition},
#include "lgc/target/CodegenPasses.def"
};

constexpr StringLiteral dropNames[] = {
#define KILN_DROP_PASS(argument, levels, condition, reason) argument,
#include "lgc/target/CodegenPasses.def"
};

bool applyAt(Levels levels, OptLevel level) {
  switch (levels) {
  case Levels::All:
    return true;
  case Levels::Default:
    return level != OptLevel::Fast;
  case Levels::Quick:
    return level == OptLevel::Quick || level == OptLevel::None;
  case Levels::None:
    return level == OptLevel::None;
  }
  return false;
}

bool holds(Condition condition, const CodegenTraits &traits, const pal::abi::GpuTarget *target) {
  switch (condition) {
  case Condition::Always:
    return true;
  case Condition::NoFatPointers:
    return !traits.fatPointers;
  case Condition::NoLds:
    return !traits.lds;
  case Condition::NoSdwa:
    return target && target->major >= 11;
  case Condition::BeforeGfx12:
    return target && target->major < 12;
  case Condition::NoDebugInfo:
    return !traits.debugInfo;
  case Condition::NoAtomics:
    return !traits.atomics;
  case Condition::NoCalls:
    return !traits.calls;
  case Condition::Graphics:
    return traits.graphics;
  }
  return false;
}

using FunctionStep = bool (*)(MachineFunction &);

/// Steps of our own in front of LLVM's passes.
struct StepRow {
  StringLiteral before, name;
  FunctionStep step;
};
constexpr StepRow stepRows[] = {
    {"machine-sink", "reads of first lanes", mergeFirstLaneReads},
    {"peephole-opt", "comparisons of one bit", splitBitCompares},
    {"post-RA-hazard-rec", "waits before EXEC changes", waitBeforeExecWrites},
    // Directly behind it, whether or not the named one runs.
    {"amdgpu-wait-sgpr-hazards", "waits that LLVM misses",
     [](MachineFunction &function) {
       const bool atCalls = waitAtCalls(function);
       const bool inside = waitForForwardedResults(function) || waitForScalarVcc(function);
       return atCalls || inside;
     }},
    {"phi-node-elimination", "constants of whole waves", separateWholeWaveConstants},
    // Directly behind si-wqm.
    {"si-optimize-exec-masking-pre-ra", "masks of whole waves", readWholeWaveMasks},
    {"twoaddressinstruction", "a register for places on the stack", reserveForFrameOffsets},
    {"prologepilog", "a register for places on the stack", releaseForFrameOffsets},
    {"si-fold-operands", "or with all ones", foldOrOnes},
    {"si-insert-waitcnts", "waits of fences in loops", forceWaits},
};

/// Passes that run where the function says so.
struct NeedRow {
  StringLiteral argument;
  FunctionStep isNeeded;
};
constexpr NeedRow needRows[] = {
    {"detect-dead-lanes", markUndefLanes},
    {"gcn-dpp-combine", [](MachineFunction &function) { return mayCombineDpp(function); }},
    {"si-peephole-sdwa", [](MachineFunction &function) { return mayMakeSdwa(function); }},
    {"si-pre-emit-peephole",
     [](MachineFunction &function) { return mayFoldVccBranches(function); }},
};

/// What ConditionPlan knows by name besides.
constexpr StringLiteral plannedNames[] = {"amdgpu-unify-divergent-exit-nodes",
                                          "block-placement",
                                          "gcn-create-vopd",
                                          "greedy",
                                          "livevars",
                                          "machine-scheduler",
                                          "si-lower-sgpr-spills",
                                          "si-lower-wwm-copies",
                                          "si-memory-legalizer",
                                          "si-optimize-exec-masking-pre-ra",
                                          "stack-slot-coloring",
                                          "structurizecfg",
                                          "virtregrewriter"};

/// Makes passes conditional that only some functions need (ConditionalPass.h). By the pass' name
/// and occurrence, as in LLVM's pipeline.
class ConditionPlan {
public:
  ConditionPlan(const CodegenTraits &traits, unsigned gfxMajor)
      : gfxMajor(gfxMajor), graphics(traits.graphics),
        schedulesBlocks(applyAt(Levels::Default, traits.level)) {}

  /// What goes in front of `pass`, or null.
  Pass *planBefore(StringRef argument) {
    // As late as each register has one definition, behind all that merges loads.
    if (argument == "livevars" && schedulesBlocks)
      return createBlockSchedulerPass(isScheduled);
    // It needs the same analysis.
    if (argument == "amdgpu-unify-divergent-exit-nodes")
      return createFindDivergencePass(diverges);
    if (argument == "structurizecfg")
      return createHoistGuardPass();
    if (argument == "gcn-create-vopd" && gfxMajor >= 11)
      return createMachineStepPass("partners of dual issued operations",
                                   [table = DualTable()](MachineFunction &function) mutable {
                                     return gatherDuals(function, table);
                                   });
    if (argument == "si-memory-legalizer" && gfxMajor == 11)
      return createMachineStepPass("split dual issued pairs",
                                   [opcodes = SingleOpcodes()](MachineFunction &function) mutable {
                                     return splitDuals(function, opcodes);
                                   });
    const auto *row = find_if(stepRows, [&](const StepRow &r) { return r.before == argument; });
    return row == std::end(stepRows) ? nullptr : createMachineStepPass(row->name, row->step);
  }

  /// `pass`, or what takes its place.
  Pass *plan(Pass *pass, StringRef argument, unsigned occurrence) {
    if (argument == "greedy" && occurrence == 1)
      return only(pass, [flag = scalarFirst](MachineFunction &function, ConditionalPass &self) {
        *flag =
            needsScalarAllocation(function, self.getAnalysis<LiveIntervalsWrapperPass>().getLIS());
        return *flag;
      });
    if (argument == "greedy" && occurrence == 3) {
      // Takes what is left: everything, or what is not allocated yet.
      delete pass;
      return createGreedyRegisterAllocator();
    }
    if (argument == "si-lower-sgpr-spills" ||
        ((argument == "virtregrewriter" || argument == "stack-slot-coloring") && occurrence == 1))
      return only(pass,
                  [flag = scalarFirst](MachineFunction &, ConditionalPass &) { return *flag; });
    // Whole wave registers come from spilled scalar registers, which have been on the stack.
    if (argument == "si-lower-wwm-copies" ||
        ((argument == "greedy" || argument == "virtregrewriter") && occurrence == 2))
      return only(pass, [](MachineFunction &function, ConditionalPass &) {
        return function.getFrameInfo().hasStackObjects();
      });
    if (argument == "machine-scheduler" && schedulesBlocks)
      return only(pass,
                  [flag = isScheduled](MachineFunction &, ConditionalPass &) { return !*flag; });
    if (argument == "si-optimize-exec-masking-pre-ra")
      return only(pass, [](MachineFunction &function, ConditionalPass &self) {
        refreshExecRange(function, self.getAnalysis<LiveIntervalsWrapperPass>().getLIS());
        return true;
      });
    // Rotates loops and brings blocks of likely ways together. Without loops, structured control
    // flow is laid out as it is executed already, and moving blocks costs code (0.8 %). That was
    // measured before functions whose lanes never part did without structure.
    if (argument == "block-placement" && graphics)
      return only(pass, [](MachineFunction &, ConditionalPass &self) {
        return !self.getAnalysis<MachineLoopInfoWrapperPass>().getLI().empty();
      });
    if (argument == "structurizecfg") {
      KILN_CHECK(pass->getPassKind() == PT_Region, "structure is given to regions");
      return createDivergentRegionPass(std::unique_ptr<RegionPass>(static_cast<RegionPass *>(pass)),
                                       diverges);
    }
    for (const NeedRow &row : needRows)
      if (row.argument == argument)
        return only(pass, [isNeeded = row.isNeeded](MachineFunction &function, ConditionalPass &) {
          return isNeeded(function);
        });
    return pass;
  }

private:
  unsigned gfxMajor;
  bool graphics;
  bool schedulesBlocks; ///< BlockScheduler.h takes the place of LLVM's scheduler
  /// For the function that is compiled now. Shared with the passes.
  std::shared_ptr<bool> scalarFirst = std::make_shared<bool>(true);
  std::shared_ptr<bool> isScheduled = std::make_shared<bool>(false);
  std::shared_ptr<bool> diverges = std::make_shared<bool>(true);

  static Pass *only(Pass *pass, ConditionalPass::Condition condition) {
    KILN_CHECK(pass->getPassKind() == PT_Function, "only function passes can be conditional");
    return new ConditionalPass(std::unique_ptr<FunctionPass>(static_cast<FunctionPass *>(pass)),
                               std::move(condition));
  }
};

/// Forwards passes to the real pass manager, except those that are left out.
class FilteringPassManager : public legacy::PassManagerBase {
public:
  FilteringPassManager(legacy::PassManagerBase &target, const CodegenTraits &traits, StringRef cpu)
      : target(target), conditions(traits, majorOf(cpu)),
        dropped(droppedCodegenPasses(traits, cpu)) {}

  void add(Pass *pass) override {
    const PassInfo *info = PassRegistry::getPassRegistry()->getPassInfo(pass->getPassID());
    if (info && info->getPassArgument() == "livevars")
      target.add(createFoldLoadOffsetsPass());
    if (info)
      if (Pass *before = conditions.planBefore(info->getPassArgument()))
        target.add(before);
    if (info && isDropped(info->getPassArgument())) {
      if (info->getPassArgument() == "livevars")
        target.add(createKillFlagsPass()); // in its place
      delete pass;
      return;
    }
    target.add(info ? conditions.plan(pass, info->getPassArgument(), seen[info->getPassArgument()])
                    : pass);
  }

private:
  static unsigned majorOf(StringRef cpu) {
    const pal::abi::GpuTarget *gpu = pal::abi::findTarget(cpu);
    return gpu ? gpu->major : 0;
  }

  legacy::PassManagerBase &target;
  ConditionPlan conditions;
  const StringSet<> dropped;
  StringMap<unsigned> seen; ///< how often each pass came by

  /// By its name, or by its name and which occurrence this is ("early-cse#2").
  bool isDropped(StringRef argument) {
    unsigned occurrence = ++seen[argument];
    return dropped.contains(argument) ||
           dropped.contains((argument + "#" + Twine(occurrence)).str());
  }
};

/// Counts machine instructions just before they are printed, and looks whether control ends where
/// it has to.
class InstructionCounter : public MachineFunctionPass {
public:
  static char ID;
  explicit InstructionCounter(InstructionCounts &counts)
      : MachineFunctionPass(ID), counts(counts) {}

  bool runOnMachineFunction(MachineFunction &function) override {
    uint32_t &count = counts[function.getName().str()];
    for (const MachineBasicBlock &block : function)
      for (const MachineInstr &inst : block.instrs())
        if (inst.isInlineAsm())
          count +=
              1 + static_cast<uint32_t>(StringRef(inst.getOperand(0).getSymbolName()).count('\n'));
        else if (!inst.isMetaInstruction() && !inst.isBundle())
          ++count;
    reportError(function.getFunction().getContext(), checkFallThrough(function));
    return false;
  }
  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(usage);
  }
  StringRef getPassName() const override { return "count machine instructions"; }

private:
  InstructionCounts &counts;
};
char InstructionCounter::ID = 0;

} // namespace

CodegenPipeline::CodegenPipeline(TargetMachine &machine, const CodegenTraits &traits,
                                 MachineStep lookAt)
    : stream(buffer),
      // A printer of text leaves out the first section directive from the second module on.
      primed(traits.assembly) {
  FilteringPassManager filter(passes, traits, machine.getTargetCPU());
  TargetPassConfig *config = machine.createPassConfig(filter);
  KILN_CHECK(config, "the target has no code generation");
  config->setDisableVerify(true);
  filter.add(config);
  auto *moduleInfo = new MachineModuleInfoWrapperPass(&machine);
  filter.add(moduleInfo);
  bool failed = config->addISelPasses();
  KILN_CHECK(!failed, "the target has no instruction selection");
  config->addMachinePasses();
  config->setInitialized();
  passes.add(createMarkLoadOffsetsPass());
  passes.add(createPartBoundaryWaitsPass());
  passes.add(new InstructionCounter(instructions));
  if (lookAt)
    passes.add(createMachineStepPass("look at machine code", std::move(lookAt)));
  if (traits.debugInfo)
    passes.add(createMachineStepPass("lines of single instructions", separateLines));
  failed = machine.addAsmPrinter(filter, stream, /*DwoOut=*/nullptr,
                                 traits.assembly ? CodeGenFileType::AssemblyFile
                                                 : CodeGenFileType::ObjectFile,
                                 moduleInfo->getMMI().getContext());
  KILN_CHECK(!failed, "the target cannot write this kind of file");
  filter.add(createFreeMachineFunctionPass());
}

/// LLVM 22's PAL metadata object, which the assembly printer keeps, forgets all but where
/// `.graphics_registers` was: what it writes of the second module's fragment inputs goes nowhere.
/// One empty fragment shader in front makes every module a second one, so that each gives the same
/// bytes; lgc-lower-ps-inputs has written the entries already.
void CodegenPipeline::primeFragmentMetadata(const Module &like) {
  LLVMContext context;
  Module module("prime", context);
  module.setTargetTriple(like.getTargetTriple());
  module.setDataLayout(like.getDataLayout());
  auto *function = Function::Create(FunctionType::get(Type::getVoidTy(context), false),
                                    GlobalValue::ExternalLinkage, "prime", module);
  function->setCallingConv(CallingConv::AMDGPU_PS);
  ReturnInst::Create(context, BasicBlock::Create(context, "", function));
  msgpack::Document document;
  document.getRoot().getMap(/*Convert=*/true)[pal::abi::key::version].getArray(/*Convert=*/true);
  msgpack::ArrayDocNode version = document.getRoot().getMap()[pal::abi::key::version].getArray();
  version.push_back(document.getNode(pal::abi::metadataMajorVersion));
  version.push_back(document.getNode(pal::abi::metadataMinorVersion));
  std::string blob;
  document.writeToBlob(blob);
  NamedMDNode *node = module.getOrInsertNamedMetadata("amdgpu.pal.metadata.msgpack");
  node->addOperand(MDNode::get(context, MDString::get(context, blob)));
  passes.run(module);
}

StringRef CodegenPipeline::run(Module &module) {
  if (!primed && module.getFunction(pal::abi::entryPointSymbol(pal::abi::HardwareStage::Ps))) {
    primed = true;
    primeFragmentMetadata(module);
  }
  buffer.clear();
  instructions.clear();
  passes.run(module);
  return buffer;
}

StringSet<> droppedCodegenPasses(const CodegenTraits &traits, StringRef target) {
  const pal::abi::GpuTarget *gpu = pal::abi::findTarget(target);
  StringSet<> dropped;
  for (const DropRow &row : dropRows)
    if (applyAt(row.levels, traits.level) && holds(row.condition, traits, gpu))
      dropped.insert(row.argument);
  return dropped;
}

ArrayRef<StringLiteral> droppableCodegenPasses() { return dropNames; }

std::vector<StringRef> hookedCodegenPasses() {
  std::vector<StringRef> names(std::begin(plannedNames), std::end(plannedNames));
  for (const StepRow &row : stepRows)
    names.push_back(row.before);
  for (const NeedRow &row : needRows)
    names.push_back(row.argument);
  return names;
}

} // namespace lgc
