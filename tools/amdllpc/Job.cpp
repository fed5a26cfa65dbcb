//===- Job.cpp - compiling one pipeline for every target ------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Load the shaders' SPIR-V once; then for each target parse it, choose entry points, fill the
/// build info (from the .pipe file, or automatically), compile.
#include "Job.h"
#include "GivenFields.h"
#include "RadvSide.h"
#include "RelinkDemo.h"
#include "ReportFacts.h"
#include "llpc/PipeFile.h"
#include "llpc/StageNames.h"
#include "llpc/spirv/KernelDialect.h"
#include "pal_shim/abi/Try.h"
#include "tools/frontend/SpirvTools.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>

using llvm::Error;
using llvm::StringRef;
using llvm::Twine;

namespace amdllpc {

using llpc::PipelineShaderInfo;
using llpc::ShaderStage;
using llpc::stageBit;

namespace {

/// One module of the pipeline.
struct Source {
  std::string name; ///< for messages
  std::string entry;
  ShaderStage stage = ShaderStage::Count; ///< of a .pipe file's shader
  std::string onlyStage;                  ///< see Input
  LoadedInput loaded;
};

/// A module with what it is used for.
struct UsedModule {
  llpc::ShaderModule module;
  std::vector<llpc::ShaderEntryName> entries;
};

/// The stages that a pipeline must have besides those of `mask`, and a fragment shader: what comes
/// without one, or alone, is a part of a pipeline. Anything else is to be complete.
uint32_t presumedStages(uint32_t mask) {
  const uint32_t fragment = stageBit(ShaderStage::Fragment);
  if ((mask & fragment) && mask != fragment)
    return 0;
  struct Rule {
    ShaderStage stage;
    uint32_t needs;
  };
  static constexpr Rule rules[] = {
      {ShaderStage::Task, stageBit(ShaderStage::Mesh)},
      {ShaderStage::TessControl, stageBit(ShaderStage::Vertex) | stageBit(ShaderStage::TessEval)},
      {ShaderStage::TessEval, stageBit(ShaderStage::Vertex) | stageBit(ShaderStage::TessControl)},
      {ShaderStage::Geometry, stageBit(ShaderStage::Vertex)}};
  uint32_t others = fragment;
  for (const Rule &rule : rules)
    if (mask & stageBit(rule.stage))
      others |= rule.needs;
  if (!((mask | others) & (stageBit(ShaderStage::Vertex) | stageBit(ShaderStage::Mesh))))
    others |= stageBit(ShaderStage::Vertex);
  return others & ~mask;
}

class Job {
public:
  Job(const PipelineInput &input, const Options &options) : input(input), options(options) {}

  /// Errors of all kinds.
  llvm::Expected<BuiltPipeline> build(const llpc::Compiler &compiler);

  std::vector<JobResult> run(const Compilers &compilers);

private:
  JobResult newResult(const llpc::Compiler &compiler) const;
  Error load();
  Error loadPipeFile(const Input &file);
  void takeTexts(const std::string &name, LoadedInput &loaded);
  Error compile(const llpc::Compiler &compiler, JobResult &result);
  llvm::Expected<std::vector<UsedModule>> buildModules(JobResult &result);
  llvm::Expected<llpc::ShaderModule> buildModule(const Source &source, JobResult &result);
  Error validate(const llpc::ShaderModule &module, const Source &source, JobResult &result);
  Error compileCompute(const llpc::Compiler &compiler, const UsedModule &used, JobResult &result);
  Error compileGraphics(const llpc::Compiler &compiler, llvm::ArrayRef<UsedModule> modules,
                        JobResult &result);
  Error compileRays(const llpc::Compiler &compiler, llvm::ArrayRef<UsedModule> modules,
                    JobResult &result);
  Error fillShader(PipelineShaderInfo &shader, const UsedModule &used,
                   const llpc::ShaderEntryName &entry, std::vector<bool> &specialized) const;
  Error checkSpecialization(const std::vector<bool> &specialized) const;
  void fillCommon(llpc::PipelineBuildInfo &info, JobResult &result) const;
  template <typename Info> void setState(Info &info) const;
  template <typename Info> Error dump(const Info &info, const llpc::PipelineHashes &hashes) const;
  void take(llpc::PipelineResult &pipeline, JobResult &result);
  template <typename Info> void askRadv(const Info &info, JobResult &result);
  template <typename Info> void keep(const Info &info, llvm::ArrayRef<uint8_t> elf) const;
  template <typename Info>
  Error relink(const llpc::Compiler &compiler, const Info &info,
               const llpc::PipelineResult &pipeline, JobResult &result) const;

