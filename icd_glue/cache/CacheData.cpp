//===- CacheData.cpp - data of a VkPipelineCache, entry by entry ----------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/cache/CacheData.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
// Inlined: LLVM has functions of similar names.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace icd {
namespace {

using llvm::ArrayRef;
namespace endian = llvm::support::endian;

constexpr uint32_t dataMagic = 0x44434C4B;  // "KLCD"
constexpr uint32_t entryMagic = 0x45434C4B; // "KLCE"
constexpr uint32_t dataVersion = 2;
// Places in an entry.
constexpr size_t magicAt = 8, domainAt = 12, keyCountAt = 16, recordBytesAt = 20, keysAt = 24;
static_assert(keysAt == leastCacheEntry);

void append(std::vector<uint8_t> &bytes, ArrayRef<uint8_t> more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}
void append(std::vector<uint8_t> &bytes, uint32_t number) {
  uint8_t little[4];
  endian::write32le(little, number);
  append(bytes, ArrayRef<uint8_t>(little));
}

} // namespace

std::vector<uint8_t> beginOfCacheData() {
  std::vector<uint8_t> data;
  append(data, dataMagic);
  append(data, dataVersion);
  return data;
}

bool isBeginOfCacheData(ArrayRef<uint8_t> data) {
  return data.size() >= cacheDataBegin && endian::read32le(data.data()) == dataMagic &&
         endian::read32le(data.data() + 4) == dataVersion;
}

std::optional<CacheEntryView> cacheEntryAt(ArrayRef<uint8_t> bytes, uint64_t &budget) {
  if (bytes.size() < keysAt || endian::read32le(bytes.data() + magicAt) != entryMagic)
    return std::nullopt;
  const uint64_t keyBytes =
      uint64_t(endian::read32le(bytes.data() + keyCountAt)) * sizeof(KeyBytes);
  const uint64_t recordBytes = endian::read32le(bytes.data() + recordBytesAt);
  const uint64_t size = llvm::alignTo(keysAt + keyBytes + recordBytes, cacheDataAlignment);
  if (size > bytes.size() || size > budget)
    return std::nullopt;
  budget -= size;
  CacheEntryView entry;
  entry.all = bytes.take_front(size);
  const ArrayRef<uint8_t> covered = entry.all.drop_front(sizeof(uint64_t));
  if (endian::read64le(bytes.data()) != XXH3_64bits(covered.data(), covered.size()))
    return std::nullopt;
  entry.domain = static_cast<CacheKey::Domain>(bytes[domainAt]);
  if (entry.domain != CacheKey::Domain::Pipeline && entry.domain != CacheKey::Domain::Part)
    return std::nullopt;
  entry.keys = bytes.slice(keysAt, keyBytes);
  entry.record = bytes.slice(keysAt + keyBytes, recordBytes);
  return entry;
}

size_t cacheEntryBytes(size_t keys, size_t recordBytes) {
  return llvm::alignTo(keysAt + keys * sizeof(KeyBytes) + recordBytes, cacheDataAlignment);
}

void appendCacheEntry(std::vector<uint8_t> &data, CacheKey::Domain domain,
                      ArrayRef<llpc::Hash128> keys, ArrayRef<uint8_t> record) {
  const size_t begin = data.size();
  data.resize(begin + sizeof(uint64_t));
  append(data, entryMagic);
  append(data, static_cast<uint32_t>(domain));
  append(data, static_cast<uint32_t>(keys.size()));
  append(data, static_cast<uint32_t>(record.size()));
  for (const llpc::Hash128 &key : keys)
    append(data, bytesOf(key));
  append(data, record);
  data.resize(begin + cacheEntryBytes(keys.size(), record.size()));
  const ArrayRef<uint8_t> covered = ArrayRef(data).drop_front(begin + sizeof(uint64_t));
  endian::write64le(data.data() + begin, XXH3_64bits(covered.data(), covered.size()));
}

} // namespace icd
