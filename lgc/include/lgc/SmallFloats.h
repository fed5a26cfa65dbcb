//===- SmallFloats.h - floats that are integers to LLVM -------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// bfloat16 and the two floats of 8 bits (OCP 8-bit floating point specification) are integers of
/// their width in IR: no target has arithmetic on them, and all that moves bits works. Here is what
/// makes other floats of them and the other way, in integer arithmetic, which no float mode
/// touches.
#pragma once

#include <cstdint>

namespace llvm {
class IRBuilderBase;
class Type;
class Value;
} // namespace llvm

namespace lgc {

enum class SmallFloat : uint8_t {
  BF16, ///< 8 bits of exponent, 7 of mantissa: the high half of a float
  E4M3, ///< no infinities; NaN is what has all bits of exponent and mantissa
  E5M2, ///< the high byte of a half
};

/// What a number beyond the largest becomes.
enum class SmallOverflow : uint8_t {
  Special, ///< infinity, or NaN where there is none
  Largest, ///< the largest number; so do infinities
};

/// Integers, scalar or vector, as floats of \p type (half: not of BF16), which have every value.
llvm::Value *extendSmallFloat(llvm::IRBuilderBase &b, SmallFloat kind, llvm::Value *value,
                              llvm::Type *type);
/// f32, scalar or vector, to the nearest, ties to even. BF16 has no \p overflow but Special.
llvm::Value *narrowToSmallFloat(llvm::IRBuilderBase &b, SmallFloat kind, llvm::Value *value,
                                SmallOverflow overflow);

} // namespace lgc
