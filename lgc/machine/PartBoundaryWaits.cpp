//===- PartBoundaryWaits.cpp - hazards where glue and part meet -----------===//
// SPDX-License-Identifier: MIT
#include "lgc/machine/PartBoundaryWaits.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/InlineAsm.h"

using namespace llvm;

namespace lgc {
namespace {

constexpr StringLiteral waitForOperands = "s_waitcnt_depctr 0xffe2"; // partBoundaryOperandWait
constexpr StringLiteral waitForResults = "s_waitcnt_depctr 0xffe";   // partBoundaryResultWait
constexpr StringLiteral waitForScalars = "s_waitcnt_depctr 0xfffe";
constexpr StringLiteral waitForStores = "s_waitcnt_vscnt null, 0";
constexpr StringLiteral forget = "ds_nop";
constexpr unsigned vectorResultShift = 12;

using Waits = SmallVector<StringRef, 8>;

/// How far back results matter, in vector instructions.
constexpr unsigned forwardingDistance = 8, transcendentalDistance = 5, transcendentalCount = 1;
/// Of blocks on the way back, after which the worst is taken for granted.
constexpr unsigned maxBlocks = 6;

bool startsWithAny(StringRef name, ArrayRef<StringLiteral> prefixes) {
  return any_of(prefixes, [&](StringLiteral prefix) { return name.starts_with(prefix); });
}

/// A vector instruction's source of carries or conditions.
bool readsMask(StringRef name) {
  return startsWithAny(name, {"V_CNDMASK_", "V_ADDC_", "V_SUBB_", "V_SUBBREV_", "V_DIV_FMAS_"});
}

bool isTranscendental(StringRef name) {
  return startsWithAny(name,
                       {"V_EXP_", "V_LOG_", "V_RCP_", "V_RSQ_", "V_SQRT_", "V_SIN_", "V_COS_"});
}

/// What waits for all vector results before it.
bool waitsForVectors(StringRef name) {
  return startsWithAny(
      name, {"BUFFER_", "TBUFFER_", "IMAGE_", "GLOBAL_", "FLAT_", "SCRATCH_", "DS_", "EXP"});
}

class PartBoundary {
public:
  explicit PartBoundary(MachineFunction &function)
      : function(function), info(*function.getSubtarget().getInstrInfo()),
        registers(*function.getSubtarget().getRegisterInfo()),
        target(pal::abi::findTarget(function.getSubtarget().getCPU())),
        isWave64(function.getSubtarget().checkFeatures("+wavefrontsize64")),
        isInFront(boundaryOf(function) == boundaryInFrontOfPart),
        isBehind(boundaryOf(function) == boundaryBehindPart) {}

  bool run() {
    if (!target || function.empty())
      return false;
    bool changed = function.getFunction().hasFnAttribute(allLanesAttribute) && dropAllLanes();
    if (isBehind)
      changed |= insert(function.front(), function.front().begin(), waitsBehind());
    if (function.getFunction().getReturnType()->isVoidTy())
      return changed;
    MachineBasicBlock &block = function.back();
    const auto at = block.getFirstTerminator();
    if (at != block.end() && nameOf(*at) != "SI_RETURN_TO_EPILOG")
      return changed; // a program that does not end this way
    return insert(block, at, waitsAtEnd(block, at)) || changed;
  }

private:
  static StringRef boundaryOf(const MachineFunction &function) {
    return function.getFunction().getFnAttribute(partBoundaryAttribute).getValueAsString();
  }

  /// On the way back from the end.
  struct State {
    DenseSet<Register> written; ///< results that vector instructions have made
    unsigned vectors = 0, transcendentals = 0;
    bool beforeExec = false; ///< EXEC changes behind, and results are made there as well
  };

  MachineFunction &function;
  const TargetInstrInfo &info;
  const TargetRegisterInfo &registers;
  const pal::abi::GpuTarget *target;
  const bool isWave64, isInFront, isBehind;
  DenseSet<Register> results; ///< VGPRs that go over the boundary
  /// Where another block is last, LLVM branches to the end and names no results any more: any
  /// VGPR may be one.
  bool resultsAreKnown = false;

  StringRef nameOf(const MachineInstr &inst) const { return info.getName(inst.getOpcode()); }

  static bool isScalarName(StringRef name) {
    return name.starts_with("SGPR") || name.starts_with("VCC");
  }
  bool isScalar(const MachineOperand &operand) const {
    return operand.isReg() && operand.getReg().isPhysical() &&
           isScalarName(registers.getName(operand.getReg()));
  }
  bool writesExec(const MachineInstr &inst) const {
    return any_of(inst.all_defs(), [&](const MachineOperand &operand) {
      return StringRef(registers.getName(operand.getReg())).starts_with("EXEC");
    });
  }
  template <typename Predicate> bool anyInstruction(Predicate predicate) const {
    for (const MachineBasicBlock &block : function)
      for (const MachineInstr &inst : block.instrs())
        if (!inst.isMetaInstruction() && !inst.isBundle() && predicate(inst, nameOf(inst)))
          return true;
    return false;
  }

  bool isGfx101() const { return target->major == 10 && target->minor < 3; }
  Waits forgetting() const { return Waits(isWave64 ? 8 : 4, forget); }

