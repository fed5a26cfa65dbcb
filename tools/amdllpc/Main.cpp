//===- Main.cpp - amdllpc: shaders in, code objects and figures out -------===//
// SPDX-License-Identifier: MIT
/// \file
/// Order of a run: command line, compilers (one per target), list of inputs, plan of outputs; then
/// worker threads compile the inputs, and their results are written in the order of the command
/// line as soon as all earlier ones are there; last the report.
#include "Output.h"
#include "Report.h"
#include "ReportFacts.h"
#include "pal_shim/abi/Try.h"
#include "tools/cli/Arguments.h"
#include "llvm/Support/ErrorHandling.h"
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>
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

/// Compiles all inputs on several threads and hands results on in the order of the inputs.
class Run {
public:
  Run(const Options &options, llvm::ArrayRef<PipelineInput> inputs, const Compilers &compilers,
      const OutputPlan &plan, llvm::raw_ostream &log)
      : options(options), inputs(inputs), compilers(compilers), plan(plan), log(log),
        slots(inputs.size()), page(options) {}

  int run();

private:
  void work();
  void take(std::vector<JobResult> &results);
  void report(const RunSummary &summary);

  const Options &options;
  llvm::ArrayRef<PipelineInput> inputs;
  const Compilers &compilers;
  const OutputPlan &plan;
  llvm::raw_ostream &log; ///< of -v

  std::vector<std::optional<std::vector<JobResult>>> slots; ///< guarded by mutex
  std::mutex mutex;
  std::condition_variable slotFilled;
  std::atomic<size_t> nextInput = 0;

  ReportFile page;
  std::vector<JobResult> finished;
  std::map<std::string, size_t> warningCounts; ///< each text is printed once
  ExitCode exitCode = ExitCode::Ok;
};

void Run::work() {
  for (size_t index; (index = nextInput++) < inputs.size();) {
    std::vector<JobResult> results = runJob(inputs[index], options, compilers);
    std::lock_guard<std::mutex> lock(mutex);
    slots[index] = std::move(results);
    slotFilled.notify_one();
  }
}

void Run::take(std::vector<JobResult> &results) {
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
    if (llvm::Error error = page.add(result))
      result.error = lgc::consumeToText(std::move(error));
    if (result.error) {
      printError(place, *result.error);
      exitCode = std::max(exitCode, exitCodeOf(result.error->kind));
    }
    result.log.clear();
    result.bytes.clear();
    finished.push_back(std::move(result));
  }
}

void Run::report(const RunSummary &summary) {
  for (const auto &[warning, count] : warningCounts)
    if (count > 1)
      llvm::errs() << "amdllpc: note: " << count - 1 << " more inputs with: " << warning << '\n';
  llvm::raw_ostream &os = plan.usesStdout() ? llvm::errs() : llvm::outs();
  if (!options.compare.empty())
    return; // which prints a table of its own
  if (options.format == ReportFormat::Json)
    printJson(os, finished, summary);
  else if (finished.size() > 1 || exitCode == ExitCode::Ok)
    printTable(os, finished, options, summary);
  if (options.verbose && exitCode == ExitCode::Ok)
    llvm::outs() << "===== AMDLLPC SUCCESS =====\n";
}

int Run::run() {
  auto start = std::chrono::steady_clock::now();
  unsigned threads =
      options.jobs ? options.jobs : std::max(1u, std::thread::hardware_concurrency());
  threads = static_cast<unsigned>(std::min<size_t>(threads, inputs.size()));
  std::vector<std::thread> workers;
  for (unsigned i = 0; i < threads; ++i)
    workers.emplace_back([this] { work(); });
  ProgressBar progress(inputs.size());
  for (size_t index = 0; index < inputs.size(); ++index) {
    progress.update(index);
    std::vector<JobResult> results;
    {
      std::unique_lock<std::mutex> lock(mutex);
      slotFilled.wait(lock, [&] { return slots[index].has_value(); });
      results = std::move(*slots[index]);
      slots[index].emplace(); // the memory of the results, not the fact
    }
    progress.clear();
    take(results);
  }
  for (std::thread &worker : workers)
    worker.join();
  std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
  report({elapsed.count(), threads});
  if (llvm::Error error = page.write()) {
    printError(options.report, lgc::consumeToText(std::move(error)));
    exitCode = std::max(exitCode, ExitCode::InvalidInput);
  }
  llvm::Expected<bool> isGood = page.compare(llvm::outs());
  if (!isGood) {
    printError(options.compare, lgc::consumeToText(isGood.takeError()));
    exitCode = std::max(exitCode, ExitCode::InvalidInput);
  } else if (!*isGood) {
    exitCode = std::max(exitCode, ExitCode::Worse);
  }
  return static_cast<int>(exitCode);
}

llvm::Expected<Compilers> createCompilers(const Options &options) {
  Compilers compilers;
  for (const std::string &target : options.targets) {
    auto compiler = KILN_TRY(llpc::Compiler::create({.target = target}));
    compilers.push_back(std::move(compiler));
  }
  return compilers;
}

} // namespace

int main(int argc, char **argv) {
  llvm::install_fatal_error_handler(onFatalError);
  llvm::Expected<Options> options =
      parseOptions(llvm::ArrayRef<const char *>(argv, argc).drop_front());
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
  for (const std::string &name : options->ignored)
    llvm::errs() << "amdllpc: warning: option '-" << name << "' has no effect\n";
  llvm::Expected<Compilers> compilers = createCompilers(*options);
  if (!compilers)
    return usageError(compilers.takeError());
  std::vector<std::string> notes;
  llvm::Expected<std::vector<PipelineInput>> inputs = collectInputs(*options, notes);
  if (!inputs) {
    lgc::ErrorText error = lgc::consumeToText(inputs.takeError());
    llvm::errs() << "amdllpc: " << error.message << '\n';
    return static_cast<int>(ExitCode::InvalidInput);
  }
  for (const std::string &note : notes)
    llvm::errs() << "amdllpc: note: " << note << '\n';
  llvm::Expected<OutputPlan> plan = OutputPlan::create(*options, *inputs, compilers->size());
  if (!plan)
    return usageError(plan.takeError());
  std::error_code code;
  std::optional<llvm::raw_fd_ostream> logFile;
  if (!options->logFile.empty())
    logFile.emplace(options->logFile, code);
  if (code)
    return usageError(lgc::invalidInput(options->logFile + ": " + code.message()));
  return Run(*options, *inputs, *compilers, *plan, logFile ? *logFile : llvm::outs()).run();
}
