//===- Scalar.h - typed values in buffers ---------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The scalar types of shaders, their bytes, their text, and when two of them agree. Arithmetic is
/// done in double or 64-bit integers by the users of this file; nothing of the compiler is used.
#pragma once

#include "../job/Job.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace exec {

enum class ScalarType : uint8_t { I8, U8, I16, U16, I32, U32, I64, U64, F16, F32, F64 };

uint32_t sizeOf(ScalarType type); ///< bytes
bool isFloat(ScalarType type);
bool isSigned(ScalarType type);
llvm::StringRef nameOf(ScalarType type); ///< "u32"
std::optional<ScalarType> scalarTypeOf(llvm::StringRef name);

/// IEEE binary16 to double; exact.
double halfToDouble(uint16_t bits);
/// Rounds to nearest, ties to even.
uint16_t doubleToHalf(double value);

/// The bits of element \p index of a packed array, zero-extended.
uint64_t loadBits(ScalarType type, const uint8_t *data);
void storeBits(ScalarType type, uint64_t bits, uint8_t *data);
void appendBits(ScalarType type, uint64_t bits, Bytes &bytes);
/// A floating-point type's bits as a number.
double toDouble(ScalarType type, uint64_t bits);
/// Rounds to nearest even for F16 and F32.
uint64_t fromDouble(ScalarType type, double value);
/// An integer type's bits with its sign.
int64_t toInteger(ScalarType type, uint64_t bits);

/// "-3", "0x1p-149 (1.4e-45)", "nan (0x7fc00000)".
std::string toText(ScalarType type, uint64_t bits);

/// How far two values may be apart. All zero: equal bits, except that any NaN equals any other.
struct Tolerance {
  double ulp = 0;        ///< units in the last place of the expected value
  double absolute = 0;   ///< or absolute difference; the only one that integers have
  double relative = 0;   ///< or difference divided by the expected value
  uint64_t outliers = 0; ///< how many values may be apart by more
  bool isExact() const { return ulp == 0 && absolute == 0 && relative == 0; }
};

/// "ulp=3", "abs=1e-3", "rel=1e-5", "outliers=20"; false for anything else.
bool parseTolerance(llvm::StringRef text, Tolerance &tolerance);

/// Distance of the type's values around \p value, of its subnormals below the normal range.
double ulpOf(ScalarType type, double value);

bool agree(ScalarType type, uint64_t actual, uint64_t expected, const Tolerance &tolerance);

} // namespace exec
