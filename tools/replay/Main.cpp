//===- Main.cpp - kiln-replay ---------------------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Creates captured pipelines on a Vulkan driver and prints how long it took; docs/replay.md.
#include "CacheTimes.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/Try.h"
#include "tools/cli/Arguments.h"
#include "tools/cli/Interrupt.h"
#include "tools/cli/Progress.h"
#ifdef KILN_REPLAY_BUILT_IN
#include "BuiltIn.h"
#include "pal_shim/abi/Verify.h"
#endif
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <thread>

using namespace llvm;

namespace {

struct Options {
  std::string library = "loader";
  std::vector<std::string> paths;
  replay::RunOptions run;
  bool allDevices = false, table = false, readOnly = false;
  bool statistics = false, verify = false, counters = false;
  bool caches = false, libraries = false;
  unsigned pause = 0; ///< seconds
  bool quiet = false;
  bool isShown = false; ///< standard output is where progress is
};

constexpr char usage[] =
    "usage: kiln-replay [OPTIONS] FILE.json|FILE.foz|FOLDER...\n"
    "Creates captured pipelines on a Vulkan driver, and prints microseconds of each: CPU time of\n"
    "its modules that no other had before; of its creation wall time, CPU time of the calling\n"
    "thread and CPU time of the whole process meanwhile.\n"
    "  --icd=LIBRARY          a driver's library; kiln: Kiln's own, inside of this program, which\n"
    "                         tells where code came from; without: the Vulkan loader chooses\n"
    "  --device=N|all         number of the physical device; without: the first one\n"
    "  --order=modules|layouts  what is created first, of all captures, before pipelines\n"
    "  --random-layouts=SEED  other layouts that fit the same shaders\n"
    "  --dynamic=PERCENT      of random layouts that have dynamic buffers\n"
    "  --pause=SECONDS        between modules and pipelines, for a driver's background\n"
    "  --statistics           instructions by stages, as the driver counts them\n"
    "  --verify               checks the code objects (--icd=kiln)\n"
    "  --counters             prints the driver's counters (--icd=kiln)\n"
    "  --format=text|tsv\n"
    "  --caches               times what is not compiled instead: caches, binaries, keys\n"
    "  --libraries            times links of four libraries each instead\n"
    "  --read-only            reads the captures, creates nothing\n"
    "  --quiet                does not show how far it has come\n"
    "After Ctrl-C the sums are those of what was created; the exit code is 130 then.\n"
    "\nExamples:\n"
    "  kiln-replay captures/\n"
    "  kiln-replay --icd=kiln --statistics --verify steamapp.foz\n"
    "  kiln-replay --icd=libvulkan_radeon.so --format=tsv captures/graphics\n"
    "  kiln-replay --icd=kiln --order=layouts --random-layouts=7 captures/\n";

Error notOneOf(StringRef value, const char *what) {
  return lgc::invalidInput("'" + value + "' is none of " + what);
}

Error parseOptions(ArrayRef<const char *> arguments, Options &options, bool &help) {
  auto setDevice = [&](StringRef value) {
    options.allDevices = value == "all";
    return options.allDevices ? Error::success() : cli::setNumber(options.run.device, value);
  };
  auto setOrder = [&](StringRef value) {
    const bool isLayouts = value == "layouts";
    options.run.order = isLayouts ? replay::Order::LayoutsFirst : replay::Order::ModulesFirst;
    return isLayouts || value == "modules" ? Error::success() : notOneOf(value, "modules, layouts");
  };
  auto setFormat = [&](StringRef value) {
    options.table = value == "tsv";
    return options.table || value == "text" ? Error::success() : notOneOf(value, "text, tsv");
  };
  auto setSeed = [&](StringRef value) {
    return cli::setNumber(options.run.randomLayouts.emplace(), value);
  };
  auto setDynamic = [&](StringRef value) -> Error {
    unsigned percent = 0;
    KILN_TRY(cli::setNumber(percent, value));
    options.run.random.dynamicBuffers = percent * 0.01;
    return percent <= 100 ? Error::success() : notOneOf(value, "0 to 100");
  };
  auto setPause = [&](StringRef value) { return cli::setNumber(options.pause, value); };
  const cli::Option table[] = {{"h|help", &help},
                               {"icd", &options.library},
                               {"device", setDevice, "N|all"},
                               {"order", setOrder, "modules|layouts"},
                               {"random-layouts", setSeed, "SEED"},
                               {"dynamic", setDynamic, "PERCENT"},
                               {"pause", setPause, "SECONDS"},
                               {"format", setFormat, "text|tsv"},
                               {"read-only", &options.readOnly},
                               {"statistics", &options.statistics},
                               {"verify", &options.verify},
                               {"counters", &options.counters},
                               {"caches", &options.caches},
                               {"libraries", &options.libraries},
                               {"quiet", &options.quiet}};
  return cli::parse(arguments, table, &options.paths);
}

/// FOLDER/graphics/HASH
std::string shortName(const replay::Capture &capture) {
  StringRef path = capture.name;
  path.consume_back(".json");
  SmallVector<StringRef, 16> parts;
  path.split(parts, '/');
  return join(ArrayRef(parts).take_back(3), "/");
}

std::string outcome(const replay::RunRow &row) {
  if (!row.missing.empty())
    return "skipped: " + row.missing;
  if (!row.fault.empty())
    return "failed";
  if (row.created.result != VK_SUCCESS)
    return "VkResult " + std::to_string(static_cast<int>(row.created.result));
  return "created";
}

/// One physical device: prints rows as they come and counts.
class DeviceRun {
public:
  /// \p unread: captures that could not be read, which count as failed.
  DeviceRun(const replay::Driver &driver, const Options &options, size_t unread)
      : driver(driver), options(options), isBuiltIn(options.library == "kiln"), failed(unread) {}

