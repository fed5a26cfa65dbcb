//===- SelectPacked.cpp - two numbers of 16 bits at once ------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Vectors of halves and of short integers whose instruction exists for both halves of a register.
/// What is above the last element of an odd number is computed, too, and means nothing.
#include "lgc/direct/shader/ShaderSelector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace lgc::direct {

namespace {

struct PackedRow {
  unsigned number; ///< of an instruction of the IR, or of an intrinsic
  Opcode opcode;
};

constexpr PackedRow floatRows[] = {
    {Instruction::FAdd, Opcode::VPackedAddF16},
    {Instruction::FSub, Opcode::VPackedSubF16},
    {Instruction::FMul, Opcode::VPackedMulF16},
};
constexpr PackedRow callRows[] = {
    {Intrinsic::fma, Opcode::VPackedFmaF16},
    {Intrinsic::minnum, Opcode::VPackedMinF16},
    {Intrinsic::maxnum, Opcode::VPackedMaxF16},
};
/// The numbers of shifts come first.
constexpr PackedRow integerRows[] = {
    {Instruction::Add, Opcode::VPackedAdd16},
    {Instruction::Sub, Opcode::VPackedSub16},
    {Instruction::Mul, Opcode::VPackedMul16},
    {Instruction::Shl, Opcode::VPackedShiftLeft16},
    {Instruction::LShr, Opcode::VPackedShiftRight16},
    {Instruction::AShr, Opcode::VPackedShiftRightI16},
};

std::optional<Opcode> findOpcode(ArrayRef<PackedRow> rows, unsigned number) {
  const auto *row = find_if(rows, [&](const PackedRow &r) { return r.number == number; });
  return row == rows.end() ? std::nullopt : std::optional(row->opcode);
}

} // namespace

std::optional<Opcode> ShaderSelector::packedOpcodeOf(const Instruction &inst) const {
  const Type *type = inst.getType();
  if (!type->isVectorTy() || type->getScalarSizeInBits() != 16)
    return std::nullopt;
  if (const auto *call = dyn_cast<CallInst>(&inst))
    return findOpcode(callRows, call->getIntrinsicID());
  if (type->getScalarType()->isHalfTy())
    return findOpcode(floatRows, inst.getOpcode());
  return isVector(&inst) ? findOpcode(integerRows, inst.getOpcode()) : std::nullopt;
}

bool ShaderSelector::selectPacked(const Instruction &inst, Opcode opcode) {
  const auto *call = dyn_cast<CallInst>(&inst);
  SmallVector<Words, 3> sources(call ? call->arg_size() : inst.getNumOperands());
  for (unsigned i = 0; i < sources.size(); ++i)
    if (!read(inst.getOperand(i), sources[i]))
      return false;
  if (inst.isShift())
    std::swap(sources[0], sources[1]);
  Words result;
  for (unsigned i = 0; i < sources[0].size(); ++i) {
    Words all;
    // HW: which halves a constant has depends on instruction and generation. A register has both.
    for (const Words &words : sources)
      all.push_back(words[i].isConstant() && words[i].operand.value ? Word{toVgpr(words[i])}
                                                                    : words[i]);
    result.push_back(vector(opcode, all));
  }
  return define(inst, result);
}

} // namespace lgc::direct
