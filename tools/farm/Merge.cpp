//===- Merge.cpp - what a farm has made, as one ---------------------------===//
// SPDX-License-Identifier: MIT
#include "Merge.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/Try.h"
#include "llvm/Support/FileSystem.h"

using llvm::Error;
using llvm::Expected;

namespace farm {
namespace {

Error addBucket(const Plan &plan, uint32_t bucket, llvm::ArrayRef<std::unique_ptr<Export>> exports,
                Merged &merged, NameMaker &all) {
  const std::unique_ptr<llvm::MemoryBuffer> file = KILN_TRY(readFile(plan.bucketFile(bucket)));
  BucketView view = KILN_TRY(BucketView::create(file->getBuffer(), plan.hash, bucket));
  all.add(view.hash());
  for (const BucketView::Row &row : view.rows()) {
    if (row.target >= plan.targets.size())
      return lgc::invalidInput(plan.bucketFile(bucket) + ": a target that the plan does not have");
    ++merged.byStatus[static_cast<size_t>(row.status)];
    if (row.status != Status::Good)
      continue;
    for (const std::unique_ptr<Export> &one : exports)
      KILN_TRY(one->add({row, bucket}));
  }
  return Error::success();
}

} // namespace

Export::~Export() = default;

Expected<Merged> mergeRun(const Plan &plan, bool isPartial,
                          llvm::ArrayRef<std::unique_ptr<Export>> exports,
                          const std::function<void(uint32_t bucket)> &progress) {
  Merged merged;
  std::vector<bool> isThere(plan.buckets);
  for (uint32_t bucket = 0; bucket < plan.buckets; ++bucket) {
    isThere[bucket] = llvm::sys::fs::exists(plan.bucketFile(bucket));
    merged.missing += !isThere[bucket];
  }
  if (merged.missing && !isPartial)
    return lgc::invalidInput(llvm::Twine(merged.missing) + " of " + llvm::Twine(plan.buckets) +
                             " buckets are missing: not everything is compiled");
  NameMaker all;
  for (uint32_t bucket = 0; bucket < plan.buckets; ++bucket) {
    if (isThere[bucket])
      KILN_TRY(addBucket(plan, bucket, exports, merged, all));
    if (progress)
      progress(bucket);
  }
  for (const std::unique_ptr<Export> &one : exports)
    KILN_TRY(one->finish());
  merged.hash = all.finish();
  return merged;
}

} // namespace farm
