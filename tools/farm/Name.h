//===- Name.h - names of contents -----------------------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/BLAKE3.h"
#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace farm {

/// BLAKE3-256.
using Name = std::array<uint8_t, 32>;

inline llvm::ArrayRef<uint8_t> bytesOf(llvm::StringRef text) {
  return {reinterpret_cast<const uint8_t *>(text.data()), text.size()};
}
inline llvm::StringRef textOf(llvm::ArrayRef<uint8_t> bytes) {
  return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

class NameMaker {
public:
  NameMaker &add(llvm::ArrayRef<uint8_t> bytes) {
    state.update(bytes);
    return *this;
  }
  /// With its size, so that what follows cannot be taken for a part of it.
  NameMaker &addSized(llvm::StringRef text) {
    const uint64_t size = text.size();
    state.update({reinterpret_cast<const uint8_t *>(&size), sizeof size});
    state.update(text);
    return *this;
  }
  Name finish() { return state.final<32>(); }

private:
  llvm::BLAKE3 state;
};

inline Name nameOf(llvm::ArrayRef<uint8_t> bytes) { return NameMaker().add(bytes).finish(); }
/// 64 hexadecimal digits, lower case.
std::string toText(const Name &name);
std::optional<Name> nameFromText(llvm::StringRef text);

/// A row of a pack's index.
struct PackRow {
  Name name = {};
  uint64_t place = 0;
  uint32_t bytes = 0;
  uint32_t cost = 0; ///< of items: what compiling one takes, in units of no meaning
};
static_assert(sizeof(PackRow) == 48, "it is what files hold");

/// Rows by name. A million takes 56 MB, and at no moment more than that.
class PackRows {
public:
  /// Null: not there.
  const PackRow *find(const Name &name) const;
  /// False: there already.
  bool insert(const PackRow &row);
  size_t size() const { return rows.size(); }
  /// Sorts them by name; nothing can be looked up afterwards.
  const std::deque<PackRow> &sorted();

private:
  size_t slotOf(const Name &name) const;
  void grow();

  std::deque<PackRow> rows;
  std::vector<uint32_t> slots; ///< number of a row and 1; 0: empty
};

} // namespace farm
