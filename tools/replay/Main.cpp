//===- Main.cpp - kiln-replay ---------------------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Creates captured pipelines on a Vulkan driver and prints how long it took; docs/replay.md.
#include "Run.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace {

struct Options {
  std::string library = "loader";
  std::vector<std::string> paths;
  replay::RunOptions run;
  bool allDevices = false, table = false, readOnly = false;
};

constexpr char usage[] =
    "usage: kiln-replay [OPTIONS] FILE.json|FOLDER...\n"
    "Creates captured pipelines on a Vulkan driver, and prints microseconds of each.\n"
    "  --icd=LIBRARY          a driver's library; without: the Vulkan loader chooses\n"
    "  --device=N|all         number of the physical device; without: the first one\n"
    "  --order=modules|layouts  what is created first, of all captures, before pipelines\n"
    "  --random-layouts=SEED  other layouts that fit the same shaders\n"
    "  --format=text|tsv\n"
    "  --read-only            reads the captures, creates nothing\n";

bool parseOption(StringRef arg, Options &options) {
  if (arg.consume_front("--icd=")) {
    options.library = arg.str();
    return true;
  }
  if (arg == "--device=all")
    return options.allDevices = true;
  if (arg.consume_front("--device="))
    return to_integer(arg, options.run.device);
  if (arg.consume_front("--order=")) {
    options.run.order =
        arg == "layouts" ? replay::Order::LayoutsFirst : replay::Order::ModulesFirst;
    return arg == "layouts" || arg == "modules";
  }
  if (arg.consume_front("--random-layouts=")) {
    uint64_t seed = 0;
    bool good = to_integer(arg, seed);
    options.run.randomLayouts = seed;
    return good;
  }
  if (arg.consume_front("--format=")) {
    options.table = arg == "tsv";
    return arg == "tsv" || arg == "text";
  }
  if (arg == "--read-only")
    return options.readOnly = true;
  if (arg.starts_with("-"))
    return false;
  options.paths.push_back(arg.str());
  return true;
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
  if (row.created.result != VK_SUCCESS)
    return "VkResult " + std::to_string(static_cast<int>(row.created.result));
  return "created";
}

/// Number of pipelines that failed.
Expected<unsigned> runDevice(const replay::Driver &driver, const replay::Captures &captures,
                             const Options &options) {
  unsigned failed = 0, created = 0, skipped = 0;
  double modules = 0, pipelines = 0;
  auto report = [&](const replay::Device &, const replay::RunRow &row) {
    skipped += !row.missing.empty();
    bool good = row.missing.empty() && row.created.result == VK_SUCCESS;
    created += good;
    failed += row.missing.empty() && !good;
    modules += row.moduleMicroseconds;
    pipelines += row.created.microseconds;
    outs() << formatv(
        options.table ? "{0}\t{1:f1}\t{2:f1}\t{3}\n" : "{0,-44} {1,10:f1} {2,12:f1} {3}\n",
        shortName(*row.capture), row.moduleMicroseconds, row.created.microseconds, outcome(row));
  };
  if (!options.table)
    outs() << driver.deviceName(options.run.device) << "\n"
           << formatv("{0,-44} {1,10} {2,12}\n", "pipeline", "modules us", "creation us");
  if (Error error = replay::runCaptures(driver, captures, options.run, report))
    return error;
  if (!options.table)
    outs() << formatv("{0} created, {1} failed, {2} skipped; modules {3:f1} ms, pipelines {4:f1} "
                      "ms\n",
                      created, failed, skipped, modules * 1e-3, pipelines * 1e-3);
  return failed;
}

int runAll(Options options) {
  auto fail = [](Error error) {
    handleAllErrors(std::move(error), [](const ErrorInfoBase &info) {
      errs() << "kiln-replay: " << info.message() << "\n";
    });
    return 1;
  };
  Expected<replay::Captures> captures = replay::loadCaptures(options.paths);
  if (!captures)
    return fail(captures.takeError());
  if (options.readOnly) {
    outs() << captures->size() << " captures\n";
    return 0;
  }
  auto driver = replay::Driver::open(options.library);
  if (!driver)
    return fail(driver.takeError());
  size_t devices = (*driver)->devices().size();
  if (options.run.device >= devices)
    return fail(createStringError(inconvertibleErrorCode(), "there are %zu devices", devices));
  unsigned failed = 0;
  for (size_t device = 0; device < devices; ++device) {
    if (!options.allDevices && device != options.run.device)
      continue;
    Options one = options;
    one.run.device = device;
    Expected<unsigned> count = runDevice(**driver, *captures, one);
    if (!count)
      return fail(count.takeError());
    failed += *count;
  }
  return failed ? 1 : 0;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  for (StringRef arg : ArrayRef(argv, argc).drop_front())
    if (!parseOption(arg, options)) {
      outs() << usage;
      return arg == "--help" || arg == "-h" ? 0 : 2;
    }
  if (options.paths.empty()) {
    errs() << usage;
    return 2;
  }
  return runAll(options);
}
