//===- Bit.cpp - SPIR-V bit instructions ----------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Shifts, logic and bit fields. SPIR-V leaves shifts by too much undefined, LLVM makes them
/// poison, which could spread to a branch: amounts are reduced modulo the width instead. The mask
/// costs nothing, since the hardware's shifts read only those bits.
#include "llpc/translate/ValueHelpers.h"
#include "pal_shim/abi/Try.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace llpc {
namespace {

template <Instruction::BinaryOps Opcode> HandlerResult translateShift(ValueOp &op) {
  unsigned bits = op.type->getScalarSizeInBits();
  Value *amount = op.b.CreateZExtOrTrunc(op.args[1], op.type);
  return op.b.CreateBinOp(Opcode, op.args[0],
                          op.b.CreateAnd(amount, intConstant(op.type, bits - 1)));
}

HandlerResult translateNot(ValueOp &op) { return op.b.CreateNot(op.args[0]); }

HandlerResult translateBitReverse(ValueOp &op) {
  return unaryIntrinsic(op, Intrinsic::bitreverse, op.args[0]);
}

HandlerResult translateBitCount(ValueOp &op) {
  return op.b.CreateZExtOrTrunc(unaryIntrinsic(op, Intrinsic::ctpop, op.args[0]), op.type);
}

/// Offset and count (any integer scalar type) as values of the working type: operands are scalars
/// also when the base is a vector.
Expected<Value *> fieldOperand(ValueOp &op, unsigned index, Type *type) {
  Value *value = op.args[index];
  if (!isIntShape(value->getType()) || value->getType()->isVectorTy())
    return wrongOperand(op, index, "integer scalar");
  return splatTo(op, op.b.CreateZExtOrTrunc(value, type->getScalarType()), type);
}

Error checkBase(ValueOp &op, unsigned operands) {
  if (!isIntShape(op.type))
    return wrongResult(op, "integer scalar or vector");
  for (unsigned i = 0; i < operands; ++i)
    KILN_TRY(expectOperand(op, i, op.type));
  return Error::success();
}

/// Narrow bases are handled as 32 bits wide.
Type *workingType(ValueOp &op) {
  return withShapeOf(op.b.getIntNTy(std::max(32u, op.type->getScalarSizeInBits())), op.type);
}

HandlerResult translateBitFieldInsert(ValueOp &op) {
  KILN_TRY(checkBase(op, 2));
  Type *type = workingType(op);
  auto offset = KILN_TRY(fieldOperand(op, 2, type));
  auto count = KILN_TRY(fieldOperand(op, 3, type));
  IRBuilder<> &b = op.b;
  unsigned bits = type->getScalarSizeInBits();
  Value *base = b.CreateZExt(op.args[0], type), *insert = b.CreateZExt(op.args[1], type);
  Constant *low = intConstant(type, bits - 1), *one = intConstant(type, 1);
  Value *shift = b.CreateAnd(offset, low);
  Value *ones = b.CreateSub(b.CreateShl(one, b.CreateAnd(count, low)), one);
  Value *mask = b.CreateShl(ones, shift);
  Value *field = b.CreateShl(insert, shift);
  // v_bfi's form. A count of the whole width has an empty mask here, so it is a case of its own;
  // narrow bases cannot reach it.
  Value *merged = b.CreateXor(b.CreateAnd(b.CreateXor(field, base), mask), base);
  if (op.type == type)
    merged = b.CreateSelect(b.CreateICmpUGE(count, intConstant(type, bits)), insert, merged);
  return b.CreateTrunc(merged, op.type);
}

/// Fields of 64-bit values: shift up to the top, then down.
Value *extractWideField(ValueOp &op, Value *base, Value *offset, Value *count, bool isSigned) {
  IRBuilder<> &b = op.b;
  Type *type = base->getType();
  Constant *low = intConstant(type, 63);
  Value *isEmpty = b.CreateICmpEQ(count, intConstant(type, 0));
  Value *down = b.CreateAnd(b.CreateNeg(count), low);
  Value *up = b.CreateAnd(b.CreateSub(down, offset), low);
  Value *top = b.CreateShl(base, up);
  Value *field = isSigned ? b.CreateAShr(top, down) : b.CreateLShr(top, down);
  return b.CreateSelect(isEmpty, intConstant(type, 0), field);
}

template <bool IsSigned> HandlerResult translateBitFieldExtract(ValueOp &op) {
  KILN_TRY(checkBase(op, 1));
  Type *type = workingType(op);
  auto offset = KILN_TRY(fieldOperand(op, 1, type));
  auto count = KILN_TRY(fieldOperand(op, 2, type));
  IRBuilder<> &b = op.b;
  Value *base = b.CreateZExt(op.args[0], type);
  if (type->getScalarSizeInBits() == 64)
    return extractWideField(op, base, offset, count, IsSigned);
  Intrinsic::ID id = IsSigned ? Intrinsic::amdgcn_sbfe : Intrinsic::amdgcn_ubfe;
  Value *field = op.t.mapElements({base, offset, count}, [&](ArrayRef<Value *> e) -> Value * {
    return b.CreateIntrinsic(id, {b.getInt32Ty()}, {e[0], e[1], e[2]});
  });
  // HW: the instruction reads five bits of the count.
  if (op.type == type)
    field = b.CreateSelect(b.CreateICmpUGE(count, intConstant(type, 32)), base, field);
  return b.CreateTrunc(field, op.type);
}

constexpr OpEntry table[] = {
    valueOp(spv::Op::OpShiftRightLogical, translateShift<Instruction::LShr>, Sig::ShiftInt, 2),
    valueOp(spv::Op::OpShiftRightArithmetic, translateShift<Instruction::AShr>, Sig::ShiftInt, 2),
    valueOp(spv::Op::OpShiftLeftLogical, translateShift<Instruction::Shl>, Sig::ShiftInt, 2),
    valueOp(spv::Op::OpBitwiseOr, binary<Instruction::Or>, Sig::SameInt, 2),
    valueOp(spv::Op::OpBitwiseXor, binary<Instruction::Xor>, Sig::SameInt, 2),
    valueOp(spv::Op::OpBitwiseAnd, binary<Instruction::And>, Sig::SameInt, 2),
    valueOp(spv::Op::OpNot, translateNot, Sig::SameInt, 1),
    valueOp(spv::Op::OpBitFieldInsert, translateBitFieldInsert, Sig::Any, 4),
    valueOp(spv::Op::OpBitFieldSExtract, translateBitFieldExtract<true>, Sig::Any, 3),
    valueOp(spv::Op::OpBitFieldUExtract, translateBitFieldExtract<false>, Sig::Any, 3),
    valueOp(spv::Op::OpBitReverse, translateBitReverse, Sig::SameInt, 1),
    valueOp(spv::Op::OpBitCount, translateBitCount, Sig::IntToInt, 1),
};

} // namespace

ArrayRef<OpEntry> bitOps() { return table; }

} // namespace llpc
