//===- OrOnes.cpp - OR with all ones --------------------------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/llvm22/OrOnes.h"
#include "lgc/machine/MachineStep.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include <optional>

using namespace llvm;

namespace lgc {
namespace {

/// Steps between a constant and its use are few: splitting of 64-bit operations makes them.
constexpr unsigned maxDepth = 8;

using Constant32 = std::optional<uint32_t>;

/// What an operation on 32 bits is, by its name: "AND" of V_AND_B32_e64, "" of others.
StringRef operationOf(StringRef name) {
  if (!name.consume_front("V_") && !name.consume_front("S_"))
    return "";
  if (!name.consume_back("_e32"))
    name.consume_back("_e64");
  return name.consume_back("_B32") || name.consume_back("_I32") ? name : "";
}

/// Of two constants, or of one that decides alone.
Constant32 evaluate(StringRef operation, Constant32 a, Constant32 b) {
  if (operation == "AND" && (a == 0u || b == 0u))
    return 0;
  if (operation == "OR" && (a == ~0u || b == ~0u))
    return ~0u;
  if (!a || !b)
    return std::nullopt;
  if (operation.ends_with("REV"))
    return evaluate(operation.drop_back(3), b, a);
  if (operation == "AND")
    return *a & *b;
  if (operation == "OR")
    return *a | *b;
  if (operation == "XOR")
    return *a ^ *b;
  if (operation == "XNOR")
    return ~(*a ^ *b);
  if (operation == "LSHL")
    return *a << (*b & 31);
  if (operation == "LSHR")
    return *a >> (*b & 31);
  if (operation == "ASHR")
    return static_cast<uint32_t>(static_cast<int32_t>(*a) >> (*b & 31));
  return std::nullopt;
}

/// Knows as much of constants as si-fold-operands finds out.
class Constants {
public:
  explicit Constants(const MachineFunction &function)
      : info(*function.getSubtarget().getInstrInfo()),
        places(*function.getSubtarget().getRegisterInfo()), registers(function.getRegInfo()) {}

  Constant32 of(const MachineOperand &operand, unsigned depth = maxDepth) const {
    if (operand.isImm())
      return static_cast<uint32_t>(operand.getImm());
    if (!operand.isReg())
      return std::nullopt;
    return of(operand.getReg(), operand.getSubReg(), depth);
  }

private:
  const TargetInstrInfo &info;
  const TargetRegisterInfo &places;
  const MachineRegisterInfo &registers;

  Constant32 of(Register reg, unsigned part, unsigned depth) const {
    const MachineInstr *def = reg.isVirtual() && depth ? registers.getVRegDef(reg) : nullptr;
    if (!def || def->getOperand(0).getSubReg() != 0)
      return std::nullopt;
    if (def->isRegSequence() && part != 0) {
      for (unsigned i = 1; i + 1 < def->getNumOperands(); i += 2)
        if (def->getOperand(i + 1).getImm() == part)
          return of(def->getOperand(i), depth - 1);
      return std::nullopt;
    }
    if (def->isCopy()) {
      const MachineOperand &source = def->getOperand(1);
      if (part != 0 && source.getSubReg() != 0)
        return std::nullopt;
      return of(source.getReg(), part ? part : source.getSubReg(), depth - 1);
    }
    return ofResult(*def, part, depth);
  }

  Constant32 ofResult(const MachineInstr &def, unsigned part, unsigned depth) const {
    const StringRef name = info.getName(def.getOpcode());
    if (name == "S_MOV_B64" || name == "S_MOV_B64_IMM_PSEUDO" || name == "V_MOV_B64_PSEUDO") {
      const MachineOperand &source = def.getOperand(1);
      if (!source.isImm() || part == 0 || places.getSubRegIdxSize(part) != 32)
        return std::nullopt;
      return static_cast<uint32_t>(source.getImm() >> places.getSubRegIdxOffset(part));
    }
    const StringRef operation = operationOf(name);
    if (operation.empty() || part != 0 || def.getNumExplicitDefs() != 1)
      return std::nullopt;
    const unsigned sources = def.getNumExplicitOperands() - 1;
    if (sources == 1 && operation == "MOV")
      return of(def.getOperand(1), depth - 1);
    if (sources == 1 && operation == "NOT")
      return evaluate("XOR", of(def.getOperand(1), depth - 1), ~0u);
    if (name == "V_CNDMASK_B32_e64") { // with modifiers in front of both
      const Constant32 value = of(def.getOperand(2), depth - 1);
      return value == of(def.getOperand(4), depth - 1) ? value : std::nullopt;
    }
    if (sources == 2)
      return evaluate(operation, of(def.getOperand(1), depth - 1),
                      of(def.getOperand(2), depth - 1));
    return std::nullopt;
  }
};

/// Of whose result nothing but the value counts.
bool isOr(const MachineInstr &inst, const TargetInstrInfo &info) {
  if (!inst.isCommutable() || inst.getNumExplicitOperands() != 3)
    return false;
  const StringRef name = info.getName(inst.getOpcode());
  return (name == "V_OR_B32_e64" || name == "S_OR_B32") &&
         all_of(inst.implicit_operands(), [](const MachineOperand &operand) {
           return !operand.isReg() || !operand.isDef() || operand.isDead();
         });
}

} // namespace

bool foldOrOnes(MachineFunction &function) {
  const TargetInstrInfo &info = *function.getSubtarget().getInstrInfo();
  const Constants constants(function);
  bool changed = false;
  for (MachineBasicBlock &block : function)
    for (MachineInstr &inst : make_early_inc_range(block)) {
      if (!isOr(inst, info) ||
          (constants.of(inst.getOperand(1)) != ~0u && constants.of(inst.getOperand(2)) != ~0u))
        continue;
      const bool isScalar = info.getName(inst.getOpcode()).starts_with("S_");
      const unsigned move = findOpcode(info, isScalar ? "S_MOV_B32" : "V_MOV_B32_e32");
      BuildMI(block, inst, inst.getDebugLoc(), info.get(move), inst.getOperand(0).getReg())
          .addImm(-1);
      inst.eraseFromParent();
      changed = true;
    }
  return changed;
}

} // namespace lgc
