//===- Report.h - what the pipelines of a cache take ----------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "icd_glue/sc/ScCache.h"

namespace pcc {

/// One of the hardware's stages of a pipeline.
struct StageReport {
  std::string name; ///< "vertex", "vertex, geometry"
  uint32_t vgprs = 0, sgprs = 0, ldsBytes = 0, scratchBytes = 0, codeBytes = 0, waveSize = 0,
           wavesPerSimd = 0; ///< the last one is the occupancy that these allow
};
std::vector<StageReport> stagesOf(const icd::sc::Entry &entry);

/// VkPipelinePoolSize values with which all pipelines of a cache can exist once, at the same time.
struct PoolSize {
  uint64_t entryBytes = 0;
  uint32_t entryCount = 0;
};
std::vector<PoolSize> poolSizesOf(llvm::ArrayRef<icd::sc::Entry> entries);

/// \p names: of each entry's file, or empty. The same input gives the same text.
std::string reportAsJson(llvm::StringRef target, llvm::ArrayRef<icd::sc::Entry> entries,
                         llvm::ArrayRef<std::string> names);
std::string reportAsHtml(llvm::StringRef target, llvm::ArrayRef<icd::sc::Entry> entries,
                         llvm::ArrayRef<std::string> names);

} // namespace pcc
