//===- LaneSets.h - sets of lanes as formulas -----------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Which lanes of a wave something holds for, without knowing any wave: a formula over *atoms*,
/// sets of which nothing is known, such as the lanes for which a compare is true. Formulas are
/// reduced ordered decision diagrams, so that equal sets are equal numbers.
///
///     Set then = sets.both(exec, sets.atom(0)), other = sets.without(exec, sets.atom(0));
///     sets.either(then, other) == exec
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>
#include <tuple>
#include <vector>

namespace report {

class LaneSets {
public:
  using Set = uint32_t;
  static constexpr Set none = 0, all = 1;

  LaneSets();
  Set atom(uint32_t number);
  Set both(Set a, Set b) { return choose(a, b, none); }
  Set either(Set a, Set b) { return choose(a, all, b); }
  Set complement(Set a) { return choose(a, none, all); }
  Set without(Set a, Set b) { return choose(b, none, a); }
  Set exclusive(Set a, Set b) { return choose(a, complement(b), b); }
  bool contains(Set outer, Set inner) { return without(inner, outer) == none; }
  /// The least set that has all of \p a and does not depend on the atoms that \p isForgotten names.
  Set forget(Set a, llvm::function_ref<bool(uint32_t)> isForgotten);
  bool dependsOn(Set a, llvm::function_ref<bool(uint32_t)> isAsked) const;
  /// Formulas became too large: results since are wrong.
  bool isFull() const { return full; }
  void giveUp() { full = true; }

private:
  struct Node {
    uint32_t atom;
    Set without, with; ///< lanes that the atom does not have, and that it has
  };
  Set node(uint32_t atom, Set without, Set with);
  /// \p with for lanes of \p condition, \p without for others.
  Set choose(Set condition, Set with, Set without);
  Set half(Set a, uint32_t atom, bool isWith) const;
  /// Those that a formula is made of, ascending; the constants are none.
  std::vector<Set> nodesOf(Set a) const;

  std::vector<Node> nodes;
  llvm::DenseMap<std::pair<uint32_t, uint64_t>, Set> unique;
  llvm::DenseMap<std::pair<uint32_t, uint64_t>, Set> chosen;
  size_t steps = 0; ///< of choose()
  bool full = false;
};

} // namespace report