  bool insert(MachineBasicBlock &block, MachineBasicBlock::iterator at, const Waits &waits) {
    for (StringRef wait : waits)
      BuildMI(block, at, DebugLoc(), info.get(TargetOpcode::INLINEASM))
          .addExternalSymbol(wait.data())
          .addImm(InlineAsm::Extra_HasSideEffects);
    return !waits.empty();
  }

  bool dropAllLanes() {
    for (MachineInstr &inst : function.front().instrs()) {
      if (!nameOf(inst).starts_with("S_MOV_B") || !writesExec(inst))
        continue;
      if (!inst.getOperand(1).isImm() || inst.getOperand(1).getImm() != -1 || inst.isBundled())
        return false;
      inst.eraseFromParent();
      return true;
    }
    return false;
  }

  Waits waitsBehind() const {
    const bool writesScalars = anyInstruction([&](const MachineInstr &inst, StringRef) {
      return any_of(inst.all_defs(), [&](const MachineOperand &def) { return isScalar(def); });
    });
    const bool changesExec =
        anyInstruction([&](const MachineInstr &inst, StringRef) { return writesExec(inst); });
    if (target->major >= 12)
      return writesScalars ? forgetting() : Waits();
    if (isGfx101() && (writesScalars || changesExec))
      return {waitForOperands};
    if (target->major != 11 || !isWave64)
      return {};
    return changesExec ? Waits{waitForResults} : writesScalars ? Waits{waitForScalars} : Waits();
  }

  Waits waitsAtEnd(const MachineBasicBlock &block, MachineBasicBlock::const_iterator at) {
    resultsAreKnown = at != block.end();
    if (resultsAreKnown)
      for (const MachineOperand &operand : at->operands())
        if (operand.isReg() && operand.getReg().isPhysical() &&
            StringRef(registers.getName(operand.getReg())).starts_with("VGPR"))
          results.insert(operand.getReg());
    if (isInFront && isGfx101())
      return {waitForStores, waitForOperands};
    if (target->major == 11)
      return hasMasks() || hasResults(block, at) ? Waits{waitForResults} : Waits();
    return isInFront && target->major >= 12 && readsScalars() ? forgetting() : Waits();
  }

  bool readsScalars() const {
    return anyInstruction([&](const MachineInstr &inst, StringRef name) {
      return name.starts_with("V_") &&
             any_of(inst.all_uses(), [&](const MachineOperand &use) { return isScalar(use); });
    });
  }

  /// Behind glue, scalar instructions may write any SGPR; glue behind looks for itself.
  bool hasMasks() const {
    return isInFront && isWave64 &&
           anyInstruction([](const MachineInstr &, StringRef name) { return readsMask(name); });
  }

  bool hasResults(const MachineBasicBlock &block, MachineBasicBlock::const_iterator at) const {
    State state;
    // A part changes EXEC soon after its start.
    state.beforeExec = isInFront;
    return search(block, at.getInstrIterator(), state, 0);
  }

  /// Could what is behind the boundary meet a result too early?
  bool search(const MachineBasicBlock &block, MachineBasicBlock::const_instr_iterator from,
              State state, unsigned depth) const {
    while (from != block.instr_begin()) {
      const MachineInstr &inst = *--from;
      if (inst.isMetaInstruction() || inst.isBundle())
        continue;
      const StringRef name = nameOf(inst);
      const bool waits = name == "S_WAITCNT_DEPCTR" &&
                         (inst.getOperand(0).getImm() >> vectorResultShift & 0xF) == 0;
      if (waits || waitsForVectors(name) || state.vectors > forwardingDistance)
        return false;
      if (name.starts_with("S_"))
        state.beforeExec |= !state.written.empty() && writesExec(inst);
      else if (visitVector(inst, name, state))
        return true;
    }
    if (depth == maxBlocks)
      return true;
    return any_of(block.predecessors(), [&](const MachineBasicBlock *before) {
      return search(*before, before->instr_end(), state, depth + 1);
    });
  }

  /// True for a result that is a hazard. What is no scalar and no memory instruction counts.
  bool visitVector(const MachineInstr &inst, StringRef name, State &state) const {
    bool isNew = false;
    for (const MachineOperand &def : inst.all_defs()) {
      if (!resultsAreKnown && StringRef(registers.getName(def.getReg())).starts_with("VGPR"))
        isNew |= state.written.insert(def.getReg()).second;
      for (Register result : results)
        if (registers.regsOverlap(result, def.getReg()))
          isNew |= state.written.insert(result).second;
    }
    if (isNew && isWave64 && state.beforeExec)
      return true;
    const bool isSlow = isTranscendental(name);
    if (isNew && isSlow && target->minor == 0 && state.vectors <= transcendentalDistance &&
        state.transcendentals <= transcendentalCount)
      return true;
    state.vectors += name.starts_with("V_");
    state.transcendentals += isSlow;
    return false;
  }
};

class PartBoundaryWaits : public MachineFunctionPass {
public:
  static char ID;
  PartBoundaryWaits() : MachineFunctionPass(ID) {}
  bool runOnMachineFunction(MachineFunction &machineFunction) override {
    return addPartBoundaryWaits(machineFunction);
  }
  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(usage);
  }
  StringRef getPassName() const override { return "waits where glue and part meet"; }
};
char PartBoundaryWaits::ID = 0;

} // namespace

bool addPartBoundaryWaits(MachineFunction &function) { return PartBoundary(function).run(); }

MachineFunctionPass *createPartBoundaryWaitsPass() { return new PartBoundaryWaits(); }

} // namespace lgc
