//===- TextChanges.cpp - what a pass changed in a text --------------------===//
// SPDX-License-Identifier: MIT
#include "tools/report/TextChanges.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include <map>
#include <optional>

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

/// What metadata at the end of a module says of places.
class Places {
public:
  void read(StringRef line);
  struct Place {
    uint32_t line = 0;
    StringRef file;
  };
  /// Of an instruction whose text ends with "!dbg !7".
  Place of(StringRef line) const;

private:
  struct Location {
    uint32_t line = 0;
    uint64_t scope = 0;
  };
  std::map<uint64_t, Location> locations;
  std::map<uint64_t, uint64_t> fileOfScope;
  std::map<uint64_t, StringRef> files;
};

/// The number behind "scope: !".
std::optional<uint64_t> nodeBehind(StringRef text, StringRef key) {
  const size_t at = text.find(key);
  uint64_t number = 0;
  text = at == StringRef::npos ? StringRef() : text.drop_front(at + key.size());
  if (at == StringRef::npos || text.consumeInteger(10, number))
    return std::nullopt;
  return number;
}

/// "!7 = !DILocation(line: 12, column: 3, scope: !4)", "!4 = distinct !DISubprogram(..., file: !2,
/// ...)", "!2 = !DIFile(filename: "a.comp", ...)".
void Places::read(StringRef line) {
  uint64_t number = 0;
  if (!line.consume_front("!") || line.consumeInteger(10, number))
    return;
  line.consume_front(" = ");
  line.consume_front("distinct ");
  Location location;
  if (line.consume_front("!DILocation(line: ")) {
    if (!line.consumeInteger(10, location.line)) {
      location.scope = nodeBehind(line, "scope: !").value_or(0);
      locations[number] = location;
    }
  } else if (line.consume_front("!DIFile(filename: \"")) {
    files[number] = line.take_until([](char c) { return c == '"'; });
  } else if (const auto file = nodeBehind(line, "file: !")) {
    fileOfScope[number] = *file;
  }
}

Places::Place Places::of(StringRef line) const {
  const size_t at = line.rfind("!dbg !");
  const auto number =
      at == StringRef::npos ? std::nullopt : nodeBehind(line.drop_front(at), "!dbg !");
  const auto location = number ? locations.find(*number) : locations.end();
  if (location == locations.end())
    return {};
  const auto file = fileOfScope.find(location->second.scope);
  const auto name = file == fileOfScope.end() ? files.end() : files.find(file->second);
  return {location->second.line, name == files.end() ? StringRef() : name->second};
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
  Places places;
  for (const StringRef line : lines)
    places.read(line);
  ReadableIr result;
  auto fileNumber = [&](StringRef file) {
    const auto found = llvm::find(result.files, file);
    const auto number = uint32_t(found - result.files.begin());
    if (found == result.files.end())
      result.files.push_back(file.str());
    return number;
  };
  for (StringRef line : lines) {
    if (line.starts_with("!") || line.starts_with("; ModuleID") ||
        line.starts_with("source_filename"))
      continue;
    line = line.rtrim();
    if (line.empty() && (result.lines.empty() || result.lines.back().empty()))
      continue;
    const Places::Place place = places.of(line);
    // A function's line ends with the brace, and has metadata in front of it.
    StringRef text = line;
    const bool isHead = text.consume_back(" {");
    if (const size_t at = text.find(" !dbg !"); isHead && at != StringRef::npos)
      text = text.take_front(at);
    result.lines.push_back((isHead ? text + " {" : withoutMetadata(text)).str());
    result.sourceLines.push_back(place.line);
    result.fileOf.push_back(place.line ? fileNumber(place.file) : 0);
  }
  return result;
}

} // namespace report
