//===- ReflectBench.cpp - what modules use, without compiling -------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Each round runs each step of each module some times in a row and divides; a module's figure is
/// the median of its rounds, scaled to 10 KB of SPIR-V. Small modules weigh as much as large ones
/// in the median over modules, and little in the time of all.
#include "ReflectBench.h"
#include "Corpus.h"
#include "Timing.h"
#include "llpc/ShaderModuleData.h"
#include "llpc/reflect/EntryReflection.h"
#include "tools/cli/Interrupt.h"
#include "tools/cli/Progress.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace bench {

namespace {

struct Module {
  std::string name;
  std::vector<uint8_t> spirv;
  std::vector<double> times[8]; ///< microseconds by step
};

/// Memory of the block, kept from one build to the next.
void *reuse(void *instance, void *, size_t size) {
  auto &memory = *static_cast<std::vector<uint64_t> *>(instance);
  memory.resize(std::max(memory.size(), (size + 7) / 8));
  return memory.data();
}

struct Steps {
  const Module &module;
  llpc::ShaderModule built;
  std::vector<uint64_t> block, stored, moved;
  bool failed = false;

  template <typename T> void check(Expected<T> result) {
    if (result)
      return;
    consumeError(result.takeError());
    failed = true;
  }
  llpc::ShaderModuleBuildInfo info() {
    llpc::ShaderModuleBuildInfo info;
    info.instance = &block;
    info.pfnOutputAlloc = reuse;
    info.shaderBin = {module.spirv.size(), module.spirv.data()};
    return info;
  }
  MutableArrayRef<uint8_t> bytesOf(std::vector<uint64_t> &words, size_t size) {
    words.resize((size + 7) / 8);
    return {reinterpret_cast<uint8_t *>(words.data()), size};
  }
  llpc::ShaderModuleDataEx &data() {
    return *reinterpret_cast<llpc::ShaderModuleDataEx *>(block.data());
  }

  void parse() { check(llpc::spirv::Module::parse(module.spirv)); }
  void build() { check(llpc::Compiler::buildShaderModule(module.spirv)); }
  void reflect() {
    const llpc::spirv::Module &parsed = built.spirvModule();
    for (const llpc::spirv::EntryPoint &entry : parsed.entryPoints())
      failed |= llpc::reflectEntry(parsed, entry).error.has_value();
  }
  void describe() { check(llpc::buildShaderModuleData(info())); }
  void store() { llpc::storeShaderModuleData(data(), bytesOf(stored, data().blockSize)); }
  void relocate() {
    check(llpc::relocateShaderModuleData(bytesOf(stored, data().blockSize),
                                         bytesOf(moved, data().blockSize)));
  }
  void load() { check(llpc::Compiler::loadShaderModule(data())); }
};

struct StepRow {
  const char *name;
  void (Steps::*run)();
};
constexpr StepRow steps[] = {
    {"parse and check", &Steps::parse},       {"buildShaderModule", &Steps::build},
    {"reflect all entries", &Steps::reflect}, {"words -> block", &Steps::describe},
    {"store the block", &Steps::store},       {"copy, check, relocate", &Steps::relocate},
    {"block -> ShaderModule", &Steps::load},
};

bool measure(Module &module) {
  Steps run{module, {}, {}, {}, {}};
  auto built = llpc::Compiler::buildShaderModule(module.spirv);
  if (!built) {
    consumeError(built.takeError());
    return false;
  }
  run.built = *built;
  // About 200 KB of SPIR-V a measurement.
  const unsigned repeats = std::max<unsigned>(1, 200000 / module.spirv.size());
  for (size_t step = 0; step < std::size(steps); ++step) {
    const double start = threadCpuMs();
    for (unsigned i = 0; i < repeats; ++i)
      (run.*steps[step].run)();
    module.times[step].push_back((threadCpuMs() - start) * 1000 / repeats);
    if (run.failed)
      return false;
  }
  return true;
}

std::vector<Module> loadModules(const ReflectOptions &options) {
  std::vector<Module> modules;
  auto isWanted = [](ArrayRef<StringRef> columns) { return !columns[0].starts_with("cases/"); };
  for (CorpusShader &shader : loadCorpus({options.corpus, options.work, options.quiet}, isWanted)) {
    if (shader.spirv.empty())
      continue;
    Module &module = modules.emplace_back();
    module.name = shader.name();
    module.spirv = std::move(shader.spirv);
  }
  return modules;
}

} // namespace

int runReflectBench(const ReflectOptions &options) {
  std::vector<Module> modules = loadModules(options);
  if (modules.empty() && !cli::isInterrupted()) {
    errs() << "kiln-bench: no shaders below " << options.corpus
           << " (give --corpus DIR, a folder with MANIFEST.tsv)\n";
    return 1;
  }
  unsigned failed = 0;
  cli::Progress progress("kiln-bench", "modules", (options.rounds + 1) * modules.size(),
                         options.quiet);
  for (unsigned round = 0; round <= options.rounds; ++round)
    for (Module &module : modules) {
      if (cli::isInterrupted())
        break;
      progress.step();
      if (round == 1) // the first one warms caches
        for (std::vector<double> &times : module.times)
          times.clear();
      failed += !measure(module) && round == 0;
    }
  progress.clear();
  if (cli::isInterrupted())
    erase_if(modules, [](const Module &module) { return module.times[0].empty(); });
  size_t bytes = 0;
  for (const Module &module : modules)
    bytes += module.spirv.size();
  outs() << formatv("{0} modules, {1:f1} KB of SPIR-V, {2} not described\n", modules.size(),
                    bytes / 1024.0, failed);
  outs() << formatv("{0,-24} {1,20} {2,20}\n", "us per 10 KB", "median of modules", "all modules");
  for (size_t step = 0; step < std::size(steps); ++step) {
    std::vector<double> scaled;
    double sum = 0, size = 0;
    for (const Module &module : modules) {
      if (module.times[step].empty())
        continue;
      const double time = median(module.times[step]);
      scaled.push_back(time * 10240 / double(module.spirv.size()));
      sum += time;
      size += double(module.spirv.size());
    }
    outs() << formatv("{0,-24} {1,20:f1} {2,20:f1}\n", steps[step].name, median(scaled),
                      sum * 10240 / std::max(size, 1.0));
  }
  if (options.perModule)
    for (const Module &module : modules)
      outs() << formatv("{0,-56} {1,8} bytes {2,8:f1} us\n", module.name, module.spirv.size(),
                        median(module.times[3]));
  return 0;
}

} // namespace bench
