//===- ReportOptions.cpp - options about reports, one row each ------------===//
// SPDX-License-Identifier: MIT
#include "Options.h"
#include "pal_shim/abi/Try.h"
#include "tools/cli/Arguments.h"

using llvm::Error;
using llvm::StringRef;

namespace amdllpc {

using cli::setFlag;

namespace {

Error setReport(Options &o, StringRef v) {
#ifdef KILN_REPORT
  if (!v.ends_with(".html") && !v.ends_with(".json"))
    return lgc::invalidInput("'" + v + "' ends neither in .html nor in .json");
  o.report = v.str();
  return Error::success();
#else
  return lgc::unsupported("reports need a processor of the x86-64 family");
#endif
}

Error setCompare(Options &o, StringRef v) {
#ifdef KILN_REPORT
  o.compare = v.str();
  return Error::success();
#else
  return lgc::unsupported("reports need a processor of the x86-64 family");
#endif
}

Error addLimit(Options &o, StringRef v) {
#ifdef KILN_REPORT
  o.limits.push_back(KILN_TRY(report::parseComparisonLimit(v)));
  return Error::success();
#else
  return lgc::unsupported("reports need a processor of the x86-64 family");
#endif
}

Error addCompareOptions(Options &o, StringRef v) {
#ifdef KILN_REPORT
  llvm::SmallVector<StringRef, 8> words;
  v.split(words, ' ', -1, /*KeepEmpty=*/false);
  if (words.empty())
    return lgc::invalidInput("no option");
  for (StringRef word : words)
    o.compareOptions.push_back(word.str());
  return Error::success();
#else
  return lgc::unsupported("reports need a processor of the x86-64 family");
#endif
}

Error setFormat(Options &o, StringRef v) {
  struct Row {
    llvm::StringLiteral name;
    ReportFormat format;
  };
  static constexpr Row rows[] = {{"table", ReportFormat::Table},
                                 {"json", ReportFormat::Json},
                                 {"markdown", ReportFormat::Markdown},
                                 {"html", ReportFormat::Html}};
  for (const Row &row : rows)
    if (row.name == v) {
      o.format = row.format;
      return Error::success();
    }
  return lgc::invalidInput("'" + v + "' is none of table, json, markdown, html");
}

constexpr OptionRow rows[] = {
    {"format", "table|json|markdown|html",
     "form of the report (default table); markdown and html are for -compare", setFormat},
    {"report", "FILE.html|FILE.json",
     "write a page that shows source beside code, live registers, control flow, waits, estimated "
     "cycles and what each pass changed, of all inputs and targets (docs/report.md); .json: the "
     "same facts for programs",
     setReport},
    {"compare", "BEFORE",
     "compare the code of the inputs, or of one report .json, with that of BEFORE: a report, a "
     "shader, a .pipe file, a folder, git:REVISION (the same files then), git:REVISION:PATH or "
     "radv; figures, and source lines that changed (docs/report.md); exit code 6 if a figure is "
     "worse than -limit allows",
     setCompare},
    {"compare-options", "OPTIONS",
     "options for BEFORE, above all others, separated by blanks; without -compare: the same inputs",
     addCompareOptions},
    {"limit", "FIGURE=N[%]",
     "for -compare: how much worse a figure (vgprs, sgprs, code_bytes, instructions, "
     "waves_per_simd, cycles, executed_cycles ...) may become; may be given several times",
     addLimit},
    {"run", "",
     "for -report and -compare: execute pipelines with generated inputs on the software "
     "device, and show how often each instruction runs, with how many lanes, and what memory it "
     "touches; compare executed cycles",
     [](Options &o, StringRef v) -> Error { return setFlag(o.run, v); }},
};

} // namespace

llvm::ArrayRef<OptionRow> reportRows() { return rows; }

} // namespace amdllpc
