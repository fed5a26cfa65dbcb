//===- GraphicsBench.cpp - graphics pipelines of the corpus ---------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Both compilers get the same stages, vertex formats, targets (RGBA8) and descriptors, which our
/// automatic layout makes up from the shaders. Registers are compared stage by stage: vertex
/// processing with vertex processing, fragment with fragment.
#include "GraphicsBench.h"
#include "Corpus.h"
#include "KeyBench.h"
#include "LinkBench.h"
#include "Timing.h"
#include "lgc/Part.h"
#include "llpc/StageNames.h"
#include "pal_shim/abi/TargetInfo.h"
#include "pal_shim/abi/Try.h"
#include "tools/cli/Interrupt.h"
#include "tools/cli/Progress.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace llvm;

namespace bench {

lgc::OptLevel optLevelOf(StringRef name) {
  return StringSwitch<lgc::OptLevel>(name)
      .Case("quick", lgc::OptLevel::Quick)
      .Case("none", lgc::OptLevel::None)
      .Case("fast", lgc::OptLevel::Fast)
      .Default(lgc::OptLevel::Default);
}
namespace {

constexpr uint32_t formatRgba8Unorm = 37; ///< VK_FORMAT_R8G8B8A8_UNORM
constexpr uint32_t fragmentBit = 0x10;    ///< VK_SHADER_STAGE_FRAGMENT_BIT

struct StageFile {
  const llpc::StageNames *names;
  std::string file, entry;
  std::vector<uint8_t> spirv;
};

struct Pipeline {
  std::string name;
  std::vector<StageFile> stages;
  radv::GraphicsJob job;
  std::vector<llpc::HardwareStageStatistics> statistics;
  std::vector<double> total, peerTotal;     ///< CPU time of all threads
  std::vector<double> latency, peerLatency; ///< time that the caller waits
  std::map<std::string, std::vector<double>> phases;
  std::optional<radv::GraphicsPeerResult> peer;
  std::string error;
  unsigned culledCode = 0; ///< code bytes with NGG culling, 0 = not compiled

