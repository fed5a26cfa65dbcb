//===- PackedBytes.h - bytes with a checksum, compressed ------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// How the cache on disk keeps bytes: zstd where that is smaller, behind a checksum that also
/// covers the key, so that neither damage nor a mixed-up row ever comes out as something else.
/// Numbers are little-endian:
///
///   u64 XXH3-64 of key and all that follows | u32 bytes when unpacked | u8 method | stored bytes
#pragma once

#include "llpc/Compiler.h"
#include "llvm/ADT/ArrayRef.h"
#include <memory>
#include <optional>
#include <vector>

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

namespace icd {

/// Threads: one at a time.
class BytePacker {
public:
  /// Records of a few KB: 3 takes a third longer to pack than 1 and saves a twentieth; more saves
  /// nothing. Below 0 unpacking takes a third of the time, for half as many bytes again.
  static constexpr int smallLevel = 3, fastLevel = -5;
  /// \p level: of zstd.
  explicit BytePacker(int level = smallLevel);
  ~BytePacker();
  BytePacker(const BytePacker &) = delete;

  /// None: too large (see mostBytes).
  std::optional<std::vector<uint8_t>> pack(const llpc::Hash128 &key, llvm::ArrayRef<uint8_t> bytes);

  /// What is larger is not kept.
  static constexpr size_t mostBytes = 64 << 20;

private:
  const int level;
  ZSTD_CCtx_s *context;
};

/// Threads: one at a time.
class ByteUnpacker {
public:
  ByteUnpacker();
  ~ByteUnpacker();
  ByteUnpacker(const ByteUnpacker &) = delete;

  /// None: this is not what pack() made for \p key.
  std::optional<std::vector<uint8_t>> unpack(const llpc::Hash128 &key,
                                             llvm::ArrayRef<uint8_t> packed);

private:
  ZSTD_DCtx_s *context;
};

} // namespace icd
