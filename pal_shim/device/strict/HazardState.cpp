//===- HazardState.cpp - what hazards remember of the code so far ---------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/strict/HazardState.h"

namespace pal::device::strict {

namespace {

template <typename T> bool assign(T &to, const T &value) {
  const bool changed = !(to == value);
  to = value;
  return changed;
}

template <size_t N> bool joinField(std::bitset<N> &to, const std::bitset<N> &from) {
  return assign(to, to | from);
}
template <size_t N> bool joinField(Ages<N> &to, const Ages<N> &from) {
  bool changed = false;
  for (size_t i = 0; i < N; ++i) {
    changed |= from.age[i] < to.age[i];
    to.age[i] = std::min(to.age[i], from.age[i]);
  }
  return changed;
}
bool joinField(bool &to, bool from) { return assign(to, to || from); }
bool joinField(std::vector<ExecPair> &to, const std::vector<ExecPair> &from) {
  bool changed = false;
  for (const ExecPair &pair : from) {
    const auto mine = llvm::find_if(to, [&](const ExecPair &other) {
      return other.older == pair.older && other.younger == pair.younger;
    });
    if (mine == to.end())
      to.push_back(pair);
    else if (pair.age < mine->age)
      mine->age = pair.age;
    else
      continue;
    changed = true;
  }
  return changed;
}

/// What is dangerous when it is small: ages, priorities, waits so far.
template <typename T> bool joinSmaller(T &to, T from) { return assign(to, std::min(to, from)); }

} // namespace

bool HazardState::join(const HazardState &other) {
  bool changed = false;
  auto merge = [&](auto member) { changed |= joinField(this->*member, other.*member); };
  merge(&HazardState::vmemReads);
  merge(&HazardState::smemReads);
  merge(&HazardState::vmemSeen);
  merge(&HazardState::ldsSeen);
  merge(&HazardState::vmemBranched);
  merge(&HazardState::ldsBranched);
  merge(&HazardState::wideNsa);
  merge(&HazardState::execRead);
  merge(&HazardState::vcmpx);
  merge(&HazardState::vectorWrites);
  merge(&HazardState::vectorUses);
  merge(&HazardState::transWrites);
  merge(&HazardState::transWritesInTrans);
  merge(&HazardState::writesBeforeExec);
  merge(&HazardState::execPairs);
  merge(&HazardState::memoryUses);
  merge(&HazardState::matrixResult);
  merge(&HazardState::maskReads);
  merge(&HazardState::maskWrites);
  merge(&HazardState::lacksNop);
  merge(&HazardState::scalarsRead);
  merge(&HazardState::writtenByVector);
  merge(&HazardState::writtenByScalar);
  changed |= joinSmaller(floatAtomic, other.floatAtomic);
  changed |= joinSmaller(trans, other.trans);
  changed |= joinSmaller(priority, other.priority);
  changed |= joinSmaller(ldsNops, other.ldsNops);
  return changed;
}

} // namespace pal::device::strict
