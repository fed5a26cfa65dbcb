//===- Program.cpp - a shader in machine instructions ---------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/Program.h"
#include "lgc/CompileError.h"
#include "llvm/ADT/StringRef.h"

using namespace llvm;

namespace lgc::direct {

MachineOp::MachineOp(Opcode opcode, ArrayRef<Operand> all) : opcode(opcode) {
  const ArrayRef<OperandInfo> infos = operandInfo(opcode);
  KILN_CHECK(all.size() <= infos.size(), "direct: an instruction with too many operands");
  count = static_cast<uint8_t>(infos.size());
  llvm::copy(all, operands.begin());
  // Modifiers and cache policies may be left out.
  for (unsigned i = static_cast<unsigned>(all.size()); i < count; ++i) {
    KILN_CHECK(StringRef("NACGU").contains(infos[i].kind), "direct: an operand is missing");
    operands[i] = Operand::number(0);
  }
}

uint32_t Program::addUnit(Bank bank, unsigned count, unsigned alignment) {
  Unit unit;
  unit.bank = bank;
  unit.count = static_cast<uint8_t>(count);
  unit.alignment = static_cast<uint8_t>(alignment);
  units.push_back(unit);
  return static_cast<uint32_t>(units.size() - 1);
}

} // namespace lgc::direct
