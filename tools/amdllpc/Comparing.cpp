//===- Comparing.cpp - two sides of -compare ------------------------------===//
// SPDX-License-Identifier: MIT
#include "Comparing.h"
#include "JobRunner.h"
#include "ReportFacts.h"
#include "pal_shim/abi/Try.h"
#include "llvm/Support/raw_ostream.h"

using llvm::StringRef;

namespace amdllpc {

std::string reportOfInput(const Options &options) {
  const bool isReport = wantsComparison(options) && options.inputs.size() == 1 &&
                        options.analyzer.shaders.empty() &&
                        StringRef(options.inputs.front()).ends_with(".json");
  return isReport ? options.inputs.front() : "";
}

#ifdef KILN_REPORT

namespace {

/// Inputs of the side before. Those that a revision does not have yet are new now.
llvm::Expected<std::vector<std::string>> inputsBefore(const Options &options, GitTrees &trees) {
  const StringRef what = options.compare;
  if (what.empty())
    return options.inputs;
  if (!namesRevision(what) || what.drop_front(4).contains(':'))
    return std::vector<std::string>{what.str()};
  std::vector<std::string> inputs;
  llvm::Error missing = llvm::Error::success();
  for (const std::string &input : options.inputs) {
    llvm::Expected<std::string> found = trees.find(what.drop_front(4), input);
    if (found)
      inputs.push_back(*found);
    else
      missing = llvm::joinErrors(std::move(missing), found.takeError());
  }
  if (inputs.empty())
    return std::move(missing);
  llvm::consumeError(std::move(missing));
  return inputs;
}

} // namespace

llvm::Expected<std::string> reportBefore(const Options &options, GitTrees &trees) {
  if (StringRef(options.compare).ends_with(".json"))
    return readInput(options.compare);
  Options before = KILN_TRY(optionsBefore(options));
  before.inputs = KILN_TRY(inputsBefore(options, trees));
  if (!options.compare.empty())
    before.analyzer.shaders.clear(); // those are files of now
  const Compilers compilers = KILN_TRY(createCompilers(before));
  const std::vector<PipelineInput> inputs = KILN_TRY(collectInputs(before, trees));
  ReportFile report(before);
  llvm::Error errors = llvm::Error::success();
  const bool isComplete = runJobs(before, inputs, compilers, [&](std::vector<JobResult> &results) {
    for (JobResult &result : results) {
      if (result.error)
        llvm::errs() << "amdllpc: before: " << result.name << ": " << result.error->message << '\n';
      errors = llvm::joinErrors(std::move(errors), report.add(result));
    }
  });
  if (errors)
    return std::move(errors);
  if (!isComplete)
    return lgc::invalidInput("interrupted");
  return report.json();
}

llvm::Expected<bool> printComparison(llvm::raw_ostream &os, const Options &options,
                                     StringRef before, StringRef after) {
  const report::Comparison comparison = KILN_TRY(report::Comparison::read(before, after));
  os << (options.format == ReportFormat::Markdown ? comparison.markdown()
         : options.format == ReportFormat::Html   ? comparison.page()
                                                  : comparison.table());
  const std::vector<std::string> worse = comparison.beyond(options.limits);
  for (const std::string &line : worse)
    llvm::errs() << "amdllpc: worse than -limit allows: " << line << '\n';
  return worse.empty();
}

#else // a host without the software device's decoder: the option is refused

llvm::Expected<std::string> reportBefore(const Options &, GitTrees &) { return ""; }
llvm::Expected<bool> printComparison(llvm::raw_ostream &, const Options &, StringRef, StringRef) {
  return true;
}

#endif

} // namespace amdllpc
