//===- Relational.cpp - SPIR-V relational and logical instructions --------===//
// SPDX-License-Identifier: MIT
/// \file
/// Comparisons, tests and OpSelect. Bools are i1, so logic on them is plain integer logic.
#include "llpc/translate/ValueHelpers.h"
#include "pal_shim/abi/Try.h"

using namespace llvm;

namespace llpc {
namespace {

template <CmpInst::Predicate Predicate> HandlerResult translateIntCompare(ValueOp &op) {
  return op.b.CreateICmp(Predicate, op.args[0], op.args[1]);
}

template <CmpInst::Predicate Predicate> HandlerResult translateFloatCompare(ValueOp &op) {
  return op.b.CreateFCmp(Predicate, op.args[0], op.args[1]);
}

HandlerResult translateLogicalEqual(ValueOp &op) {
  return op.b.CreateNot(op.b.CreateXor(op.args[0], op.args[1]));
}

HandlerResult translateLogicalNot(ValueOp &op) { return op.b.CreateNot(op.args[0]); }

HandlerResult translateIsNan(ValueOp &op) { return op.b.CreateFCmpUNO(op.args[0], op.args[0]); }

HandlerResult translateIsInf(ValueOp &op) {
  Value *magnitude = unaryIntrinsic(op, Intrinsic::fabs, op.args[0]);
  return op.b.CreateFCmpOEQ(magnitude, ConstantFP::getInfinity(magnitude->getType()));
}

/// OpAny and OpAll.
template <Instruction::BinaryOps Opcode> HandlerResult translateBoolReduction(ValueOp &op) {
  Type *type = op.args[0]->getType();
  if (!isBoolShape(type) || !type->isVectorTy())
    return wrongOperand(op, 0, "bool vector");
  KILN_TRY(expectResult(op, op.b.getInt1Ty()));
  Value *result = op.b.CreateExtractElement(op.args[0], uint64_t(0));
  for (unsigned i = 1; i < elementCount(type); ++i)
    result = op.b.CreateBinOp(Opcode, result, op.b.CreateExtractElement(op.args[0], i));
  return result;
}

/// What holds for a pointer that may be either of two.
PointerInfo mergePointerInfo(const PointerInfo &a, const PointerInfo &b) {
  PointerInfo merged = a;
  merged.coherent |= b.coherent;
  merged.isVolatile |= b.isVolatile;
  merged.invariant &= b.invariant;
  merged.nonUniform |= b.nonUniform;
  merged.restrictAlias &= b.restrictAlias;
  merged.alignBytes = std::min(a.alignBytes, b.alignBytes);
  if (a.variable != b.variable)
    merged.variable = nullptr;
  return merged;
}

HandlerResult translateSelect(ValueOp &op) {
  Type *condition = op.args[0]->getType();
  KILN_TRY(expectOperand(op, 1, op.type));
  KILN_TRY(expectOperand(op, 2, op.type));
  if (!isBoolShape(condition) || (condition->isVectorTy() && !sameShape(condition, op.type)))
    return wrongOperand(op, 0, "bool, or bool vector as long as the result");
  if (op.type->isPointerTy()) {
    PointerInfo first = op.t.pointerInfo(op.argIds[1]), second = op.t.pointerInfo(op.argIds[2]);
    if (first.isHandle != second.isHandle || first.matrixStride != second.matrixStride ||
        first.rowMajor != second.rowMajor)
      return op.t.unsupportedOp(op.inst, "pointers of different layout");
    op.t.setPointerInfo(op.inst.resultId, mergePointerInfo(first, second));
  }
  return op.b.CreateSelect(op.args[0], op.args[1], op.args[2]);
}

template <CmpInst::Predicate Predicate> constexpr OpEntry intCompare(spv::Op opcode) {
  return valueOp(opcode, translateIntCompare<Predicate>, Sig::IntCompare, 2);
}
template <CmpInst::Predicate Predicate> constexpr OpEntry floatCompare(spv::Op opcode) {
  return valueOp(opcode, translateFloatCompare<Predicate>, Sig::FloatCompare, 2);
}

constexpr OpEntry table[] = {
    valueOp(spv::Op::OpAny, translateBoolReduction<Instruction::Or>, Sig::Any, 1),
    valueOp(spv::Op::OpAll, translateBoolReduction<Instruction::And>, Sig::Any, 1),
    valueOp(spv::Op::OpIsNan, translateIsNan, Sig::FloatTest, 1),
    valueOp(spv::Op::OpIsInf, translateIsInf, Sig::FloatTest, 1),
    valueOp(spv::Op::OpLogicalEqual, translateLogicalEqual, Sig::SameBool, 2),
    valueOp(spv::Op::OpLogicalNotEqual, binary<Instruction::Xor>, Sig::SameBool, 2),
    valueOp(spv::Op::OpLogicalOr, binary<Instruction::Or>, Sig::SameBool, 2),
    valueOp(spv::Op::OpLogicalAnd, binary<Instruction::And>, Sig::SameBool, 2),
    valueOp(spv::Op::OpLogicalNot, translateLogicalNot, Sig::SameBool, 1),
    valueOp(spv::Op::OpSelect, translateSelect, Sig::Any, 3),
    intCompare<CmpInst::ICMP_EQ>(spv::Op::OpIEqual),
    intCompare<CmpInst::ICMP_NE>(spv::Op::OpINotEqual),
    intCompare<CmpInst::ICMP_UGT>(spv::Op::OpUGreaterThan),
    intCompare<CmpInst::ICMP_SGT>(spv::Op::OpSGreaterThan),
    intCompare<CmpInst::ICMP_UGE>(spv::Op::OpUGreaterThanEqual),
    intCompare<CmpInst::ICMP_SGE>(spv::Op::OpSGreaterThanEqual),
    intCompare<CmpInst::ICMP_ULT>(spv::Op::OpULessThan),
    intCompare<CmpInst::ICMP_SLT>(spv::Op::OpSLessThan),
    intCompare<CmpInst::ICMP_ULE>(spv::Op::OpULessThanEqual),
    intCompare<CmpInst::ICMP_SLE>(spv::Op::OpSLessThanEqual),
    floatCompare<CmpInst::FCMP_OEQ>(spv::Op::OpFOrdEqual),
    floatCompare<CmpInst::FCMP_UEQ>(spv::Op::OpFUnordEqual),
    floatCompare<CmpInst::FCMP_ONE>(spv::Op::OpFOrdNotEqual),
    floatCompare<CmpInst::FCMP_UNE>(spv::Op::OpFUnordNotEqual),
    floatCompare<CmpInst::FCMP_OLT>(spv::Op::OpFOrdLessThan),
    floatCompare<CmpInst::FCMP_ULT>(spv::Op::OpFUnordLessThan),
    floatCompare<CmpInst::FCMP_OGT>(spv::Op::OpFOrdGreaterThan),
    floatCompare<CmpInst::FCMP_UGT>(spv::Op::OpFUnordGreaterThan),
    floatCompare<CmpInst::FCMP_OLE>(spv::Op::OpFOrdLessThanEqual),
    floatCompare<CmpInst::FCMP_ULE>(spv::Op::OpFUnordLessThanEqual),
    floatCompare<CmpInst::FCMP_OGE>(spv::Op::OpFOrdGreaterThanEqual),
    floatCompare<CmpInst::FCMP_UGE>(spv::Op::OpFUnordGreaterThanEqual),
};

} // namespace

ArrayRef<OpEntry> relationalOps() { return table; }

} // namespace llpc
