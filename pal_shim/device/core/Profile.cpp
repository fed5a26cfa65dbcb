//===- Profile.cpp - what instructions did while waves ran -----------------===//
// SPDX-License-Identifier: MIT
#include "pal_shim/device/core/Profile.h"
#include <algorithm>
#include <map>
#include <set>

namespace pal::device {

uint64_t linesTouched(llvm::ArrayRef<AccessLog::Range> accesses, uint64_t lineBytes) {
  std::set<uint64_t> lines;
  for (const AccessLog::Range &access : accesses)
    if (access.bytes)
      for (uint64_t line = access.address / lineBytes;
           line <= (access.address + access.bytes - 1) / lineBytes; ++line)
        lines.insert(line);
  return lines.size();
}

LdsPasses ldsPasses(llvm::ArrayRef<AccessLog::LdsRange> accesses) {
  constexpr uint32_t banks = 32, halfLanes = 32;
  // By half and place in the lane's data: the dwords of each bank.
  std::map<std::pair<unsigned, unsigned>, std::map<uint32_t, std::set<uint32_t>>> steps;
  std::map<unsigned, unsigned>
      seen; // dwords of each lane so far: an instruction may have two places
  for (const AccessLog::LdsRange &access : accesses) {
    const uint32_t first = access.address / 4;
    const uint32_t last = (access.address + std::max<uint32_t>(access.bytes, 1) - 1) / 4;
    for (uint32_t dword = first; dword <= last; ++dword)
      steps[{access.lane / halfLanes, seen[access.lane]++}][dword % banks].insert(dword);
  }
  LdsPasses result;
  for (const auto &[step, dwords] : steps) {
    size_t most = 0;
    for (const auto &[bank, places] : dwords)
      most = std::max(most, places.size());
    result.passes += most;
    ++result.without;
  }
  return result;
}

void ProgramProfile::add(llvm::ArrayRef<InstructionProfile> more) {
  std::lock_guard lock(mutex);
  sums.resize(std::max(sums.size(), more.size()));
  for (size_t i = 0; i < more.size(); ++i) {
    InstructionProfile &sum = sums[i];
    sum.pc = more[i].pc;
    sum.runs += more[i].runs;
    sum.masked += more[i].masked;
    sum.lanes += more[i].lanes;
    sum.lines += more[i].lines;
    sum.ldsPasses += more[i].ldsPasses;
    sum.ldsPassesWithoutConflicts += more[i].ldsPassesWithoutConflicts;
  }
}

std::vector<InstructionProfile> ProgramProfile::snapshot() const {
  std::lock_guard lock(mutex);
  return sums;
}

} // namespace pal::device
