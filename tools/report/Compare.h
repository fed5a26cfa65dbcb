//===- Compare.h - what changed between two reports -----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Compares the facts of two reports, stage by stage, and names the source lines that changed most.
///
///     auto comparison = Comparison::read(before, after);
///     os << comparison->table();                                  // or markdown(), page()
///     comparison->beyond({{"vgprs", 0, false}, {"cycles", 5, true}})    // what grew by more
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <optional>
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

/// Nothing: a compiler that does not tell.
using Figure = std::optional<int64_t>;

/// A stage of which only figures are known, by their names.
struct PlainStage {
  std::string pipeline, target, entry, stage;
  std::vector<std::pair<std::string, int64_t>> figures;
};
/// A report of such stages.
std::string plainReport(llvm::ArrayRef<PlainStage> stages);

class Comparison {
public:
  struct Line {
    std::string place; ///< "blur.comp:16"
    std::string text;  ///< of that line, when a report has it
    int64_t instructionsBefore = 0, instructionsAfter = 0, cyclesBefore = 0, cyclesAfter = 0;
  };
  /// A stage that both reports have.
  struct Stage {
    std::string pipeline, target, stage;
    std::vector<Figure> before, after; ///< by figureNames()
    std::vector<Line> lines;           ///< those that changed most
    /// Something that both know is another.
    bool isChanged() const;
  };

  /// Pipelines are told apart by the name of the file, entry point and target; where each has only
  /// one, that is meant whatever its name. Errors: text that is no report, or one of another
  /// format.
  static llvm::Expected<Comparison> read(llvm::StringRef before, llvm::StringRef after);

  const std::vector<Stage> &stages() const { return all; }
  std::string table() const;
  std::string markdown() const;
  /// HTML that needs nothing else.
  std::string page() const;
  /// A line for each figure of a stage that is worse by more than a limit.
  std::vector<std::string> beyond(llvm::ArrayRef<ComparisonLimit> limits) const;

private:
  std::vector<Stage> all;
  std::vector<std::string> onlyBefore, onlyAfter;
  std::string summary() const;
  /// Indices of figureNames() that tables have.
  std::vector<size_t> shownFigures() const;
};

/// Titles of figureNames() in tables.
llvm::ArrayRef<llvm::StringLiteral> figureTitles();
/// "12 -> 14", "12" when nothing changed, "?" for what is not known.
std::string describeChange(Figure before, Figure after);
/// How much more a figure costs than before; negative: less.
int64_t worseBy(size_t figure, int64_t before, int64_t after);

} // namespace report
