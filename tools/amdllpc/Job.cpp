//===- Job.cpp - compiling one input for every target ---------------------===//
// SPDX-License-Identifier: MIT
#include "Job.h"
#include "SpirvTools.h"
#include "llpc/spirv/Module.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>

using llvm::StringRef;
using llvm::Twine;

namespace amdllpc {

using llpc::ShaderStage;

llvm::Expected<std::string> chooseEntry(const llpc::ShaderModule &module,
                                        const std::string &wanted) {
  const llpc::ShaderEntryName *only = nullptr;
  const llpc::ShaderEntryName *otherStage = nullptr;
  bool several = false;
  std::string names;
  for (const llpc::ShaderEntryName &entry : module.entries()) {
    names += (names.empty() ? "" : ", ") + entry.name;
    if (!wanted.empty() && entry.name != wanted)
      continue;
    if (entry.stage != ShaderStage::Compute) {
      otherStage = &entry;
      continue;
    }
    if (entry.name == "main" || !wanted.empty())
      return entry.name;
    several |= only != nullptr;
    only = &entry;
  }
  if (names.empty())
    return lgc::invalidInput("the module has no entry point");
  if (several)
    return lgc::invalidInput("the module has several entry points, choose one as FILE,ENTRY: " +
                             names);
  if (only)
    return only->name;
  if (otherStage)
    return lgc::unsupported("entry point '" + Twine(otherStage->name) + "' is a " +
                            llpc::shaderStageName(otherStage->stage) +
                            " shader; only compute shaders are compiled so far");
  return lgc::invalidInput("no entry point '" + Twine(wanted) + "'; the module has: " + names);
}

namespace {

class Job {
public:
  Job(const Input &input, const Options &options) : input(input), options(options) {}

  std::vector<JobResult> run(const Compilers &compilers);

private:
  JobResult newResult(const llpc::Compiler &compiler) const;
  llvm::Error compile(const llpc::Compiler &compiler, JobResult &result);
  llvm::Expected<llpc::ShaderModule> buildModule(const llpc::Compiler &compiler, JobResult &result);

  const Input &input;
  const Options &options;
  LoadedInput loaded;
  std::vector<std::string> warnings;
  bool isValidated = false;
  double validateMs = 0;
};

std::vector<JobResult> Job::run(const Compilers &compilers) {
  std::vector<JobResult> results;
  llvm::Expected<LoadedInput> bytes = loadInput(input, options);
  if (!bytes) {
    // A file that cannot be loaded is one failure, however many targets there are.
    JobResult result = newResult(*compilers.front());
    result.target.clear();
    result.error = lgc::consumeToText(bytes.takeError());
    results.push_back(std::move(result));
    return results;
  }
  loaded = std::move(*bytes);
  for (const std::unique_ptr<llpc::Compiler> &compiler : compilers) {
    JobResult result = newResult(*compiler);
    if (llvm::Error error = compile(*compiler, result))
      result.error = lgc::consumeToText(std::move(error));
    result.frontEndMs = loaded.frontEndMs + validateMs;
    if (results.empty())
      result.warnings = warnings;
    results.push_back(std::move(result));
  }
  return results;
}

JobResult Job::newResult(const llpc::Compiler &compiler) const {
  JobResult result;
  result.name = input.displayName();
  result.path = input.path;
  result.entry = input.entry;
  result.target = compiler.target().str();
  return result;
}

/// Parses the module, and validates it the first time.
llvm::Expected<llpc::ShaderModule> Job::buildModule(const llpc::Compiler &compiler,
                                                    JobResult &result) {
  llpc::ShaderModuleOptions moduleOptions;
  moduleOptions.trimDebugInfo = options.trimDebugInfo;
  llvm::Expected<llpc::ShaderModule> module =
      compiler.buildShaderModule(loaded.spirv, moduleOptions);
  if (!module || isValidated)
    return module;
  isValidated = true;
  if (options.validateSpirv) {
    auto start = std::chrono::steady_clock::now();
    if (llvm::Error error = validateSpirv(module->spirvModule().words(), options, warnings))
      return error;
    validateMs =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  }
  if (options.verbose)
    result.log += "===== SPIR-V: " + result.name + " =====\n" +
                  disassembleSpirv(module->spirvModule().words()) + "\n";
  return module;
}

llvm::Error Job::compile(const llpc::Compiler &compiler, JobResult &result) {
  llvm::Expected<llpc::ShaderModule> module = buildModule(compiler, result);
  if (!module)
    return module.takeError();
  llvm::Expected<std::string> entry = chooseEntry(*module, input.entry);
  if (!entry)
    return entry.takeError();
  result.entry = *entry;
  auto specialization = convertSpecialization(options.specialization, module->spirvModule());
  if (!specialization)
    return specialization.takeError();

  llpc::ComputePipelineBuildInfo info;
  info.cs.module = *module;
  info.cs.entryTarget = *entry;
  info.cs.specialization = std::move(*specialization);
  info.cs.options = options.shader;
  info.options = options.pipeline;
  info.unlinked = options.unlinked;
  info.output = options.outputKind;
  info.verifyIr = options.verifyIr;
  if (options.autoLayout) {
    auto mapping = llpc::Compiler::buildAutoLayout(*module, info.cs);
    if (!mapping)
      return mapping.takeError();
    info.resourceMapping = std::move(*mapping);
  }
  if (options.verbose)
    info.dump = [&result](StringRef title, StringRef text) {
      result.log += ("===== " + title + ": " + result.name + " [" + result.target + "] =====\n" +
                     text + (text.ends_with("\n") ? "\n" : "\n\n"))
                        .str();
    };
  llvm::Expected<llpc::ComputePipelineResult> pipeline = compiler.buildComputePipeline(info);
  if (!pipeline)
    return pipeline.takeError();
  result.statistics = pipeline->statistics;
  result.times = pipeline->times;
  result.hashes = pipeline->hashes;
  warnings.insert(warnings.end(), pipeline->warnings.begin(), pipeline->warnings.end());
  if (wantsOutput(options))
    result.bytes = llvm::toStringRef(pipeline->elf.bytes()).str();
  return llvm::Error::success();
}

} // namespace

std::vector<JobResult> runJob(const Input &input, const Options &options,
                              const Compilers &compilers) {
  return Job(input, options).run(compilers);
}

} // namespace amdllpc
