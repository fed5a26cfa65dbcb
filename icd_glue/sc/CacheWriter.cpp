//===- CacheWriter.cpp - writes pipeline caches of Vulkan SC --------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/sc/CacheWriter.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include <cstring>

namespace icd::sc {
namespace {

class Writer {
public:
  explicit Writer(size_t size) : bytes(size) {}

  void put32(size_t at, uint32_t value) {
    llvm::support::endian::write32le(bytes.data() + at, value);
  }
  void put64(size_t at, uint64_t value) {
    llvm::support::endian::write64le(bytes.data() + at, value);
  }
  template <size_t N> void put(size_t at, const std::array<uint8_t, N> &value) {
    std::memcpy(bytes.data() + at, value.data(), N);
  }
  /// Appends at the next multiple of 8; returns the place.
  size_t append(const void *data, size_t size) {
    bytes.resize((bytes.size() + 7) / 8 * 8);
    const size_t place = bytes.size();
    bytes.resize(place + size);
    if (size)
      std::memcpy(bytes.data() + place, data, size);
    return place;
  }

  /// A module that several stages have is there once.
  size_t appendModule(llvm::ArrayRef<uint8_t> module) {
    auto [at, isNew] = modules.try_emplace(llvm::toStringRef(module), 0);
    if (isNew)
      at->second = append(module.data(), module.size());
    return at->second;
  }

  void writeHeader(const Header &header, size_t count) {
    put32(0, headerBytes);
    put32(4, headerVersion);
    put32(8, header.vendorId);
    put32(12, header.deviceId);
    put(16, header.uuid);
    put32(32, validationVersion);
    put32(36, header.implementationData);
    put32(40, static_cast<uint32_t>(count));
    put32(44, ourIndexStride);
    put64(48, headerBytes);
  }

  void writeEntry(size_t at, const Entry &entry) {
    put(at, entry.identifier);
    put64(at + 16, entry.memoryBytes);
    if (!entry.modules.empty()) {
      put64(at + 24, entry.json.size());
      put64(at + 32, append(entry.json.data(), entry.json.size()));
      const std::vector<uint8_t> empty(entry.modules.size() * stageEntryBytes);
      const size_t index = append(empty.data(), empty.size());
      put32(at + 40, static_cast<uint32_t>(entry.modules.size()));
      put32(at + 44, stageEntryBytes);
      put64(at + 48, index);
      for (size_t i = 0; i < entry.modules.size(); ++i) {
        put64(index + i * stageEntryBytes, entry.modules[i].size());
        put64(index + i * stageEntryBytes + 8, appendModule(entry.modules[i]));
      }
    }
    const size_t ours = at + indexEntryBytes;
    put64(ours, append(entry.elf.data(), entry.elf.size()));
    put64(ours + 8, entry.elf.size());
    put64(ours + 16, hashOf(entry));
    put32(ours + 24, entry.stages);
    put32(ours + 28, entry.debugHash);
    put(ours + 32, entry.inputs);
  }

  std::vector<uint8_t> bytes;
  llvm::DenseMap<llvm::StringRef, size_t> modules; ///< places of their text
};

} // namespace

std::vector<uint8_t> writeCache(const Header &header, llvm::ArrayRef<Entry> entries) {
  Writer writer(headerBytes + entries.size() * ourIndexStride);
  writer.writeHeader(header, entries.size());
  for (size_t i = 0; i < entries.size(); ++i)
    writer.writeEntry(headerBytes + i * ourIndexStride, entries[i]);
  return std::move(writer.bytes);
}

} // namespace icd::sc
