//===- Hasher.h - canonical encoding and XXH3-128 -------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Every hash and key of the project is the XXH3-128 of a canonical encoding, never of a C++
/// object's bytes: padding, pointers, host byte order and unordered containers must not get in.
/// The encoding: integers little-endian in their declared width, bool and enums of one byte as one
/// byte, floating point as bits; strings and arrays with their element count as u32 in front.
/// Keys begin with a version (`Hasher(tag)`), so that a change of format can never match old data.
///   Hasher h("compute-pipeline", 1); h.u32(deviceIndex); h.string(entry); Hash128 k = h.finish();
#pragma once

#include "llpc/Compiler.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Endian.h"
#include <type_traits>

namespace llpc {

/// XXH3-128 of plain bytes.
Hash128 hashBytes(llvm::ArrayRef<uint8_t> bytes);

class Hasher {
public:
  /// Of a piece, for raw() of others.
  Hasher() = default;
  /// \p tag and \p version name the format of what follows.
  Hasher(llvm::StringRef tag, uint32_t version) {
    string(tag);
    u32(version);
  }

  void u8(uint8_t v) { bytes.push_back(v); }
  void u32(uint32_t v) { little(v); }
  void u64(uint64_t v) { little(v); }
  void boolean(bool v) { u8(v); }
  template <typename Enum>
    requires std::is_enum_v<Enum>
  void enumeration(Enum v) {
    static_assert(sizeof(Enum) == 1, "wider enums need their own encoding");
    u8(static_cast<uint8_t>(v));
  }
  void string(llvm::StringRef v) {
    u32(static_cast<uint32_t>(v.size()));
    bytes.append(v.bytes_begin(), v.bytes_end());
  }
  void words(llvm::ArrayRef<uint32_t> v) {
    u32(static_cast<uint32_t>(v.size()));
    for (uint32_t word : v)
      u32(word);
  }
  void hash(const Hash128 &v) {
    for (uint32_t word : v)
      u32(word);
  }

  /// What encoding() of another has given.
  void raw(llvm::ArrayRef<uint8_t> encoding) { bytes.append(encoding.begin(), encoding.end()); }
  /// What has been encoded so far.
  llvm::ArrayRef<uint8_t> encoding() const { return bytes; }
  Hash128 finish() const { return hashBytes(bytes); }

private:
  /// One store: keys are made on every creation.
  template <typename T> void little(T v) {
    const size_t at = bytes.size();
    bytes.resize_for_overwrite(at + sizeof(v));
    llvm::support::endian::write<T, llvm::endianness::little>(bytes.data() + at, v);
  }
  llvm::SmallVector<uint8_t, 512> bytes;
};

} // namespace llpc