  unsigned codeBytes() const {
    unsigned sum = 0;
    for (const llpc::HardwareStageStatistics &s : statistics)
      sum += s.statistics.codeBytes;
    return sum;
  }
};

std::vector<Pipeline> loadPipelines(const GraphicsOptions &options) {
  std::map<std::string, Pipeline> byName; // ordered: the report is the same every time
  auto isWanted = [](ArrayRef<StringRef> columns) {
    return columns.size() > 5 && columns[5] != "-" && columns[5] != "pipelines" &&
           llpc::stageOfSuffix(columns[1]) < llpc::ShaderStage::Compute;
  };
  for (CorpusShader &shader : loadCorpus({options.corpus, options.work, options.quiet}, isWanted)) {
    if (shader.spirv.empty())
      continue;
    Pipeline &pipeline = byName[shader.columns[5]];
    pipeline.name = shader.columns[5];
    pipeline.stages.push_back({&llpc::namesOf(llpc::stageOfSuffix(shader.columns[1])),
                               std::move(shader.spirvFile), shader.columns[3],
                               std::move(shader.spirv)});
  }
  std::vector<Pipeline> pipelines;
  for (auto &[name, pipeline] : byName) {
    sort(pipeline.stages, [](const StageFile &a, const StageFile &b) { return a.names < b.names; });
    if (pipeline.stages.size() > 1)
      pipelines.push_back(std::move(pipeline));
  }
  return pipelines;
}

Expected<llpc::GraphicsPipelineBuildInfo>
makeInfo(const llpc::Compiler &compiler, const GraphicsOptions &options, const Pipeline &pipeline) {
  llpc::GraphicsPipelineBuildInfo info;
  for (const StageFile &stage : pipeline.stages) {
    auto module = KILN_TRY(compiler.buildShaderModule(stage.spirv));
    info.shader(stage.names->stage).module = module;
    info.shader(stage.names->stage).entryTarget = stage.entry;
  }
  if (Error error = llpc::Compiler::applyAutoLayout(info))
    return std::move(error);
  for (llpc::ColorTargetState &target : info.cbState.target)
    if (target.format)
      target.format = formatRgba8Unorm;
  info.options.optLevel = optLevelOf(options.opt);
  return info;
}

radv::GraphicsJob makeJob(const Pipeline &pipeline, const llpc::GraphicsPipelineBuildInfo &info) {
  radv::GraphicsJob job = radv::jobOf(info);
  for (const StageFile &stage : pipeline.stages)
    job.stages.push_back({stage.names->vulkanFlag, stage.entry, stage.file});
  return job;
}

Expected<llpc::GraphicsPipelineResult> compileOnce(const llpc::Compiler &compiler,
                                                   const GraphicsOptions &options,
                                                   Pipeline &pipeline, bool culling) {
  auto info = KILN_TRY(makeInfo(compiler, options, pipeline));
  info.nggState.backfaceCulling = info.nggState.frustumCulling = culling;
  info.nggState.smallPrimitiveFilter = culling;
  if (pipeline.job.stages.empty())
    pipeline.job = makeJob(pipeline, info);
  return compiler.buildGraphicsPipeline(info);
}

void measureRound(const llpc::Compiler &compiler, const GraphicsOptions &options,
                  Pipeline &pipeline, radv::RadvPeer *peer, bool first) {
  const double start = processCpuMs(), wallStart = wallMs();
  auto result = compileOnce(compiler, options, pipeline, false);
  const double elapsed = processCpuMs() - start, wall = wallMs() - wallStart;
  if (!result) {
    pipeline.error = lgc::consumeToText(result.takeError()).message;
    return;
  }
  pipeline.statistics = result->stages;
  if (!first) { // the first round warms caches and lazily made tables
    pipeline.total.push_back(elapsed);
    pipeline.latency.push_back(wall);
    const llpc::PhaseTimes &t = result->times;
    for (auto [name, ms] : {std::pair("read", t.read), std::pair("translate", t.translate),
                            std::pair("lgc", t.lgc), std::pair("optimise", t.optimise),
                            std::pair("codegen", t.codegen), std::pair("link", t.link)})
      pipeline.phases[name].push_back(ms);
  }
  if (first && options.culling) {
    auto culled = compileOnce(compiler, options, pipeline, true);
    if (!culled) {
      pipeline.error = lgc::consumeToText(culled.takeError()).message;
      return;
    }
    for (const llpc::HardwareStageStatistics &s : culled->stages)
      pipeline.culledCode += s.statistics.codeBytes;
  }
  auto other = peer ? peer->compileGraphics(pipeline.job, first) : std::nullopt;
  if (other && first)
    pipeline.peer = other;
  else if (other) {
    pipeline.peerTotal.push_back(other->cpuMs);
    pipeline.peerLatency.push_back(other->wallMs);
  }
}

unsigned allocated(unsigned vgprs, unsigned waveSize, const pal::abi::GpuTarget &target) {
  const unsigned granule = target.vgprGranule32 / (waveSize == 64 ? 2 : 1);
  return (std::max(vgprs, 1u) + granule - 1) / granule * granule;
}

/// Allocated registers of our stage over those of the peer's, for the stages that both have.
void compareRegisters(const Pipeline &pipeline, const pal::abi::GpuTarget &target,
                      std::vector<double> &ratios) {
  for (const llpc::HardwareStageStatistics &ours : pipeline.statistics) {
    const bool fragment = ours.stage == pal::abi::HardwareStage::Ps;
    const bool last = fragment || ours.stage == pal::abi::HardwareStage::Gs;
    if (!last)
      continue; // the peer reports merged stages under other names
    const radv::GraphicsPeerResult::Stage *theirs = nullptr;
    for (const radv::GraphicsPeerResult::Stage &stage : pipeline.peer->stages)
      if (((stage.vkStages & fragmentBit) != 0) == fragment)
        theirs = &stage; // the last one before the fragment shader
    if (theirs && theirs->vgprs)
      ratios.push_back(double(allocated(ours.statistics.vgprs, ours.statistics.waveSize, target)) /
                       theirs->vgprs);
  }
}

void printPeer(const std::vector<Pipeline> &pipelines, const radv::RadvPeer &peer,
               const pal::abi::GpuTarget &target) {
  double ours = 0, theirs = 0, ourWait = 0, theirWait = 0;
  std::vector<double> time, wait, code, vgprs;
  for (const Pipeline &p : pipelines) {
    if (!p.peer || p.peerTotal.empty() || p.total.empty())
      continue;
    ours += median(p.total);
    theirs += median(p.peerTotal);
    time.push_back(median(p.total) / median(p.peerTotal));
    ourWait += median(p.latency);
    theirWait += median(p.peerLatency);
    wait.push_back(median(p.latency) / median(p.peerLatency));
    unsigned peerCode = 0;
    for (const radv::GraphicsPeerResult::Stage &stage : p.peer->stages)
      peerCode += stage.codeBytes;
    if (peerCode)
      code.push_back(double(p.codeBytes()) / peerCode);
    compareRegisters(p, target, vgprs);
  }
  outs() << formatv("against {0} (without NGG culling): {1} pipelines\n", peer.deviceName(),
                    time.size());
  outs() << formatv("  cold creation    {0:f1} ms / {1:f1} ms = {2:f2}x (geometric mean {3:f2}x, "
                    "median {4:f2}x)\n",
                    ourWait, theirWait, ourWait / std::max(theirWait, 1e-9), geometricMean(wait),
                    median(wait));
  outs() << formatv("  total CPU time   {0:f1} ms / {1:f1} ms = {2:f2}x (geometric mean {3:f2}x)\n",
                    ours, theirs, ours / std::max(theirs, 1e-9), geometricMean(time));
  outs() << formatv("  code bytes       {0:f3}x geometric mean\n", geometricMean(code));
  outs() << formatv("  allocated VGPRs  {0:f3}x over {1} stages\n", geometricMean(vgprs),
                    vgprs.size());
}

void printPhases(const std::vector<Pipeline> &pipelines) {
  double all = 0;
  std::map<std::string, double> sums;
  for (const Pipeline &p : pipelines) {
    all += median(p.total);
    for (const auto &[name, values] : p.phases)
      sums[name] += median(values);
  }
  outs() << formatv("total {0:f1} ms:", all);
  for (const char *name : {"read", "translate", "lgc", "optimise", "codegen", "link"})
    outs() << formatv(" {0} {1:f1} %", name, 100 * sums[name] / std::max(all, 1e-9));
  outs() << '\n';
}

void printPipelines(const std::vector<Pipeline> &pipelines) {
  outs() << formatv("{0,-28} {1,9} {2,9} {3,7} {4,7}  VGPRs (ours; peer)\n", "pipeline", "ms",
                    "peer ms", "code", "peer");
  for (const Pipeline &p : pipelines) {
    unsigned peerCode = 0;
    std::string registers, peerRegisters;
    for (const llpc::HardwareStageStatistics &s : p.statistics)
      registers += " " + std::to_string(s.statistics.vgprs);
    for (const radv::GraphicsPeerResult::Stage &s :
         p.peer ? p.peer->stages : std::vector<radv::GraphicsPeerResult::Stage>()) {
      peerCode += s.codeBytes;
      peerRegisters += " " + std::to_string(s.vgprs);
    }
    outs() << formatv("{0,-28} {1,9:f2} {2,9:f2} {3,7} {4,7} {5};{6}\n", p.name, median(p.total),
                      median(p.peerTotal), p.codeBytes(), peerCode, registers, peerRegisters);
  }
}

/// What culling in the primitive shader costs in code.
void printCulling(const std::vector<Pipeline> &pipelines) {
  std::vector<double> ratios;
  for (const Pipeline &p : pipelines)
    if (p.culledCode && p.culledCode != p.codeBytes())
      ratios.push_back(double(p.culledCode) / p.codeBytes());
  outs() << formatv("NGG culling: {0} pipelines, code {1:f2}x of that without\n", ratios.size(),
                    geometricMean(ratios));
}

void measureKeys(const llpc::Compiler &compiler, const GraphicsOptions &options,
                 const std::vector<Pipeline> &pipelines) {
  KeyTimes times;
  for (const Pipeline &pipeline : pipelines) {
    auto info = makeInfo(compiler, options, pipeline);
    if (!info) {
      consumeError(info.takeError());
      continue;
    }
    times.measure("monolithic pipeline", [&] { return compiler.hashGraphicsPipeline(*info); });
    for (lgc::PartKind kind : {lgc::PartKind::PreRasterization, lgc::PartKind::Fragment})
      times.measure(std::string(lgc::partKindName(kind)) + " part",
                    [&] { return compiler.partKey(*info, kind); });
  }
  times.print();
}

} // namespace

int runGraphicsLinkBench(const llpc::Compiler &compiler, const GraphicsOptions &options) {
  LinkBench bench(compiler);
  const std::vector<Pipeline> pipelines = loadPipelines(options);
  cli::Progress progress("kiln-bench", "pipelines", pipelines.size(), options.quiet);
  for (const Pipeline &pipeline : pipelines) {
    progress.step();
    if (cli::isInterrupted())
      break;
    auto info = makeInfo(compiler, options, pipeline);
    if (!info) {
      outs() << "failed: " << pipeline.name << ": " << lgc::consumeToText(info.takeError()).message
             << "\n";
      return 1;
    }
    bench.measure(*info);
  }
  progress.clear();
  bench.print("graphics");
  return 0;
}

int runGraphicsBench(const llpc::Compiler &compiler, const GraphicsOptions &options,
                     radv::RadvPeer *peer) {
  std::vector<Pipeline> pipelines = loadPipelines(options);
  cli::Progress progress("kiln-bench", "pipelines", (options.rounds + 1) * pipelines.size(),
                         options.quiet);
  for (unsigned round = 0; round <= options.rounds; ++round)
    for (Pipeline &pipeline : pipelines) {
      if (pipeline.error.empty() && !cli::isInterrupted())
        measureRound(compiler, options, pipeline, peer, round == 0);
      progress.step();
    }
  progress.clear();
  // After Ctrl-C some were not measured.
  erase_if(pipelines, [](const Pipeline &p) { return p.error.empty() && p.statistics.empty(); });
  unsigned failed = 0;
  for (const Pipeline &pipeline : pipelines) {
    if (pipeline.error.empty())
      continue;
    outs() << "failed: " << pipeline.name << ": " << pipeline.error << "\n";
    ++failed;
  }
  outs() << formatv("{0} graphics pipelines, {1}, optimisation {2}, {3} rounds, {4} failed\n",
                    pipelines.size(), compiler.target(), options.opt, options.rounds, failed);
  if (options.perPipeline)
    printPipelines(pipelines);
  printPhases(pipelines);
  measureKeys(compiler, options, pipelines);
  if (peer)
    printPeer(pipelines, *peer, *pal::abi::findTarget(compiler.target()));
  if (options.culling)
    printCulling(pipelines);
  return failed ? 1 : 0;
}

} // namespace bench
