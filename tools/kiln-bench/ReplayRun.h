//===- ReplayRun.h - kiln-replay in a process of its own ------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Each measurement of captured pipelines has a process of its own, so that no cache is warm that
/// should not be, and drivers do not meet each other.
#pragma once

#include "tools/replay/PipelineKind.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace bench {

/// A line that kiln-replay prints about a pipeline.
struct ReplayRow {
  std::string name;                          ///< PROGRAM/compute/HASH
  double moduleUs = 0;                       ///< CPU time
  double wallUs = 0;                         ///< by the clock
  double us = 0, allUs = 0;                  ///< CPU time of the caller, of all threads
  std::string outcome;                       ///< "created" ...
  std::string origin;                        ///< "linked" ...
  std::map<unsigned, unsigned> instructions; ///< by VkShaderStageFlags

  replay::PipelineKind kind() const {
    const llvm::StringRef text(name);
    for (const replay::PipelineKindRow &row : replay::pipelineKinds)
      if (text.contains(std::string("/") + row.name + "/"))
        return row.kind;
    return replay::PipelineKind::Graphics;
  }
};

struct ReplayRun {
  std::vector<ReplayRow> rows;
  std::vector<std::string> notes; ///< lines of --counters
};

struct ReplayCommand {
  std::string program; ///< kiln-replay
  std::vector<std::string> arguments;
  std::vector<std::pair<std::string, std::string>> environment;
};

/// Nothing when the process fails; its messages go to standard error.
std::optional<ReplayRun> runReplay(const ReplayCommand &command);

} // namespace bench