  /// Number of pipelines that failed.
  Expected<size_t> run(const replay::Captures &captures) {
    replay::RunOptions how = options.run;
    how.begin = [&](const replay::Device &) { start = Clock::now(); };
    how.goesOn = [] { return !cli::isInterrupted(); };
    // Modules, layout and pipeline of each.
    progress.emplace("kiln-replay", "steps", 3 * captures.size(), options.quiet);
    how.prepared = [&] { progress->step(); };
    how.settle = [&](const replay::Device &device) { settle(device); };
    how.finish = [&](const replay::Device &device) { finish(device); };
    if (options.statistics)
      how.flags |= VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR;
    if (!options.table)
      outs() << driver.deviceName(how.device) << "\n"
             << formatv("{0,-44} {1,10} {2,12} {3,12}\n", "pipeline", "modules us", "creation us",
                        "CPU us");
    KILN_TRY(replay::runCaptures(driver, captures, how,
                                 [&](const replay::Device &device, const replay::RunRow &row) {
                                   progress->step();
                                   if (options.isShown)
                                     progress->clear();
                                   print(device, row);
                                 }));
    progress.reset();
    if (!options.table)
      outs() << formatv("{0} created, {1} failed, {2} skipped; CPU time: modules {3:f1} ms, "
                        "pipelines {4:f1} ms\n",
                        created, failed, skipped, modules * 1e-3, pipelines * 1e-3);
    return failed;
  }

private:
  using Clock = std::chrono::steady_clock;

  void settle(const replay::Device &device) {
    std::this_thread::sleep_for(std::chrono::seconds(options.pause));
#ifdef KILN_REPLAY_BUILT_IN
    if (!isBuiltIn)
      return;
    replay::waitIdle(device.handle);
    std::chrono::duration<double, std::milli> took = Clock::now() - start;
    if (options.counters)
      outs() << formatv("# modules, layouts and background: {0:f1} ms\n", took.count());
    origins = replay::originsOf(device.handle);
#endif
  }

  void finish(const replay::Device &device) {
#ifdef KILN_REPLAY_BUILT_IN
    if (!isBuiltIn || !options.counters)
      return;
    SmallVector<StringRef, 32> lines;
    std::string text = replay::countersOf(device.handle);
    StringRef(text).split(lines, '\n', -1, /*KeepEmpty=*/false);
    for (StringRef line : lines)
      outs() << "# " << line << "\n";
#endif
  }

  /// Where the code came from.
  std::string origin(const replay::Device &device, const replay::RunRow &row) {
    std::string text = "-";
#ifdef KILN_REPLAY_BUILT_IN
    if (!isBuiltIn || !row.created.pipeline)
      return text;
    text = replay::describeOrigin(row.created.pipeline, origins, replay::originsOf(device.handle));
#endif
    return text;
  }

  /// What is wrong with the code.
  std::string violations([[maybe_unused]] const replay::Device &device,
                         [[maybe_unused]] const replay::RunRow &row) {
    std::string text;
#ifdef KILN_REPLAY_BUILT_IN
    if (!isBuiltIn || !options.verify || !row.created.pipeline)
      return text;
    const auto code = replay::codeOf(device.handle, row.created.pipeline);
    if (!code)
      return text;
    for (const pal::abi::Violation &violation : pal::abi::verifyCodeObject(*code, nullptr))
      text += ("; " + violation.rule + ": " + violation.message).str();
#endif
    return text;
  }

  /// What asking about the last pipeline has counted is not the next one's.
  void forgetCounts([[maybe_unused]] const replay::Device &device) {
#ifdef KILN_REPLAY_BUILT_IN
    if (isBuiltIn)
      origins = replay::originsOf(device.handle);
#endif
  }

  void print(const replay::Device &device, const replay::RunRow &row) {
    const std::string from = origin(device, row), faults = violations(device, row);
    const bool isSkipped = !row.missing.empty();
    const bool isCreated = !isSkipped && row.fault.empty() && row.created.result == VK_SUCCESS;
    skipped += isSkipped;
    created += isCreated && faults.empty();
    failed += !isSkipped && !(isCreated && faults.empty());
    modules += row.moduleMicroseconds;
    pipelines += row.created.cpuMicroseconds;
    if (!row.fault.empty())
      errs() << "kiln-replay: " << row.fault << "\n";
    std::string counts = options.statistics ? instructionsOf(device, row) : "-";
    outs() << formatv(options.table
                          ? "{0}\t{1:f1}\t{2:f1}\t{3:f1}\t{4:f1}\t{5}\t{6}\t{7}\n"
                          : "{0,-44} {1,10:f1} {2,12:f1} {3,12:f1} {4,12:f1} {5} {6} {7}\n",
                      shortName(*row.capture), row.moduleMicroseconds, row.created.microseconds,
                      row.created.cpuMicroseconds, row.created.allThreadsMicroseconds, outcome(row),
                      from + faults, counts);
    forgetCounts(device);
  }

