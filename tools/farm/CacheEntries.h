//===- CacheEntries.h - what a result holds for the driver's caches -------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "Merge.h"
#include "icd_glue/cache/CacheData.h"

namespace farm {

inline bool isKind(const MergedRow &merged, PayloadKind kind) {
  return merged.row.payload.starts_with(static_cast<char>(kind));
}

/// Calls \p use for each entry of a payload of PayloadKind::Cache. Errors: it holds something else.
llvm::Error eachEntry(const MergedRow &merged,
                      llvm::function_ref<llvm::Error(const icd::CacheEntryView &)> use);

} // namespace farm
