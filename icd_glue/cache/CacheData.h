//===- CacheData.h - data of a VkPipelineCache, entry by entry ------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The format is CacheContent's. For who writes more of it than memory holds.
#pragma once

#include "icd_glue/cache/ShaderCache.h"
#include "icd_glue/key/KeyBytes.h"

namespace icd {

/// Bytes in front of the entries, which lie at multiples of cacheDataAlignment.
inline constexpr size_t cacheDataBegin = 8, cacheDataAlignment = 8;
/// No entry is smaller.
inline constexpr size_t leastCacheEntry = 24;

std::vector<uint8_t> beginOfCacheData();
bool isBeginOfCacheData(llvm::ArrayRef<uint8_t> data);

/// One entry, as far as its lengths are sound. Belongs to the data.
struct CacheEntryView {
  llvm::ArrayRef<uint8_t> all;
  CacheKey::Domain domain;
  llvm::ArrayRef<uint8_t> keys, record; ///< sizeof(KeyBytes) a key
};
/// The entry at the beginning of \p bytes; none if it is not one, or damaged. \p budget: bytes that
/// may still be hashed.
std::optional<CacheEntryView> cacheEntryAt(llvm::ArrayRef<uint8_t> bytes, uint64_t &budget);

size_t cacheEntryBytes(size_t keys, size_t recordBytes);
/// \p keys: ascending.
void appendCacheEntry(std::vector<uint8_t> &data, CacheKey::Domain domain,
                      llvm::ArrayRef<llpc::Hash128> keys, llvm::ArrayRef<uint8_t> record);

} // namespace icd
