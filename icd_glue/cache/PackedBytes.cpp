//===- PackedBytes.cpp - bytes with a checksum, compressed ----------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/cache/PackedBytes.h"
#include "llvm/Support/Endian.h"
#include <zstd.h>
// Inlined: LLVM has functions of similar names.
#define XXH_INLINE_ALL
#include <xxhash.h>

using namespace llvm;
using namespace llvm::support;

namespace icd {
namespace {

enum Method : uint8_t { Plain = 0, Zstd = 1 };

constexpr size_t sizeAt = 8, methodAt = 12, headerBytes = 13;

uint64_t checksumOf(const llpc::Hash128 &key, ArrayRef<uint8_t> covered) {
  uint8_t words[16];
  for (unsigned index = 0; index < 4; ++index)
    endian::write32le(words + 4 * index, key[index]);
  return XXH3_64bits_withSeed(covered.data(), covered.size(), XXH3_64bits(words, sizeof(words)));
}

} // namespace

BytePacker::BytePacker(int level) : level(level), context(ZSTD_createCCtx()) {}
BytePacker::~BytePacker() { ZSTD_freeCCtx(context); }

std::optional<std::vector<uint8_t>> BytePacker::pack(const llpc::Hash128 &key,
                                                     ArrayRef<uint8_t> bytes) {
  if (bytes.size() > mostBytes || !context)
    return std::nullopt;
  std::vector<uint8_t> packed(headerBytes + ZSTD_compressBound(bytes.size()));
  const size_t size =
      ZSTD_compressCCtx(context, packed.data() + headerBytes, packed.size() - headerBytes,
                        bytes.data(), bytes.size(), level);
  const bool isSmaller = !ZSTD_isError(size) && size < bytes.size();
  packed.resize(headerBytes + (isSmaller ? size : bytes.size()));
  if (!isSmaller && !bytes.empty())
    memcpy(packed.data() + headerBytes, bytes.data(), bytes.size());
  endian::write32le(packed.data() + sizeAt, static_cast<uint32_t>(bytes.size()));
  packed[methodAt] = isSmaller ? Zstd : Plain;
  endian::write64le(packed.data(), checksumOf(key, ArrayRef(packed).drop_front(sizeAt)));
  return packed;
}

ByteUnpacker::ByteUnpacker() : context(ZSTD_createDCtx()) {}
ByteUnpacker::~ByteUnpacker() { ZSTD_freeDCtx(context); }

std::optional<std::vector<uint8_t>> ByteUnpacker::unpack(const llpc::Hash128 &key,
                                                         ArrayRef<uint8_t> packed) {
  if (packed.size() < headerBytes || !context ||
      endian::read64le(packed.data()) != checksumOf(key, packed.drop_front(sizeAt)))
    return std::nullopt;
  const size_t size = endian::read32le(packed.data() + sizeAt);
  const ArrayRef<uint8_t> stored = packed.drop_front(headerBytes);
  if (packed[methodAt] == Plain)
    return stored.size() == size ? std::optional(stored.vec()) : std::nullopt;
  // The checksum keeps damage out, but not somebody who can compute one.
  if (packed[methodAt] != Zstd || size > BytePacker::mostBytes ||
      ZSTD_getFrameContentSize(stored.data(), stored.size()) != size)
    return std::nullopt;
  std::vector<uint8_t> bytes(size);
  if (ZSTD_decompressDCtx(context, bytes.data(), size, stored.data(), stored.size()) != size)
    return std::nullopt;
  return bytes;
}

} // namespace icd
