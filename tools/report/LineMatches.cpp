//===- LineMatches.cpp - lines of one text in a later one -----------------===//
// SPDX-License-Identifier: MIT
#include "tools/report/LineMatches.h"
#include "tools/report/TextChanges.h"
#include "llvm/ADT/SmallVector.h"

using llvm::StringRef;

namespace report {

static llvm::SmallVector<StringRef, 0> linesOf(StringRef text) {
  llvm::SmallVector<StringRef, 0> lines;
  text.split(lines, '\n');
  for (StringRef &line : lines)
    line = line.trim();
  return lines;
}

std::vector<uint32_t> matchLines(StringRef before, StringRef after) {
  const auto from = linesOf(before), to = linesOf(after);
  std::vector<uint32_t> result;
  uint32_t now = 1;
  auto keepUntil = [&](size_t end) {
    while (result.size() < end)
      result.push_back(now++);
  };
  for (const TextChange &change : changesOf(from, to)) {
    keepUntil(change.begin);
    for (uint32_t i = 0; i < change.removed; ++i)
      result.push_back(i < change.added.size() ? now + i : 0);
    now += uint32_t(change.added.size());
  }
  keepUntil(from.size());
  return result;
}

} // namespace report
