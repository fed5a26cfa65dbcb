//===- ProgramForTest.h - programs that tests make by hand ----------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/direct/shader/Program.h"

namespace lgc::direct {

/// Instructions go to the end of the last block.
struct ProgramForTest {
  Program program;
  std::vector<MachineOp> *ops;

  explicit ProgramForTest(const char *target = "gfx1100") {
    program.target = pal::abi::findTarget(target);
    program.blocks.push_back({});
    ops = &program.blocks.back().ops;
  }
  Operand vgpr(unsigned count = 1) { return Operand::unit(program.addUnit(Bank::Vector, count)); }
  Operand sgpr(unsigned count = 1, unsigned alignment = 1) {
    return Operand::unit(program.addUnit(Bank::Scalar, count, alignment));
  }
  void add(Opcode opcode, std::initializer_list<Operand> operands) {
    ops->push_back(MachineOp(opcode, llvm::ArrayRef(operands.begin(), operands.size())));
  }
  void store(const Operand &value) { add(Opcode::DsStore1, {value, value, Operand::number(0)}); }
};

} // namespace lgc::direct