  /// "STAGES=N" for each executable; stages as VkShaderStageFlags.
  static std::string instructionsOf(const replay::Device &device, const replay::RunRow &row) {
    std::string text;
    for (const replay::StageCode &stage : replay::codeStatistics(device, row.created.pipeline))
      text += (text.empty() ? "" : ",") + std::to_string(stage.stages) + "=" +
              std::to_string(stage.instructions);
    return text.empty() ? "-" : text;
  }

  const replay::Driver &driver;
  const Options &options;
  [[maybe_unused]] const bool isBuiltIn;
  size_t failed = 0;
  unsigned created = 0, skipped = 0;
  double modules = 0, pipelines = 0;
  std::optional<cli::Progress> progress;
  [[maybe_unused]] Clock::time_point start;
#ifdef KILN_REPLAY_BUILT_IN
  replay::Origins origins;
#endif
};

Expected<std::unique_ptr<replay::Driver>> openDriver(const std::string &library) {
  if (library != "kiln")
    return replay::Driver::open(library);
#ifdef KILN_REPLAY_BUILT_IN
  return replay::Driver::open(replay::builtInDriver());
#else
  return createStringError(inconvertibleErrorCode(), "this build has no driver inside");
#endif
}

/// Lines "# WHAT, KIND, PIPELINE, FIGURE" with tabs between them.
Error runCaches(const replay::Driver &driver, const replay::Captures &captures,
                const Options &options) {
  replay::CacheTimesOptions how;
  how.device = options.run.device;
#ifdef KILN_REPLAY_BUILT_IN
  if (options.library == "kiln")
    how.settle = [](const replay::Device &device) { replay::waitIdle(device.handle); };
#endif
  cli::Progress progress("kiln-replay", "steps", captures.size() * (options.caches ? 3 : 1),
                         options.quiet);
  how.step = [&] { progress.step(); };
  how.goesOn = [] { return !cli::isInterrupted(); };
  auto print = [&](const replay::CacheFigure &figure) {
    if (options.isShown)
      progress.clear();
    outs() << formatv("# {0}\t{1}\t{2}\t{3:f3}\n", figure.what, replay::nameOf(figure.kind),
                      figure.capture ? shortName(*figure.capture) : "all", figure.value);
  };
  return options.caches ? replay::measureCaches(driver, captures, how, print)
                        : replay::measureLibraries(driver, captures, how, print);
}

int runAll(const Options &options) {
  auto fail = [](Error error) {
    handleAllErrors(std::move(error), [](const ErrorInfoBase &info) {
      errs() << "kiln-replay: " << info.message() << "\n";
    });
    return 1;
  };
  std::vector<std::string> faults;
  const replay::Captures captures = replay::loadCaptures(options.paths, faults);
  for (const std::string &fault : faults)
    errs() << "kiln-replay: " << fault << "\n";
  if (options.readOnly) {
    outs() << captures.size() << " captures\n";
    return !faults.empty();
  }
  auto driver = openDriver(options.library);
  if (!driver)
    return fail(driver.takeError());
  size_t devices = (*driver)->devices().size();
  if (options.run.device >= devices)
    return fail(createStringError(inconvertibleErrorCode(), "there are %zu devices", devices));
  if (options.caches || options.libraries) {
    Error error = runCaches(**driver, captures, options);
    if (error)
      return fail(std::move(error));
    return cli::isInterrupted() ? cli::interruptedExitCode : !faults.empty();
  }
  size_t failed = 0;
  for (size_t device = 0; device < devices; ++device) {
    if (!options.allDevices && device != options.run.device)
      continue;
    Options one = options;
    one.run.device = device;
    Expected<size_t> count = DeviceRun(**driver, one, faults.size()).run(captures);
    if (!count)
      return fail(count.takeError());
    failed += *count;
    if (cli::isInterrupted())
      return cli::interruptedExitCode;
  }
  return failed || !faults.empty() ? 1 : 0;
}

} // namespace

int main(int argc, char **argv) {
  if (cli::printVersion("kiln-replay", cli::argumentsOf(argc, argv)))
    return 0;
  Options options;
  bool help = false;
  if (Error error = parseOptions(cli::argumentsOf(argc, argv), options, help)) {
    errs() << "kiln-replay: " << lgc::consumeToText(std::move(error)).message << "\n" << usage;
    return 2;
  }
  if (help || options.paths.empty()) {
    (help ? outs() : errs()) << usage;
    return help ? 0 : 2;
  }
  cli::catchInterrupts();
  options.isShown = outs().is_displayed();
  return runAll(options);
}
