//===- Plan.h - what a farm is to do --------------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A folder holds a run:
///
///     plan.json     what is compiled, for which targets, by which compiler, and a hash of it all
///     pack          the inputs (Pack.h)
///     wanted.tsv    item and input, for each input
///     buckets/      results (Bucket.h)
///     poison/       what ended its compiler: a report each, and a .pipe file
///     progress/, stats/   of the tasks; nothing depends on them
///
/// The names of the items are divided into a fixed number of ranges, the buckets; a task does some
/// of them. So results do not depend on how many tasks there are.
#pragma once

#include "Pack.h"
#include <optional>

namespace farm {

struct Plan {
  std::string folder;
  std::string compiler; ///< hash of icd::compilerIdentity(), as text
  std::vector<std::string> targets;
  std::optional<unsigned> optLevel; ///< none: the compiler's default
  uint64_t items = 0;
  uint32_t buckets = 0;
  Name hash = {}; ///< of all of it, and the names of the items

  /// Errors: InvalidInput for a file that is not what save() wrote.
  static llvm::Expected<Plan> load(const std::string &folder);
  llvm::Error save() const;
  std::string file(llvm::StringRef name) const;
  std::string bucketFile(uint32_t bucket) const;
  /// Buckets of task \p task of \p tasks: the first, and the one behind the last.
  std::pair<uint32_t, uint32_t> bucketsOf(uint64_t task, uint64_t tasks) const;
};

constexpr size_t manyItems = 100000;
inline uint32_t bucketsFor(size_t items) { return items < manyItems ? 256 : 4096; }

/// Its hash; \p items by name.
class PlanHasher {
public:
  explicit PlanHasher(const Plan &plan);
  void add(const PackRow &item) { maker.add(item.name); }
  Name finish() { return maker.finish(); }

private:
  NameMaker maker;
};

/// Writes a whole file or none. Errors: LimitExceeded with the system's words.
llvm::Error writeFile(const std::string &path, llvm::StringRef bytes);
/// Errors: InvalidInput.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> readFile(const std::string &path);

} // namespace farm
