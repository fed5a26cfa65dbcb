//===- Family.h - value instructions over edge values ---------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A family is a table of instructions that share a signature: for each one a name and a reference
/// function in C++ that says, for given operands, which results the specification accepts. The
/// runner makes SPIR-V assembly of it for every type, vector width and mode, runs it over all
/// combinations of edge values and asks the reference about each element.
///
/// Tolerances are those of the Vulkan specification, "Precision and Operation of SPIR-V
/// Instructions"; references compute in double (or wider) and never use code of the compiler.
#pragma once

#include "../script/Scalar.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <string>
#include <vector>

namespace exec {

/// Operands of one element.
struct Operands {
  const ScalarType *types;
  const uint64_t *bits;
  bool strict; ///< the module asks for denormals, signed zeros, infinities, NaNs, and RTE

  int64_t s(size_t i) const; ///< as a signed integer of its width
  uint64_t u(size_t i) const { return bits[i]; }
  double f(size_t i) const { return toDouble(types[i], bits[i]); }
  unsigned width(size_t i) const { return 8 * sizeOf(types[i]); }
  ScalarType type(size_t i) const { return types[i]; }
};

/// What results are right.
class Accept {
public:
  Accept(ScalarType type, bool strict) : type(type), strict(strict) {}

  void any() { isAny = true; } ///< undefined by the specification
  void bits(uint64_t value);   ///< exactly these, cut to the type's width
  void boolean(bool value) { bits(value); }
  /// The number, rounded to nearest even (both neighbours without strict rounding).
  void rounded(double value) { near(value, 0.5); }
  /// Within \p ulps units in the last place and \p absolute of the number.
  void near(double value, double ulps, double absolute = 0);
  bool holds(uint64_t actual) const;
  std::string text() const;
  ScalarType resultType() const { return type; }

private:
  struct Range {
    double low, high;
    bool nan;
    bool isZero, negativeZero; ///< strict: the sign counts
  };
  ScalarType type;
  bool strict;
  bool isAny = false;
  llvm::SmallVector<uint64_t, 2> exact;
  llvm::SmallVector<Range, 4> ranges;
};

using Reference = void (*)(const Operands &in, Accept &out);

/// Signed zeros, infinities and NaN count only when the module asks for them.
enum class FloatMode : uint8_t { Relaxed, Strict, Both };

/// One instruction. `name` is an opcode ("OpIAdd") or "ext:" and a GLSL.std.450 name; a number
/// behind a dot ("OpIAddCarry.1") takes that member of a pair.
struct FamilyOp {
  llvm::StringLiteral name;
  Reference reference;
  FloatMode mode = FloatMode::Both;
};

/// Instructions of equal signature.
struct FamilySignature {
  llvm::SmallVector<ScalarType, 4> arguments;
  ScalarType result = ScalarType::U32;
  bool isBoolResult = false; ///< stored as 0 or 1 of U32
  /// Values that each argument takes; empty: edgeValues() of its type.
  std::vector<std::vector<uint64_t>> values;
  llvm::ArrayRef<FamilyOp> ops;
  bool scalarOnly = false;       ///< some operands must be scalars
  bool integerFunctions = false; ///< of SPV_INTEL_shader_integer_functions2
};

/// The interesting values of a type; \p few: about a dozen for products of three.
std::vector<uint64_t> edgeValues(ScalarType type, bool few);

/// All families.
std::vector<FamilySignature> integerSignatures();
std::vector<FamilySignature> floatSignatures();
std::vector<FamilySignature> conversionSignatures();

/// How a signature is run.
struct Variant {
  unsigned vectorWidth = 1;
  bool uniform = false; ///< operands are the same in all lanes: scalar instructions
  bool strict = false;
};

/// SPIR-V assembly that computes all \p ops: operand k of element e is word e of buffer k, result o
/// is element e * ops + o of the last buffer.
std::string assemblyFor(const FamilySignature &signature, llvm::ArrayRef<const FamilyOp *> ops,
                        const Variant &variant);

/// Invocations of a workgroup in that assembly when operands are not uniform.
constexpr uint32_t familyGroupSize = 64;

} // namespace exec
