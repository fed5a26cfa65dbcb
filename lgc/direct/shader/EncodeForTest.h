//===- EncodeForTest.h - programs by hand, and their machine code ---------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "lgc/direct/shader/ForwardWalk.h"
#include "gtest/gtest.h"

namespace lgc::direct::test {

using Ops = std::vector<MachineOp>;
using Lines = std::vector<std::string>;

inline Operand s(uint32_t reg) { return Operand::sgpr(reg); }
inline Operand v(uint32_t reg) { return Operand::vgpr(reg); }
inline Operand n(uint32_t value) { return Operand::number(value); }
inline Operand c(uint32_t value) { return Operand::constant(value); }

inline Program programOf(const char *target, const std::vector<Ops> &blocks) {
  Program program;
  program.target = pal::abi::findTarget(target);
  for (const Ops &ops : blocks)
    program.blocks.emplace_back().ops = ops;
  return program;
}

/// What \p program, which was made of \p blocks, has besides: "BLOCK.INDEX: TEXT", where INDEX
/// counts the instructions that were there.
inline Lines addedTo(const Program &program, const std::vector<Ops> &blocks,
                     llvm::function_ref<std::string(const MachineOp &)> textOf) {
  Lines result;
  for (size_t block = 0; block < blocks.size(); ++block) {
    size_t index = 0;
    for (const MachineOp &op : program.blocks[block].ops)
      if (index < blocks[block].size() && op.opcode == blocks[block][index].opcode &&
          op.all() == blocks[block][index].all())
        ++index;
      else
        result.push_back(std::to_string(block) + "." + std::to_string(index) + ": " + textOf(op));
    EXPECT_EQ(index, blocks[block].size());
  }
  return result;
}

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

/// Machine code without short forms: all blocks in a row; jumps go where they should.
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
