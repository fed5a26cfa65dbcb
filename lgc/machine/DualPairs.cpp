//===- DualPairs.cpp - operations that are issued together ----------------===//
// SPDX-License-Identifier: MIT
#include "lgc/machine/DualPairs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/LiveRegUnits.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace lgc {
namespace {

/// How far a partner may be away. Further ones are rarely free to move.
constexpr unsigned window = 12;

/// Operations of VOPD. RDNA3 ISA guide, 7.6, "Dual issue VALU": OpX and OpY.
struct RoleRow {
  StringLiteral name;
  uint8_t roles;
};
constexpr uint8_t either = DualTable::First | DualTable::Second;
constexpr RoleRow roleRows[] = {
    {"V_FMAC_F32_e32", either},
    {"V_FMAAK_F32", either},
    {"V_FMAMK_F32", either},
    {"V_MUL_F32_e32", either},
    {"V_ADD_F32_e32", either},
    {"V_SUB_F32_e32", either},
    {"V_SUBREV_F32_e32", either},
    {"V_MUL_LEGACY_F32_e32", either},
    {"V_MOV_B32_e32", either},
    {"V_CNDMASK_B32_e32", either},
    {"V_MAX_F32_e32", either},
    {"V_MIN_F32_e32", either},
    {"V_ADD_U32_e32", DualTable::Second},
    {"V_LSHLREV_B32_e32", DualTable::Second},
    {"V_AND_B32_e32", DualTable::Second},
};

void fill(DualTable &table, const TargetInstrInfo &info, const TargetRegisterInfo &registers) {
  for (unsigned opcode = 0; opcode < info.getNumOpcodes(); ++opcode) {
    const StringRef name = info.getName(opcode);
    if (!name.starts_with("V_"))
      continue;
    if (const auto *row = find_if(roleRows, [&](const RoleRow &r) { return r.name == name; });
        row != std::end(roleRows))
      table.roles[opcode] = row->roles;
  }
  table.vectorNumbers.assign(registers.getNumRegs(), -1);
  for (unsigned reg = 1; reg < registers.getNumRegs(); ++reg) {
    StringRef name = registers.getName(reg);
    unsigned number = 0;
    if (name.consume_front("VGPR") && !name.getAsInteger(10, number))
      table.vectorNumbers[reg] = static_cast<int16_t>(number);
  }
}

/// What pairs are judged by.
struct Operation {
  uint8_t roles = 0;
  unsigned result = 0;                                 ///< number of the VGPR
  std::array<std::optional<unsigned>, 2> sources = {}; ///< VGPRs, by their place in the encoding
  std::optional<int64_t> literal;
};

class Gatherer {
public:
  Gatherer(const TargetRegisterInfo &registers, const DualTable &table)
      : registers(registers), table(table), modified(registers), used(registers) {}

  bool run(MachineBasicBlock &block) {
    bool changed = false;
    inFlight.clear();
    for (auto it = block.begin(); it != block.end();) {
      noteLoads(*it);
      std::optional<Operation> first = operationOf(*it++);
      if (!first)
        continue;
      MachineInstr *partner = findPartner(*first, std::prev(it), block.end());
      if (!partner)
        continue;
      if (it != block.end() && partner == &*it) {
        ++it;
        continue;
      }
      block.splice(it, &block, partner->getIterator());
      changed = true;
    }
    return changed;
  }

private:
  std::optional<Operation> operationOf(MachineInstr &inst) const;
  MachineInstr *findPartner(const Operation &first, MachineBasicBlock::iterator at,
                            MachineBasicBlock::iterator end);
  bool mayMove(MachineInstr &inst) const;
  void noteLoads(const MachineInstr &inst);
  bool fit(const Operation &a, const Operation &b) const;
  std::optional<unsigned> vectorNumber(const MachineOperand &operand) const;

