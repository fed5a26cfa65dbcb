//===- KeyWriter.h - canonical encoding and hash of keys ------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Every key of the driver is the XXH3-128 of a canonical encoding, never of a C++ object's bytes:
/// integers little-endian in their declared width, bool as one byte, strings and lists with their
/// length in front. So it is the same in every process and on every machine.
///
///     KeyWriter key("compute-pipeline", 1);   // what it is, and the version of the encoding
///     key.u32(flags); key.string(entry);
///     llpc::Hash128 hash = key.finish();
#pragma once

#include "llpc/Compiler.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Endian.h"

namespace icd {

/// XXH3-128 of plain bytes.
llpc::Hash128 hashBytes(llvm::ArrayRef<uint8_t> bytes);

/// A hash as Vulkan's identifiers and keys have it: 16 bytes, most significant first.
using KeyBytes = std::array<uint8_t, 16>;
KeyBytes bytesOf(const llpc::Hash128 &hash);
llpc::Hash128 hashOf(const uint8_t *bytes);

class KeyWriter {
public:
  /// Of a piece, for raw() of others.
  KeyWriter() = default;
  KeyWriter(llvm::StringRef kind, uint32_t version) {
    string(kind);
    u32(version);
  }

  void u8(uint8_t value) { bytes.push_back(value); }
  void u32(uint32_t value) { little(value); }
  void u64(uint64_t value) { little(value); }
  void boolean(bool value) { u8(value); }
  void string(llvm::StringRef value) {
    u32(static_cast<uint32_t>(value.size()));
    bytes.append(value.bytes_begin(), value.bytes_end());
  }
  void hash(const llpc::Hash128 &value) {
    for (uint32_t word : value)
      u32(word);
  }
  void raw(llvm::ArrayRef<uint8_t> encoding) { bytes.append(encoding.begin(), encoding.end()); }
  llvm::ArrayRef<uint8_t> encoding() const { return bytes; }
  llpc::Hash128 finish() const { return hashBytes(bytes); }

private:
  template <typename T> void little(T value) {
    const size_t at = bytes.size();
    bytes.resize_for_overwrite(at + sizeof(T));
    llvm::support::endian::write<T, llvm::endianness::little>(bytes.data() + at, value);
  }
  llvm::SmallVector<uint8_t, 512> bytes;
};

} // namespace icd
