//===- CheckedBytes.cpp - bytes with a checksum in front ------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/cache/CheckedBytes.h"
#include "llvm/Support/Endian.h"
// Inlined: LLVM has functions of similar names.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace icd {

using llvm::ArrayRef;
namespace endian = llvm::support::endian;

static uint64_t checksumOf(const llpc::Hash128 &key, ArrayRef<uint8_t> covered) {
  uint8_t words[16];
  for (unsigned index = 0; index < 4; ++index)
    endian::write32le(words + 4 * index, key[index]);
  return XXH3_64bits_withSeed(covered.data(), covered.size(), XXH3_64bits(words, sizeof(words)));
}

std::vector<uint8_t> withChecksum(const llpc::Hash128 &key, ArrayRef<uint8_t> bytes) {
  std::vector<uint8_t> stored(sizeof(uint64_t));
  stored.insert(stored.end(), bytes.begin(), bytes.end());
  endian::write64le(stored.data(), checksumOf(key, bytes));
  return stored;
}

std::optional<ArrayRef<uint8_t>> checkedBytes(const llpc::Hash128 &key, ArrayRef<uint8_t> stored) {
  if (stored.size() < sizeof(uint64_t))
    return std::nullopt;
  const ArrayRef<uint8_t> bytes = stored.drop_front(sizeof(uint64_t));
  if (endian::read64le(stored.data()) != checksumOf(key, bytes))
    return std::nullopt;
  return bytes;
}

} // namespace icd
