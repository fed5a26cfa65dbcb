//===- Merge.h - what a farm has made, as one -----------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// All buckets of a run in their order, one in memory at a time, for exports that each take what
/// they need.
#pragma once

#include "Bucket.h"
#include "Plan.h"
#include "icd_glue/server/Signature.h"
#include <memory>

namespace farm {

/// A result of a run, and where it lies.
struct MergedRow {
  const BucketView::Row &row;
  uint32_t bucket = 0;
};

class Export {
public:
  virtual ~Export();
  /// A result with Status::Good. Errors end the merge.
  virtual llvm::Error add(const MergedRow &merged) = 0;
  virtual llvm::Error finish() = 0;
};

struct Merged {
  Name hash = {}; ///< of all buckets: equal for equal plans, whoever compiled them
  std::array<uint64_t, statusCount> byStatus = {};
  uint64_t missing = 0; ///< buckets
};

/// Errors: InvalidInput for missing buckets unless \p isPartial, and for damaged ones.
llvm::Expected<Merged> mergeRun(const Plan &plan, bool isPartial,
                                llvm::ArrayRef<std::unique_ptr<Export>> exports,
                                const std::function<void(uint32_t bucket)> &progress);

//===--- Exports ----------------------------------------------------------===//

/// A cache-1.db for drivers with the same variables as this process (KILN_PARTS, KILN_TIER): all
/// targets in one.
llvm::Expected<std::unique_ptr<Export>> diskCacheExport(const Plan &plan, const std::string &path);
/// Data of a VkPipelineCache for one target.
llvm::Expected<std::unique_ptr<Export>> pipelineCacheExport(const Plan &plan, uint32_t target,
                                                            const std::string &path);
/// A tar archive with ITEM.TARGET.elf for each.
llvm::Expected<std::unique_ptr<Export>> elfExport(const Plan &plan, const std::string &path);
/// A cache of Vulkan SC for one target, without JSON and SPIR-V. In memory.
llvm::Expected<std::unique_ptr<Export>> scExport(const Plan &plan, uint32_t target,
                                                 const std::string &path);

/// What a server has taken.
struct Published {
  uint64_t stored = 0, notStored = 0;
};
/// Code on a server for drivers (icd_glue/server/ServerEntry.h). \p signer and \p published must
/// outlive it. Errors: InvalidInput for keys that are not enough.
llvm::Expected<std::unique_ptr<Export>> serverExport(const Plan &plan, const std::string &address,
                                                     const icd::Secrets &keys,
                                                     const icd::Signer &signer,
                                                     Published &published);

} // namespace farm
