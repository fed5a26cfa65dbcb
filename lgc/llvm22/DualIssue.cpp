//===- DualIssue.cpp - pairs of operations that gfx11 loses operands of ---===//
// SPDX-License-Identifier: MIT
#include "lgc/llvm22/DualIssue.h"
#include "lgc/CompileError.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace lgc {
namespace {

/// One operation of a pair: its name as one of its own, its operands.
struct Half {
  std::string name;
  unsigned opcode = 0;
  MachineOperand *result = nullptr;
  SmallVector<MachineOperand *, 4> sources;
};

/// V_DUAL_MUL_F32_e32_X_ADD_F32_e32_gfx11: V_MUL_F32_e32, V_ADD_F32_e32.
bool splitName(StringRef name, Half (&halves)[2]) {
  if (!name.consume_front("V_DUAL_") || !name.consume_back("_gfx11"))
    return false;
  auto [x, y] = name.split("_X_");
  halves[0].name = ("V_" + x).str();
  halves[1].name = ("V_" + y).str();
  return !y.empty();
}

/// Of instructions that are halves of dual ones: 32 bits, in the short encoding.
void findSingles(const TargetInstrInfo &info, SingleOpcodes &opcodes) {
  for (unsigned opcode = 0; opcode < info.getNumOpcodes(); ++opcode)
    if (StringRef name = info.getName(opcode);
        name.starts_with("V_") && (name.ends_with("_e32") || name.ends_with("_F32")))
      opcodes[name] = opcode;
}

/// Results come first, then the sources of the one and of the other.
void splitOperands(MachineInstr &inst, const TargetInstrInfo &info, Half (&halves)[2]) {
  unsigned at = 2;
  for (unsigned i = 0; i < 2; ++i) {
    halves[i].result = &inst.getOperand(i);
    const unsigned count = info.get(halves[i].opcode).getNumOperands();
    for (unsigned source = 1; source < count; ++source)
      halves[i].sources.push_back(&inst.getOperand(at++));
  }
  KILN_CHECK(at == inst.getNumExplicitOperands(), "operands of a dual instruction");
}

/// Number of a vector register, or nothing.
std::optional<unsigned> vectorNumber(const MachineOperand &operand,
                                     const TargetRegisterInfo &registers) {
  if (!operand.isReg())
    return std::nullopt;
  StringRef name = registers.getName(operand.getReg());
  unsigned number = 0;
  if (!name.consume_front("VGPR") || name.getAsInteger(10, number))
    return std::nullopt;
  return number;
}

/// VOPD's sources in the encoding: the first, and the vector register that comes next.
bool sharesParity(const Half (&halves)[2], const TargetRegisterInfo &registers) {
  std::optional<unsigned> numbers[2][2];
  for (unsigned i = 0; i < 2; ++i) {
    numbers[i][0] = vectorNumber(*halves[i].sources[0], registers);
    for (unsigned source = 1; source < halves[i].sources.size() && !numbers[i][1]; ++source)
      numbers[i][1] = vectorNumber(*halves[i].sources[source], registers);
  }
  for (unsigned place = 0; place < 2; ++place) {
    const auto &x = numbers[0][place], &y = numbers[1][place];
    if (x && y && *x % 2 == *y % 2)
      return true;
  }
  return false;
}

bool reads(const Half &half, Register reg) {
  return any_of(half.sources, [&](const MachineOperand *operand) {
    return operand->isReg() && operand->getReg() == reg;
  });
}

void split(MachineInstr &inst, const TargetInstrInfo &info, const Half (&halves)[2]) {
  // Both read before either writes: whoever overwrites what the other reads comes second.
  const bool swapped = reads(halves[1], halves[0].result->getReg());
  KILN_CHECK(!swapped || !reads(halves[0], halves[1].result->getReg()),
             "a dual instruction whose operations exchange registers");
  for (const Half *half : {&halves[swapped], &halves[!swapped]}) {
    auto made = BuildMI(*inst.getParent(), inst, inst.getDebugLoc(), info.get(half->opcode));
    made.add(*half->result);
    for (const MachineOperand *source : half->sources) {
      MachineOperand copy = *source;
      // What ends here may be read by the other half.
      if (copy.isReg())
        copy.setIsKill(false);
      made.add(copy);
    }
    made->setFlags(inst.getFlags());
  }
  inst.eraseFromParent();
}

} // namespace

bool splitDuals(MachineFunction &function, SingleOpcodes &opcodes) {
  const TargetInstrInfo &info = *function.getSubtarget().getInstrInfo();
  const TargetRegisterInfo &registers = *function.getSubtarget().getRegisterInfo();
  bool changed = false;
  for (MachineBasicBlock &block : function)
    for (MachineInstr &inst : make_early_inc_range(block)) {
      Half halves[2];
      if (inst.getDesc().getNumDefs() != 2 || !splitName(info.getName(inst.getOpcode()), halves))
        continue;
      if (opcodes.empty())
        findSingles(info, opcodes);
      for (Half &half : halves) {
        half.opcode = opcodes.lookup(half.name);
        KILN_CHECK(half.opcode, "a dual instruction of unknown operations");
      }
      splitOperands(inst, info, halves);
      if (!sharesParity(halves, registers))
        continue;
      split(inst, info, halves);
      changed = true;
    }
  return changed;
}

} // namespace lgc
