//===- KeyWriter.cpp - canonical encoding and hash of keys ----------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/key/KeyWriter.h"
// Inlined: LLVM has functions of similar names.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace icd {

llpc::Hash128 hashBytes(llvm::ArrayRef<uint8_t> bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {static_cast<uint32_t>(hash.high64 >> 32), static_cast<uint32_t>(hash.high64),
          static_cast<uint32_t>(hash.low64 >> 32), static_cast<uint32_t>(hash.low64)};
}

KeyBytes bytesOf(const llpc::Hash128 &hash) {
  KeyBytes bytes;
  for (size_t i = 0; i < hash.size(); ++i)
    llvm::support::endian::write32be(bytes.data() + 4 * i, hash[i]);
  return bytes;
}

llpc::Hash128 hashOf(const uint8_t *bytes) {
  llpc::Hash128 hash;
  for (size_t i = 0; i < hash.size(); ++i)
    hash[i] = llvm::support::endian::read32be(bytes + 4 * i);
  return hash;
}

} // namespace icd
