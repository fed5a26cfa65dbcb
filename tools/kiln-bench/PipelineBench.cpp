//===- PipelineBench.cpp - creation of captured pipelines -----------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Every figure comes from kiln-replay in a process of its own, so that nothing is warm that should
/// not be; rounds of both drivers take turns, because the machine's speed drifts. A pipeline's
/// figure is the median of the rounds.
#include "PipelineBench.h"
#include "ReplayRun.h"
#include "Timing.h"
#include "tools/cli/Interrupt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <numeric>

using namespace llvm;

namespace bench {
namespace {

using replay::PipelineKind;

constexpr unsigned vertexBit = 1, fragmentBit = 16, computeBit = 32; // VkShaderStageFlagBits
constexpr double minComputeHits = 0.99, minVertexHits = 0.99, minFragmentHits = 0.98;
/// CPU time of creation with everything ready, of RADV's that compiles.
constexpr double maxReady = 0.05;
constexpr double maxComputeCode = 1.03, maxFragmentCode = 1.03, maxVertexCode = 1.08;

double percentile(std::vector<double> values, double share) {
  if (values.empty())
    return 0;
  llvm::sort(values);
  return values[std::min(values.size() - 1,
                         static_cast<size_t>(share * static_cast<double>(values.size())))];
}

/// The same captures, several rounds, always in the same order.
class Series {
public:
  void add(ReplayRun run) { runs.push_back(std::move(run)); }
  bool empty() const { return runs.empty(); }
  const ReplayRun &first() const { return runs.front(); }
  const std::vector<ReplayRun> &all() const { return runs; }
  size_t size() const { return empty() ? 0 : first().rows.size(); }
  /// Median of the rounds.
  double of(size_t row, double ReplayRow::*value) const {
    std::vector<double> values;
    for (const ReplayRun &run : runs)
      if (row < run.rows.size())
        values.push_back(run.rows[row].*value);
    return median(values);
  }
  /// Of the pipelines of a kind that were created.
  std::vector<double> times(PipelineKind kind, double ReplayRow::*which = &ReplayRow::us) const {
    std::vector<double> result;
    for (size_t i = 0; i < size(); ++i)
      if (first().rows[i].kind() == kind && first().rows[i].outcome == "created")
        result.push_back(of(i, which));
    return result;
  }
  std::vector<double> modules() const {
    std::vector<double> result;
    for (size_t i = 0; i < size(); ++i)
      if (double us = of(i, &ReplayRow::moduleUs))
        result.push_back(us);
    return result;
  }

private:
  std::vector<ReplayRun> runs;
};

class PipelineBench {
public:
  explicit PipelineBench(const PipelineOptions &options) : options(options) {}

  int run() {
    if (!measure())
      return 1;
    if (!options.check)
      printTimes();
    printHits();
    if (!options.hitsOnly)
      printCode();
    if (!options.check)
      printBackground();
    for (const std::string &miss : failures)
      outs() << "FAIL " << miss << "\n";
    return failures.empty() ? 0 : 1;
  }

private:
  using Environment = std::vector<std::pair<std::string, std::string>>;

  void addCaptures(std::vector<std::string> &arguments) const {
    arguments.push_back(options.captures);
    if (options.quiet)
      arguments.emplace_back("--quiet");
  }

  /// \p cache: KILN_CACHE; off: nothing of earlier runs.
  std::optional<ReplayRun> kiln(Environment environment, std::vector<std::string> arguments,
                                const char *cache = "off") {
    environment.emplace_back("KILN_DEVICES", options.target);
    environment.emplace_back("KILN_CACHE", cache);
    arguments.insert(arguments.begin(), {"--icd=kiln", "--format=tsv"});
    addCaptures(arguments);
    return runReplay({options.replay, std::move(arguments), std::move(environment)});
  }

  /// RADV without a GPU, its caches off.
  std::optional<ReplayRun> radv(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"--icd=libvulkan_radeon.so", "--format=tsv"});
    addCaptures(arguments);
    return runReplay({options.replay,
                      std::move(arguments),
                      {{"RADV_FORCE_FAMILY", options.family},
                       {"MESA_SHADER_CACHE_DISABLE", "true"},
                       {"RADV_DEBUG", "nonggc"}}});
  }

