//===- ComparePage.cpp - what changed between two reports, as HTML --------===//
// SPDX-License-Identifier: MIT
#include "tools/report/Compare.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::StringRef;

namespace report {

namespace {

constexpr StringRef head = R"(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>What changed</title>
<style>
:root { color-scheme: light dark; --worse: #b00020; --better: #00663c; --line: #8888; }
@media (prefers-color-scheme: dark) { :root { --worse: #ff8a8a; --better: #7fdc9f; } }
body { font: 15px/1.4 system-ui, sans-serif; margin: 1.5rem; }
table { border-collapse: collapse; margin: .5rem 0 1.5rem; }
th, td { padding: .2rem .6rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
th:first-child, td:first-child, .text { text-align: left; }
thead th { position: sticky; top: 0; background: Canvas; }
.worse { color: var(--worse); font-weight: 600; }
.better { color: var(--better); font-weight: 600; }
code { font: 13px ui-monospace, monospace; white-space: pre; }
</style>
<h1>What changed</h1>
)";

std::string escaped(StringRef text) {
  std::string result;
  for (const char c : text) {
    const StringRef special = c == '&'   ? "&amp;"
                              : c == '<' ? "&lt;"
                              : c == '>' ? "&gt;"
                              : c == '"' ? "&quot;"
                                         : "";
    result += special.empty() ? std::string(1, c) : special.str();
  }
  return result;
}

/// A cell of a table: the sign says whether it is more or less, the colour and the title whether
/// that is worse or better.
std::string cell(Figure before, Figure after, int64_t worse) {
  const bool isChanged = before && after && before != after;
  const StringRef kind = !isChanged || !worse ? "" : worse > 0 ? "worse" : "better";
  const StringRef sign = kind.empty() ? "" : *after > *before ? " \u25B2" : " \u25BC";
  return llvm::formatv("<td{0}{1}{2}>{3}{4}</td>", kind.empty() ? "" : " class=\"", kind,
                       kind.empty() ? "" : llvm::formatv("\" title=\"{0}\"", kind).str(),
                       escaped(describeChange(before, after)), sign);
}

std::string figureCell(const Comparison::Stage &stage, size_t figure) {
  const Figure before = stage.before[figure], after = stage.after[figure];
  return cell(before, after, before && after ? worseBy(figure, *before, *after) : 0);
}

std::string linesOf(const Comparison::Stage &stage) {
  std::string text =
      llvm::formatv("<h2>{0} [{1}] {2}</h2>\n<table>\n<thead><tr><th scope=\"col\">line</th><th "
                    "scope=\"col\">instructions</th><th scope=\"col\">cycles</th><th scope=\"col\" "
                    "class=\"text\">source</th></tr></thead>\n",
                    escaped(stage.pipeline), escaped(stage.target), escaped(stage.stage));
  for (const Comparison::Line &line : stage.lines)
    text += llvm::formatv(
        "<tr><td>{0}</td>{1}{2}<td class=\"text\"><code>{3}</code></td></tr>\n",
        escaped(line.place),
        cell(line.instructionsBefore, line.instructionsAfter,
             line.instructionsAfter - line.instructionsBefore),
        cell(line.cyclesBefore, line.cyclesAfter, line.cyclesAfter - line.cyclesBefore),
        escaped(line.text));
  return text + "</table>\n";
}

} // namespace

std::string Comparison::page() const {
  std::string text = head.str() + "<p>" + escaped(summary()) + "</p>\n";
  std::string rows, lines;
  for (const Stage &stage : all) {
    if (!stage.isChanged())
      continue;
    rows += llvm::formatv("<tr><td>{0}</td><td>{1}</td><td>{2}</td>", escaped(stage.pipeline),
                          escaped(stage.target), escaped(stage.stage));
    for (const size_t i : shownFigures())
      rows += figureCell(stage, i);
    rows += "</tr>\n";
    if (!stage.lines.empty())
      lines += linesOf(stage);
  }
  if (rows.empty())
    return text + "</html>\n";
  text += "<table>\n<thead><tr><th scope=\"col\">shader</th><th scope=\"col\">target</th><th "
          "scope=\"col\">stage</th>";
  for (const size_t figure : shownFigures())
    text += "<th scope=\"col\">" + figureTitles()[figure].str() + "</th>";
  return text + "</tr></thead>\n" + rows + "</table>\n" + lines + "</html>\n";
}

} // namespace report
