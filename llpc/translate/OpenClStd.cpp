//===- OpenClStd.cpp - OpenCL.std: what is a few operations ---------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Instructions of "OpenCL Extended Instruction Set" that LLVM's own intrinsics or short formulas
/// give within the bounds of OpenCL C's "Relative Error as ULPs". native_ functions are the
/// hardware's.
#include "llpc/translate/OpenClStd.h"
#include "llpc/translate/GlslStd450.h"
#include "llpc/translate/Kernel.h"
#include "llpc/translate/ValueHelpers.h"
#include "pal_shim/abi/Try.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include <spirv/unified1/OpenCL.std.h>

using namespace llvm;

namespace llpc {
namespace {

using namespace OpenCLLIB;

//===--- Floats -------------------------------------------------------------------------------===//

template <Intrinsic::ID Id> HandlerResult floatOfOne(ValueOp &op) {
  return unaryIntrinsic(op, Id, op.args[0]);
}
template <Intrinsic::ID Id> HandlerResult floatOfTwo(ValueOp &op) {
  return binaryIntrinsic(op, Id, op.args[0], op.args[1]);
}

/// exp, log and their like: LLVM's lowering without fast-math flags keeps denormals and stays
/// within 3 ULP. Of doubles it has none: those are the library's.
template <Intrinsic::ID Id> HandlerResult exponential(ValueOp &op) {
  if (op.type->getScalarType()->isDoubleTy())
    return wrongResult(op, "16- or 32-bit floats");
  ExactScope exact(op);
  return unaryIntrinsic(op, Id, op.args[0]);
}

/// Functions that OpenCL C leaves to the implementation. 32-bit floats only.
template <Intrinsic::ID Id> HandlerResult native(ValueOp &op) {
  if (!op.type->getScalarType()->isFloatTy())
    return wrongResult(op, "32-bit floats");
  ApproxScope approx(op, op.type);
  return unaryIntrinsic(op, Id, op.args[0]);
}

HandlerResult nativeRecip(ValueOp &op) {
  return divideFloat(op, floatConstant(op.type, 1.0), op.args[0]);
}
HandlerResult nativeDivide(ValueOp &op) { return divideFloat(op, op.args[0], op.args[1]); }
HandlerResult nativeRsqrt(ValueOp &op) { return inverseSquareRoot(op, op.args[0]); }
HandlerResult nativeSqrt(ValueOp &op) { return squareRoot(op, op.args[0]); }

/// sqrt and rsqrt: 3 and 2 ULP, with denormals.
HandlerResult squareRootExact(ValueOp &op) {
  ExactScope exact(op);
  return unaryIntrinsic(op, Intrinsic::sqrt, op.args[0]);
}
HandlerResult inverseRootExact(ValueOp &op) {
  ExactScope exact(op);
  return op.b.CreateFDiv(floatConstant(op.type, 1.0),
                         unaryIntrinsic(op, Intrinsic::sqrt, op.args[0]));
}

HandlerResult fusedProduct(ValueOp &op) { return fusedMultiplyAdd(op); }

/// "mad approximates a * b + c": rounded once or twice.
HandlerResult mad(ValueOp &op) {
  return op.b.CreateIntrinsic(Intrinsic::fmuladd, {op.type}, {op.args[0], op.args[1], op.args[2]});
}

/// x - y if x > y, +0 if not, NaN if one of them is.
HandlerResult positiveDifference(ValueOp &op) {
  Value *isAbove = op.b.CreateFCmpUGT(op.args[0], op.args[1]);
  return op.b.CreateSelect(isAbove, op.b.CreateFSub(op.args[0], op.args[1]),
                           floatConstant(op.type, 0.0));
}

/// "fmin(fmax(x, minval), maxval)"
HandlerResult clampFloat(ValueOp &op) {
  return binaryIntrinsic(op, Intrinsic::minnum,
                         binaryIntrinsic(op, Intrinsic::maxnum, op.args[0], op.args[1]),
                         op.args[2]);
}

HandlerResult degrees(ValueOp &op) {
  return op.b.CreateFMul(op.args[0], floatConstant(op.type, 57.295779513082320877));
}
HandlerResult radians(ValueOp &op) {
  return op.b.CreateFMul(op.args[0], floatConstant(op.type, 0.017453292519943295769));
}

/// "x + (y - x) * a"
HandlerResult mix(ValueOp &op) {
  Value *difference = op.b.CreateFSub(op.args[1], op.args[0]);
  return op.b.CreateFAdd(op.args[0], op.b.CreateFMul(difference, op.args[2]));
}

HandlerResult step(ValueOp &op) {
  return op.b.CreateSelect(op.b.CreateFCmpOLT(op.args[1], op.args[0]), floatConstant(op.type, 0.0),
                           floatConstant(op.type, 1.0));
}

/// "t = clamp((x - edge0) / (edge1 - edge0), 0, 1); t * t * (3 - 2 * t)"
HandlerResult smoothStep(ValueOp &op) {
  IRBuilder<> &b = op.b;
  Value *above = b.CreateFSub(op.args[2], op.args[0]);
  Value *range = b.CreateFSub(op.args[1], op.args[0]);
  Value *t = b.CreateFDiv(above, range);
  t = binaryIntrinsic(op, Intrinsic::maxnum, t, floatConstant(op.type, 0.0));
  t = binaryIntrinsic(op, Intrinsic::minnum, t, floatConstant(op.type, 1.0));
  Value *slope =
      b.CreateFSub(floatConstant(op.type, 3.0), b.CreateFMul(t, floatConstant(op.type, 2.0)));
  return b.CreateFMul(b.CreateFMul(t, t), slope);
}

/// "1.0 if x > 0, -0.0 if x = -0.0, +0.0 if x = +0.0, or -1.0 if x < 0. Returns 0.0 if x is a NaN."
HandlerResult sign(ValueOp &op) {
  Value *x = op.args[0], *zero = floatConstant(op.type, 0.0);
  Value *one = op.b.CreateCopySign(floatConstant(op.type, 1.0), x);
  Value *result = op.b.CreateSelect(op.b.CreateFCmpOEQ(x, zero), x, one);
  return op.b.CreateSelect(op.b.CreateFCmpUNO(x, zero), zero, result);
}

HandlerResult cross(ValueOp &op) {
  const unsigned count = elementCount(op.type);
  if (count != 3 && count != 4)
    return wrongResult(op, "vector of 3 or 4 floats");
  auto rotated = [&](Value *vector, int first, int second) {
    const int lanes[] = {first, second, 3 - first - second, 3};
    return op.b.CreateShuffleVector(vector, ArrayRef(lanes, count));
  };
  Value *a = op.args[0], *b = op.args[1];
  Value *a1 = rotated(a, 1, 2), *b1 = rotated(b, 2, 0), *left = op.b.CreateFMul(a1, b1);
  Value *a2 = rotated(a, 2, 0), *b2 = rotated(b, 1, 2), *right = op.b.CreateFMul(a2, b2);
  Value *result = op.b.CreateFSub(left, right);
  if (count == 3)
    return result;
  return op.b.CreateInsertElement(result, floatConstant(op.type->getScalarType(), 0.0),
                                  uint64_t(3)); // "the w component is 0.0"
}

/// "half_sqrt(p.x * p.x + p.y * p.y + ...)"
HandlerResult fastLength(ValueOp &op) {
  KILN_TRY(expectResult(op, op.args[0]->getType()->getScalarType()));
  return squareRoot(op, dotFloat(op, op.args[0], op.args[0]));
}

//===--- Integers -----------------------------------------------------------------------------===//

template <Intrinsic::ID Id> HandlerResult countBits(ValueOp &op) {
  if constexpr (Id == Intrinsic::ctpop)
    return unaryIntrinsic(op, Id, op.args[0]);
  else // the width for 0
    return op.b.CreateBinaryIntrinsic(Id, op.args[0], op.b.getFalse());
}

template <Intrinsic::ID Id> HandlerResult integerOfTwo(ValueOp &op) {
  return binaryIntrinsic(op, Id, op.args[0], op.args[1]);
}

HandlerResult absolute(ValueOp &op) {
  return op.b.CreateBinaryIntrinsic(Intrinsic::abs, op.args[0], op.b.getFalse());
}
HandlerResult sameValue(ValueOp &op) { return op.args[0]; }

template <Intrinsic::ID Max, Intrinsic::ID Min> HandlerResult absoluteDifference(ValueOp &op) {
  Value *larger = binaryIntrinsic(op, Max, op.args[0], op.args[1]);
  return op.b.CreateSub(larger, binaryIntrinsic(op, Min, op.args[0], op.args[1]));
}

template <Intrinsic::ID Max, Intrinsic::ID Min> HandlerResult clampInteger(ValueOp &op) {
  return binaryIntrinsic(op, Min, binaryIntrinsic(op, Max, op.args[0], op.args[1]), op.args[2]);
}

/// "(x + y) >> 1" without overflow; \p Rounded: "(x + y + 1) >> 1".
template <Instruction::BinaryOps Shift, bool Rounded> HandlerResult average(ValueOp &op) {
  Value *half =
      op.b.CreateBinOp(Shift, op.b.CreateXor(op.args[0], op.args[1]), intConstant(op.type, 1));
  return Rounded ? op.b.CreateSub(op.b.CreateOr(op.args[0], op.args[1]), half)
                 : op.b.CreateAdd(op.b.CreateAnd(op.args[0], op.args[1]), half);
}

/// The full product, in integers twice as wide.
template <bool IsSigned> Value *fullProduct(ValueOp &op) {
  Type *wide = withShapeOf(op.b.getIntNTy(2 * op.type->getScalarSizeInBits()), op.type);
  auto extend = [&](Value *value) {
    return IsSigned ? op.b.CreateSExt(value, wide) : op.b.CreateZExt(value, wide);
  };
  Value *first = extend(op.args[0]);
  return op.b.CreateMul(first, extend(op.args[1]));
}

template <bool IsSigned> HandlerResult highProduct(ValueOp &op) {
  Value *product = fullProduct<IsSigned>(op);
  Value *high =
      op.b.CreateLShr(product, intConstant(product->getType(), op.type->getScalarSizeInBits()));
  return op.b.CreateTrunc(high, op.type);
}

template <bool IsSigned> HandlerResult highProductSum(ValueOp &op) {
  auto high = KILN_TRY(highProduct<IsSigned>(op));
  return op.b.CreateAdd(high, op.args[2]);
}

/// "a * b + c and saturates the result", which the doubled width holds.
template <bool IsSigned> HandlerResult saturatedProductSum(ValueOp &op) {
  Value *product = fullProduct<IsSigned>(op);
  Type *wide = product->getType();
  const unsigned bits = op.type->getScalarSizeInBits();
  Value *sum = op.b.CreateAdd(product, IsSigned ? op.b.CreateSExt(op.args[2], wide)
                                                : op.b.CreateZExt(op.args[2], wide));
  auto limit = [&](const APInt &value) {
    return ConstantInt::get(wide, IsSigned ? value.sext(2 * bits) : value.zext(2 * bits));
  };
  if constexpr (IsSigned) {
    sum = binaryIntrinsic(op, Intrinsic::smin, sum, limit(APInt::getSignedMaxValue(bits)));
    sum = binaryIntrinsic(op, Intrinsic::smax, sum, limit(APInt::getSignedMinValue(bits)));
  } else {
    sum = binaryIntrinsic(op, Intrinsic::umin, sum, limit(APInt::getMaxValue(bits)));
  }
  return op.b.CreateTrunc(sum, op.type);
}

HandlerResult rotate(ValueOp &op) {
  return op.b.CreateIntrinsic(Intrinsic::fshl, {op.type}, {op.args[0], op.args[0], op.args[1]});
}

/// The low 24 bits of a number, with sign or zeros above.
template <bool IsSigned> Value *low24(ValueOp &op, Value *value) {
  Value *eight = intConstant(op.type, 8);
  Value *up = op.b.CreateShl(value, eight);
  return IsSigned ? op.b.CreateAShr(up, eight) : op.b.CreateLShr(up, eight);
}

template <bool IsSigned> HandlerResult product24(ValueOp &op) {
  if (op.type->getScalarSizeInBits() != 32)
    return wrongResult(op, "32-bit integers");
  Value *first = low24<IsSigned>(op, op.args[0]);
  return op.b.CreateMul(first, low24<IsSigned>(op, op.args[1]));
}
template <bool IsSigned> HandlerResult productSum24(ValueOp &op) {
  auto product = KILN_TRY(product24<IsSigned>(op));
  return op.b.CreateAdd(product, op.args[2]);
}

/// "(hi << bits) | lo", twice as wide.
HandlerResult upsample(ValueOp &op) {
  Type *type = op.args[0]->getType();
  if (!isIntShape(type) || type != op.args[1]->getType() || !isIntShape(op.type) ||
      !sameShape(type, op.type) ||
      op.type->getScalarSizeInBits() != 2 * type->getScalarSizeInBits())
    return wrongResult(op, "integers twice as wide as the operands");
  Value *high = op.b.CreateShl(op.b.CreateZExt(op.args[0], op.type),
                               intConstant(op.type, type->getScalarSizeInBits()));
  return op.b.CreateOr(high, op.b.CreateZExt(op.args[1], op.type));
}

//===--- Bits and components ------------------------------------------------------------------===//

/// "each bit is that of a if the bit of c is 0, else that of b"
HandlerResult bitSelect(ValueOp &op) {
  Type *bits = withShapeOf(op.b.getIntNTy(op.type->getScalarSizeInBits()), op.type);
  Value *word[3];
  for (unsigned i = 0; i < 3; ++i) {
    KILN_TRY(expectOperand(op, i, op.type));
    word[i] = op.b.CreateBitCast(op.args[i], bits);
  }
  Value *kept = op.b.CreateAnd(word[0], op.b.CreateNot(word[2]));
  return op.b.CreateBitCast(op.b.CreateOr(kept, op.b.CreateAnd(word[1], word[2])), op.type);
}

/// Scalars: "c ? b : a"; of vectors the highest bit of each component of c decides.
HandlerResult select(ValueOp &op) {
  Type *type = op.args[2]->getType();
  KILN_TRY(expectOperand(op, 0, op.type));
  KILN_TRY(expectOperand(op, 1, op.type));
  if (!isIntShape(type) || !sameShape(type, op.type) ||
      type->getScalarSizeInBits() != op.type->getScalarSizeInBits())
    return wrongOperand(op, 2, "integers as wide as the result");
  Value *zero = Constant::getNullValue(type);
  Value *takes = type->isVectorTy() ? op.b.CreateICmpSLT(op.args[2], zero)
                                    : op.b.CreateICmpNE(op.args[2], zero);
  return op.b.CreateSelect(takes, op.args[1], op.args[0]);
}

/// Components by number, of one vector or of two that follow each other. Only as many low bits of
/// the numbers count as there are components.
template <unsigned Sources> HandlerResult shuffle(ValueOp &op) {
  auto *source = dyn_cast<FixedVectorType>(op.args[0]->getType());
  auto *mask = dyn_cast<FixedVectorType>(op.args[Sources]->getType());
  if (!source || !isPowerOf2_32(source->getNumElements()))
    return wrongOperand(op, 0, "vector of 2, 4, 8 or 16 components");
  KILN_TRY(expectOperand(op, Sources - 1, source));
  if (!mask || !mask->getElementType()->isIntegerTy())
    return wrongOperand(op, Sources, "vector of integers");
  KILN_TRY(
      expectResult(op, FixedVectorType::get(source->getElementType(), mask->getNumElements())));
  const unsigned count = source->getNumElements();
  Value *result = PoisonValue::get(op.type);
  for (unsigned i = 0; i < mask->getNumElements(); ++i) {
    Value *number =
        op.b.CreateZExtOrTrunc(op.b.CreateExtractElement(op.args[Sources], i), op.b.getInt32Ty());
    Value *place = op.b.CreateAnd(number, op.b.getInt32(count - 1));
    Value *element = op.b.CreateExtractElement(op.args[0], place);
    if constexpr (Sources == 2) {
      Value *second =
          op.b.CreateICmpNE(op.b.CreateAnd(number, op.b.getInt32(count)), op.b.getInt32(0));
      element = op.b.CreateSelect(second, op.b.CreateExtractElement(op.args[1], place), element);
    }
    result = op.b.CreateInsertElement(result, element, i);
  }
  return result;
}

constexpr auto signedShift = Instruction::AShr, unsignedShift = Instruction::LShr;

constexpr ExtEntry table[] = {
    {Ceil, "ceil", floatOfOne<Intrinsic::ceil>, Sig::SameFloat, 1},
    {Copysign, "copysign", floatOfTwo<Intrinsic::copysign>, Sig::SameFloat, 2},
    {Exp, "exp", exponential<Intrinsic::exp>, Sig::SameFloat, 1},
    {Exp2, "exp2", exponential<Intrinsic::exp2>, Sig::SameFloat, 1},
    {Exp10, "exp10", exponential<Intrinsic::exp10>, Sig::SameFloat, 1},
    {Fabs, "fabs", floatOfOne<Intrinsic::fabs>, Sig::SameFloat, 1},
    {Fdim, "fdim", positiveDifference, Sig::SameFloat, 2},
    {Floor, "floor", floatOfOne<Intrinsic::floor>, Sig::SameFloat, 1},
    {Fma, "fma", fusedProduct, Sig::SameFloat, 3},
    {Fmax, "fmax", floatOfTwo<Intrinsic::maxnum>, Sig::SameFloat, 2},
    {Fmin, "fmin", floatOfTwo<Intrinsic::minnum>, Sig::SameFloat, 2},
    {Log, "log", exponential<Intrinsic::log>, Sig::SameFloat, 1},
    {OpenCLLIB::Log2, "log2", exponential<Intrinsic::log2>, Sig::SameFloat, 1},
    {Log10, "log10", exponential<Intrinsic::log10>, Sig::SameFloat, 1},
    {Ldexp, "ldexp", glsl::ldexp, Sig::Any, 2},
    {Mad, "mad", mad, Sig::SameFloat, 3},
    {Maxmag, "maxmag", opencl::maxMagnitude, Sig::SameFloat, 2},
    {Minmag, "minmag", opencl::minMagnitude, Sig::SameFloat, 2},
    {Nan, "nan", opencl::nan, Sig::Any, 1},
    {Nextafter, "nextafter", opencl::nextAfter, Sig::SameFloat, 2},
    {Rint, "rint", floatOfOne<Intrinsic::roundeven>, Sig::SameFloat, 1},
    {Round, "round", floatOfOne<Intrinsic::round>, Sig::SameFloat, 1},
    {Rsqrt, "rsqrt", inverseRootExact, Sig::SameFloat, 1},
    {Sqrt, "sqrt", squareRootExact, Sig::SameFloat, 1},
    {Trunc, "trunc", floatOfOne<Intrinsic::trunc>, Sig::SameFloat, 1},
    {Half_divide, "half_divide", nativeDivide, Sig::SameFloat, 2},
    {Half_exp, "half_exp", exponential<Intrinsic::exp>, Sig::SameFloat, 1},
    {Half_exp2, "half_exp2", exponential<Intrinsic::exp2>, Sig::SameFloat, 1},
    {Half_exp10, "half_exp10", exponential<Intrinsic::exp10>, Sig::SameFloat, 1},
    {Half_log, "half_log", exponential<Intrinsic::log>, Sig::SameFloat, 1},
    {Half_log2, "half_log2", exponential<Intrinsic::log2>, Sig::SameFloat, 1},
    {Half_log10, "half_log10", exponential<Intrinsic::log10>, Sig::SameFloat, 1},
    {Half_recip, "half_recip", nativeRecip, Sig::SameFloat, 1},
    {Half_rsqrt, "half_rsqrt", nativeRsqrt, Sig::SameFloat, 1},
    {Half_sqrt, "half_sqrt", nativeSqrt, Sig::SameFloat, 1},
    {Native_divide, "native_divide", nativeDivide, Sig::SameFloat, 2},
    {Native_exp2, "native_exp2", native<Intrinsic::exp2>, Sig::SameFloat, 1},
    {Native_exp, "native_exp", native<Intrinsic::exp>, Sig::SameFloat, 1},
    {Native_exp10, "native_exp10", native<Intrinsic::exp10>, Sig::SameFloat, 1},
    {Native_log2, "native_log2", native<Intrinsic::log2>, Sig::SameFloat, 1},
    {Native_log, "native_log", native<Intrinsic::log>, Sig::SameFloat, 1},
    {Native_log10, "native_log10", native<Intrinsic::log10>, Sig::SameFloat, 1},
    {Native_powr, "native_powr", opencl::nativePower, Sig::SameFloat, 2},
    {Native_recip, "native_recip", nativeRecip, Sig::SameFloat, 1},
    {Native_rsqrt, "native_rsqrt", nativeRsqrt, Sig::SameFloat, 1},
    {Native_sqrt, "native_sqrt", nativeSqrt, Sig::SameFloat, 1},
    {Native_cos, "native_cos", native<Intrinsic::cos>, Sig::SameFloat, 1},
    {Native_sin, "native_sin", native<Intrinsic::sin>, Sig::SameFloat, 1},
    {Native_tan, "native_tan", opencl::nativeTangent, Sig::SameFloat, 1},
    {FClamp, "fclamp", clampFloat, Sig::SameFloat, 3},
    {Degrees, "degrees", degrees, Sig::SameFloat, 1},
    {FMax_common, "fmax_common", floatOfTwo<Intrinsic::maxnum>, Sig::SameFloat, 2},
    {FMin_common, "fmin_common", floatOfTwo<Intrinsic::minnum>, Sig::SameFloat, 2},
    {Mix, "mix", mix, Sig::SameFloat, 3},
    {Radians, "radians", radians, Sig::SameFloat, 1},
    {Step, "step", step, Sig::SameFloat, 2},
    {Smoothstep, "smoothstep", smoothStep, Sig::SameFloat, 3},
    {Sign, "sign", sign, Sig::SameFloat, 1},
    {Cross, "cross", cross, Sig::SameFloat, 2},
    {Fast_distance, "fast_distance", opencl::fastDistance, Sig::Any, 2},
    {Fast_length, "fast_length", fastLength, Sig::Any, 1},
    {SAbs, "s_abs", absolute, Sig::SameInt, 1},
    {SAbs_diff, "s_abs_diff", absoluteDifference<Intrinsic::smax, Intrinsic::smin>, Sig::SameInt,
     2},
    {SAdd_sat, "s_add_sat", integerOfTwo<Intrinsic::sadd_sat>, Sig::SameInt, 2},
    {UAdd_sat, "u_add_sat", integerOfTwo<Intrinsic::uadd_sat>, Sig::SameInt, 2},
    {SHadd, "s_hadd", average<signedShift, false>, Sig::SameInt, 2},
    {UHadd, "u_hadd", average<unsignedShift, false>, Sig::SameInt, 2},
    {SRhadd, "s_rhadd", average<signedShift, true>, Sig::SameInt, 2},
    {URhadd, "u_rhadd", average<unsignedShift, true>, Sig::SameInt, 2},
    {SClamp, "s_clamp", clampInteger<Intrinsic::smax, Intrinsic::smin>, Sig::SameInt, 3},
    {UClamp, "u_clamp", clampInteger<Intrinsic::umax, Intrinsic::umin>, Sig::SameInt, 3},
    {Clz, "clz", countBits<Intrinsic::ctlz>, Sig::SameInt, 1},
    {Ctz, "ctz", countBits<Intrinsic::cttz>, Sig::SameInt, 1},
    {SMad_hi, "s_mad_hi", highProductSum<true>, Sig::SameInt, 3},
    {UMad_sat, "u_mad_sat", saturatedProductSum<false>, Sig::SameInt, 3},
    {SMad_sat, "s_mad_sat", saturatedProductSum<true>, Sig::SameInt, 3},
    {SMax, "s_max", integerOfTwo<Intrinsic::smax>, Sig::SameInt, 2},
    {UMax, "u_max", integerOfTwo<Intrinsic::umax>, Sig::SameInt, 2},
    {SMin, "s_min", integerOfTwo<Intrinsic::smin>, Sig::SameInt, 2},
    {UMin, "u_min", integerOfTwo<Intrinsic::umin>, Sig::SameInt, 2},
    {SMul_hi, "s_mul_hi", highProduct<true>, Sig::SameInt, 2},
    {Rotate, "rotate", rotate, Sig::SameInt, 2},
    {SSub_sat, "s_sub_sat", integerOfTwo<Intrinsic::ssub_sat>, Sig::SameInt, 2},
    {USub_sat, "u_sub_sat", integerOfTwo<Intrinsic::usub_sat>, Sig::SameInt, 2},
    {U_Upsample, "u_upsample", upsample, Sig::Any, 2},
    {S_Upsample, "s_upsample", upsample, Sig::Any, 2},
    {Popcount, "popcount", countBits<Intrinsic::ctpop>, Sig::SameInt, 1},
    {SMad24, "s_mad24", productSum24<true>, Sig::SameInt, 3},
    {UMad24, "u_mad24", productSum24<false>, Sig::SameInt, 3},
    {SMul24, "s_mul24", product24<true>, Sig::SameInt, 2},
    {UMul24, "u_mul24", product24<false>, Sig::SameInt, 2},
    {UAbs, "u_abs", sameValue, Sig::SameInt, 1},
    {UAbs_diff, "u_abs_diff", absoluteDifference<Intrinsic::umax, Intrinsic::umin>, Sig::SameInt,
     2},
    {UMul_hi, "u_mul_hi", highProduct<false>, Sig::SameInt, 2},
    {UMad_hi, "u_mad_hi", highProductSum<false>, Sig::SameInt, 3},
    {Bitselect, "bitselect", bitSelect, Sig::Any, 3},
    {OpenCLLIB::Select, "select", select, Sig::Any, 3},
    {Shuffle, "shuffle", shuffle<1>, Sig::Any, 2},
    {Shuffle2, "shuffle2", shuffle<2>, Sig::Any, 3},
};

} // namespace

ArrayRef<ExtEntry> openClStdOps() { return table; }

} // namespace llpc