  const TargetRegisterInfo &registers;
  const DualTable &table;
  LiveRegUnits modified, used; ///< by what stands between an operation and what is looked at
  /// Results of loads in front of the operation that nothing has read: to read one there is to
  /// wait.
  SmallVector<Register, 8> inFlight;
};

std::optional<unsigned> Gatherer::vectorNumber(const MachineOperand &operand) const {
  const int number = operand.isReg() ? table.vectorNumbers[operand.getReg().id()] : -1;
  return number < 0 ? std::nullopt : std::optional<unsigned>(number);
}

std::optional<Operation> Gatherer::operationOf(MachineInstr &inst) const {
  const auto found = table.roles.find(inst.getOpcode());
  if (found == table.roles.end() || inst.isBundled())
    return std::nullopt;
  Operation operation;
  operation.roles = found->second;
  const std::optional<unsigned> result = vectorNumber(inst.getOperand(0));
  if (!result)
    return std::nullopt;
  operation.result = *result;
  operation.sources[0] = vectorNumber(inst.getOperand(1));
  for (unsigned i = 2; i < inst.getNumExplicitOperands() && !operation.sources[1]; ++i)
    operation.sources[1] = vectorNumber(inst.getOperand(i));
  for (const MachineOperand &operand : inst.explicit_operands())
    if (operand.isImm() && (operand.getImm() < -16 || operand.getImm() > 64))
      operation.literal = operand.getImm();
  return operation;
}

/// Results of different parity; sources, too, by their places: equal banks are not allowed, and
/// equal parity is a hazard of gfx11 (lgc/llvm22/DualIssue.h). How many scalar registers two of
/// them may read is not looked at: a pair that reads too many only stands together for nothing.
bool Gatherer::fit(const Operation &a, const Operation &b) const {
  const bool hasOrder = (a.roles & DualTable::First && b.roles & DualTable::Second) ||
                        (a.roles & DualTable::Second && b.roles & DualTable::First);
  if (!hasOrder || a.result % 2 == b.result % 2)
    return false;
  for (unsigned place = 0; place < 2; ++place)
    if (a.sources[place] && b.sources[place] && *a.sources[place] % 2 == *b.sources[place] % 2)
      return false;
  return !a.literal || !b.literal || *a.literal == *b.literal;
}

void Gatherer::noteLoads(const MachineInstr &inst) {
  erase_if(inFlight, [&](Register reg) {
    return inst.readsRegister(reg, &registers) || inst.modifiesRegister(reg, &registers);
  });
  if (inst.mayLoad())
    for (const MachineOperand &operand : inst.defs())
      if (operand.isReg() && operand.getReg())
        inFlight.push_back(operand.getReg());
}

/// Up to the operation, across what stands between.
bool Gatherer::mayMove(MachineInstr &inst) const {
  if (any_of(inFlight, [&](Register reg) { return inst.readsRegister(reg, &registers); }))
    return false;
  return all_of(inst.operands(), [&](const MachineOperand &operand) {
    if (!operand.isReg() || !operand.getReg())
      return true;
    const MCRegister reg = operand.getReg().asMCReg();
    return modified.available(reg) && (operand.isUse() || used.available(reg));
  });
}

MachineInstr *Gatherer::findPartner(const Operation &first, MachineBasicBlock::iterator at,
                                    MachineBasicBlock::iterator end) {
  modified.clear();
  used.clear();
  const Register result = at->getOperand(0).getReg();
  unsigned seen = 0;
  for (auto it = std::next(at); it != end && seen < window; ++it) {
    if (it->isDebugInstr())
      continue;
    if (it->isTerminator() || it->isCall() || it->isPosition())
      return nullptr;
    ++seen;
    std::optional<Operation> other = operationOf(*it);
    if (other && fit(first, *other) && !it->readsRegister(result, &registers) && mayMove(*it)) {
      // What was its last use may be read by what it moves across.
      for (MachineOperand &operand : it->operands())
        if (operand.isReg() && operand.isUse() && operand.getReg())
          operand.setIsKill(false);
      return &*it;
    }
    LiveRegUnits::accumulateUsedDefed(*it, modified, used, &registers);
  }
  return nullptr;
}

} // namespace

bool gatherDuals(MachineFunction &function, DualTable &table) {
  const TargetSubtargetInfo &subtarget = function.getSubtarget();
  if (!subtarget.checkFeatures("+wavefrontsize32"))
    return false;
  if (table.roles.empty())
    fill(table, *subtarget.getInstrInfo(), *subtarget.getRegisterInfo());
  Gatherer gatherer(*subtarget.getRegisterInfo(), table);
  bool changed = false;
  for (MachineBasicBlock &block : function)
    changed |= gatherer.run(block);
  return changed;
}

} // namespace lgc
