//===- Main.cpp - amdllpc: shaders in, code objects and figures out -------===//
// SPDX-License-Identifier: MIT
/// \file
/// Order of a run: command line, compilers (one per target), list of inputs, plan of outputs; then
/// JobRunner compiles the inputs, and their results are written in the order of the command line as
/// soon as all earlier ones are there; last the report.
#include "Analyzer.h"
#include "Comparing.h"
#include "JobRunner.h"
#include "Output.h"
#include "RadvSide.h"
#include "Report.h"
#include "ReportFacts.h"
#include "pal_shim/abi/Try.h"
#include "tools/cli/Arguments.h"
#include "tools/cli/Interrupt.h"
#include "llvm/Support/ErrorHandling.h"
#include <chrono>
#include <map>
#include <unistd.h>

using namespace amdllpc;

namespace {

void printError(const std::string &place, const lgc::ErrorText &error) {
  llvm::errs() << "amdllpc: " << place << ": " << lgc::errorKindName(error.kind) << ": "
               << error.message << '\n';
}

int usageError(llvm::Error error) {
  llvm::errs() << "amdllpc: error: " << lgc::consumeToText(std::move(error)).message << '\n';
  return static_cast<int>(ExitCode::Usage);
}

/// What LLVM calls when it cannot go on; the process must still end with the documented code.
void onFatalError(void *, const char *reason, bool) {
  llvm::errs() << "amdllpc: internal error: LLVM: " << reason << '\n';
  _exit(static_cast<int>(ExitCode::Internal));
}

/// -compare, when \p after is there.
ExitCode compare(const Options &options, GitTrees &trees, llvm::ArrayRef<report::PlainStage> radv,
                 const std::string &after) {
  llvm::Expected<std::string> before =
      comparesWithRadv(options) ? report::plainReport(radv) : reportBefore(options, trees);
  llvm::Expected<bool> isGood =
      before ? printComparison(llvm::outs(), options, *before, after) : before.takeError();
  if (isGood)
    return *isGood ? ExitCode::Ok : ExitCode::Worse;
  const lgc::ErrorText error = lgc::consumeToText(isGood.takeError());
  printError(options.compare.empty() ? "-compare-options" : options.compare, error);
  return exitCodeOf(error.kind);
}

/// Takes the results of all inputs, in their order.
class Run {
public:
  Run(const Options &options, llvm::ArrayRef<PipelineInput> inputs, const Compilers &compilers,
      const OutputPlan &plan, GitTrees &trees, llvm::raw_ostream &log)
      : options(options), inputs(inputs), compilers(compilers), plan(plan), trees(trees), log(log),
        page(options) {}

  int run();

private:
  void take(std::vector<JobResult> &results);
  void report(const RunSummary &summary);

  const Options &options;
  llvm::ArrayRef<PipelineInput> inputs;
  const Compilers &compilers;
  const OutputPlan &plan;
  GitTrees &trees;
  llvm::raw_ostream &log; ///< of -v

