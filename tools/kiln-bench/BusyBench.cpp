//===- BusyBench.cpp - pipelines while everything else is busy ------------===//
// SPDX-License-Identifier: MIT
#include "BusyBench.h"
#include "ReplayRun.h"
#include "Timing.h"
#include "tools/cli/Interrupt.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <csignal>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace llvm;

namespace bench {
namespace {

constexpr unsigned busyPerCore = 15;

/// Processes that only compute, until it is destroyed.
class Load {
public:
  explicit Load(unsigned processes) {
    for (unsigned i = 0; i < processes; ++i)
      if (pid_t child = fork(); child > 0)
        children.push_back(child);
      else if (child == 0)
        compute();
  }
  ~Load() {
    for (pid_t child : children)
      kill(child, SIGKILL);
    for (pid_t child : children)
      waitpid(child, nullptr, 0);
  }
  Load(const Load &) = delete;

private:
  [[noreturn]] static void compute() {
    prctl(PR_SET_PDEATHSIG, SIGKILL); // also when the benchmark is interrupted
    for (volatile unsigned number = 0;;)
      number = number + 1;
  }
  std::vector<pid_t> children;
};

/// Of one process.
struct Waits {
  double pipelines = 0; ///< sum of vkCreate...Pipelines, by the clock
  double process = 0;   ///< all of it, with the end of the device
};

std::optional<Waits> waitsOf(const ReplayCommand &command) {
  const auto begin = std::chrono::steady_clock::now();
  const std::optional<ReplayRun> run = runReplay(command);
  if (!run)
    return std::nullopt;
  const std::chrono::duration<double, std::milli> all = std::chrono::steady_clock::now() - begin;
  Waits waits;
  for (const ReplayRow &row : run->rows)
    waits.pipelines += row.wallUs * 1e-3;
  waits.process = all.count();
  return waits;
}

} // namespace

int runBusyBench(const PipelineOptions &options) {
  if (!sys::fs::is_directory(options.captures)) {
    outs() << "kiln-bench: no captured pipelines at " << options.captures << "\n";
    return 77;
  }
  // By way of its library, kiln-replay cannot wait for the background.
  SmallString<256> driver(sys::path::parent_path(sys::path::parent_path(options.replay)));
  sys::path::append(driver, "icd", "libkiln_icd.so");
  auto kiln = [&](const char *parts) {
    return ReplayCommand{
        options.replay,
        {("--icd=" + driver).str(), "--format=tsv", options.captures},
        {{"KILN_DEVICES", options.target}, {"KILN_CACHE", "off"}, {"KILN_PARTS", parts}}};
  };
  struct Row {
    const char *name;
    ReplayCommand command;
    std::vector<double> pipelines, process;
  };
  const unsigned processes = busyPerCore * std::max(1u, std::thread::hardware_concurrency());
  outs() << formatv("modules, then pipelines at once, {0}, {1} rounds; milliseconds by the clock\n",
                    options.target, options.rounds);
  for (unsigned load : {0u, processes}) {
    std::vector<Row> rows = {{"parts off", kiln("off"), {}, {}}, {"parts on", kiln("on"), {}, {}}};
    if (options.peer)
      rows.push_back({"RADV",
                      {options.replay,
                       {"--icd=libvulkan_radeon.so", "--format=tsv", options.captures},
                       {{"RADV_FORCE_FAMILY", options.family},
                        {"MESA_SHADER_CACHE_DISABLE", "true"},
                        {"RADV_DEBUG", "nonggc"}}},
                      {},
                      {}});
    const Load others(load);
    if (options.quiet)
      for (Row &row : rows)
        row.command.arguments.emplace_back("--quiet");
    for (unsigned round = 0; round < options.rounds && !cli::isInterrupted(); ++round)
      for (Row &row : rows) {
        const std::optional<Waits> waits = waitsOf(row.command);
        if (!waits && cli::isInterrupted() && round)
          break; // what is finished stays
        if (!waits)
          return 1;
        row.pipelines.push_back(waits->pipelines);
        row.process.push_back(waits->process);
      }
    outs() << formatv("  {0} other processes compute\n", load);
    for (const Row &row : rows)
      outs() << formatv("    {0,-12} pipelines {1,9:f1}   whole process {2,9:f1}\n", row.name,
                        median(row.pipelines), median(row.process));
    outs() << formatv("    parts on / off {0:f2}x\n",
                      median(rows[1].pipelines) / std::max(median(rows[0].pipelines), 1e-9));
    if (cli::isInterrupted())
      break;
  }
  return 0;
}

} // namespace bench
