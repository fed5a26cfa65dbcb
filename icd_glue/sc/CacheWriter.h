//===- CacheWriter.h - writes pipeline caches of Vulkan SC ----------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/sc/ScCache.h"

namespace icd::sc {

/// The bytes of a cache with \p entries in their order; CacheView reads them. Everything
/// in it is aligned to 8 bytes. Code, JSON and SPIR-V are copied; hash is computed.
std::vector<uint8_t> writeCache(const Header &header, llvm::ArrayRef<Entry> entries);

} // namespace icd::sc
