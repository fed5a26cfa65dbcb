//===- PendingResults.cpp - registers whose loads have not come back ------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/strict/PendingResults.h"
#include "pal_shim/abi/AbiError.h"
#include <bit>

namespace pal::device::strict {

namespace {

constexpr uint8_t oldest = 254;

bool touches(const std::bitset<registerCount> &registers,
             const llvm::SmallVectorImpl<RegRange> &ranges) {
  return llvm::any_of(ranges, [&](const RegRange &range) {
    for (unsigned i = 0; i < range.count; ++i)
      if (registers.test(range.first + i))
        return true;
    return false;
  });
}

} // namespace

uint8_t mostUnderWay(Counter counter) {
  return counter == Counter::Export || counter == Counter::Bvh ? 7 : 63;
}

const char *counterName(Counter counter) {
  constexpr const char *names[] = {"vmcnt/loadcnt", "samplecnt",     "bvhcnt", "vscnt/storecnt",
                                   "lgkmcnt/dscnt", "lgkmcnt/kmcnt", "expcnt"};
  return names[size_t(counter)];
}

bool comeBackInOrder(Counter counter, uint8_t kinds) {
  switch (counter) {
  case Counter::Load: // HW(gfx10+): FLAT takes its place in each of its counters
  case Counter::Sample:
  case Counter::Bvh:
    return true;
  case Counter::Lds:
    return !(kinds & ~(kind::lds | kind::flat));
  case Counter::Export:
    return std::popcount(kinds) <= 1;
  default:
    return false;
  }
}

bool PendingResults::isInOrder(Counter counter) const {
  return comeBackInOrder(counter, kinds[size_t(counter)]);
}

void PendingResults::wait(const Effects &effects) {
  bool changed = false;
  for (size_t i = 0; i < size_t(Counter::Count); ++i) {
    const auto counter = Counter(i);
    const uint8_t left = effects.waits[i];
    if (left == Effects::noWait || !kinds[i] || (left && !isInOrder(counter)))
      continue;
    changed |= std::erase_if(entries, [&](const Entry &entry) {
                 return entry.counter == counter && entry.age >= left;
               }) != 0;
    if (!left)
      kinds[i] = 0;
  }
  if (changed)
    renewRegisters();
}

void PendingResults::renewRegisters() {
  registers.reset();
  for (const Entry &entry : entries)
    registers.set(entry.reg);
}

/// Operations of one kind write registers in the order of their issue.
bool PendingResults::comesBehind(const Entry &entry, const Effects &effects) const {
  for (const Event &event : effects.events)
    if (event.counter == entry.counter && event.kind == entry.kind && !event.locksSources &&
        event.kind != kind::flat && isInOrder(entry.counter))
      return true;
  return false;
}

std::string PendingResults::check(const Effects &effects) const {
  if (!touches(registers, effects.reads) && !touches(registers, effects.writes))
    return "";
  for (const Entry &entry : entries) {
    const bool reads = contains(effects.reads, entry.reg);
    const bool writes = contains(effects.writes, entry.reg);
    const std::string from =
        " by the instruction at pc " + abi::hex(entry.pc) + " (" + counterName(entry.counter) + ")";
    if (entry.locksSource) {
      if (writes)
        return registerName(entry.reg) + " is overwritten while it may still be exported" + from;
      continue;
    }
    if (reads)
      return registerName(entry.reg) + " is read while it may still be loaded" + from;
    if (writes && !comesBehind(entry, effects))
      return registerName(entry.reg) + " is overwritten while it may still be loaded" + from;
  }
  return "";
}

void PendingResults::add(const Entry &entry) {
  for (Entry &old : entries)
    if (old.isSame(entry)) {
      if (entry.age <= old.age)
        old = entry;
      return;
    }
  entries.push_back(entry);
  registers.set(entry.reg);
}

void PendingResults::issue(const Effects &effects, const Event &event) {
  for (Entry &entry : entries)
    if (entry.counter == event.counter && entry.age < oldest)
      ++entry.age;
  kinds[size_t(event.counter)] |= event.kind;
  if (isInOrder(event.counter) && std::erase_if(entries, [&](const Entry &entry) {
        return entry.counter == event.counter && entry.age >= mostUnderWay(event.counter);
      }))
    renewRegisters();
  for (const RegRange &range : event.locksSources ? effects.reads : effects.writes) {
    const bool isData = range.isVgpr() || (!event.locksSources && event.kind == kind::scalar);
    for (unsigned i = 0; isData && i < range.count; ++i)
      add({uint16_t(range.first + i), event.counter, event.kind, 0, event.locksSources,
           effects.pc});
  }
}

std::string PendingResults::step(const Effects &effects) {
  wait(effects);
  std::string problem = entries.empty() ? "" : check(effects);
  for (const Event &event : effects.events)
    if (event.counter != Counter::Count && event.counter != Counter::Store)
      issue(effects, event);
  return problem;
}

bool PendingResults::join(const PendingResults &other) {
  bool changed = false;
  for (size_t i = 0; i < kinds.size(); ++i) {
    changed |= (other.kinds[i] & ~kinds[i]) != 0;
    kinds[i] |= other.kinds[i];
  }
  for (const Entry &entry : other.entries) {
    const auto old = llvm::find_if(entries, [&](const Entry &mine) { return mine.isSame(entry); });
    if (old != entries.end() && old->age <= entry.age)
      continue;
    add(entry);
    changed = true;
  }
  return changed;
}

} // namespace pal::device::strict
