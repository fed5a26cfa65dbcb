//===- Numbers.cpp - types, NaNs, 16-bit floats -----------------------------===//
// SPDX-License-Identifier: MIT
#include "Program.h"
#include <bit>
#include <cmath>

using namespace llvm;

namespace randomir {

unsigned widthOf(Type type) {
  constexpr unsigned widths[typeCount] = {1, 8, 16, 32, 64, 16, 32, 64};
  return widths[unsigned(type)];
}

const char *nameOf(Type type) {
  constexpr const char *names[typeCount] = {"i1", "i8", "i16", "i32", "i64", "f16", "f32", "f64"};
  return names[unsigned(type)];
}

llvm::Type *irType(LLVMContext &context, Type type) {
  switch (type) {
  case Type::F16:
    return llvm::Type::getHalfTy(context);
  case Type::F32:
    return llvm::Type::getFloatTy(context);
  case Type::F64:
    return llvm::Type::getDoubleTy(context);
  default:
    return llvm::Type::getIntNTy(context, widthOf(type));
  }
}

uint64_t maskOf(unsigned width) { return width == 64 ? ~0ull : (1ull << width) - 1; }
int64_t signExtend(uint64_t value, unsigned width) {
  return int64_t(value << (64 - width)) >> (64 - width);
}

static unsigned mantissaBits(Type type) {
  return type == Type::F16 ? 10 : type == Type::F32 ? 23 : 52;
}
static uint64_t infinityOf(Type type) {
  return maskOf(widthOf(type) - 1) >> mantissaBits(type) << mantissaBits(type);
}
uint64_t canonicalNan(Type type) { return infinityOf(type) | 1ull << (mantissaBits(type) - 1); }
bool isNanPattern(Type type, uint64_t bits) {
  return (bits & maskOf(widthOf(type) - 1)) > infinityOf(type);
}

uint64_t canonicalBits(const Machine &machine, Type type, uint64_t bits) {
  if (!isFloat(type))
    return bits;
  if (isNanPattern(type, bits))
    return canonicalNan(type);
  if (type == Type::F32 && machine.flushF32 && !(bits & infinityOf(type)))
    return bits & 0x80000000;
  return bits;
}

/// Flushing is done on the bits: a floating-point comparison might itself flush.
Value *emitCanonical(EmitContext &e, Value *value) {
  IRBuilder<> &b = e.b;
  llvm::Type *type = value->getType(), *scalar = type->getScalarType();
  auto constant = [&](uint64_t bits) {
    Type own = scalar->isHalfTy() ? Type::F16 : scalar->isFloatTy() ? Type::F32 : Type::F64;
    APInt pattern(widthOf(own), bits);
    return ConstantFP::get(type, APFloat(scalar->getFltSemantics(), pattern));
  };
  Type own = scalar->isHalfTy() ? Type::F16 : scalar->isFloatTy() ? Type::F32 : Type::F64;
  if (own == Type::F32 && e.machine.flushF32) {
    Value *bits = b.CreateBitCast(value, b.getInt32Ty());
    Value *isSmall = b.CreateICmpEQ(b.CreateAnd(bits, 0x7F800000), b.getInt32(0));
    Value *zero = b.CreateAnd(bits, 0x80000000);
    value = b.CreateBitCast(b.CreateSelect(isSmall, zero, bits), type);
  }
  return b.CreateSelect(b.CreateFCmpUNO(value, value), constant(canonicalNan(own)), value);
}

double halfToDouble(uint64_t bits) {
  unsigned exponent = bits >> 10 & 31, mantissa = bits & 0x3FF;
  double magnitude = exponent == 31 ? (mantissa ? NAN : INFINITY)
                     : exponent     ? std::ldexp(double(mantissa | 0x400), int(exponent) - 25)
                                    : std::ldexp(double(mantissa), -24);
  return bits & 0x8000 ? -magnitude : magnitude;
}

uint64_t doubleToHalf(double value, double rest) {
  uint64_t sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value))
    return canonicalNan(Type::F16);
  double magnitude = std::fabs(value);
  rest = sign ? -rest : rest;
  if (magnitude >= 65536 || std::isinf(value))
    return sign | 0x7C00;
  int exponent;
  std::frexp(magnitude, &exponent);
  int unit = std::max(exponent - 11, -24); // exponent of the last place
  double places = std::ldexp(magnitude, -unit), whole = std::floor(places);
  double half = places - whole;
  bool isOdd = std::fmod(whole, 2) != 0;
  bool up = half > 0.5 || (half == 0.5 && (rest > 0 || (rest == 0 && isOdd)));
  double rounded = std::ldexp(whole + (up ? 1 : 0), unit);
  if (rounded >= 65520)
    return sign | 0x7C00;
  if (rounded < 0x1p-14)
    return sign | uint64_t(rounded * 0x1p24);
  std::frexp(rounded, &exponent);
  uint64_t mantissa = uint64_t(std::ldexp(rounded, 11 - exponent)) & 0x3FF;
  return sign | uint64_t(exponent + 14) << 10 | mantissa;
}

} // namespace randomir
