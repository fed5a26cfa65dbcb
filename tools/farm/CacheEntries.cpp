//===- CacheEntries.cpp - what a result holds for the driver's caches -----===//
// SPDX-License-Identifier: MIT
#include "CacheEntries.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/Try.h"

using llvm::ArrayRef;
using llvm::Error;

namespace farm {

Error eachEntry(const MergedRow &merged,
                llvm::function_ref<Error(const icd::CacheEntryView &)> use) {
  ArrayRef<uint8_t> rest = bytesOf(merged.row.payload.drop_front());
  bool isGood = icd::isBeginOfCacheData(rest);
  rest = rest.drop_front(std::min(rest.size(), icd::cacheDataBegin));
  uint64_t budget = rest.size();
  while (isGood && !rest.empty()) {
    const std::optional<icd::CacheEntryView> entry = icd::cacheEntryAt(rest, budget);
    isGood = entry.has_value();
    if (!entry)
      break;
    KILN_TRY(use(*entry));
    rest = rest.drop_front(entry->all.size());
  }
  return isGood ? Error::success()
                : lgc::invalidInput(toText(merged.row.item) + ": not what a cache holds");
}

} // namespace farm
