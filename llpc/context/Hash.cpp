//===- Hash.cpp - canonical encoding and XXH3-128 -------------------------===//
// SPDX-License-Identifier: MIT
#include "llpc/context/Hash.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <bit>

// Inlined: LLVM has an xxhash of its own whose functions have similar names, and the library's
// symbols would be one more thing to link.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace llpc {

static Hash128 fromXxh(XXH128_hash_t h) {
  return {static_cast<uint32_t>(h.high64 >> 32), static_cast<uint32_t>(h.high64),
          static_cast<uint32_t>(h.low64 >> 32), static_cast<uint32_t>(h.low64)};
}

Hash128 hashBytes(llvm::ArrayRef<uint8_t> bytes) {
  return fromXxh(XXH3_128bits(bytes.data(), bytes.size()));
}

Hash128 hashWords(llvm::ArrayRef<uint32_t> words) {
  if constexpr (std::endian::native == std::endian::little)
    return fromXxh(XXH3_128bits(words.data(), words.size() * 4));
  llvm::SmallVector<uint8_t, 0> bytes;
  bytes.reserve(words.size() * 4);
  for (uint32_t word : words)
    for (unsigned i = 0; i < 4; ++i)
      bytes.push_back(static_cast<uint8_t>(word >> (8 * i)));
  return hashBytes(bytes);
}

std::array<uint64_t, 2> halves(const Hash128 &hash) {
  return {uint64_t(hash[0]) << 32 | hash[1], uint64_t(hash[2]) << 32 | hash[3]};
}

std::string toString(const Hash128 &hash) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (uint32_t word : hash)
    os << llvm::format("%08x", word);
  return text;
}

} // namespace llpc
