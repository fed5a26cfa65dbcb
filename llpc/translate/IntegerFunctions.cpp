//===- IntegerFunctions.cpp - SPV_INTEL_shader_integer_functions2 ---------===//
// SPDX-License-Identifier: MIT
/// \file
/// Zeros before and behind the bits of a number, absolute differences, saturating sums, averages,
/// products with 16 bits. Absolute differences are unsigned, and so always fit. Averages need no
/// wider type:
///   before: %r = OpIAverageINTEL %int %x %y
///   after:  %r = (x & y) + ((x ^ y) >> 1), the bits that both have and half of those that one has
#include "llpc/translate/ValueHelpers.h"
#include "pal_shim/abi/Try.h"

using namespace llvm;

namespace llpc {
namespace {

Error require32Bits(ValueOp &op) {
  if (op.type->getScalarSizeInBits() != 32)
    return op.t.invalid(op.inst, "the result is no 32-bit integer");
  return Error::success();
}

/// ctlz and cttz, which give the width for 0.
template <Intrinsic::ID Id> HandlerResult translateCountZeros(ValueOp &op) {
  KILN_TRY(require32Bits(op));
  return op.b.CreateBinaryIntrinsic(Id, op.args[0], op.b.getFalse());
}

template <Intrinsic::ID Max, Intrinsic::ID Min> HandlerResult translateAbsSub(ValueOp &op) {
  Value *larger = binaryIntrinsic(op, Max, op.args[0], op.args[1]);
  Value *smaller = binaryIntrinsic(op, Min, op.args[0], op.args[1]);
  return op.b.CreateSub(larger, smaller);
}

template <Intrinsic::ID Id> HandlerResult translateSaturating(ValueOp &op) {
  return binaryIntrinsic(op, Id, op.args[0], op.args[1]);
}

/// Half of the bits in which the operands differ.
template <Instruction::BinaryOps Shift> Value *halfOfDifference(ValueOp &op) {
  Value *difference = op.b.CreateXor(op.args[0], op.args[1]);
  return op.b.CreateBinOp(Shift, difference, intConstant(op.type, 1));
}

template <Instruction::BinaryOps Shift> HandlerResult translateAverage(ValueOp &op) {
  Value *common = op.b.CreateAnd(op.args[0], op.args[1]);
  return op.b.CreateAdd(common, halfOfDifference<Shift>(op));
}

/// (x + y + 1) >> 1: all the bits less half of those that only one has.
template <Instruction::BinaryOps Shift> HandlerResult translateAverageRounded(ValueOp &op) {
  Value *all = op.b.CreateOr(op.args[0], op.args[1]);
  return op.b.CreateSub(all, halfOfDifference<Shift>(op));
}

template <bool IsSigned> HandlerResult translateMul32x16(ValueOp &op) {
  KILN_TRY(require32Bits(op));
  Value *low = op.b.CreateTrunc(op.args[1], withShapeOf(op.b.getInt16Ty(), op.type));
  Value *factor = IsSigned ? op.b.CreateSExt(low, op.type) : op.b.CreateZExt(low, op.type);
  return op.b.CreateMul(op.args[0], factor);
}

constexpr auto signedShift = Instruction::AShr, unsignedShift = Instruction::LShr;

constexpr OpEntry table[] = {
    valueOp(spv::Op::OpUCountLeadingZerosINTEL, translateCountZeros<Intrinsic::ctlz>, Sig::SameInt,
            1),
    valueOp(spv::Op::OpUCountTrailingZerosINTEL, translateCountZeros<Intrinsic::cttz>, Sig::SameInt,
            1),
    valueOp(spv::Op::OpAbsISubINTEL, translateAbsSub<Intrinsic::smax, Intrinsic::smin>,
            Sig::SameInt, 2),
    valueOp(spv::Op::OpAbsUSubINTEL, translateAbsSub<Intrinsic::umax, Intrinsic::umin>,
            Sig::SameInt, 2),
    valueOp(spv::Op::OpIAddSatINTEL, translateSaturating<Intrinsic::sadd_sat>, Sig::SameInt, 2),
    valueOp(spv::Op::OpUAddSatINTEL, translateSaturating<Intrinsic::uadd_sat>, Sig::SameInt, 2),
    valueOp(spv::Op::OpIAverageINTEL, translateAverage<signedShift>, Sig::SameInt, 2),
    valueOp(spv::Op::OpUAverageINTEL, translateAverage<unsignedShift>, Sig::SameInt, 2),
    valueOp(spv::Op::OpIAverageRoundedINTEL, translateAverageRounded<signedShift>, Sig::SameInt, 2),
    valueOp(spv::Op::OpUAverageRoundedINTEL, translateAverageRounded<unsignedShift>, Sig::SameInt,
            2),
    valueOp(spv::Op::OpISubSatINTEL, translateSaturating<Intrinsic::ssub_sat>, Sig::SameInt, 2),
    valueOp(spv::Op::OpUSubSatINTEL, translateSaturating<Intrinsic::usub_sat>, Sig::SameInt, 2),
    valueOp(spv::Op::OpIMul32x16INTEL, translateMul32x16<true>, Sig::SameInt, 2),
    valueOp(spv::Op::OpUMul32x16INTEL, translateMul32x16<false>, Sig::SameInt, 2),
};

} // namespace

ArrayRef<OpEntry> integerFunctionOps() { return table; }

} // namespace llpc
