//===- Pack.h - the inputs of a run, in one file --------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// What a farm compiles, written once and never changed; little-endian:
///
///     "KILNPACK" | u64 version
///     contents of items and modules, one behind the other
///     index of the items, ascending by name; of the modules: rows of 48 bytes (PackRow)
///     u64 place of the items' index | u64 items | u64 place of the modules' index | u64 modules |
///     "KILNPACK"
///
/// Names are hashes of the contents, which are checked when they are read: a pack that was damaged
/// or exchanged never gives other code for a name. An item is a JSON document (Item.h).
#pragma once

#include "Name.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>

namespace farm {

class PackWriter {
public:
  /// Errors: cannot be written.
  static llvm::Expected<std::unique_ptr<PackWriter>> create(const std::string &path);

  Name addModule(llvm::ArrayRef<uint8_t> bytes);
  /// False: there already. \p name gets the item's.
  bool addItem(llvm::StringRef body, uint32_t cost, Name &name);
  size_t items() const { return itemRows.size(); }
  size_t modules() const { return moduleRows.size(); }
  /// Calls \p use for each item, ascending by name, and ends the file. Errors: all of writing.
  llvm::Error finish(llvm::function_ref<void(const PackRow &)> use);

private:
  explicit PackWriter(int descriptor)
      : descriptor(descriptor), file(descriptor, /*shouldClose=*/true) {}
  bool add(PackRows &rows, llvm::ArrayRef<uint8_t> bytes, PackRow row);
  void write(const std::deque<PackRow> &rows);
  void write(uint64_t number);

  const int descriptor;
  llvm::raw_fd_ostream file;
  PackRows itemRows, moduleRows;
};

class Pack {
public:
  /// Errors: InvalidInput for what is no pack.
  static llvm::Expected<std::unique_ptr<Pack>> open(const std::string &path);

  llvm::ArrayRef<PackRow> items() const { return itemRows; }
  /// Errors: InvalidInput for contents that do not have their name.
  llvm::Expected<llvm::StringRef> item(size_t index) const;
  llvm::Expected<llvm::ArrayRef<uint8_t>> module(const Name &name) const;
  /// First and last item, and one more, of part \p index of \p count of all names.
  std::pair<size_t, size_t> range(uint64_t index, uint64_t count) const;

private:
  explicit Pack(std::unique_ptr<llvm::MemoryBuffer> file) : file(std::move(file)) {}
  llvm::Error readIndex();
  llvm::Expected<llvm::ArrayRef<PackRow>> rowsAt(uint64_t place, uint64_t count) const;
  llvm::Expected<llvm::ArrayRef<uint8_t>> read(const PackRow &row) const;

  const std::unique_ptr<llvm::MemoryBuffer> file;
  llvm::ArrayRef<PackRow> itemRows, moduleRows;
};

} // namespace farm
