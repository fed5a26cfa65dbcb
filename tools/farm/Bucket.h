//===- Bucket.h - results of a range of items -----------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The unit of what a farm puts out; little-endian:
///
///     "KILNBKT" 1 | hash of the plan | u32 bucket | u32 results
///     each: name of the item | u8 number of the target | u8 Status | u16 0 | u32 bytes | payload
///     BLAKE3-256 of all in front of it
///
/// Ascending by item and target; without times and hosts. The same plan gives the same bytes
/// whoever does it, so that a bucket may be made any number of times, and the first one stays.
#pragma once

#include "Name.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace farm {

enum class Status : uint8_t {
  Good = 1,
  Failed,  ///< an error of the compiler: the payload is its text
  Skipped, ///< no such pipeline on this target: why
  Poison,  ///< ended its compiler twice; a report lies beside (Plan.h)
};
constexpr size_t statusCount = 5;
/// "good", "failed", "skipped", "poison".
const char *nameOf(Status status);

/// What a payload of Status::Good begins with.
enum class PayloadKind : char {
  Cache = 'C', ///< as the data of a VkPipelineCache behind its head
  Sc = 'S',    ///< an entry of a cache of Vulkan SC (ScPayload.h)
  Elf = 'E',
};

struct Result {
  Name item = {};
  uint8_t target = 0;
  Status status = Status::Good;
  std::string payload;
};

/// Sorts them first.
std::string encodeBucket(const Name &plan, uint32_t bucket, std::vector<Result> &results);

class BucketView {
public:
  struct Row {
    Name item = {};
    uint8_t target = 0;
    Status status = Status::Good;
    llvm::StringRef payload; ///< belongs to the bytes
    uint64_t place = 0;      ///< of the payload
  };
  /// Reads all of it. Errors: InvalidInput for what is not a whole bucket of this plan.
  static llvm::Expected<BucketView> create(llvm::StringRef bytes, const Name &plan,
                                           uint32_t bucket);
  llvm::ArrayRef<Row> rows() const { return list; }
  const Name &hash() const { return sum; }

private:
  std::vector<Row> list;
  Name sum = {};
};

enum class Stored : uint8_t {
  New,
  Same,   ///< there already, with the same bytes
  Differs ///< there already, with others: ours lie beside, as PATH.differs-HASH
};
/// Puts a bucket where it belongs, whole and safe from the end of the machine. \p replaces: what is
/// there. Errors: LimitExceeded with the system's words (full disks).
llvm::Expected<Stored> storeBucket(const std::string &path, llvm::StringRef bytes,
                                   bool replaces = false);

} // namespace farm