  const PipelineInput &input;
  const Options &options;
  std::vector<Source> sources;
  std::vector<report::Source> texts; ///< of the sources
  std::optional<llpc::PipeFile> pipe;
  std::vector<std::string> warnings;
  bool isValidated = false;
  double frontEndMs = 0;
  BuiltPipeline *built = nullptr; ///< receives the pipeline; null: nobody wants it
};

llvm::Expected<BuiltPipeline> Job::build(const llpc::Compiler &compiler) {
  BuiltPipeline result;
  built = &result;
  KILN_TRY(load());
  JobResult unused = newResult(compiler);
  KILN_TRY(compile(compiler, unused));
  if (result.elf.empty())
    return lgc::unsupported("executing one shader of a ray tracing pipeline");
  result.warnings = warnings;
  return result;
}

template <typename Info> void Job::keep(const Info &info, llvm::ArrayRef<uint8_t> elf) const {
  if (!built)
    return;
  built->info = info;
  built->elf = elf.vec();
}

std::vector<JobResult> Job::run(const Compilers &compilers) {
  std::vector<JobResult> results;
  if (Error error = load()) {
    // A file that cannot be loaded is one failure, however many targets there are.
    JobResult result = newResult(*compilers.front());
    result.target.clear();
    result.error = lgc::consumeToText(std::move(error));
    result.warnings = warnings;
    results.push_back(std::move(result));
    return results;
  }
  for (const std::unique_ptr<llpc::Compiler> &compiler : compilers) {
    JobResult result = newResult(*compiler);
    if (Error error = compile(*compiler, result))
      result.error = lgc::consumeToText(std::move(error));
    isValidated = true;
    result.frontEndMs = frontEndMs;
    if (results.empty())
      result.warnings = warnings;
    results.push_back(std::move(result));
  }
  return results;
}

JobResult Job::newResult(const llpc::Compiler &compiler) const {
  JobResult result;
  result.name = input.displayName();
  result.path = input.path();
  result.entry = input.entry();
  result.outputName = input.outputName();
  result.target = compiler.target().str();
  if (wantsFacts(options)) {
    result.facts.emplace();
    result.facts->sources = texts;
  }
  return result;
}

/// With several files, an error says which one it is about.
Error withName(Error error, StringRef name, bool isOneOfSeveral) {
  if (!error || !isOneOfSeveral)
    return error;
  lgc::ErrorText text = lgc::consumeToText(std::move(error));
  return lgc::makeError(text.kind, name + ": " + text.message);
}

Error Job::load() {
  if (input.files.front().format == InputFormat::Pipe)
    return loadPipeFile(input.files.front());
  for (const Input &file : input.files) {
    llvm::Expected<LoadedInput> loaded = loadInput(file, options);
    if (!loaded)
      return withName(loaded.takeError(), file.displayName(), input.files.size() > 1);
    frontEndMs += loaded->frontEndMs;
    sources.push_back({file.displayName(), file.entry, ShaderStage::Count,
                       file.format == InputFormat::Glsl ? "" : file.stage, std::move(*loaded)});
    takeTexts(file.path, sources.back().loaded);
  }
  return Error::success();
}

Error Job::loadPipeFile(const Input &file) {
  std::string text = KILN_TRY(readInput(file.path));
  const std::string name = file.path == "-" ? "<stdin>" : file.path;
  pipe = KILN_TRY(llpc::readPipeFile(text, name, warnings));
  for (const auto &[i, shader] : llvm::enumerate(pipe->shaders)) {
    Input part;
    part.path = file.path;
    part.format =
        shader.source == llpc::PipeSource::SpvFile ? InputFormat::Spirv
        : shader.source == llpc::PipeSource::Spirv || shader.source == llpc::PipeSource::SpvasmFile
            ? InputFormat::SpirvText
            : InputFormat::Glsl;
    part.stage = llpc::namesOf(shader.stage).suffix.str();
    std::string code;
    if (llpc::isFile(shader.source)) {
      llvm::SmallString<256> path(llvm::sys::path::parent_path(file.path));
      llvm::sys::path::append(path, shader.text);
      part.path = llvm::sys::path::is_absolute(shader.text) ? shader.text : path.str().str();
    } else {
      // Empty lines in front: messages then have the lines of the .pipe file.
      code = std::string(shader.line - 1, '\n') + shader.text;
    }
    auto loaded =
        llpc::isFile(shader.source) ? loadInput(part, options) : loadText(part, code, options);
    if (!loaded)
      return withName(loaded.takeError(), part.path, llpc::isFile(shader.source));
    frontEndMs += loaded->frontEndMs;
    sources.push_back({name + " (" + llpc::shaderStageName(shader.stage).str() + ")",
                       pipe->infoOf(i).entryTarget, shader.stage, "", std::move(*loaded)});
    takeTexts(part.path, sources.back().loaded);
  }
  return Error::success();
}

/// For -report.
void Job::takeTexts(const std::string &name, LoadedInput &loaded) {
  if (wantsFacts(options))
    addSourcesForReport(loaded, name == "-" ? "<stdin>" : name, texts);
}

Error Job::validate(const llpc::ShaderModule &module, const Source &source, JobResult &result) {
  if (options.validateSpirv) {
    auto start = std::chrono::steady_clock::now();
    const bool isKernel = llpc::spirv::isKernelModule(module.spirvModule());
    if (Error error = frontend::validateSpirv(
            module.spirvModule().words(), isKernel ? "spirv" : options.glsl.targetEnv, warnings))
      return error;
    frontEndMs +=
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  }
  if (options.verbose)
    result.log += "===== SPIR-V: " + source.name + " =====\n" +
                  frontend::disassembleSpirv(module.spirvModule().words()) + "\n";
  return Error::success();
}

/// Parses a module, and validates it the first time.
llvm::Expected<llpc::ShaderModule> Job::buildModule(const Source &source, JobResult &result) {
  llpc::ShaderModuleOptions moduleOptions;
  moduleOptions.trimDebugInfo = options.trimDebugInfo;
  auto module = llpc::buildKernelModule(
      source.loaded.spirv, moduleOptions,
      KILN_TRY(options.kernelLibrary->forModule(source.loaded.spirv, options.openCl)));
  if (!module || isValidated)
    return module;
  KILN_TRY(validate(*module, source, result));
  return module;
}

llvm::Expected<std::vector<UsedModule>> Job::buildModules(JobResult &result) {
  std::vector<UsedModule> modules;
  for (const Source &source : sources) {
    const bool isOneOfSeveral = sources.size() > 1;
    auto module = buildModule(source, result);
    if (!module)
      return withName(module.takeError(), source.name, isOneOfSeveral);
    // A .pipe file says what it wants; whether the module has it, the build checks.
    std::vector<llpc::ShaderEntryName> entries = {{source.stage, source.entry}};
    if (!pipe) {
      auto chosen = chooseEntries(module->entries(), source.entry, source.onlyStage);
      if (!chosen)
        return withName(chosen.takeError(), source.name, isOneOfSeveral);
      entries = std::move(*chosen);
    }
    modules.push_back({*module, std::move(entries)});
  }
  return modules;
}

Error Job::fillShader(PipelineShaderInfo &shader, const UsedModule &used,
                      const llpc::ShaderEntryName &entry, std::vector<bool> &specialized) const {
  if (shader.module)
    return lgc::invalidInput("two " + llpc::shaderStageName(entry.stage) + " shaders");
  shader.module = used.module;
  shader.entryStage = entry.stage;
  shader.entryTarget = entry.name;
  auto constants =
      convertSpecialization(options.specialization, used.module.spirvModule(), specialized);
  if (!constants)
    return constants.takeError();
  for (const llpc::SpecConstant &constant : *constants) {
    llvm::erase_if(shader.specialization, [&](const llpc::SpecConstant &other) {
      return other.constantId == constant.constantId;
    });
    shader.specialization.push_back(constant);
  }
  takeGiven(shader.options, options.shader);
  return Error::success();
}

Error Job::checkSpecialization(const std::vector<bool> &specialized) const {
  for (size_t i = 0; i < specialized.size(); ++i)
    if (!specialized[i])
      return lgc::invalidInput("-spec " + Twine(options.specialization[i].id) +
                               ": the module has no such specialization constant");
  return Error::success();
}

void Job::fillCommon(llpc::PipelineBuildInfo &info, JobResult &result) const {
  takeGiven(info.options, options.pipeline);
  info.output = options.outputKind;
  info.verifyIr = options.verifyIr;
  info.dumpPasses = !options.report.empty() && !options.verbose;
  const bool wantsIr = !options.analyzer.files[size_t(AnalyzerFile::Ir)].empty();
  if (!options.verbose && !info.dumpPasses && !wantsIr)
    return;
  info.dump = [this, &result](StringRef title, StringRef text) {
    if (options.verbose)
      result.log += ("===== " + title + ": " + result.name + " [" + result.target + "] =====\n" +
                     text + (text.ends_with("\n") ? "\n" : "\n\n"))
                        .str();
    if (result.facts && title != "assembly") {
      title.consume_front("pass ");
      result.facts->passes.push_back({title.str(), text.str()});
    }
  };
}

/// -state. Keys that only graphics pipelines have are nothing to others.
template <typename Info> void Job::setState(Info &info) const {
  for (const auto &[key, value] : options.state)
    llvm::cantFail(llpc::setPipeKey(info, key, value), "-state was checked before");
  // Lines come from there; the code is the same.
  info.options.debugInfo |= wantsFacts(options);
}

/// Before the build, so that one that fails can be looked at.
template <typename Info>
Error Job::dump(const Info &info, const llpc::PipelineHashes &hashes) const {
  if (options.dumpFolder.empty())
    return Error::success();
  auto dump = llpc::dumpPipeline(info, hashes);
  return dump ? llpc::writeDump(*dump, options.dumpFolder) : dump.takeError();
}

void Job::take(llpc::PipelineResult &pipeline, JobResult &result) {
  result.times = pipeline.times;
  result.hashes = pipeline.hashes;
  result.isDirect = pipeline.isDirect;
  result.directRefusal = pipeline.directRefusal;
  warnings.insert(warnings.end(), pipeline.warnings.begin(), pipeline.warnings.end());
  if (wantsOutput(options))
    result.bytes = llvm::toStringRef(pipeline.elf.bytes()).str();
  if (result.facts)
    fillFacts(result, pipeline.elf.bytes());
}

/// -compare=radv. What RADV does not take is only there now.
template <typename Info> void Job::askRadv(const Info &info, JobResult &result) {
  if (!options.radv)
    return;
  if (Error error = options.radv->add(info, result))
    warnings.push_back(lgc::consumeToText(std::move(error)).message);
}

/// -relink-demo. What is written is the linked code object then.
template <typename Info>
Error Job::relink(const llpc::Compiler &compiler, const Info &info,
                  const llpc::PipelineResult &pipeline, JobResult &result) const {
  if (!options.relinkDemo)
    return Error::success();
  const auto demo =
      KILN_TRY(relinkDemo(compiler, info, pipeline.elf.bytes(), pipeline.times.total()));
  result.log +=
      "===== relink demo: " + result.name + " [" + result.target + "] =====\n" + demo.text;
  if (wantsOutput(options))
    result.bytes = llvm::toStringRef(demo.linked).str();
  return Error::success();
}

Error Job::compileCompute(const llpc::Compiler &compiler, const UsedModule &used,
                          JobResult &result) {
  auto info = pipe ? pipe->compute : llpc::ComputePipelineBuildInfo();
  result.entry = used.entries.front().name;
  std::vector<bool> specialized;
  KILN_TRY(fillShader(info.cs, used, used.entries.front(), specialized));
  KILN_TRY(checkSpecialization(specialized));
  fillCommon(info, result);
  if (options.autoLayout && !(pipe && pipe->hasMapping))
    info.resourceMapping = KILN_TRY(llpc::Compiler::buildAutoLayout(used.module, info.cs));
  setState(info);
  KILN_TRY(dump(info, compiler.hashComputePipeline(info)));
  auto pipeline = KILN_TRY(compiler.buildComputePipeline(info));
  result.statistics = pipeline.statistics;
  if (llpc::spirv::isKernelModule(used.module.spirvModule()))
    result.kernel = KILN_TRY(llpc::kernelInterface(used.module, result.entry));
  take(pipeline, result);
  askRadv(info, result);
  if (options.run && result.facts)
    runForReport(info, pipeline.elf.bytes(), result);
  if (built)
    built->workgroupSize = pipeline.statistics.workgroupSize;
  keep(info, pipeline.elf.bytes());
  return relink(compiler, info, pipeline, result);
}

Error Job::compileGraphics(const llpc::Compiler &compiler, llvm::ArrayRef<UsedModule> modules,
                           JobResult &result) {
  llpc::GraphicsPipelineBuildInfo info;
  if (pipe)
    info = pipe->graphics;
  std::vector<bool> specialized;
  for (const UsedModule &used : modules)
    for (const llpc::ShaderEntryName &entry : used.entries)
      KILN_TRY(fillShader(info.shader(entry.stage), used, entry, specialized));
  KILN_TRY(checkSpecialization(specialized));
  fillCommon(info, result);
  takeGiven<llpc::GraphicsPipelineState>(info, options.graphics);
  if (!pipe)
    info.stageMask = presumedStages(info.allStages());
  if (options.autoLayout && !(pipe && pipe->hasMapping)) {
    // A .pipe file's state is complete: only where resources are may be left to us.
    llpc::GraphicsPipelineBuildInfo laidOut = info;
    KILN_TRY(llpc::Compiler::applyAutoLayout(laidOut));
    if (pipe)
      info.resourceMapping = std::move(laidOut.resourceMapping);
    else
      info = std::move(laidOut);
  }
  setState(info); // over what was made up
  KILN_TRY(dump(info, compiler.hashGraphicsPipeline(info)));
  auto pipeline = KILN_TRY(compiler.buildGraphicsPipeline(info));
  result.stages = pipeline.stages;
  take(pipeline, result);
  askRadv(info, result);
  if (result.facts)
    warnOfInterfaces(info, result);
  if (options.run && result.facts)
    runForReport(info, pipeline.elf.bytes(), result);
  keep(info, pipeline.elf.bytes());
  return relink(compiler, info, pipeline, result);
}

/// Ids are those of the .pipe file, or the places on the command line, from 1 on.
Error Job::compileRays(const llpc::Compiler &compiler, llvm::ArrayRef<UsedModule> modules,
                       JobResult &result) {
  auto info = pipe ? pipe->rays : llpc::RayTracingPipelineBuildInfo();
  std::vector<bool> specialized;
  size_t count = 0;
  for (const UsedModule &used : modules)
    for (const llpc::ShaderEntryName &entry : used.entries) {
      if (++count > info.shaders.size())
        info.shaders.emplace_back().id = static_cast<uint32_t>(count);
      KILN_TRY(fillShader(info.shaders[count - 1], used, entry, specialized));
    }
  KILN_TRY(checkSpecialization(specialized));
  fillCommon(info, result);
  if (options.autoLayout && !(pipe && pipe->hasMapping))
    KILN_TRY(llpc::applyAutoLayout(info));
  setState(info);
  KILN_TRY(dump(info, compiler.hashRayTracingPipeline(info)));
  auto pipeline = KILN_TRY(compiler.buildRayTracingPipeline(info));
  result.statistics = pipeline.statistics;
  result.rayShaders = pipeline.shaders;
  take(pipeline, result);
  return Error::success();
}

Error Job::compile(const llpc::Compiler &compiler, JobResult &result) {
  auto modules = KILN_TRY(buildModules(result));
  const ShaderStage stage = modules.front().entries.front().stage;
  if (stage > ShaderStage::Compute)
    return compileRays(compiler, modules, result);
  result.isGraphics = stage != ShaderStage::Compute;
  return result.isGraphics ? compileGraphics(compiler, modules, result)
                           : compileCompute(compiler, modules.front(), result);
}

} // namespace

std::vector<JobResult> runJob(const PipelineInput &input, const Options &options,
                              const Compilers &compilers) {
  return Job(input, options).run(compilers);
}

llvm::Expected<BuiltPipeline> buildPipeline(const PipelineInput &input, const Options &options,
                                            const llpc::Compiler &compiler) {
  return Job(input, options).build(compiler);
}

} // namespace amdllpc
