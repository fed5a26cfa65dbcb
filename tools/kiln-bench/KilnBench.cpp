//===- KilnBench.cpp - compile time and code quality figures --------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Compiles every compute shader of the corpus in process, several rounds, and prints medians per
/// phase, code quality and memory. Where Mesa's RADV is installed, each round compiles each shader
/// with both compilers in turn, so that the ratios hold although the machine's speed drifts.
#include "BenchOptions.h"
#include "BusyBench.h"
#include "CacheBench.h"
#include "Corpus.h"
#include "DeviceBench.h"
#include "GraphicsBench.h"
#include "KeyBench.h"
#include "LinkBench.h"
#include "MatrixBench.h"
#include "PipelineBench.h"
#include "ReflectBench.h"
#include "ScaleBench.h"
#include "Timing.h"
#include "lgc/CompileError.h"
#include "llpc/Compiler.h"
#include "pal_shim/abi/TargetInfo.h"
#include "pal_shim/abi/Try.h"
#include "tools/cli/Arguments.h"
#include "tools/cli/Interrupt.h"
#include "tools/cli/Progress.h"
#include "tools/radv/RadvPeer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace llvm;

namespace bench {

static std::vector<Shader> loadShaders(const Options &options) {
  std::vector<Shader> shaders;
  auto isWanted = [&](ArrayRef<StringRef> columns) {
    return columns[1] == "comp" && !columns[0].starts_with("cases/") &&
           (!options.matrices || isOfMachineLearning(columns[0]));
  };
  for (CorpusShader &from : loadCorpus({options.corpus, options.work, options.quiet}, isWanted)) {
    if (from.spirv.empty()) {
      if (!cli::isInterrupted())
        errs() << "kiln-bench: no SPIR-V for " << from.name() << "\n";
      continue;
    }
    Shader shader;
    shader.name = from.name();
    shader.spirvFile = std::move(from.spirvFile);
    shader.spirv = std::move(from.spirv);
    shaders.push_back(std::move(shader));
  }
  return shaders;
}

Expected<llpc::ComputePipelineBuildInfo> makeInfo(const llpc::Compiler &compiler,
                                                  const Options &options, const Shader &shader) {
  auto module = KILN_TRY(compiler.buildShaderModule(shader.spirv));
  llpc::ComputePipelineBuildInfo info;
  info.cs.module = module;
  info.resourceMapping = KILN_TRY(llpc::Compiler::buildAutoLayout(module, info.cs));
  info.options.optLevel = optLevelOf(options.opt);
  info.options.tier = options.tier == "direct" ? lgc::Tier::Direct : lgc::Tier::Llvm;
  return info;
}

Expected<llpc::ComputePipelineResult> compileOnce(const llpc::Compiler &compiler,
                                                  const Options &options, const Shader &shader) {
  auto info = makeInfo(compiler, options, shader);
  return info ? compiler.buildComputePipeline(*info) : info.takeError();
}

/// Links parts of every shader, and of every graphics pipeline.
int runLinkBench(const llpc::Compiler &compiler, const Options &options,
                 const std::vector<Shader> &shaders) {
  LinkBench bench(compiler);
  cli::Progress progress("kiln-bench", "shaders", shaders.size(), options.quiet);
  for (const Shader &shader : shaders) {
    progress.step();
    if (cli::isInterrupted())
      break;
    auto info = makeInfo(compiler, options, shader);
    if (!info) {
      outs() << "failed: " << shader.name << ": " << lgc::consumeToText(info.takeError()).message
             << "\n";
      return 1;
    }
    bench.measure(*info);
  }
  progress.clear();
  bench.print("compute");
  GraphicsOptions graphics;
  graphics.quiet = options.quiet;
  graphics.corpus = options.corpus;
  graphics.work = options.work;
  graphics.target = options.target;
  graphics.opt = options.opt;
  return runGraphicsLinkBench(compiler, graphics);
}

void measureKeys(const llpc::Compiler &compiler, const Options &options,
                 const std::vector<Shader> &shaders) {
  KeyTimes times;
  for (const Shader &shader : shaders) {
    auto info = makeInfo(compiler, options, shader);
    if (!info) {
      consumeError(info.takeError());
      continue;
    }
    times.measure("monolithic pipeline", [&] { return compiler.hashComputePipeline(*info); });
    times.measure("compute part", [&] { return compiler.partKey(*info); });
  }
  times.print();
}

void measureRound(const llpc::Compiler &compiler, const Options &options, Shader &shader,
                  radv::RadvPeer *peer, bool first) {
  const double start = threadCpuMs();
  auto result = compileOnce(compiler, options, shader);
  const double elapsed = threadCpuMs() - start;
  if (!result) {
    shader.error = lgc::consumeToText(result.takeError()).message;
    return;
  }
  shader.statistics = result->statistics;
  shader.isDirect = result->isDirect;
  shader.directRefusal = result->directRefusal;
  if (!first) { // the first round warms caches and lazily made tables
    shader.total.push_back(elapsed);
    shader.read.push_back(result->times.read);
    shader.translate.push_back(result->times.translate);
    shader.lgc.push_back(result->times.lgc);
    shader.optimise.push_back(result->times.optimise);
    shader.codegen.push_back(result->times.codegen);
    shader.link.push_back(result->times.link);
  }
  if (!peer)
    return;
  auto other = peer->compile(shader.spirvFile, first);
  if (!other)
    return;
  if (first)
    shader.peer = other;
  else
    shader.peerTotal.push_back(other->cpuMs);
}

/// What the direct tier took, and what it did not, most frequent reasons first.
void printTiers(const std::vector<Shader> &shaders) {
  std::map<std::string, unsigned> refused;
  unsigned direct = 0;
  for (const Shader &shader : shaders) {
    direct += shader.isDirect;
    if (!shader.directRefusal.empty())
      ++refused[shader.directRefusal];
  }
  outs() << formatv("direct tier: {0} shaders\n", direct);
  std::vector<std::pair<unsigned, std::string>> reasons;
  for (const auto &[reason, count] : refused)
    reasons.push_back({count, reason});
  sort(reasons, std::greater());
  for (const auto &[count, reason] : reasons)
    outs() << formatv("refused: {0} {1}\n", count, reason);
}

void printPhases(const std::vector<Shader> &shaders) {
  struct Row {
    const char *name;
    std::vector<double> Shader::*values;
  };
  const Row rows[] = {{"read", &Shader::read},        {"translate", &Shader::translate},
                      {"lgc", &Shader::lgc},          {"optimise", &Shader::optimise},
                      {"codegen", &Shader::codegen},  {"link", &Shader::link},
                      {"total (CPU)", &Shader::total}};
  outs() << formatv("{0,-14} {1,12} {2,12} {3,8}\n", "phase", "sum ms", "median ms", "share");
  double all = 0;
  for (const Shader &s : shaders)
    all += median(s.total);
  for (const Row &row : rows) {
    double sum = 0;
    std::vector<double> medians;
    for (const Shader &s : shaders) {
      if (s.total.empty())
        continue;
      medians.push_back(median(s.*row.values));
      sum += medians.back();
    }
    outs() << formatv("{0,-14} {1,12:f2} {2,12:f3} {3,7:f1}%\n", row.name, sum, median(medians),
                      100 * sum / std::max(all, 1e-9));
  }
}

void printQuality(const std::vector<Shader> &shaders) {
  uint64_t code = 0, instructions = 0, vgprs = 0, sgprs = 0, scratch = 0;
  for (const Shader &s : shaders) {
    code += s.statistics.codeBytes;
    instructions += s.statistics.instructions;
    vgprs += s.statistics.vgprs;
    sgprs += s.statistics.sgprs;
    scratch += s.statistics.scratchBytes;
  }
  outs() << formatv("code {0} bytes, {1} instructions, VGPRs {2}, SGPRs {3}, scratch {4} bytes\n",
                    code, instructions, vgprs, sgprs, scratch);
}

void printPeer(const std::vector<Shader> &shaders, const radv::RadvPeer &peer,
               StringRef targetName) {
  const pal::abi::GpuTarget *target = pal::abi::findTarget(targetName);
  double ours = 0, theirs = 0;
  std::vector<double> time, code, instructions, vgprs, sgprs;
  for (const Shader &s : shaders) {
    if (!s.peer || s.peerTotal.empty() || s.total.empty() || !s.peer->codeBytes)
      continue;
    ours += median(s.total);
    theirs += median(s.peerTotal);
    time.push_back(median(s.total) / median(s.peerTotal));
    code.push_back(double(s.statistics.codeBytes) / s.peer->codeBytes);
    if (s.peer->instructions && s.statistics.instructions)
      instructions.push_back(double(s.statistics.instructions) / s.peer->instructions);
    // The peer reports allocated registers: rounded up to the granule.
    const unsigned granule = target->vgprGranule32 / (s.statistics.waveSize == 64 ? 2 : 1);
    const unsigned allocated = (std::max(s.statistics.vgprs, 1u) + granule - 1) / granule * granule;
    vgprs.push_back(double(allocated) / std::max(s.peer->vgprs, granule));
    sgprs.push_back(double(std::max(s.statistics.sgprs, 1u)) / std::max(s.peer->sgprs, 1u));
  }
  outs() << formatv("against {0}: {1} shaders\n", peer.deviceName(), time.size());
  outs() << formatv("  total CPU time   {0:f1} ms / {1:f1} ms = {2:f2}x (geometric mean {3:f2}x)\n",
                    ours, theirs, ours / std::max(theirs, 1e-9), geometricMean(time));
  outs() << formatv("  code bytes       {0:f3}x geometric mean\n", geometricMean(code));
  outs() << formatv("  instructions     {0:f3}x\n", geometricMean(instructions));
  outs() << formatv("  allocated VGPRs  {0:f3}x\n", geometricMean(vgprs));
  outs() << formatv("  SGPRs            {0:f3}x\n", geometricMean(sgprs));
}

void printShaders(const std::vector<Shader> &shaders) {
  outs() << formatv("{0,-52} {1,9} {2,9} {3,7} {4,7} {5,6} {6,6}\n", "shader", "ms", "peer ms",
                    "code", "peer", "VGPRs", "peer");
  for (const Shader &s : shaders)
    outs() << formatv("{0,-52} {1,9:f2} {2,9:f2} {3,7} {4,7} {5,6} {6,6}\n", s.name,
                      median(s.total), median(s.peerTotal), s.statistics.codeBytes,
                      s.peer ? s.peer->codeBytes : 0, s.statistics.vgprs,
                      s.peer ? s.peer->vgprs : 0);
}

void measureMemory(const llpc::Compiler &compiler, const Options &options,
                   const std::vector<Shader> &shaders) {
  // The smaller half, so that ten thousand compiles end in reasonable time.
  std::vector<const Shader *> small;
  for (const Shader &s : shaders)
    if (s.error.empty())
      small.push_back(&s);
  if (small.empty())
    return;
  llvm::sort(small,
             [](const Shader *a, const Shader *b) { return a->spirv.size() < b->spirv.size(); });
  small.resize(std::max<size_t>(small.size() / 2, 1));
  cli::Progress progress("kiln-bench", "compiles", options.memoryCompiles, options.quiet);
  unsigned done = 0;
  auto run = [&](unsigned count) {
    for (unsigned i = 0; i < count && !cli::isInterrupted(); ++i, progress.update(++done))
      consumeError(compileOnce(compiler, options, *small[i % small.size()]).takeError());
  };
  const unsigned warm = std::min(options.memoryCompiles / 5, 2000u);
  run(warm);
  const double before = residentMiB();
  run(options.memoryCompiles - warm);
  const double after = residentMiB();
  progress.clear();
  if (cli::isInterrupted())
    return;
  outs() << formatv("memory: {0:f1} MiB after {1} compiles, {2:f1} MiB after {3}: {4:f2} MiB per "
                    "1,000; peak {5:f1} MiB\n",
                    before, warm, after, options.memoryCompiles,
                    (after - before) * 1000 / (options.memoryCompiles - warm), peakResidentMiB());
}

/// In turn, so that the machine's speed is the same for all. After Ctrl-C some are left out.
void measureAll(const llpc::Compiler &compiler, const Options &options, unsigned rounds,
                std::vector<Shader> &shaders, radv::RadvPeer *peer) {
  cli::Progress progress("kiln-bench", "shaders", (rounds + 1) * shaders.size(), options.quiet);
  for (unsigned round = 0; round <= rounds; ++round)
    for (Shader &shader : shaders) {
      if (shader.error.empty() && !cli::isInterrupted())
        measureRound(compiler, options, shader, peer, round == 0);
      progress.step();
    }
  progress.clear();
  erase_if(shaders, [](const Shader &s) { return s.error.empty() && !s.statistics.codeBytes; });
}

int run(const Options &options, const char *program) {
  sys::fs::create_directories(options.work);
  std::vector<Shader> shaders;
  if (!options.graphics && !options.scale)
    shaders = loadShaders(options);
  if (shaders.empty() && !options.graphics && !options.scale && !cli::isInterrupted()) {
    errs() << "kiln-bench: no shaders below " << options.corpus
           << " (give --corpus DIR, a folder with MANIFEST.tsv)\n";
    return 1;
  }
  if (options.matrices && !addMatrixKernels(shaders, options.work)) {
    errs() << "kiln-bench: cannot write to " << options.work << "\n";
    return 1;
  }
  auto compiler = llpc::Compiler::create({.target = options.target});
  if (!compiler) {
    errs() << "kiln-bench: " << lgc::consumeToText(compiler.takeError()).message << "\n";
    return 1;
  }
  if (options.links)
    return runLinkBench(**compiler, options, shaders);
  if (!keepOthersWaiting())
    outs() << "no real-time priority: other programs delay what is measured\n";
  radv::RadvPeer peer;
  bool havePeer = false;
  if (options.peer) {
    const std::string reason =
        peer.start(sys::fs::getMainExecutable(program, nullptr), options.family);
    havePeer = reason.empty();
    if (!havePeer)
      outs() << "no peer: " << reason << " (./kiln setup installs it)\n";
  }
  const lgc::Tier tier = options.tier == "direct" ? lgc::Tier::Direct : lgc::Tier::Llvm;
  if (options.scale)
    return runScaleBench(
        **compiler, {options.work, options.rounds, optLevelOf(options.opt), tier, options.quiet},
        havePeer ? &peer : nullptr);
  if (options.graphics)
    return runGraphicsBench(**compiler,
                            {options.corpus, options.work, options.target, options.opt,
                             options.rounds, options.perShader, options.culling, options.quiet},
                            havePeer ? &peer : nullptr);
  const unsigned rounds = options.matrices ? 0 : options.rounds; // no times
  measureAll(**compiler, options, rounds, shaders, havePeer ? &peer : nullptr);
  unsigned failed = 0;
  for (const Shader &shader : shaders)
    if (!shader.error.empty()) {
      outs() << "failed: " << shader.name << ": " << shader.error << "\n";
      ++failed;
    }
  outs() << formatv("{0} compute shaders, {1}, optimisation {2}, {3} rounds, {4} failed\n",
                    shaders.size(), options.target, options.opt, rounds, failed);
  if (options.matrices) {
    if (!failed && !cli::isInterrupted())
      printMatrices(shaders);
    return failed ? 1 : 0;
  }
  if (options.tier == "direct")
    printTiers(shaders);
  if (options.perShader)
    printShaders(shaders);
  printPhases(shaders);
  printQuality(shaders);
  measureKeys(**compiler, options, shaders);
  if (havePeer)
    printPeer(shaders, peer, (*compiler)->target());
  if (options.memoryCompiles && !cli::isInterrupted())
    measureMemory(**compiler, options, shaders);
  return failed ? 1 : 0;
}

/// What the options ask for. \p root: the project's folder.
static int runAll(const Options &options, StringRef root, const char *program) {
  SmallString<256> replay(sys::fs::getMainExecutable(program, nullptr));
  sys::path::remove_filename(replay);
  sys::path::append(replay, "kiln-replay");
  const std::string captures = options.corpus + "/pipelines";
  const PipelineOptions pipelines = {captures,         replay.str().str(), options.work,
                                     options.target,   options.family,     options.rounds,
                                     options.seed,     options.peer,       options.check,
                                     options.hitsOnly, options.quiet};
  if (options.pipelines)
    return runPipelineBench(pipelines);
  if (options.busy)
    return runBusyBench(pipelines);
  if (options.caches)
    return runCacheBench({captures, replay.str().str(), options.work, options.target,
                          options.family, options.cacheRounds, options.peer, options.quiet});
#ifdef KILN_HAS_DEVICE
  if (options.device)
    return runDeviceBench(root.str(), options.work, options.rounds, options.quiet);
#else
  if (options.device) {
    errs() << "kiln-bench: this build has no software device\n";
    return 2;
  }
#endif
  if (options.reflect)
    return runReflectBench(
        {options.corpus, options.work, options.rounds, options.perShader, options.quiet});
  return run(options, program);
}

} // namespace bench

int main(int argc, char **argv) {
  if (cli::printVersion("kiln-bench", cli::argumentsOf(argc, argv)))
    return 0;
  bench::Options options;
  SmallString<256> root(sys::fs::getMainExecutable(argv[0], nullptr));
  for (int i = 0; i < 3; ++i) // build/bin/kiln-bench -> project root
    sys::path::remove_filename(root);
  options.corpus = (Twine(root) + "/../shared/corpus").str();
  options.work = (Twine(root) + "/build/bench").str();
  bool help = false;
  if (Error error = bench::parseOptions(cli::argumentsOf(argc, argv), options, help)) {
    errs() << "kiln-bench: " << lgc::consumeToText(std::move(error)).message << "\n";
    bench::printUsage(errs());
    return 2;
  }
  if (help) {
    bench::printUsage(outs());
    return 0;
  }
  if (options.radvServer)
    return radv::runRadvServer();
  cli::catchInterrupts();
  const int code = bench::runAll(options, root, argv[0]);
  return cli::isInterrupted() ? cli::interruptedExitCode : code;
}
