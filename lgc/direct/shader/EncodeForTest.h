//===- EncodeForTest.h - machine code of a program, without short forms ---===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/direct/shader/ForwardWalk.h"

namespace lgc::direct::test {

/// Bits of an operand; \p literal: what has to stand behind the instruction.
inline uint32_t operandBits(const Operand &operand, char kind, std::optional<uint32_t> &literal) {
  switch (operand.kind) {
  case Operand::Kind::Vgpr:
    return operand.value + (kind == 'X' || kind == 'E' ? sourceVgpr : 0);
  case Operand::Kind::Constant:
    if (kind == 'L')
      return operand.value;
    if (const uint32_t source = sourceOfConstant(operand.value); source != noSource)
      return source;
    literal = operand.value;
    return sourceLiteral;
  case Operand::Kind::Block:
    return 0;
  default:
    return operand.value;
  }
}

/// All blocks in a row; jumps go where they should.
inline llvm::SmallVector<uint32_t> encodeProgram(const Program &program) {
  llvm::SmallVector<uint32_t> code;
  std::vector<size_t> begins;
  std::vector<std::pair<size_t, uint32_t>> jumps; // place, block
  for (const MachineBlock &block : program.blocks) {
    begins.push_back(code.size());
    for (const MachineOp &op : block.ops) {
      llvm::SmallVector<uint32_t> operands;
      std::optional<uint32_t> literal;
      for (unsigned i = 0; i < op.count; ++i)
        operands.push_back(operandBits(op.operands[i], operandInfo(op.opcode)[i].kind, literal));
      if (targetOf(op) != noBlock)
        jumps.push_back({code.size(), targetOf(op)});
      encode(code, program.target->major, op.opcode, operands);
      if (literal)
        code.push_back(*literal);
    }
  }
  for (const auto &[place, block] : jumps)
    code[place] |= (begins[block] - (place + 1)) & 0xFFFF;
  return code;
}

} // namespace lgc::direct::test
