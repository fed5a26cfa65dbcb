//===- FloatRelation.h - conditions that are one comparison of floats -----===//
// SPDX-License-Identifier: MIT
/// \file
/// Code generation finds out that `x < y || x > y` is one comparison; passes that keep comparisons
/// away from it have to find out too.
#pragma once

#include <optional>

namespace llvm {
class FCmpInst;
class Value;
} // namespace llvm

namespace lgc {

struct FloatRelation {
  llvm::FCmpInst *comparison; ///< of the two operands, by any predicate
  /// How the operands are related when the condition holds: as a predicate of `comparison`, which
  /// is a set of FCMP_OEQ, FCMP_OGT, FCMP_OLT and FCMP_UNO.
  unsigned relations;
};

/// Nothing when `condition`, an i1, depends on anything but the relation of two floats.
std::optional<FloatRelation> floatRelationOf(llvm::Value &condition);

} // namespace lgc
