//===- LaneSets.cpp - sets of lanes as formulas ---------------------------===//
// SPDX-License-Identifier: MIT
#include "tools/report/LaneSets.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

namespace report {

namespace {
constexpr uint32_t noAtom = ~0u - 8; ///< of the two constants: behind all others
constexpr size_t maxNodes = 1u << 20;
/// Results that are kept, and all that are computed: against code that makes formulas explode.
constexpr size_t maxChosen = 4u << 20, maxSteps = 64u << 20;
std::pair<uint32_t, uint64_t> keyOf(uint32_t a, uint32_t b, uint32_t c) {
  return {a, uint64_t(b) << 32 | c};
}
} // namespace

LaneSets::LaneSets() : nodes{{noAtom, none, none}, {noAtom, all, all}} {}

LaneSets::Set LaneSets::node(uint32_t atom, Set without, Set with) {
  if (without == with)
    return with;
  auto [place, isNew] = unique.try_emplace(keyOf(atom, without, with), Set(nodes.size()));
  if (isNew) {
    if (nodes.size() >= maxNodes) {
      full = true;
      return all;
    }
    nodes.push_back({atom, without, with});
  }
  return place->second;
}

LaneSets::Set LaneSets::atom(uint32_t number) { return node(number, none, all); }

LaneSets::Set LaneSets::half(Set a, uint32_t atom, bool isWith) const {
  const Node &n = nodes[a];
  if (n.atom != atom)
    return a;
  return isWith ? n.with : n.without;
}

/// Recursion is as deep as there are atoms in the operands at most, and those are few: whoever
/// makes sets forgets atoms where they go out of sight; nodes are limited.
LaneSets::Set LaneSets::choose(Set condition, Set with, Set without) {
  if (condition == all || with == without)
    return with;
  if (condition == none)
    return without;
  if (with == all && without == none)
    return condition;
  if (full)
    return all;
  const std::pair<uint32_t, uint64_t> key = keyOf(condition, with, without);
  if (const auto found = chosen.find(key); found != chosen.end())
    return found->second;
  if (++steps > maxSteps || chosen.size() > maxChosen) {
    full = true;
    return all;
  }
  const uint32_t top = std::min({nodes[condition].atom, nodes[with].atom, nodes[without].atom});
  const Set low =
      choose(half(condition, top, false), half(with, top, false), half(without, top, false));
  const Set high =
      choose(half(condition, top, true), half(with, top, true), half(without, top, true));
  const Set result = node(top, low, high);
  chosen[key] = result;
  return result;
}

std::vector<LaneSets::Set> LaneSets::nodesOf(Set a) const {
  std::vector<Set> pending = {a};
  llvm::DenseSet<Set> seen;
  while (!pending.empty()) {
    const Set s = pending.back();
    pending.pop_back();
    if (s <= all || !seen.insert(s).second)
      continue;
    pending.push_back(nodes[s].with);
    pending.push_back(nodes[s].without);
  }
  std::vector<Set> sorted(seen.begin(), seen.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

LaneSets::Set LaneSets::forget(Set a, llvm::function_ref<bool(uint32_t)> isForgotten) {
  // Nodes refer to older ones only, so that one walk in the order of their making is enough.
  llvm::DenseMap<Set, Set> result = {{none, none}, {all, all}};
  for (const Set s : nodesOf(a)) {
    const Node n = nodes[s];
    const Set low = result.at(n.without), high = result.at(n.with);
    result[s] = isForgotten(n.atom) ? either(low, high) : choose(atom(n.atom), high, low);
  }
  return result.at(a);
}

bool LaneSets::dependsOn(Set a, llvm::function_ref<bool(uint32_t)> isAsked) const {
  return llvm::any_of(nodesOf(a), [&](Set s) { return isAsked(nodes[s].atom); });
}

} // namespace report
