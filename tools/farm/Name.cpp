//===- Name.cpp - names of contents ---------------------------------------===//
// SPDX-License-Identifier: MIT
#include "Name.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <cstring>

namespace farm {

std::string toText(const Name &name) {
  return llvm::toHex(llvm::ArrayRef<uint8_t>(name), /*LowerCase=*/true);
}

std::optional<Name> nameFromText(llvm::StringRef text) {
  std::string bytes;
  if (text.size() != 64 || !llvm::tryGetFromHex(text, bytes))
    return std::nullopt;
  Name name;
  std::memcpy(name.data(), bytes.data(), name.size());
  return name;
}

/// Names are hashes, so that any bytes of them will do.
size_t PackRows::slotOf(const Name &name) const {
  uint64_t start = 0;
  std::memcpy(&start, name.data() + 8, sizeof start);
  size_t slot = start & (slots.size() - 1);
  while (slots[slot] && rows[slots[slot] - 1].name != name)
    slot = (slot + 1) & (slots.size() - 1);
  return slot;
}

void PackRows::grow() {
  slots.assign(std::max<size_t>(slots.size() * 2, 1024), 0);
  for (size_t i = 0; i < rows.size(); ++i)
    slots[slotOf(rows[i].name)] = static_cast<uint32_t>(i + 1);
}

const PackRow *PackRows::find(const Name &name) const {
  const uint32_t found = slots.empty() ? 0 : slots[slotOf(name)];
  return found ? &rows[found - 1] : nullptr;
}

bool PackRows::insert(const PackRow &row) {
  if (rows.size() * 2 >= slots.size())
    grow();
  uint32_t &slot = slots[slotOf(row.name)];
  if (slot)
    return false;
  rows.push_back(row);
  slot = static_cast<uint32_t>(rows.size());
  return true;
}

const std::deque<PackRow> &PackRows::sorted() {
  slots = {};
  std::sort(rows.begin(), rows.end(),
            [](const PackRow &a, const PackRow &b) { return a.name < b.name; });
  return rows;
}

} // namespace farm
