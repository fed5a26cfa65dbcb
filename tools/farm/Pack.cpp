//===- Pack.cpp - the inputs of a run, in one file ------------------------===//
// SPDX-License-Identifier: MIT
#include "Pack.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include <unistd.h>

using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
namespace endian = llvm::support::endian;

namespace farm {
namespace {

constexpr char magic[] = "KILNPACK";
constexpr uint64_t version = 1;
constexpr size_t magicBytes = 8, headBytes = 16, footBytes = 40;
constexpr size_t rowAlignment = 8;

static_assert(llvm::endianness::native == llvm::endianness::little, "rows are used where they lie");

} // namespace

//===--- Writing ----------------------------------------------------------===//

Expected<std::unique_ptr<PackWriter>> PackWriter::create(const std::string &path) {
  int descriptor = -1;
  if (std::error_code code =
          llvm::sys::fs::openFileForWrite(path, descriptor, llvm::sys::fs::CD_CreateNew))
    return lgc::invalidInput(path + ": " + code.message());
  std::unique_ptr<PackWriter> writer(new PackWriter(descriptor));
  writer->file.write(magic, magicBytes);
  writer->write(version);
  return writer;
}

bool PackWriter::add(PackRows &rows, ArrayRef<uint8_t> bytes, PackRow row) {
  row.place = file.tell();
  row.bytes = static_cast<uint32_t>(bytes.size());
  if (!rows.insert(row))
    return false;
  file << textOf(bytes);
  return true;
}

Name PackWriter::addModule(ArrayRef<uint8_t> bytes) {
  PackRow row;
  row.name = nameOf(bytes);
  add(moduleRows, bytes, row);
  return row.name;
}

bool PackWriter::addItem(StringRef body, uint32_t cost, Name &name) {
  PackRow row;
  row.name = name = nameOf(bytesOf(body));
  row.cost = cost;
  return add(itemRows, bytesOf(body), row);
}

void PackWriter::write(uint64_t number) {
  char little[8];
  endian::write64le(little, number);
  file.write(little, sizeof little);
}

void PackWriter::write(const std::deque<PackRow> &rows) {
  for (const PackRow &row : rows)
    file.write(reinterpret_cast<const char *>(&row), sizeof row);
}

Error PackWriter::finish(llvm::function_ref<void(const PackRow &)> use) {
  file.write_zeros(static_cast<unsigned>(-file.tell() % rowAlignment));
  const uint64_t itemsAt = file.tell();
  write(itemRows.sorted());
  for (const PackRow &row : itemRows.sorted())
    use(row);
  const uint64_t modulesAt = file.tell();
  write(moduleRows.sorted());
  for (uint64_t number : {itemsAt, uint64_t(items()), modulesAt, uint64_t(modules())})
    write(number);
  file.write(magic, magicBytes);
  file.flush();
  if (!file.has_error() && fsync(descriptor) == 0)
    return Error::success();
  const std::error_code code =
      file.has_error() ? file.error() : std::error_code(errno, std::generic_category());
  file.clear_error();
  return lgc::limitExceeded("pack: " + code.message());
}

//===--- Reading ----------------------------------------------------------===//

Expected<std::unique_ptr<Pack>> Pack::open(const std::string &path) {
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return lgc::invalidInput(path + ": " + file.getError().message());
  std::unique_ptr<Pack> pack(new Pack(std::move(*file)));
  KILN_TRY(pack->readIndex());
  return pack;
}

Expected<ArrayRef<PackRow>> Pack::rowsAt(uint64_t place, uint64_t count) const {
  const uint64_t size = file->getBufferSize();
  if (place % rowAlignment || place > size || count > (size - place) / sizeof(PackRow))
    return lgc::invalidInput(file->getBufferIdentifier() + ": the index does not fit");
  return ArrayRef(reinterpret_cast<const PackRow *>(file->getBufferStart() + place), count);
}

Error Pack::readIndex() {
  const StringRef bytes = file->getBuffer();
  if (bytes.size() < headBytes + footBytes || !bytes.starts_with(magic) || !bytes.ends_with(magic))
    return lgc::invalidInput(file->getBufferIdentifier() + ": no pack of kiln-farm, or a part");
  if (endian::read64le(bytes.data() + magicBytes) != version)
    return lgc::invalidInput(file->getBufferIdentifier() + ": a pack of another version");
  const char *foot = bytes.end() - footBytes;
  itemRows = KILN_TRY(rowsAt(endian::read64le(foot), endian::read64le(foot + 8)));
  moduleRows = KILN_TRY(rowsAt(endian::read64le(foot + 16), endian::read64le(foot + 24)));
  return Error::success();
}

Expected<ArrayRef<uint8_t>> Pack::read(const PackRow &row) const {
  const uint64_t size = file->getBufferSize();
  if (row.place <= size && row.bytes <= size - row.place) {
    const ArrayRef<uint8_t> bytes = bytesOf(file->getBuffer().substr(row.place, row.bytes));
    if (nameOf(bytes) == row.name)
      return bytes;
  }
  return lgc::invalidInput(file->getBufferIdentifier() + ": " + toText(row.name) + " is damaged");
}

Expected<StringRef> Pack::item(size_t index) const {
  ArrayRef<uint8_t> bytes = KILN_TRY(read(itemRows[index]));
  return textOf(bytes);
}

Expected<ArrayRef<uint8_t>> Pack::module(const Name &name) const {
  auto found =
      llvm::partition_point(moduleRows, [&](const PackRow &row) { return row.name < name; });
  if (found == moduleRows.end() || found->name != name)
    return lgc::invalidInput(file->getBufferIdentifier() + ": no module " + toText(name));
  return read(*found);
}

std::pair<size_t, size_t> Pack::range(uint64_t index, uint64_t count) const {
  const auto begin = [&](uint64_t part) -> size_t {
    auto found = llvm::partition_point(itemRows, [&](const PackRow &row) {
      const uint64_t front = endian::read32be(row.name.data());
      return front * count >> 32 < part;
    });
    return static_cast<size_t>(found - itemRows.begin());
  };
  return {begin(index), begin(index + 1)};
}

} // namespace farm
