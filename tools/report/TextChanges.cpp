//===- TextChanges.cpp - what a pass changed in a text --------------------===//
// SPDX-License-Identifier: MIT
#include "tools/report/TextChanges.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include <map>

using llvm::ArrayRef;
using llvm::StringRef;

namespace report {

namespace {

/// Patience: lines that occur once in both texts hold them together, the longest row of those that
/// have the same order; what is between them is compared in the same way.
class Comparison {
public:
  Comparison(ArrayRef<StringRef> a, ArrayRef<StringRef> b) : a(a), b(b) {}
  void run(size_t a0, size_t a1, size_t b0, size_t b1, unsigned depth);
  std::vector<TextChange> changes;

private:
  struct Pair {
    size_t a, b;
  };
  std::vector<Pair> anchors(size_t a0, size_t a1, size_t b0, size_t b1) const;
  void add(size_t a0, size_t a1, size_t b0, size_t b1);

  ArrayRef<StringRef> a, b;
};

void Comparison::add(size_t a0, size_t a1, size_t b0, size_t b1) {
  if (a0 == a1 && b0 == b1)
    return;
  TextChange change{uint32_t(a0), uint32_t(a1 - a0), {}};
  for (size_t i = b0; i < b1; ++i)
    change.added.push_back(b[i].str());
  changes.push_back(std::move(change));
}

/// The longest ascending row: the last element of the shortest pile that ends below, by pile.
std::vector<Comparison::Pair> Comparison::anchors(size_t a0, size_t a1, size_t b0,
                                                  size_t b1) const {
  struct Places {
    unsigned inA = 0, inB = 0;
    size_t a = 0, b = 0;
  };
  llvm::StringMap<Places> places;
  for (size_t i = a0; i < a1; ++i) {
    Places &p = places[a[i]];
    ++p.inA;
    p.a = i;
  }
  for (size_t i = b0; i < b1; ++i)
    if (const auto found = places.find(b[i]); found != places.end()) {
      ++found->second.inB;
      found->second.b = i;
    }
  std::map<size_t, size_t> unique; // in the order of a
  for (const auto &entry : places)
    if (entry.second.inA == 1 && entry.second.inB == 1)
      unique[entry.second.a] = entry.second.b;
  std::vector<Pair> pairs;
  std::vector<size_t> piles, before; // indices of pairs; of the one in front
  for (const auto &[inA, inB] : unique) {
    const auto pile =
        llvm::lower_bound(piles, inB, [&](size_t p, size_t wanted) { return pairs[p].b < wanted; });
    before.push_back(pile == piles.begin() ? ~size_t(0) : *std::prev(pile));
    const size_t index = pairs.size();
    if (pile == piles.end())
      piles.push_back(index);
    else
      *pile = index;
    pairs.push_back({inA, inB});
  }
  std::vector<Pair> result;
  for (size_t p = piles.empty() ? ~size_t(0) : piles.back(); p != ~size_t(0); p = before[p])
    result.push_back(pairs[p]);
  std::reverse(result.begin(), result.end());
  return result;
}

void Comparison::run(size_t a0, size_t a1, size_t b0, size_t b1, unsigned depth) {
  while (a0 < a1 && b0 < b1 && a[a0] == b[b0])
    ++a0, ++b0;
  while (a0 < a1 && b0 < b1 && a[a1 - 1] == b[b1 - 1])
    --a1, --b1;
  constexpr unsigned maxDepth = 32;
  if (a0 == a1 || b0 == b1 || depth == maxDepth)
    return add(a0, a1, b0, b1);
  const std::vector<Pair> held = anchors(a0, a1, b0, b1);
  if (held.empty())
    return add(a0, a1, b0, b1);
  for (const Pair &pair : held) {
    run(a0, pair.a, b0, pair.b, depth + 1);
    a0 = pair.a + 1;
    b0 = pair.b + 1;
  }
  run(a0, a1, b0, b1, depth + 1);
}

/// "!7 = !DILocation(line: 12, ..." -> 7, 12.
void readLocation(StringRef line, std::map<uint64_t, uint32_t> &locations) {
  uint64_t number = 0;
  uint32_t found = 0;
  if (!line.consume_front("!") || line.consumeInteger(10, number))
    return;
  line.consume_front(" = ");
  line.consume_front("distinct ");
  if (line.consume_front("!DILocation(line: ") && !line.consumeInteger(10, found))
    locations[number] = found;
}

/// Cuts ", !name !7" off the end, as often as it is there.
StringRef withoutMetadata(StringRef line) {
  for (;;) {
    const size_t at = line.rfind(", !");
    if (at == StringRef::npos ||
        line.drop_front(at + 3).find_first_of(",()\"{}") != StringRef::npos)
      return line;
    line = line.take_front(at);
  }
}

} // namespace

std::vector<TextChange> changesOf(ArrayRef<StringRef> before, ArrayRef<StringRef> after) {
  Comparison comparison(before, after);
  comparison.run(0, before.size(), 0, after.size(), 0);
  return std::move(comparison.changes);
}

ReadableIr readableIr(StringRef ir) {
  llvm::SmallVector<StringRef, 0> lines;
  ir.split(lines, '\n');
  std::map<uint64_t, uint32_t> locations;
  for (const StringRef line : lines)
    readLocation(line, locations);
  ReadableIr result;
  for (StringRef line : lines) {
    if (line.starts_with("!") || line.starts_with("; ModuleID") ||
        line.starts_with("source_filename"))
      continue;
    line = line.rtrim();
    if (line.empty() && (result.lines.empty() || result.lines.back().empty()))
      continue;
    uint32_t sourceLine = 0;
    if (const size_t at = line.rfind("!dbg !"); at != StringRef::npos) {
      StringRef rest = line.drop_front(at + 6);
      uint64_t number = 0;
      if (!rest.consumeInteger(10, number))
        if (const auto found = locations.find(number); found != locations.end())
          sourceLine = found->second;
    }
    // A function's line ends with the brace, and has metadata in front of it.
    StringRef text = line;
    const bool isHead = text.consume_back(" {");
    if (const size_t at = text.find(" !dbg !"); isHead && at != StringRef::npos)
      text = text.take_front(at);
    result.lines.push_back((isHead ? text + " {" : withoutMetadata(text)).str());
    result.sourceLines.push_back(sourceLine);
  }
  return result;
}

} // namespace report
