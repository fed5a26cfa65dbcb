//===- CacheBench.cpp - what pipelines cost that are not compiled ---------===//
// SPDX-License-Identifier: MIT
/// \file
/// kiln-replay measures, in processes of their own; rounds of both drivers take turns, because the
/// machine's speed drifts. A pipeline's figure is the median of the rounds, a line's the median of
/// the pipelines.
#include "CacheBench.h"
#include "ReplayRun.h"
#include "Timing.h"
#include "tools/cli/Interrupt.h"
#include "tools/replay/CacheFigures.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace bench {
namespace {

using replay::PipelineKind;

constexpr char diskHit[] = "hit in the cache on disk";

/// What one driver's processes printed.
class Figures {
public:
  bool empty() const { return values.empty(); }

  void add(const ReplayRun &run) {
    for (StringRef note : run.notes) {
      SmallVector<StringRef, 4> columns;
      note.split(columns, '\t');
      double value = 0;
      if (columns.size() != 4 || !to_float(columns[3], value))
        continue;
      for (const replay::PipelineKindRow &row : replay::pipelineKinds)
        if (columns[1] == row.name)
          values[{columns[0].str(), row.kind}][columns[2].str()].push_back(value);
    }
  }

  /// Times of creation.
  void addRows(const char *what, const ReplayRun &run) {
    for (const ReplayRow &row : run.rows)
      if (row.outcome == "created")
        values[{what, row.kind()}][row.name].push_back(row.us);
  }

  /// None: the driver cannot do it.
  std::optional<double> of(const char *what, PipelineKind kind) const {
    const auto found = values.find({what, kind});
    if (found == values.end())
      return std::nullopt;
    std::vector<double> medians;
    for (const auto &[name, series] : found->second)
      medians.push_back(median(series));
    return median(medians);
  }

  /// A pipeline's share of what is counted of all, over all devices.
  std::optional<double> share(const char *what, PipelineKind kind, unsigned rounds) const {
    const auto found = values.find({what, kind});
    const auto one = values.find({replay::figure::rawSize, kind});
    if (found == values.end() || one == values.end())
      return std::nullopt;
    double sum = 0;
    for (const auto &[name, series] : found->second)
      for (double value : series)
        sum += value;
    return sum / rounds / static_cast<double>(one->second.size());
  }

private:
  /// By what and kind; by pipeline; a value for each round.
  std::map<std::pair<std::string, PipelineKind>, std::map<std::string, std::vector<double>>> values;
};

enum class Bar : uint8_t {
  None,
  Peer,    ///< not more than the peer in the same run, or a multiple; without one, than the number
  AtMost,  ///< not more than the number
  AtLeast, ///< not less than the number
};

struct Line {
  const char *what, *unit;
  Bar bar = Bar::None;
  double compute = 0, graphics = 0; ///< of the bar
  bool isShare = false;             ///< of all: divided by the number of pipelines
  bool isFixed = false;             ///< the same on every machine
  double timesPeer = 1;             ///< of Bar::Peer
};

namespace figure = replay::figure;
constexpr Line lines[] = {
    {figure::sameCache, "us", Bar::Peer, 0.8, 2.5},
    {figure::firstHit, "us", Bar::Peer, 3.4, 7.8},
    {figure::loadData, "us"},
    {figure::fromBinaries, "us", Bar::Peer, 2.6, 5.9},
    {figure::makeBinaries, "us", Bar::Peer, 1, 1.4, false, false, 2}, // RADV checks no byte
    {figure::key, "us", Bar::Peer, 0.6, 2.2},
    {figure::identifier, "us", Bar::AtMost, 0.17, 0.17},
    {figure::codeIdentifier, "us"},
    {diskHit, "us", Bar::AtMost, 50, 50},
    {figure::compileRequired, "us", Bar::Peer, 2.5, 9.4},
    {figure::fastLink, "us", Bar::AtMost, 1, 1},
    {figure::firstLink, "us"},
    {figure::packedSize, "bytes", Bar::Peer, 1900, 5000, false, true},
    {figure::rawSize, "bytes"},
    {figure::packedBinaries, "bytes"},
    {figure::rawBinaries, "bytes"},
    {figure::packedTotal, "bytes", Bar::None, 0, 0, true},
    {figure::rawTotal, "bytes", Bar::None, 0, 0, true},
    {figure::threads, "times", Bar::AtLeast, 1.8, 1.8},
};

class CacheBench {
public:
  explicit CacheBench(const CacheOptions &options) : options(options) {}

