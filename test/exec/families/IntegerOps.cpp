//===- IntegerOps.cpp - references of integer instructions ----------------===//
// SPDX-License-Identifier: MIT
#include "Family.h"
#include <algorithm>
#include <bit>

namespace exec {

namespace {

using In = const Operands &;
using Out = Accept &;
__extension__ using Wide = __int128;
__extension__ using UnsignedWide = unsigned __int128;

bool overflowsDivision(In in) {
  return in.s(1) == -1 && in.bits[0] == uint64_t(1) << (in.width(0) - 1);
}
bool isShiftTooFar(In in) { return in.u(1) >= in.width(0); }

const FamilyOp unsignedBinary[] = {
    {"OpIAdd", [](In in, Out out) { out.bits(in.u(0) + in.u(1)); }},
    {"OpISub", [](In in, Out out) { out.bits(in.u(0) - in.u(1)); }},
    {"OpIMul", [](In in, Out out) { out.bits(in.u(0) * in.u(1)); }},
    {"OpUDiv", [](In in, Out out) { in.u(1) ? out.bits(in.u(0) / in.u(1)) : out.any(); }},
    {"OpUMod", [](In in, Out out) { in.u(1) ? out.bits(in.u(0) % in.u(1)) : out.any(); }},
    {"OpBitwiseAnd", [](In in, Out out) { out.bits(in.u(0) & in.u(1)); }},
    {"OpBitwiseOr", [](In in, Out out) { out.bits(in.u(0) | in.u(1)); }},
    {"OpBitwiseXor", [](In in, Out out) { out.bits(in.u(0) ^ in.u(1)); }},
    {"OpShiftLeftLogical",
     [](In in, Out out) { isShiftTooFar(in) ? out.any() : out.bits(in.u(0) << in.u(1)); }},
    {"OpShiftRightLogical",
     [](In in, Out out) { isShiftTooFar(in) ? out.any() : out.bits(in.u(0) >> in.u(1)); }},
    {"ext:UMin", [](In in, Out out) { out.bits(std::min(in.u(0), in.u(1))); }},
    {"ext:UMax", [](In in, Out out) { out.bits(std::max(in.u(0), in.u(1))); }},
    {"OpIAddCarry.0", [](In in, Out out) { out.bits(in.u(0) + in.u(1)); }},
    {"OpIAddCarry.1",
     [](In in, Out out) { out.bits((UnsignedWide(in.u(0)) + in.u(1)) >> in.width(0) & 1); }},
    {"OpISubBorrow.0", [](In in, Out out) { out.bits(in.u(0) - in.u(1)); }},
    {"OpISubBorrow.1", [](In in, Out out) { out.bits(in.u(0) < in.u(1)); }},
    {"OpUMulExtended.0", [](In in, Out out) { out.bits(in.u(0) * in.u(1)); }},
    {"OpUMulExtended.1",
     [](In in, Out out) {
       out.bits(static_cast<uint64_t>(UnsignedWide(in.u(0)) * in.u(1) >> in.width(0)));
     }},
};

void divideSigned(In in, Out out) {
  if (in.s(1) == 0 || overflowsDivision(in))
    return out.any();
  out.bits(static_cast<uint64_t>(in.s(0) / in.s(1)));
}

/// OpSRem and OpSMod: of negative numbers Vulkan defines neither without maintenance8, and of
/// others they are the same.
void remainderSigned(In in, Out out) {
  if (in.s(0) < 0 || in.s(1) <= 0)
    return out.any();
  out.bits(static_cast<uint64_t>(in.s(0) % in.s(1)));
}

const FamilyOp signedBinary[] = {
    {"OpSDiv", divideSigned},
    {"OpSRem", remainderSigned},
    {"OpSMod", remainderSigned},
    {"OpShiftRightArithmetic",
     [](In in, Out out) { isShiftTooFar(in) ? out.any() : out.bits(in.s(0) >> in.u(1)); }},
    {"ext:SMin", [](In in, Out out) { out.bits(std::min(in.s(0), in.s(1))); }},
    {"ext:SMax", [](In in, Out out) { out.bits(std::max(in.s(0), in.s(1))); }},
    {"OpSMulExtended.0", [](In in, Out out) { out.bits(in.u(0) * in.u(1)); }},
    {"OpSMulExtended.1",
     [](In in, Out out) {
       out.bits(static_cast<uint64_t>(Wide(in.s(0)) * in.s(1) >> in.width(0)));
     }},
};

const FamilyOp signedUnary[] = {
    {"OpSNegate", [](In in, Out out) { out.bits(0 - in.u(0)); }},
    {"OpNot", [](In in, Out out) { out.bits(~in.u(0)); }},
    {"ext:SAbs", [](In in, Out out) { out.bits(in.s(0) < 0 ? 0 - in.u(0) : in.u(0)); }},
    {"ext:SSign", [](In in, Out out) { out.bits((in.s(0) > 0) - (in.s(0) < 0)); }},
    {"OpCopyObject", [](In in, Out out) { out.bits(in.u(0)); }},
};

uint32_t reverse(uint32_t value) {
  uint32_t result = 0;
  for (int i = 0; i < 32; ++i)
    result |= (value >> i & 1) << (31 - i);
  return result;
}

// Vulkan has these for 32 bits only.
const FamilyOp unary32[] = {
    {"OpBitReverse", [](In in, Out out) { out.bits(reverse(in.u(0))); }},
    {"OpBitCount", [](In in, Out out) { out.bits(std::popcount(in.u(0))); }},
    {"ext:FindILsb", [](In in, Out out) { out.bits(in.u(0) ? std::countr_zero(in.u(0)) : -1); }},
    {"ext:FindUMsb",
     [](In in, Out out) { out.bits(31 - std::countl_zero(static_cast<uint32_t>(in.u(0)))); }},
};
const FamilyOp signedUnary32[] = {
    {"ext:FindSMsb",
     [](In in, Out out) {
       auto value = static_cast<uint32_t>(in.s(0) < 0 ? ~in.u(0) : in.u(0));
       out.bits(31 - std::countl_zero(value));
     }},
};

const FamilyOp unsignedTernary[] = {
    {"ext:UClamp",
     [](In in, Out out) {
       if (in.u(1) > in.u(2))
         return out.any();
       out.bits(std::clamp(in.u(0), in.u(1), in.u(2)));
     }},
};
const FamilyOp signedTernary[] = {
    {"ext:SClamp",
     [](In in, Out out) {
       if (in.s(1) > in.s(2))
         return out.any();
       out.bits(std::clamp(in.s(0), in.s(1), in.s(2)));
     }},
};

bool isFieldOutside(In in, size_t first) { return in.u(first) + in.u(first + 1) > 32; }
uint32_t fieldMask(uint64_t count) { return static_cast<uint32_t>((uint64_t(1) << count) - 1); }

const FamilyOp extractUnsigned[] = {
    {"OpBitFieldUExtract",
     [](In in, Out out) {
       if (isFieldOutside(in, 1))
         return out.any();
       out.bits(in.u(2) ? in.u(0) >> in.u(1) & fieldMask(in.u(2)) : 0);
     }},
};
const FamilyOp extractSigned[] = {
    {"OpBitFieldSExtract",
     [](In in, Out out) {
       if (isFieldOutside(in, 1))
         return out.any();
       if (in.u(2) == 0)
         return out.bits(0);
       uint64_t up = in.u(0) << (64 - in.u(1) - in.u(2));
       out.bits(static_cast<int64_t>(up) >> (64 - in.u(2)));
     }},
};
const FamilyOp insert[] = {
    {"OpBitFieldInsert",
     [](In in, Out out) {
       if (isFieldOutside(in, 2))
         return out.any();
       uint64_t mask = in.u(3) ? uint64_t(fieldMask(in.u(3))) << in.u(2) : 0;
       out.bits((in.u(0) & ~mask) | (in.u(1) << (in.u(2) & 31) & mask));
     }},
};

#define COMPARE(name, get, op) {name, [](In in, Out out) { out.boolean(in.get(0) op in.get(1)); }}
const FamilyOp unsignedCompare[] = {
    COMPARE("OpIEqual", u, ==),
    COMPARE("OpINotEqual", u, !=),
    COMPARE("OpUGreaterThan", u, >),
    COMPARE("OpULessThan", u, <),
    COMPARE("OpUGreaterThanEqual", u, >=),
    COMPARE("OpULessThanEqual", u, <=),
};
const FamilyOp signedCompare[] = {
    COMPARE("OpSGreaterThan", s, >),
    COMPARE("OpSLessThan", s, <),
    COMPARE("OpSGreaterThanEqual", s, >=),
    COMPARE("OpSLessThanEqual", s, <=),
};

// --- SPV_INTEL_shader_integer_functions2

/// \p value cut off at the ends of the signed or unsigned range of the first operand's width.
uint64_t saturated(In in, Wide value, bool isSigned) {
  const Wide most = (Wide(1) << (in.width(0) - isSigned)) - 1, least = isSigned ? -most - 1 : 0;
  return static_cast<uint64_t>(std::clamp(value, least, most));
}

const FamilyOp unsignedFunctions[] = {
    {"OpAbsUSubINTEL",
     [](In in, Out out) { out.bits(std::max(in.u(0), in.u(1)) - std::min(in.u(0), in.u(1))); }},
    {"OpUAddSatINTEL",
     [](In in, Out out) { out.bits(saturated(in, Wide(in.u(0)) + in.u(1), false)); }},
    {"OpUSubSatINTEL",
     [](In in, Out out) { out.bits(saturated(in, Wide(in.u(0)) - in.u(1), false)); }},
    {"OpUAverageINTEL",
     [](In in, Out out) { out.bits(static_cast<uint64_t>((Wide(in.u(0)) + in.u(1)) >> 1)); }},
    {"OpUAverageRoundedINTEL",
     [](In in, Out out) { out.bits(static_cast<uint64_t>((Wide(in.u(0)) + in.u(1) + 1) >> 1)); }},
};
const FamilyOp signedFunctions[] = {
    {"OpIAddSatINTEL",
     [](In in, Out out) { out.bits(saturated(in, Wide(in.s(0)) + in.s(1), true)); }},
    {"OpISubSatINTEL",
     [](In in, Out out) { out.bits(saturated(in, Wide(in.s(0)) - in.s(1), true)); }},
    {"OpIAverageINTEL",
     [](In in, Out out) { out.bits(static_cast<uint64_t>((Wide(in.s(0)) + in.s(1)) >> 1)); }},
    {"OpIAverageRoundedINTEL",
     [](In in, Out out) { out.bits(static_cast<uint64_t>((Wide(in.s(0)) + in.s(1) + 1) >> 1)); }},
};
// Operands are signed, the result is not.
const FamilyOp absoluteDifference[] = {
    {"OpAbsISubINTEL",
     [](In in, Out out) {
       const Wide difference = Wide(in.s(0)) - in.s(1);
       out.bits(static_cast<uint64_t>(difference < 0 ? -difference : difference));
     }},
};
const FamilyOp countZeros[] = {
    {"OpUCountLeadingZerosINTEL",
     [](In in, Out out) { out.bits(std::countl_zero(static_cast<uint32_t>(in.u(0)))); }},
    {"OpUCountTrailingZerosINTEL",
     [](In in, Out out) { out.bits(std::countr_zero(static_cast<uint32_t>(in.u(0)))); }},
};
const FamilyOp unsignedMul[] = {
    {"OpUMul32x16INTEL", [](In in, Out out) { out.bits(in.u(0) * (in.u(1) & 0xFFFF)); }},
};
const FamilyOp signedMul[] = {
    {"OpIMul32x16INTEL",
     [](In in, Out out) {
       out.bits(static_cast<uint64_t>(in.s(0) * static_cast<int16_t>(in.u(1) & 0xFFFF)));
     }},
};

void addIntegerFunctions(std::vector<FamilySignature> &list) {
  using enum ScalarType;
  auto add = [&](llvm::SmallVector<ScalarType, 4> arguments, ScalarType result,
                 llvm::ArrayRef<FamilyOp> ops) {
    list.push_back({std::move(arguments), result, false, {}, ops});
    list.back().integerFunctions = true;
  };
  for (ScalarType t : {U8, U16, U32, U64})
    add({t, t}, t, unsignedFunctions);
  for (ScalarType t : {I8, I16, I32, I64})
    add({t, t}, t, signedFunctions);
  for (const auto &[from, to] : {std::pair(I8, U8), {I16, U16}, {I32, U32}, {I64, U64}})
    add({from, from}, to, absoluteDifference);
  add({U32}, U32, countZeros);
  add({U32, U32}, U32, unsignedMul);
  add({I32, I32}, I32, signedMul);
}

} // namespace

std::vector<FamilySignature> integerSignatures() {
  using enum ScalarType;
  std::vector<FamilySignature> list;
  auto add = [&](llvm::SmallVector<ScalarType, 4> arguments, ScalarType result,
                 llvm::ArrayRef<FamilyOp> ops, bool isBool = false) {
    list.push_back({std::move(arguments), result, isBool, {}, ops});
    return &list.back();
  };
  for (ScalarType t : {U8, U16, U32, U64}) {
    add({t, t}, t, unsignedBinary);
    add({t, t}, U32, unsignedCompare, true);
    add({t, t, t}, t, unsignedTernary);
  }
  for (ScalarType t : {I8, I16, I32, I64}) {
    add({t, t}, t, signedBinary);
    add({t}, t, signedUnary);
    add({t, t}, U32, signedCompare, true);
    add({t, t, t}, t, signedTernary);
  }
  add({U32}, U32, unary32);
  add({I32}, I32, signedUnary32);
  // Offsets and counts around the ends of the word; their sums above 32 are undefined.
  std::vector<uint64_t> positions = {0, 1, 5, 8, 16, 31, 32};
  auto addField = [&](llvm::SmallVector<ScalarType, 4> arguments, llvm::ArrayRef<FamilyOp> ops,
                      std::vector<std::vector<uint64_t>> values) {
    ScalarType result = arguments[0];
    FamilySignature *signature = add(std::move(arguments), result, ops);
    signature->values = std::move(values);
    signature->scalarOnly = true;
  };
  addField({U32, U32, U32}, extractUnsigned, {{}, positions, positions});
  addField({I32, U32, U32}, extractSigned, {{}, positions, positions});
  addField({U32, U32, U32, U32}, insert, {{}, {0, ~0u, 0x12345678}, positions, positions});
  addIntegerFunctions(list);
  return list;
}

} // namespace exec
