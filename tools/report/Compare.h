//===- Compare.h - what changed between two reports -----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Compares the facts of two reports, stage by stage, and names the source lines that changed most.
///
///     auto comparison = Comparison::read(before, after);
///     os << comparison->table();                                  // or markdown()
///     comparison->beyond({{"vgprs", 0, false}, {"cycles", 5, true}})    // what grew by more
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace report {

/// How much worse a figure may become.
struct ComparisonLimit {
  std::string figure; ///< "vgprs", "cycles" ...: a key of figureNames()
  double amount = 0;
  bool isPercent = false;
};

/// Of the figures that are compared, as in the JSON.
llvm::ArrayRef<llvm::StringLiteral> figureNames();
/// "vgprs=0", "cycles=5%". Errors: another form, an unknown figure.
llvm::Expected<ComparisonLimit> parseComparisonLimit(llvm::StringRef text);

class Comparison {
public:
  struct Line {
    std::string place; ///< "blur.comp:16"
    int64_t instructionsBefore = 0, instructionsAfter = 0, cyclesBefore = 0, cyclesAfter = 0;
  };
  /// A stage that both reports have.
  struct Stage {
    std::string pipeline, target, stage;
    std::vector<int64_t> before, after; ///< by figureNames()
    std::vector<Line> lines;            ///< those that changed most
    bool isChanged() const { return before != after; }
  };

  /// Errors: text that is no report, or one of another format.
  static llvm::Expected<Comparison> read(llvm::StringRef before, llvm::StringRef after);

  const std::vector<Stage> &stages() const { return all; }
  std::string table() const;
  std::string markdown() const;
  /// A line for each figure of a stage that is worse by more than a limit.
  std::vector<std::string> beyond(llvm::ArrayRef<ComparisonLimit> limits) const;

private:
  std::vector<Stage> all;
  std::vector<std::string> onlyBefore, onlyAfter;
  std::string summary() const;
};

} // namespace report
