//===- Progress.h - how far tasks are, as files ---------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Each task writes progress/TASK-of-TASKS.json, whole, every few seconds, and appends a line to
/// stats/TASK-of-TASKS.jsonl when it ends; whoever wants to know reads those of all.
#pragma once

#include "Task.h"

namespace farm {

std::string progressText(const TaskState &state);
/// Errors: LimitExceeded (no room); nothing depends on it.
llvm::Error writeProgress(const Plan &plan, const TaskState &state);
llvm::Error appendStats(const Plan &plan, const TaskState &state);

/// All tasks of a folder.
struct RunState {
  uint64_t bucketsDone = 0;        ///< files that are there
  std::vector<TaskState> tasks;    ///< by number; of several attempts at one the last
  std::vector<std::string> poison; ///< names of the reports, sorted
};
RunState readRun(const Plan &plan);

/// A task that has said nothing for so long, and is not done, has ended or hangs.
constexpr double silentSeconds = 30;

enum class StatusFormat : uint8_t { Text, Json, Prometheus, Html };
std::string statusText(const Plan &plan, const RunState &run, double now, StatusFormat format);

/// One file without scripts or anything from elsewhere. \p summary: as text.
std::string statusPage(const Plan &plan, const RunState &run, const std::string &summary,
                       llvm::ArrayRef<uint64_t> cpuHistogram, double now);

} // namespace farm
