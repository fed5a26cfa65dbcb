//===- LoadOffsets.cpp - places of bindings as offsets of scalar loads ----===//
// SPDX-License-Identifier: MIT
#include "lgc/machine/LoadOffsets.h"
#include "pal_shim/abi/AbiNames.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBundle.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCSymbol.h"

using namespace llvm;

namespace lgc {
namespace {

constexpr StringLiteral constantPrefix = "kiln.spec."; // lgc::constantSymbol()
constexpr StringLiteral symbolPrefix = pal::abi::elf::partSymbolPrefix;
constexpr StringLiteral markPrefix = loadOffsetMarkPrefix;

bool hasRelocations(const MachineFunction &function) {
  return Intrinsic::getDeclarationIfExists(function.getFunction().getParent(),
                                           Intrinsic::amdgcn_reloc_constant) != nullptr;
}

/// The symbol that linking makes a place of, or an empty name. Specialization constants are any
/// numbers: an immediate offset has a sign and few bits.
StringRef symbolOf(const MachineOperand &operand) {
  if (!operand.isGlobal() || operand.getOffset() != 0)
    return {};
  const StringRef name = operand.getGlobal()->getName();
  return name.starts_with(symbolPrefix) && !name.starts_with(constantPrefix) ? name : StringRef();
}

class OffsetFolder {
public:
  explicit OffsetFolder(MachineFunction &function)
      : function(function), info(function.getRegInfo()),
        instructions(*function.getSubtarget().getInstrInfo()) {}

  bool run() {
    SmallVector<MachineInstr *, 16> makers;
    for (MachineBasicBlock &block : function)
      for (MachineInstr &inst : block)
        if (any_of(inst.explicit_uses(),
                   [](const MachineOperand &operand) { return !symbolOf(operand).empty(); }))
          makers.push_back(&inst);
    for (MachineInstr *maker : makers)
      fold(*maker);
    return !makers.empty();
  }

private:
  MachineFunction &function;
  MachineRegisterInfo &info;
  const TargetInstrInfo &instructions;

  StringRef nameOf(const MachineInstr &inst) const {
    return instructions.getName(inst.getOpcode());
  }

  /// The opcode of that name, or 0. LLVM's numbers are in the order of the names, almost.
  unsigned findNear(unsigned opcode, StringRef name) const {
    constexpr unsigned distance = 32;
    const unsigned begin = opcode > distance ? opcode - distance : 0;
    for (unsigned i = begin; i < std::min(opcode + distance, instructions.getNumOpcodes()); ++i)
      if (instructions.getName(i) == name)
        return i;
    return 0;
  }

  /// `maker` has the symbol as an operand, and makes a register of it: alone, or added to another.
  void fold(MachineInstr &maker) {
    const StringRef name = nameOf(maker);
    // Of an index and a place (lgc-lower-descriptors), which does not overflow. S_ADD_U32 is the
    // low half of an address.
    const bool isSum = name == "S_ADD_I32";
    if (!isSum && name != "S_MOV_B32")
      return;
    const Register made = maker.getOperand(0).getReg();
    if (!made.isVirtual() || !info.hasOneDef(made))
      return;
    Register rest;
    StringRef symbol = symbolOf(maker.getOperand(1));
    if (isSum) {
      const bool isSecond = symbol.empty();
      if (isSecond)
        symbol = symbolOf(maker.getOperand(2));
      const MachineOperand &other = maker.getOperand(isSecond ? 1 : 2);
      if (!other.isReg() || !other.getReg().isVirtual() || other.getSubReg())
        return;
      rest = other.getReg();
    }
    for (MachineOperand &use : make_early_inc_range(info.use_nodbg_operands(made)))
      foldUse(*use.getParent(), use, rest, symbol);
    const bool hasFlags = isSum && !maker.allImplicitDefsAreDead();
    if (info.use_nodbg_empty(made) && !hasFlags) {
      info.markUsesInDebugValueAsUndef(made);
      maker.eraseFromParent();
    }
  }

