//===- Task.h - compiles some of a plan's buckets -------------------------===//
// SPDX-License-Identifier: MIT
#pragma once

#include "Child.h"
#include "Plan.h"
#include "SharedTier.h"

namespace farm {

/// How far a task is, for whoever looks (Status.h).
struct TaskState {
  uint64_t task = 0, tasks = 1;
  std::string host;
  double started = 0, now = 0; ///< seconds since 1970
  bool isDone = false;
  uint64_t buckets = 0, bucketsDone = 0, bucketsThere = 0; ///< of the last: when it began
  uint64_t units = 0, done = 0; ///< without those of buckets that were there
  double cost = 0, costDone = 0;
  std::array<uint64_t, statusCount> byStatus = {};
  uint64_t restarts = 0;  ///< children that were replaced
  uint64_t differing = 0; ///< buckets that somebody had made with other bytes
  uint64_t hits = 0, misses = 0, forged = 0, unknown = 0; ///< of the shared tier
  uint64_t serverFailures = 0, serverSkipped = 0;
  uint64_t audited = 0, auditFailures = 0; ///< hits that were compiled again; those that differed
  double cpuMs = 0;
  std::array<uint64_t, 16> cpuHistogram = {}; ///< by log2 of milliseconds
  struct Current {
    std::string item, target;
    double seconds = 0;
  };
  std::vector<Current> current;
  /// What was done when, by target: few enough to be written every time.
  struct Sample {
    double time = 0; ///< seconds since 1970
    std::vector<uint64_t> byTarget;
  };
  std::vector<Sample> history;
  std::vector<uint64_t> byTarget; ///< of now
};

/// What a task is asked to do again, in buckets that are there.
struct Again {
  bool poison = false, failed = false;
  bool any() const { return poison || failed; }
};

struct TaskOptions {
  uint64_t task = 0, tasks = 1;
  unsigned children = 1;
  Limits limits;
  bool compilesAll = false; ///< also buckets that are there, to compare them
  Again again;
  StartCompiler start;
  SharedTier *tier = nullptr; ///< null: none
  unsigned auditOneIn = 1000; ///< of its hits; 0: none
  std::function<bool()> goesOn = [] { return true; };
  /// About what the user should know at once.
  std::function<void(llvm::StringRef)> message;
  /// Now and then; \p isLast: nothing comes any more.
  std::function<void(const TaskState &)> progress;
  double progressSeconds = 1;
};

enum class TaskEnd : uint8_t {
  Done,        ///< every unit has a result
  Interrupted, ///< goesOn() said no; buckets that are finished stay
  Differs, ///< something was there with other bytes: a machine or the compiler cannot be trusted
};

/// Errors: LimitExceeded for what the system does not give, room on the disk; InvalidInput for
/// damaged files, compilers that do not start.
llvm::Expected<TaskEnd> runTask(const Plan &plan, const Pack &pack, const TaskOptions &options);

/// Of a unit that is poison.
std::string poisonName(const Plan &plan, const Name &item, uint32_t target);

} // namespace farm
