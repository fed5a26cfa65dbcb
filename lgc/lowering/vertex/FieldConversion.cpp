//===- FieldConversion.cpp - channels of vertex formats by arithmetic -----===//
// SPDX-License-Identifier: MIT
#include "lgc/lowering/vertex/FieldConversion.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace lgc {
namespace {

/// \p number / \p divisor, an integer of at most 16 bits, rounded to nearest: the product with the
/// reciprocal is off by a unit in the last place for some, and the remainder tells which.
Value *divideExactly(IRBuilder<> &b, Value *number, unsigned divisor) {
  if (divisor == 1)
    return number;
  Type *type = number->getType();
  const float whole = static_cast<float>(divisor);
  Constant *reciprocal = ConstantFP::get(type, 1.0F / whole);
  Value *quotient = b.CreateFMul(number, reciprocal);
  Value *negated = b.CreateFNeg(quotient);
  Value *rest =
      b.CreateIntrinsic(Intrinsic::fma, {type}, {negated, ConstantFP::get(type, whole), number});
  return b.CreateIntrinsic(Intrinsic::fma, {type}, {rest, reciprocal, quotient});
}

/// Floats of 16, 11 and 10 bits: exponents have 5 bits, the shorter ones no sign.
Value *smallFloat(IRBuilder<> &b, Value *number, unsigned bits) {
  if (bits < 16)
    number = b.CreateShl(number, 15 - bits);
  Value *half = b.CreateBitCast(b.CreateTrunc(number, b.getInt16Ty()), b.getHalfTy());
  return b.CreateFPExt(half, b.getFloatTy());
}

Value *extract(IRBuilder<> &b, Value *dword, BitField field, bool isSigned) {
  const unsigned above = 32 - field.first - field.bits;
  Value *high = b.CreateShl(dword, above);
  return isSigned ? b.CreateAShr(high, 32 - field.bits) : b.CreateLShr(high, 32 - field.bits);
}

} // namespace

Value *convertField(IRBuilder<> &b, Value *dword, BitField field, NumericKind kind) {
  if (field.bits == 32)
    return dword;
  const bool isSigned =
      kind == NumericKind::Snorm || kind == NumericKind::Sscaled || kind == NumericKind::Sint;
  Value *number = extract(b, dword, field, isSigned);
  Type *type = b.getFloatTy();
  switch (kind) {
  case NumericKind::Uscaled:
    return b.CreateUIToFP(number, type);
  case NumericKind::Sscaled:
    return b.CreateSIToFP(number, type);
  case NumericKind::Unorm:
    return divideExactly(b, b.CreateUIToFP(number, type), (1u << field.bits) - 1);
  case NumericKind::Snorm: {
    // Two numbers are -1.
    Value *divided = divideExactly(b, b.CreateSIToFP(number, type), (1u << (field.bits - 1)) - 1);
    return b.CreateMaxNum(divided, ConstantFP::get(type, -1.0));
  }
  case NumericKind::Float:
    return smallFloat(b, number, field.bits);
  default:
    return number;
  }
}

} // namespace lgc
