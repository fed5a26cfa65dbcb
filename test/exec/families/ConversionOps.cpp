//===- ConversionOps.cpp - references of conversions and packing ----------===//
// SPDX-License-Identifier: MIT
#include "Family.h"
#include <cmath>

namespace exec {

namespace {

using In = const Operands &;
using Out = Accept &;

void floatToInteger(In in, Out out, bool isSigned) {
  double value = std::trunc(in.f(0));
  unsigned width = 8 * sizeOf(out.resultType());
  double low = isSigned ? -std::ldexp(1.0, width - 1) : 0;
  double high = std::ldexp(1.0, isSigned ? width - 1 : width);
  if (!(value >= low && value < high)) // NaN as well
    return out.any();
  out.bits(isSigned ? static_cast<uint64_t>(static_cast<int64_t>(value))
                    : static_cast<uint64_t>(value));
}

/// 64-bit integers have more digits than double, but to 16 and 32 bits double rounding would show
/// only for values between two doubles that are ties of the target; long double has all 64.
void integerToFloat(Out out, long double value) {
  if (out.resultType() == ScalarType::F64)
    return out.rounded(static_cast<double>(value));
  if (out.resultType() == ScalarType::F32)
    return out.rounded(static_cast<float>(value));
  out.rounded(static_cast<double>(value));
}

const FamilyOp toSigned[] = {
    {"OpConvertFToS", [](In in, Out out) { floatToInteger(in, out, true); }, FloatMode::Relaxed}};
const FamilyOp toUnsigned[] = {
    {"OpConvertFToU", [](In in, Out out) { floatToInteger(in, out, false); }, FloatMode::Relaxed}};
const FamilyOp fromSigned[] = {
    {"OpConvertSToF", [](In in, Out out) { integerToFloat(out, in.s(0)); }}};
const FamilyOp fromUnsigned[] = {
    {"OpConvertUToF", [](In in, Out out) { integerToFloat(out, in.u(0)); }}};
const FamilyOp signExtend[] = {{"OpSConvert", [](In in, Out out) { out.bits(in.s(0)); }}};
const FamilyOp zeroExtend[] = {{"OpUConvert", [](In in, Out out) { out.bits(in.u(0)); }}};
const FamilyOp floatConvert[] = {{"OpFConvert", [](In in, Out out) { out.rounded(in.f(0)); }}};
const FamilyOp bitcast[] = {{"OpBitcast", [](In in, Out out) { out.bits(in.u(0)); }}};

const FamilyOp quantize[] = {
    {"OpQuantizeToF16",
     [](In in, Out out) {
       double x = in.f(0);
       if (std::isnan(x))
         return in.strict ? out.near(NAN, 0) : out.any();
       double half = halfToDouble(doubleToHalf(x));
       // At the end of the range either the largest half or infinity.
       if (std::isinf(half))
         return in.strict ? out.near(half, 0) : out.any();
       out.near(half, 0);
       if (std::fabs(half) < 0x1p-14) { // may be flushed
         out.near(0.0, 0);
         out.near(-0.0, 0);
       }
     }},
};

} // namespace

std::vector<FamilySignature> conversionSignatures() {
  using enum ScalarType;
  std::vector<FamilySignature> list;
  auto add = [&](ScalarType argument, ScalarType result, llvm::ArrayRef<FamilyOp> ops) {
    list.push_back({{argument}, result, false, {}, ops});
  };
  const ScalarType floats[] = {F16, F32, F64};
  const ScalarType signedTypes[] = {I8, I16, I32, I64}, unsignedTypes[] = {U8, U16, U32, U64};
  for (ScalarType f : floats) {
    for (ScalarType i : signedTypes) {
      add(f, i, toSigned);
      add(i, f, fromSigned);
    }
    for (ScalarType u : unsignedTypes) {
      add(f, u, toUnsigned);
      add(u, f, fromUnsigned);
    }
    for (ScalarType g : floats)
      if (f != g)
        add(f, g, floatConvert);
  }
  for (size_t a = 0; a < 4; ++a)
    for (size_t b = 0; b < 4; ++b) {
      add(signedTypes[a], unsignedTypes[b], a == b ? llvm::ArrayRef(bitcast) : signExtend);
      if (a != b)
        add(unsignedTypes[a], unsignedTypes[b], zeroExtend);
    }
  const std::pair<ScalarType, ScalarType> casts[] = {{U16, F16}, {F16, I16}, {U32, F32},
                                                     {F32, I32}, {U64, F64}, {F64, I64}};
  for (auto [from, to] : casts)
    add(from, to, bitcast);
  add(F32, F32, quantize);
  return list;
}

} // namespace exec