  static bool keep(Series &series, std::optional<ReplayRun> run) {
    if (!run)
      return false;
    series.add(std::move(*run));
    return true;
  }

  bool measure() {
    const std::string seed = "--random-layouts=" + std::to_string(options.seed);
    bool good =
        (options.hitsOnly ||
         keep(whole, kiln({{"KILN_PARTS", "off"}}, {"--statistics", "--verify"}))) &&
        keep(ready, kiln({}, {"--statistics", "--verify", "--counters"})) &&
        keep(layoutsFirst, kiln({}, {"--order=layouts", "--verify", "--counters"})) &&
        keep(randomLayouts, kiln({}, {seed, "--verify", "--counters"})) &&
        keep(randomLayoutsFirst,
             kiln({}, {"--order=layouts", "--dynamic=25", seed, "--verify", "--counters"})) &&
        measureUpdate();
    for (unsigned round = 0; good && !options.check && round < options.rounds; ++round) {
      if (options.peer)
        options.peer = keep(peer, radv({}));
      good = keep(cold, kiln({{"KILN_PARTS", "off"}}, {})) && keep(warm, kiln({}, {})) &&
             keep(warmRandom, kiln({}, {seed})) &&
             keep(oneWorker, kiln({{"KILN_PART_WORKERS", "1"}}, {"--counters"})) &&
             keep(twoWorkers, kiln({{"KILN_PART_WORKERS", "2"}}, {"--counters"}));
      if (!good && cli::isInterrupted() && round) { // what is finished stays
        options.rounds = round;
        return true;
      }
    }
    return good;
  }

  /// A program that meets another build of the driver than the last time.
  bool measureUpdate() {
    SmallString<256> folder;
    sys::fs::create_directories(options.work);
    if (sys::fs::createUniqueDirectory(options.work + "/update", folder))
      return false;
    const std::string cache = folder.str().str();
    auto run = [&](const char *salt, const char *recipes) {
      return kiln({{"KILN_CACHE_DIR", cache}, {"KILN_CACHE_SALT", salt}, {"KILN_RECIPES", recipes}},
                  {"--verify", "--counters"}, "on");
    };
    const bool good = run("1", "on") && keep(updated, run("2", "wait"));
    sys::fs::remove_directories(folder);
    return good;
  }

  static void printLine(StringRef name, const std::vector<double> &us) {
    double sum = 0;
    for (double value : us)
      sum += value;
    outs() << formatv("  {0,-34} {1,6} {2,10:f1} {3,10:f1} {4,10:f1} {5,10:f1}\n", name, us.size(),
                      median(us), percentile(us, 0.9), percentile(us, 0.99), sum * 1e-3);
  }

  /// How much more a cold creation takes, as sums and as the median of the pipelines' ratios.
  void printAgainstPeer(PipelineKind kind) {
    auto isCreated = [&](const Series &series, size_t row) {
      return row < series.size() && series.first().rows[row].outcome == "created";
    };
    auto ratio = [&](double ReplayRow::*which) {
      std::vector<double> ratios;
      double sum = 0, theirSum = 0;
      for (size_t i = 0; i < cold.size(); ++i) {
        if (cold.first().rows[i].kind() != kind || !isCreated(cold, i) || !isCreated(peer, i))
          continue;
        const double our = cold.of(i, which), their = peer.of(i, which);
        ratios.push_back(our / std::max(their, 1e-9));
        sum += our;
        theirSum += their;
      }
      return formatv("{0:f2}x sum, {1:f2}x median", sum / std::max(theirSum, 1e-9), median(ratios))
          .str();
    };
    outs() << formatv("  {0}: cold / RADV cold: all threads {1}; by the clock {2}\n",
                      replay::nameOf(kind), ratio(&ReplayRow::allUs), ratio(&ReplayRow::wallUs));
  }

  /// The same of creation with everything ready, by sums of CPU time.
  void printReady(PipelineKind kind, StringRef how, const Series &series) {
    auto sum = [](const std::vector<double> &values) {
      return std::accumulate(values.begin(), values.end(), 0.0);
    };
    const double their = sum(peer.times(kind));
    const double ratio = sum(series.times(kind)) / std::max(their, 1e-9);
    outs() << formatv("  {0}: {1} / RADV cold {2:f4}x (sums; bar {3})\n", replay::nameOf(kind), how,
                      ratio, maxReady);
    if (their && ratio > maxReady)
      failures.push_back(std::string("time of ") + replay::nameOf(kind) +
                         " with everything ready, " + how.str());
  }

