//===- AliasRecord.cpp - which other key has a record ---------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Apart from Record.cpp, which knows code objects: a cache needs no more than this.
#include "icd_glue/cache/Record.h"
#include "llvm/Support/Endian.h"

namespace icd {
namespace {

namespace little = llvm::support::endian;

constexpr uint32_t aliasMagic = 0x41434C4B; // "KLCA"
/// The magic number, the domain, the hash.
constexpr size_t domainOffset = 4, hashOffset = 5, aliasBytes = 21;

} // namespace

std::vector<uint8_t> encodeAlias(const CacheKey &key) {
  std::vector<uint8_t> bytes(aliasBytes);
  little::write32le(bytes.data(), aliasMagic);
  bytes[domainOffset] = static_cast<uint8_t>(key.domain);
  for (size_t i = 0; i < key.hash.size(); ++i)
    little::write32le(bytes.data() + hashOffset + 4 * i, key.hash[i]);
  return bytes;
}

std::optional<CacheKey> decodeAlias(llvm::ArrayRef<uint8_t> bytes) {
  if (bytes.size() != aliasBytes || little::read32le(bytes.data()) != aliasMagic)
    return std::nullopt;
  // A name of a name would be one too many.
  const auto domain = static_cast<CacheKey::Domain>(bytes[domainOffset]);
  if (domain != CacheKey::Domain::Code && domain != CacheKey::Domain::Linked &&
      domain != CacheKey::Domain::Part)
    return std::nullopt;
  CacheKey key{domain, {}};
  for (size_t i = 0; i < key.hash.size(); ++i)
    key.hash[i] = little::read32le(bytes.data() + hashOffset + 4 * i);
  return key;
}

} // namespace icd
