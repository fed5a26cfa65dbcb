//===- JobRunner.cpp - all pipelines of a command line, in threads --------===//
// SPDX-License-Identifier: MIT
#include "JobRunner.h"
#include "pal_shim/abi/Try.h"
#include "tools/cli/Interrupt.h"
#include "tools/cli/Progress.h"
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace amdllpc {

namespace {

class Runner {
public:
  Runner(const Options &options, llvm::ArrayRef<PipelineInput> inputs, const Compilers &compilers)
      : options(options), inputs(inputs), compilers(compilers), slots(inputs.size()) {}

  bool run(llvm::function_ref<void(std::vector<JobResult> &)> take);

private:
  void work();

  const Options &options;
  llvm::ArrayRef<PipelineInput> inputs;
  const Compilers &compilers;
  std::vector<std::optional<std::vector<JobResult>>> slots; ///< guarded by mutex
  unsigned working = 0;                                     ///< threads; guarded by mutex
  std::mutex mutex;
  std::condition_variable changed;
  std::atomic<size_t> nextInput = 0;
};

void Runner::work() {
  for (size_t index; !cli::isInterrupted() && (index = nextInput++) < inputs.size();) {
    std::vector<JobResult> results = runJob(inputs[index], options, compilers);
    std::lock_guard<std::mutex> lock(mutex);
    slots[index] = std::move(results);
    changed.notify_one();
  }
  std::lock_guard<std::mutex> lock(mutex);
  --working;
  changed.notify_one();
}

bool Runner::run(llvm::function_ref<void(std::vector<JobResult> &)> take) {
  working = threadsFor(options, inputs.size());
  std::vector<std::thread> workers;
  for (unsigned i = working; i > 0; --i)
    workers.emplace_back([this] { work(); });
  cli::Progress progress("amdllpc", "inputs", inputs.size(), options.quiet);
  bool isComplete = true;
  for (size_t index = 0; index < inputs.size(); ++index) {
    progress.update(index);
    std::vector<JobResult> results;
    {
      std::unique_lock<std::mutex> lock(mutex);
      changed.wait(lock, [&] { return slots[index] || !working; });
      isComplete = slots[index].has_value();
      if (!isComplete)
        break;
      results = std::move(*slots[index]);
      slots[index].emplace(); // the memory of the results, not the fact
    }
    progress.clear();
    take(results);
  }
  for (std::thread &worker : workers)
    worker.join();
  return isComplete;
}

} // namespace

unsigned threadsFor(const Options &options, size_t count) {
  const unsigned most =
      options.jobs ? options.jobs : std::max(1u, std::thread::hardware_concurrency());
  return static_cast<unsigned>(std::min<size_t>(most, count));
}

bool runJobs(const Options &options, llvm::ArrayRef<PipelineInput> inputs,
             const Compilers &compilers, llvm::function_ref<void(std::vector<JobResult> &)> take) {
  return Runner(options, inputs, compilers).run(take);
}

llvm::Expected<Compilers> createCompilers(const Options &options) {
  Compilers compilers;
  for (const std::string &target : options.targets) {
    auto compiler = KILN_TRY(llpc::Compiler::create({.target = target}));
    compilers.push_back(std::move(compiler));
  }
  return compilers;
}

} // namespace amdllpc