  /// Pipelines of `warm` whose code came from there.
  std::vector<double> timesOf(PipelineKind kind, StringRef origin) const {
    std::vector<double> result;
    for (size_t i = 0; i < warm.size(); ++i) {
      const ReplayRow &row = warm.first().rows[i];
      if (row.kind() == kind && row.origin == origin)
        result.push_back(warm.of(i, &ReplayRow::us));
    }
    return result;
  }

  void printKind(PipelineKind kind) {
    const std::string name = replay::nameOf(kind);
    printLine(name + ", cold, all threads", cold.times(kind, &ReplayRow::allUs));
    printLine(name + ", cold, by the clock", cold.times(kind, &ReplayRow::wallUs));
    if (options.peer) {
      printLine(name + ", RADV, cold", peer.times(kind));
      printAgainstPeer(kind);
    }
    printLine(name + ", modules first, all", warm.times(kind));
    printLine(name + ", same code as another", timesOf(kind, "cached"));
    if (kind == PipelineKind::RayTracing) // has no parts
      return;
    const std::vector<double> linked = timesOf(kind, "linked");
    printLine(name + ", everything ready", linked);
    if (options.peer) {
      printReady(kind, "modules first", warm);
      printReady(kind, "random layouts", warmRandom);
      outs() << formatv("  {0}: RADV cold / ready {1:f1}x (medians)\n", name,
                        median(peer.times(kind)) / std::max(median(linked), 1e-9));
    }
  }

  void printTimes() {
    outs() << formatv(
        "creation of {0} captured pipelines, {1}, {2} rounds; microseconds of CPU time\n",
        cold.size(), options.target, options.rounds);
    outs() << formatv("  {0,-34} {1,6} {2,10} {3,10} {4,10} {5,10}\n", "", "number", "median",
                      "90 %", "99 %", "sum ms");
    for (const replay::PipelineKindRow &row : replay::pipelineKinds)
      if (!cold.times(row.kind).empty())
        printKind(row.kind);
    const std::vector<double> without = cold.modules(), with = warm.modules();
    printLine("vkCreateShaderModule, parts off", without);
    printLine("vkCreateShaderModule, parts on", with);
    // Modules differ a hundredfold in size: each is compared with itself.
    std::vector<double> ratios;
    for (auto [off, on] : llvm::zip_equal(without, with))
      ratios.push_back(on / std::max(off, 1e-9));
    outs() << formatv("  parts on / off {0:f2}x (median of the modules' ratios; bar 1.1)\n",
                      median(ratios));
  }

  /// From the driver's lines "KIND parts wanted N, there M".
  static std::map<std::string, std::pair<unsigned, unsigned>> partsOf(const ReplayRun &run) {
    std::map<std::string, std::pair<unsigned, unsigned>> parts;
    for (StringRef note : run.notes) {
      auto [kind, numbers] = note.split(" parts wanted ");
      auto [wanted, ready] = numbers.split(", there ");
      unsigned all = 0, there = 0;
      if (!to_integer(wanted, all) || !to_integer(ready, there))
        continue;
      parts[kind.str()].first += all; // devices add up
      parts[kind.str()].second += there;
    }
    return parts;
  }

  void printHits() {
    const struct {
      const char *name;
      const Series &series;
      bool hasBar;
    } runs[] = {{"modules first", ready, true},
                {"layouts first", layoutsFirst, true},
                {"random layouts", randomLayouts, true},
                {"random layouts first, 25 % dynamic", randomLayoutsFirst, false},
                {"after an update, of recipes", updated, true}};
    outs() << "hit rates: parts that were ready when a pipeline came (seed of random layouts "
           << options.seed << ")\n";
    for (const auto &run : runs) {
      std::map<std::string, unsigned> origins;
      for (const ReplayRow &row : run.series.first().rows) {
        auto [origin, violation] = StringRef(row.origin).split(';');
        ++origins[origin.str()];
        if (!violation.empty())
          failures.push_back(row.name + ":" + violation.str());
        if (row.outcome != "created")
          failures.push_back(row.name + ": " + row.outcome);
      }
      outs() << "  " << run.name << "\n";
      for (const auto &[kind, counts] : partsOf(run.series.first())) {
        double rate = double(counts.second) / std::max(counts.first, 1u);
        outs() << formatv("    {0,-40} {1,4} of {2,4} {3,6:f1} %\n", kind, counts.second,
                          counts.first, rate * 100);
        const double bar = kind == "compute"    ? minComputeHits
                           : kind == "fragment" ? minFragmentHits
                                                : minVertexHits;
        if (run.hasBar && rate < bar)
          failures.push_back((Twine(run.name) + ": hit rate of " + kind + " parts").str());
      }
      for (const auto &[origin, count] : origins)
        outs() << formatv("    pipelines {0,-30} {1,4}\n", origin, count);
    }
    // Recipes have what modules alone do not tell, glue too.
    for (StringRef note : updated.first().notes)
      if (note.contains(", while a pipeline waited ") && !note.ends_with(" waited 0"))
        failures.push_back(("after an update: " + note).str());
  }

