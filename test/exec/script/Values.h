//===- Values.h - lists of values as tests write them ---------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The text behind the colon of `buffer` and `expect` lines: values with blanks or commas between.
///
///   5  -7  0xff  1.5  inf  -inf  nan  bits(0x7f800001)     one value
///   V*N            N times V
///   A..B  A..B/S   A, A+S, ... up to and including B; S is 1 when it is not written
///   eval N { E }   E for i = 0 ... N-1, see Expression.h
///   random(S,N)    N values from seed S: floating-point in [-4, 4], integers of all sizes
#pragma once

#include "Expression.h"

namespace exec {

/// Appends the values to \p bytes. \p scope serves `eval`.
/// Errors: the word that is no value.
llvm::Error parseValues(ScalarType type, llvm::StringRef text, const ExpressionScope &scope,
                        Bytes &bytes);

/// A fixed pseudo-random sequence (SplitMix64); the same on every machine.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  uint64_t next();
  /// In [0, bound).
  uint64_t below(uint64_t bound) { return next() % bound; }

private:
  uint64_t state;
};

/// Plausible data of one type, as `random` gives it.
uint64_t randomBits(ScalarType type, Random &random);

} // namespace exec
