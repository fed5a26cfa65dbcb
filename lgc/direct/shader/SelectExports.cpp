//===- SelectExports.cpp - exports ----------------------------------------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/ShaderSelector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace lgc::direct {

/// Lanes without a fragment export nothing.
void ShaderSelector::keepLiveLanes() {
  if (live.kind != Operand::Kind::None)
    emit(byWave(Opcode::SAnd32, Opcode::SAnd64), {exec(), exec(), live});
}

/// Target and values; \p bits: how many of the mask belong to each.
bool ShaderSelector::readExported(const CallInst &call, unsigned count, unsigned bits,
                                  SmallVectorImpl<Operand> &operands) {
  auto number = [&](unsigned index) {
    return cast<ConstantInt>(call.getArgOperand(index))->getZExtValue();
  };
  const uint64_t mask = number(1);
  operands.push_back(Operand::number(static_cast<uint32_t>(number(0))));
  Operand any;
  for (unsigned i = 0; i < count; ++i) {
    const uint64_t enabled = mask >> i * bits & ((1u << bits) - 1);
    Operand operand;
    if (enabled && bits == 2 && enabled != 3)
      return refuse("one half of an export");
    if (enabled) {
      Word word;
      if (!readWord(call.getArgOperand(2 + i), word))
        return false;
      if (word.isUndefined() && any.kind != Operand::Kind::None)
        operand = any;
      else
        operand = any = toVgpr(word);
    }
    operands.push_back(operand);
  }
  return true;
}

/// Arguments: target, mask, values (four, or two pairs), last, valid mask.
bool ShaderSelector::selectExport(const CallInst &call) {
  const bool isPairs = call.getIntrinsicID() == Intrinsic::amdgcn_exp_compr;
  const bool isOld = program.target->major < 11;
  const unsigned count = isPairs ? 2 : 4, bits = isPairs ? 2 : 1;
  auto number = [&](unsigned index) {
    return cast<ConstantInt>(call.getArgOperand(index))->getZExtValue();
  };
  const bool isDone = number(2 + count), isValid = number(3 + count);
  if (isPairs && (!isOld || isDone != isValid))
    return refuse(call);
  SmallVector<Operand, maxOperands> operands;
  if (!readExported(call, count, bits, operands))
    return false;
  if (isFragment)
    keepLiveLanes();
  const Opcode opcode = isPairs ? isDone ? Opcode::ExportPairsLast : Opcode::ExportPairs
                        : !isDone && isValid && isOld ? Opcode::ExportValid
                        : !isDone                     ? Opcode::Export
                        : isValid                     ? Opcode::ExportLast
                                                      : Opcode::ExportDone;
  emit(opcode, operands);
  return true;
}

/// Arguments: target, mask, four values, last, number of the row.
bool ShaderSelector::selectExportOfRow(const CallInst &call) {
  Word row;
  SmallVector<Operand, maxOperands> operands;
  if (program.target->major < 11)
    return refuse(call);
  if (!readExported(call, 4, 1, operands) || !readWord(call.getArgOperand(7), row))
    return false;
  emit(Opcode::SMov, {Operand::sgpr(program.m0()), scalarSource(row)});
  const bool isDone = cast<ConstantInt>(call.getArgOperand(6))->isOne();
  emit(isDone ? Opcode::ExportRowDone : Opcode::ExportRow, operands);
  return true;
}

/// Two numbers as halves of a dword.
bool ShaderSelector::selectPack(const CallInst &call) {
  const Intrinsic::ID id = call.getIntrinsicID();
  const Opcode opcode = id == Intrinsic::amdgcn_cvt_pknorm_u16   ? Opcode::VPackUnorm
                        : id == Intrinsic::amdgcn_cvt_pknorm_i16 ? Opcode::VPackSnorm
                        : id == Intrinsic::amdgcn_cvt_pk_u16     ? Opcode::VPackUint
                                                                 : Opcode::VPackSint;
  Word low, high;
  if (!readWord(call.getArgOperand(0), low) || !readWord(call.getArgOperand(1), high))
    return false;
  return define(call, {vector(opcode, {low, high})});
}

/// Arguments: which bits of which register, number. Not of the mode: float instructions are put
/// together over it, and would be computed in another one.
bool ShaderSelector::selectSetRegister(const CallInst &call) {
  Word data;
  const auto *field = dyn_cast<ConstantInt>(call.getArgOperand(0));
  constexpr uint64_t registerBits = 63, modeRegister = 1;
  if (!field || (field->getZExtValue() & registerBits) == modeRegister)
    return refuse(call);
  if (!readWord(call.getArgOperand(1), data))
    return false;
  emit(Opcode::SSetRegister,
       {Operand::number(static_cast<uint32_t>(field->getZExtValue()) & 0xFFFF), toSgpr(data)});
  return true;
}

/// Arguments: message, M0.
bool ShaderSelector::selectMessage(const CallInst &call) {
  Word data;
  const auto *message = cast<ConstantInt>(call.getArgOperand(0));
  if (!readWord(call.getArgOperand(1), data))
    return false;
  emit(Opcode::SMov, {Operand::sgpr(program.m0()), scalarSource(data)});
  emit(Opcode::SSendMessage, {Operand::number(static_cast<uint32_t>(message->getZExtValue()))});
  return true;
}

} // namespace lgc::direct