  void printCode() {
    std::map<unsigned, std::vector<double>> ratios;
    for (size_t i = 0; i < whole.size() && i < ready.size(); ++i) {
      const ReplayRow &linked = ready.first().rows[i];
      if (linked.origin != "linked" && linked.origin != "linked late")
        continue;
      // The monolithic compile may have merged stages that are executables of their own otherwise.
      std::map<unsigned, std::pair<unsigned, unsigned>> counts;
      auto add = [&](const ReplayRow &row, unsigned std::pair<unsigned, unsigned>::*count) {
        for (auto [stages, number] : row.instructions)
          counts[stages & computeBit    ? computeBit
                 : stages & fragmentBit ? fragmentBit
                                        : vertexBit].*
              count += number;
      };
      add(linked, &std::pair<unsigned, unsigned>::first);
      add(whole.first().rows[i], &std::pair<unsigned, unsigned>::second);
      for (auto [stage, count] : counts)
        if (count.first && count.second)
          ratios[stage].push_back(double(count.first) / count.second);
    }
    outs() << "instructions of linked pipelines / monolithic ones (geometric means)\n";
    const struct {
      unsigned stage;
      const char *name;
      double bar;
    } rows[] = {{computeBit, "compute", maxComputeCode},
                {fragmentBit, "fragment with export", maxFragmentCode},
                {vertexBit, "vertex with fetch", maxVertexCode}};
    for (const auto &row : rows) {
      const std::vector<double> &values = ratios[row.stage];
      outs() << formatv("  {0,-22} {1,4} {2:f3} (bar {3}), 90 % {4:f3}, worst {5:f3}\n", row.name,
                        values.size(), geometricMean(values), row.bar, percentile(values, 0.9),
                        percentile(values, 1));
      if (!values.empty() && geometricMean(values) > row.bar)
        failures.push_back(std::string("code of ") + row.name);
    }
  }

  /// Sum over the devices of the lines that begin with \p name.
  static double noteOf(const ReplayRun &run, StringRef name) {
    double sum = 0;
    for (StringRef note : run.notes)
      if (note.consume_front(name)) {
        double value = 0;
        if (to_float(note.split(' ').first, value))
          sum += value;
      }
    return sum;
  }

  void printBackground() {
    constexpr StringLiteral time = "modules, layouts and background: ";
    std::vector<double> one, two;
    for (const ReplayRun &run : oneWorker.all())
      one.push_back(noteOf(run, time));
    for (const ReplayRun &run : twoWorkers.all())
      two.push_back(noteOf(run, time));
    outs() << formatv(
        "all parts ready after {0:f0} ms with one worker, {1:f0} ms with two: {2:f2}x\n",
        median(one), median(two), median(one) / std::max(median(two), 1e-9));
    for (StringRef note : ready.first().notes)
      outs() << "  " << note << "\n";
  }

  PipelineOptions options;
  Series whole, ready, layoutsFirst, randomLayouts, randomLayoutsFirst, updated; ///< one run each
  Series cold, warm, warmRandom, peer, oneWorker, twoWorkers;
  std::vector<std::string> failures;
};

} // namespace

int runPipelineBench(const PipelineOptions &options) {
  if (!sys::fs::is_directory(options.captures)) {
    outs() << "kiln-bench: no captured pipelines at " << options.captures << "\n";
    return 77;
  }
  return PipelineBench(options).run();
}

} // namespace bench
