//===- Expression.h - formulas for buffer contents ------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// C-like expressions in `eval COUNT { ... }`: the expected value of element `i` from the element's
/// number and from the initial contents of buffers. Integers are 64 bits wide and wrap; as soon as
/// an operand is a floating-point number the operation is done in double.
///
///   i                       number of the element;  N: the count;  SG: the subgroup size
///   name[expression]        element of a buffer as it was before the dispatch
///   + - * / % & | ^ ~ ! << >> < <= > >= == != && || ?: ( )     as in C; x/0 and x%0 are 0
///   min max abs floor sqrt float int popcount    functions; int truncates
///   fold(j, A, B, X, E)     acc = X; for j = A ... B-1: acc = E; the value of acc
///   i32 u32 u64 i16 u16 i8 u8 f32 f16            rounds or wraps to that type
#pragma once

#include "Scalar.h"
#include <map>

namespace exec {

/// A number that is either.
struct Number {
  bool isFloating = false;
  int64_t integer = 0;
  double floating = 0;

  static Number of(int64_t value) { return {false, value, 0}; }
  static Number of(double value) { return {true, 0, value}; }
  double asDouble() const { return isFloating ? floating : static_cast<double>(integer); }
  int64_t asInteger() const { return isFloating ? static_cast<int64_t>(floating) : integer; }
  bool isTrue() const { return isFloating ? floating != 0 : integer != 0; }
};

/// A buffer that formulas may read.
struct NamedValues {
  ScalarType type = ScalarType::U32;
  const Bytes *data = nullptr;
};

struct ExpressionScope {
  std::map<std::string, int64_t> variables;
  std::map<std::string, NamedValues> buffers;
};

/// Errors: the place in the text and what was expected there; an index outside a buffer.
llvm::Expected<Number> evaluate(llvm::StringRef text, const ExpressionScope &scope);

/// The bits of \p number as \p type; integers wrap, floating-point numbers round to nearest even.
uint64_t toBits(ScalarType type, const Number &number);

} // namespace exec