  /// Operands of S_LOAD_*_SGPR_IMM: result, address, register offset, offset, cache policy.
  void foldUse(MachineInstr &load, const MachineOperand &use, Register rest, StringRef symbol) {
    const StringRef name = nameOf(load);
    if (!name.starts_with("S_LOAD_") || load.getNumExplicitOperands() != 5 ||
        load.getOperandNo(&use) != 2 || use.getSubReg() || load.getPreInstrSymbol())
      return;
    if (rest) {
      if (!name.contains("_SGPR_IMM") || !hasClassOf(rest, use.getReg()))
        return;
      load.getOperand(2).setReg(rest);
      info.clearKillFlags(rest);
    } else {
      std::string plain = name.str();
      const size_t at = plain.find("_SGPR_IMM");
      if (at == std::string::npos)
        return;
      plain.erase(at, strlen("_SGPR"));
      const unsigned opcode = findNear(load.getOpcode(), plain);
      if (!opcode)
        return;
      load.setDesc(instructions.get(opcode));
      load.removeOperand(2);
    }
    load.setPreInstrSymbol(function, function.getContext().getOrCreateSymbol(symbol));
  }

  bool hasClassOf(Register reg, Register like) {
    return info.constrainRegClass(reg, info.getRegClass(like)) != nullptr;
  }
};

class FoldLoadOffsets : public MachineFunctionPass {
public:
  static char ID;
  FoldLoadOffsets() : MachineFunctionPass(ID) {}
  bool runOnMachineFunction(MachineFunction &machineFunction) override {
    return hasRelocations(machineFunction) && foldLoadOffsets(machineFunction);
  }
  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(usage);
  }
  StringRef getPassName() const override { return "fold places into scalar loads"; }
};
char FoldLoadOffsets::ID = 0;

class MarkLoadOffsets : public MachineFunctionPass {
public:
  static char ID;
  MarkLoadOffsets() : MachineFunctionPass(ID) {}
  bool doInitialization(Module &) override {
    count = 0;
    return false;
  }
  bool runOnMachineFunction(MachineFunction &machineFunction) override {
    if (!hasRelocations(machineFunction))
      return false;
    for (MachineBasicBlock &block : machineFunction)
      for (MachineInstr &inst : make_early_inc_range(block.instrs())) {
        const MCSymbol *symbol = inst.isBundle() ? nullptr : inst.getPreInstrSymbol();
        if (!symbol || !symbol->getName().starts_with(symbolPrefix))
          continue;
        if (inst.isInsideBundle())
          takeApart(inst);
        const std::string mark =
            (markPrefix + Twine(count++) + "." + symbol->getName().drop_front(symbolPrefix.size()))
                .str();
        inst.setPreInstrSymbol(machineFunction,
                               machineFunction.getContext().getOrCreateSymbol(mark));
      }
    return true;
  }
  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(usage);
  }
  StringRef getPassName() const override { return "mark scalar loads that linking changes"; }

private:
  unsigned count = 0; ///< of marks in the module

  /// Nothing runs behind this that a bundle would have to keep away.
  static void takeApart(MachineInstr &inst) {
    MachineInstr &head = *getBundleStart(inst.getIterator());
    const auto end = getBundleEnd(head.getIterator());
    for (auto at = std::next(head.getIterator()); at != end; ++at)
      at->unbundleFromPred();
    head.eraseFromParent();
  }
};
char MarkLoadOffsets::ID = 0;

} // namespace

bool foldLoadOffsets(MachineFunction &function) { return OffsetFolder(function).run(); }
MachineFunctionPass *createFoldLoadOffsetsPass() { return new FoldLoadOffsets(); }
MachineFunctionPass *createMarkLoadOffsetsPass() { return new MarkLoadOffsets(); }

} // namespace lgc
