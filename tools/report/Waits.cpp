//===- Waits.cpp - what each wait waits for -------------------------------===//
// SPDX-License-Identifier: MIT
#include "tools/report/Waits.h"
#include "pal_shim/device/strict/PendingResults.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

namespace report {

namespace {

using namespace pal::device::strict;

/// Operations under way. Of each the age is known: later operations of the same counter, on the
/// path with the fewest.
class UnderWay {
public:
  /// Ends what \p effects wait for, and gives the instructions.
  std::vector<uint32_t> wait(const Effects &effects);
  void issue(uint32_t instruction, const Effects &effects);
  /// True: this has changed.
  bool join(const UnderWay &other);

private:
  using Key = std::pair<Counter, uint32_t>; ///< and the instruction
  std::map<Key, uint8_t> ages;
  std::array<uint8_t, size_t(Counter::Count)> kinds = {};
};

std::vector<uint32_t> UnderWay::wait(const Effects &effects) {
  std::vector<uint32_t> ended;
  for (size_t c = 0; c < size_t(Counter::Count); ++c) {
    const auto counter = Counter(c);
    const uint8_t left = effects.waits[c];
    if (left == Effects::noWait || !kinds[c])
      continue;
    // Stores are counted down in order, too; only nobody needs to know for their results.
    const bool inOrder = counter == Counter::Store || comeBackInOrder(counter, kinds[c]);
    if (left && !inOrder)
      continue;
    for (auto it = ages.begin(); it != ages.end();) {
      const bool ends = it->first.first == counter && it->second >= left;
      if (ends)
        ended.push_back(it->first.second);
      it = ends ? ages.erase(it) : std::next(it);
    }
    if (!left)
      kinds[c] = 0;
  }
  llvm::sort(ended);
  ended.erase(llvm::unique(ended), ended.end());
  return ended;
}

void UnderWay::issue(uint32_t instruction, const Effects &effects) {
  for (const Event &event : effects.events) {
    if (event.counter == Counter::Count)
      continue;
    const uint8_t most = mostUnderWay(event.counter);
    for (auto it = ages.begin(); it != ages.end();) {
      const bool counts = it->first.first == event.counter;
      it->second += counts && it->second < most;
      // It is back when the counter has no room for it.
      it = counts && it->second >= most ? ages.erase(it) : std::next(it);
    }
    kinds[size_t(event.counter)] |= event.kind;
    ages[{event.counter, instruction}] = 0;
  }
}

bool UnderWay::join(const UnderWay &other) {
  bool changed = false;
  for (size_t c = 0; c < kinds.size(); ++c) {
    changed |= (other.kinds[c] & ~kinds[c]) != 0;
    kinds[c] |= other.kinds[c];
  }
  for (const auto &[key, age] : other.ages) {
    auto [place, isNew] = ages.try_emplace(key, age);
    changed |= isNew || place->second > age;
    place->second = std::min(place->second, age);
  }
  return changed;
}

} // namespace

static bool waitsForSomething(const Effects &effects) {
  return llvm::any_of(effects.waits, [](uint8_t left) { return left != Effects::noWait; });
}

std::vector<Wait> findWaits(const MachineCode &code, const ControlFlow &flow) {
  std::vector<UnderWay> in(flow.blocks.size());
  std::vector<bool> seen(flow.blocks.size());
  std::map<uint32_t, std::set<uint32_t>> found;
  std::set<uint32_t> pending; // by rank
  if (!flow.order.empty())
    pending.insert(0);
  while (!pending.empty()) {
    const uint32_t b = flow.order[*pending.begin()];
    pending.erase(pending.begin());
    seen[b] = true;
    UnderWay state = in[b];
    for (uint32_t i = flow.blocks[b].begin; i < flow.blocks[b].end; ++i) {
      const Effects &effects = code.code[i].effects;
      if (waitsForSomething(effects)) {
        const std::vector<uint32_t> ended = state.wait(effects);
        found[i].insert(ended.begin(), ended.end());
      }
      state.issue(i, effects);
    }
    for (const uint32_t to : flow.blocks[b].successors)
      if (in[to].join(state) || !seen[to])
        pending.insert(flow.rank[to]);
  }
  std::vector<Wait> result;
  for (const auto &[index, operations] : found)
    result.push_back({index, {operations.begin(), operations.end()}});
  return result;
}

} // namespace report