  ReportFile page;
  std::vector<JobResult> finished;
  size_t finishedInputs = 0;
  std::vector<report::PlainStage> radv;
  std::map<std::string, size_t> warningCounts; ///< each text is printed once
  ExitCode exitCode = ExitCode::Ok;
};

void Run::take(std::vector<JobResult> &results) {
  ++finishedInputs;
  for (JobResult &result : results) {
    log << result.log;
    std::string place = result.name;
    if (compilers.size() > 1 && !result.target.empty())
      place += " [" + result.target + "]";
    for (const std::string &warning : result.warnings)
      if (++warningCounts[warning] == 1)
        llvm::errs() << "amdllpc: " << place << ": warning: " << warning << '\n';
    if (!result.error)
      if (llvm::Error error = plan.write(result))
        result.error = lgc::consumeToText(std::move(error));
    if (llvm::Error error = writeAnalyzerFiles(options, result))
      result.error = lgc::consumeToText(std::move(error));
    if (llvm::Error error = page.add(result))
      result.error = lgc::consumeToText(std::move(error));
    if (result.error) {
      printError(place, *result.error);
      exitCode = std::max(exitCode, exitCodeOf(result.error->kind));
    }
    llvm::append_range(radv, result.radv);
    result.log.clear();
    result.bytes.clear();
    result.facts.reset();
    finished.push_back(std::move(result));
  }
}

void Run::report(const RunSummary &summary) {
  for (const auto &[warning, count] : warningCounts)
    if (count > 1)
      llvm::errs() << "amdllpc: note: " << count - 1 << " more inputs with: " << warning << '\n';
  llvm::raw_ostream &os = plan.usesStdout() ? llvm::errs() : llvm::outs();
  if (wantsComparison(options))
    return; // which prints a table of its own
  if (!options.analyzer.mode.empty())
    os << analyzerMessages(options, finished);
  else if (options.format == ReportFormat::Json)
    printJson(os, finished, summary);
  else if (finished.size() > 1 || exitCode == ExitCode::Ok)
    printTable(os, finished, options, summary);
  if (options.verbose && exitCode == ExitCode::Ok)
    llvm::outs() << "===== AMDLLPC SUCCESS =====\n";
}

int Run::run() {
  auto start = std::chrono::steady_clock::now();
  const bool isComplete =
      runJobs(options, inputs, compilers, [&](std::vector<JobResult> &results) { take(results); });
  if (!isComplete) {
    llvm::errs() << "amdllpc: interrupted: " << inputs.size() - finishedInputs << " of "
                 << inputs.size() << " inputs are not compiled\n";
    exitCode = ExitCode::Interrupted;
  }
  std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
  report({elapsed.count(), threadsFor(options, inputs.size())});
  if (llvm::Error error = page.write()) {
    printError(options.report, lgc::consumeToText(std::move(error)));
    exitCode = std::max(exitCode, ExitCode::InvalidInput);
  }
  if (!isComplete)
    return static_cast<int>(exitCode);
  if (wantsComparison(options))
    exitCode = std::max(exitCode, compare(options, trees, radv, page.json()));
  return static_cast<int>(exitCode);
}

/// Compiles what the command line names. The result is the process's.
int compileInputs(const Options &options) {
  llvm::Expected<Compilers> compilers = createCompilers(options);
  if (!compilers)
    return usageError(compilers.takeError());
  GitTrees trees;
  llvm::Expected<std::vector<PipelineInput>> inputs = collectInputs(options, trees);
  if (!inputs) {
    lgc::ErrorText error = lgc::consumeToText(inputs.takeError());
    llvm::errs() << "amdllpc: " << error.message << '\n';
    return static_cast<int>(ExitCode::InvalidInput);
  }
  llvm::Expected<OutputPlan> plan = OutputPlan::create(options, *inputs, compilers->size());
  if (!plan)
    return usageError(plan.takeError());
  if (llvm::Error error = checkAnalyzerFiles(options, *inputs))
    return usageError(std::move(error));
  std::error_code code;
  std::optional<llvm::raw_fd_ostream> logFile;
  if (!options.logFile.empty())
    logFile.emplace(options.logFile, code);
  if (code)
    return usageError(lgc::invalidInput(options.logFile + ": " + code.message()));
  llvm::raw_ostream &log = logFile ? *logFile : llvm::outs();
  return Run(options, *inputs, *compilers, *plan, trees, log).run();
}

/// -compare, when the input is a report.
int compareReport(const Options &options, const std::string &path) {
  if (comparesWithRadv(options))
    return usageError(lgc::invalidInput("RADV is compared with shaders, not with a report"));
  llvm::Expected<std::string> after = readInput(path);
  if (!after) {
    printError(path, lgc::consumeToText(after.takeError()));
    return static_cast<int>(ExitCode::InvalidInput);
  }
  GitTrees trees;
  return static_cast<int>(compare(options, trees, {}, *after));
}

} // namespace

int main(int argc, char **argv) {
  llvm::install_fatal_error_handler(onFatalError);
  const llvm::ArrayRef<const char *> arguments = cli::argumentsOf(argc, argv);
  if (!arguments.empty() && arguments.front() == llvm::StringRef(radv::radvServerOption))
    return radv::runRadvServer(); // a process of RadvSide
  llvm::Expected<Options> options = parseOptions(arguments);
  if (!options)
    return usageError(options.takeError());
  if (options->help) {
    llvm::outs() << helpText();
    return 0;
  }
  if (options->version) {
    llvm::outs() << cli::versionText("amdllpc") << '\n';
    return 0;
  }
  if (options->analyzer.listTargets) {
    llvm::outs() << targetList();
    return 0;
  }
  for (const std::string &name : options->ignored)
    llvm::errs() << "amdllpc: warning: option '-" << name << "' has no effect\n";
  cli::catchInterrupts();
  if (const std::string path = reportOfInput(*options); !path.empty())
    return compareReport(*options, path);
  RadvSide radv;
  if (comparesWithRadv(*options))
    options->radv = &radv;
  return compileInputs(*options);
}
