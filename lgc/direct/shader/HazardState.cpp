//===- HazardState.cpp - what hazards remember of the code so far ---------===//
// SPDX-License-Identifier: MIT
#include "lgc/direct/shader/HazardState.h"

using namespace llvm;

namespace lgc::direct {

namespace {

void joinResults(SmallVectorImpl<VectorResult> &to, ArrayRef<VectorResult> from) {
  const size_t mine = to.size();
  for (const VectorResult &result : from)
    if (!is_contained(ArrayRef(to).take_front(mine), result))
      to.push_back(result);
}

} // namespace

SgprSet pairsOf(const SgprSet &set) {
  static const SgprSet even = [] {
    SgprSet regs;
    for (unsigned reg = 0; reg < sgprNumbers; reg += 2)
      regs.set(reg);
    return regs;
  }();
  return set | (set & even) << 1 | (set >> 1 & even);
}

const SgprSet &forwardedSgprs() {
  static const SgprSet set = [] {
    SgprSet regs;
    for (unsigned reg = 0; reg < regVcc + 2; ++reg)
      regs.set(reg);
    return regs;
  }();
  return set;
}

bool writesExec(const OpEffects &effects) {
  return effects.isScalar() && (effects.writes.test(regExec) || effects.writes.test(regExec + 1));
}

void HazardState::join(const HazardState &other) {
  memoryReads |= other.memoryReads;
  scalarReads |= other.scalarReads;
  memorySeen |= other.memorySeen;
  memoryBranched |= other.memoryBranched;
  joinResults(results, other.results);
  joinResults(transResults, other.transResults);
  watched |= other.watched;
  scalarWrites |= other.scalarWrites;
  vectorWrites |= other.vectorWrites;
}

void LoopEffects::add(const OpEffects &effects) {
  const bool isCache = effects.kind == InstructionClass::Cache;
  if (effects.isVectorMemory() || effects.isLds() || isCache) {
    memoryReads |= effects.reads;
    memorySeen |= effects.isLds() ? memory::lds : memory::vector;
  }
  if (effects.isScalarLoad())
    scalarReads |= effects.reads;
  if (effects.isScalar()) {
    scalarWrites |= effects.writes;
    writesExec |= direct::writesExec(effects);
  }
  if (!effects.isValu())
    return;
  results |= effects.vectorWrites;
  if (effects.isTrans())
    transResults |= effects.vectorWrites;
  valuReads |= effects.reads;
  masks |= effects.masks;
  vectorWrites |= effects.writes;
}

void LoopEffects::add(const LoopEffects &other) {
  memoryReads |= other.memoryReads;
  scalarReads |= other.scalarReads;
  memorySeen |= other.memorySeen;
  results |= other.results;
  transResults |= other.transResults;
  writesExec |= other.writesExec;
  valuReads |= other.valuReads;
  masks |= other.masks;
  scalarWrites |= other.scalarWrites;
  vectorWrites |= other.vectorWrites;
}

} // namespace lgc::direct