  int run() {
    for (unsigned round = 0; round < options.rounds; ++round) {
      const Figures before = kiln;
      if (!measureKiln()) {
        if (!cli::isInterrupted() || !round)
          return 1;
        options.rounds = round; // what is finished stays
        kiln = before;
        break;
      }
      if (options.peer && !measurePeer()) {
        outs() << "no peer (./kiln setup installs it)\n";
        options.peer = false;
        peer = Figures();
      }
    }
    outs() << formatv("what is not compiled: medians of the captured pipelines, {0}, {1} rounds\n"
                      "{2,-28} {3,-10} {4,9} {5,9}  {6,-5}  bar\n",
                      options.target, options.rounds, "", "", "Kiln", "RADV", "");
    for (const Line &line : lines)
      for (const replay::PipelineKindRow &row : replay::pipelineKinds)
        print(line, row.kind);
    return failed ? 1 : 0;
  }

private:
  using Environment = std::vector<std::pair<std::string, std::string>>;

  std::optional<ReplayRun> replay(std::vector<std::string> arguments, Environment environment) {
    arguments.push_back(options.captures);
    if (options.quiet)
      arguments.emplace_back("--quiet");
    return runReplay({options.replay, std::move(arguments), std::move(environment)});
  }
  std::optional<ReplayRun> radv(const char *mode, std::pair<std::string, std::string> cache) {
    return replay({"--icd=libvulkan_radeon.so", mode},
                  {{"RADV_FORCE_FAMILY", options.family}, {"RADV_DEBUG", "nonggc"}, cache});
  }

  static bool keep(Figures &figures, const std::optional<ReplayRun> &run) {
    if (run)
      figures.add(*run);
    return run.has_value();
  }

  /// \p once creates all pipelines with a cache in the folder that it gets: the first process fills
  /// it, the second one counts.
  template <typename Once> bool measureDisk(Figures &figures, Once once) {
    SmallString<256> folder;
    if (sys::fs::createUniqueDirectory(options.work + "/cache", folder))
      return false;
    const std::string path = folder.str().str();
    const bool filled = once(path).has_value();
    const std::optional<ReplayRun> second = filled ? once(path) : std::nullopt;
    sys::fs::remove_directories(path);
    if (second)
      figures.addRows(diskHit, *second);
    return second.has_value();
  }

  bool measureKiln() {
    const std::pair<std::string, std::string> devices("KILN_DEVICES", options.target),
        off("KILN_CACHE", "off");
    return keep(kiln, replay({"--icd=kiln", "--caches"}, {devices, off, {"KILN_PARTS", "off"}})) &&
           keep(kiln, replay({"--icd=kiln", "--libraries"}, {devices, off})) &&
           measureDisk(kiln, [&](const std::string &folder) {
             return replay({"--icd=kiln", "--format=tsv"},
                           {devices, {"KILN_CACHE", "on"}, {"KILN_CACHE_DIR", folder}});
           });
  }

  bool measurePeer() {
    const std::pair<std::string, std::string> off("MESA_SHADER_CACHE_DISABLE", "true");
    return keep(peer, radv("--caches", off)) && keep(peer, radv("--libraries", off)) &&
           measureDisk(peer, [&](const std::string &folder) {
             return radv("--format=tsv", {"MESA_SHADER_CACHE_DIR", folder});
           });
  }

  std::optional<double> figureOf(const Figures &figures, const Line &line,
                                 PipelineKind kind) const {
    return line.isShare ? figures.share(line.what, kind, options.rounds)
                        : figures.of(line.what, kind);
  }

  void print(const Line &line, PipelineKind kind) {
    const std::optional<double> ours = figureOf(kiln, line, kind),
                                theirs = figureOf(peer, line, kind);
    if (!ours && !theirs)
      return;
    auto text = [&](std::optional<double> value) {
      if (!value)
        return std::string("-");
      return StringRef(line.unit) == "bytes" ? formatv("{0:f0}", *value).str()
                                             : formatv("{0:f3}", *value).str();
    };
    outs() << formatv("{0,-28} {1,-10} {2,9} {3,9}  {4,-5}", line.what, replay::nameOf(kind),
                      text(ours), text(theirs), line.unit);
    const double number = kind == PipelineKind::Graphics ? line.graphics : line.compute;
    const double bar = line.bar == Bar::Peer && theirs ? *theirs * line.timesPeer : number;
    // Of ray tracing pipelines, which the corpus has none of, there are no numbers instead of a
    // peer.
    const bool hasBar = kind != PipelineKind::RayTracing || line.bar != Bar::Peer || theirs;
    if (line.bar != Bar::None && hasBar) {
      const bool holds = ours && (line.bar == Bar::AtLeast ? *ours >= bar : *ours <= bar);
      outs() << formatv("  {0} {1}: {2}", line.bar == Bar::AtLeast ? "at least" : "at most",
                        text(bar), holds ? "holds" : "MISSED");
      failed |= !holds && line.isFixed;
    }
    outs() << "\n";
  }

  CacheOptions options;
  Figures kiln, peer;
  bool failed = false;
};

} // namespace

int runCacheBench(const CacheOptions &options) {
  if (!sys::fs::is_directory(options.captures)) {
    outs() << "kiln-bench: no captured pipelines at " << options.captures << "\n";
    return 77;
  }
  sys::fs::create_directories(options.work);
  return CacheBench(options).run();
}

} // namespace bench
