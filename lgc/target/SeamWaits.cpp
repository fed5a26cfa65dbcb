//===- SeamWaits.cpp - hazards where glue and part meet -------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/target/SeamWaits.h"
#include "pal_shim/abi/TargetInfo.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/InlineAsm.h"

using namespace llvm;

namespace lgc {
namespace {

// Fields of the operand of s_waitcnt_depctr, each 0 where it waits: bit 0 sa_sdst (scalar results),
// bits 2 to 4 vm_vsrc (operands of vector memory instructions), bits 12 to 15 va_vdst (vector
// results).
constexpr StringLiteral waitForOperands = "s_waitcnt_depctr 0xffe2";
constexpr StringLiteral waitForResults = "s_waitcnt_depctr 0xffe";
constexpr StringLiteral waitForStores = "s_waitcnt_vscnt null, 0";
constexpr StringLiteral forget = "ds_nop";

using Waits = SmallVector<StringRef, 8>;

/// What the instructions of a function do that concerns other functions.
struct Uses {
  bool readsVector = false;  ///< a vector instruction other than an export reads a register
  bool writesScalar = false; ///< SGPRs, VCC, EXEC ..
};

class Seam {
public:
  explicit Seam(MachineFunction &function)
      : function(function), subtarget(function.getSubtarget()),
        gpu(pal::abi::findTarget(subtarget.getCPU())),
        isWave64(subtarget.checkFeatures("+wavefrontsize64")) {}

  bool run() {
    const StringRef place = function.getFunction().getFnAttribute(seamAttribute).getValueAsString();
    if (!gpu || function.empty())
      return false;
    if (place == seamInFrontOfPart)
      return insert(function.back(), function.back().getFirstTerminator(), waitsInFront());
    if (place == seamBehindPart)
      return insert(function.front(), function.front().begin(), waitsBehind());
    return false;
  }

private:
  MachineFunction &function;
  const TargetSubtargetInfo &subtarget;
  const pal::abi::GpuTarget *gpu;
  bool isWave64;

  bool isGfx101() const { return gpu->major == 10 && gpu->minor < 3; }
  bool needsResults() const { return gpu->major == 11 && (gpu->minor == 0 || isWave64); }

  Waits waitsInFront() const {
    if (isGfx101())
      return {waitForStores, waitForOperands};
    return needsResults() ? Waits{waitForResults} : Waits();
  }

  Waits waitsBehind() const {
    const Uses uses = findUses();
    if (needsResults() && (uses.readsVector || uses.writesScalar))
      return {waitForResults};
    if (isGfx101() && uses.writesScalar)
      return {waitForOperands};
    if (gpu->major >= 12 && uses.writesScalar)
      return Waits(isWave64 ? 8 : 4, forget);
    return {};
  }

  Uses findUses() const {
    const TargetRegisterInfo &registers = *subtarget.getRegisterInfo();
    Uses uses;
    for (const MachineBasicBlock &block : function)
      for (const MachineInstr &inst : block.instrs()) {
        const bool isVector =
            StringRef(subtarget.getInstrInfo()->getName(inst.getOpcode())).starts_with("V_");
        for (const MachineOperand &operand : inst.operands()) {
          if (!operand.isReg() || !operand.getReg().isPhysical())
            continue;
          const StringRef name = registers.getName(operand.getReg());
          uses.readsVector |= isVector && operand.isUse() && !operand.isUndef() &&
                              !name.starts_with("EXEC") && name != "MODE";
          uses.writesScalar |= operand.isDef() && !name.starts_with("VGPR") && name != "MODE";
        }
      }
    return uses;
  }

  bool insert(MachineBasicBlock &block, MachineBasicBlock::iterator place, const Waits &waits) {
    const MCInstrDesc &description = subtarget.getInstrInfo()->get(TargetOpcode::INLINEASM);
    for (StringRef wait : waits)
      BuildMI(block, place, DebugLoc(), description)
          .addExternalSymbol(wait.data())
          .addImm(InlineAsm::Extra_HasSideEffects);
    return !waits.empty();
  }
};

class SeamWaits : public MachineFunctionPass {
public:
  static char ID;
  SeamWaits() : MachineFunctionPass(ID) {}
  bool runOnMachineFunction(MachineFunction &function) override {
    return function.getFunction().hasFnAttribute(seamAttribute) && addSeamWaits(function);
  }
  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(usage);
  }
  StringRef getPassName() const override { return "waits where glue and part meet"; }
};
char SeamWaits::ID = 0;

} // namespace

bool addSeamWaits(MachineFunction &function) { return Seam(function).run(); }

MachineFunctionPass *createSeamWaitsPass() { return new SeamWaits(); }

} // namespace lgc
