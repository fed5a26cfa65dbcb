//===- ShaderRun.cpp - a shader that is to be debugged ----------------------===//
// SPDX-License-Identifier: MIT
#include "tools/debug/ShaderRun.h"
#include "llpc/StageNames.h"
#include "llpc/spirv/Module.h"
#include "pal_shim/abi/Try.h"
#include "tools/amdllpc/Inputs.h"
#include "tools/report/run/Execution.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using llvm::Error;

namespace debug {

namespace {

/// The file's SPIR-V, with its lines.
llvm::Expected<llpc::ShaderModule> loadModule(const llpc::Compiler &compiler,
                                              const LaunchOptions &options,
                                              llpc::PipelineShaderInfo &shader) {
  amdllpc::Options inputOptions;
  inputOptions.inputs = {options.file};
  inputOptions.entryTarget = options.entry;
  inputOptions.glsl.debugInfo = true;
  std::vector<std::string> notes;
  amdllpc::GitTrees trees;
  const auto inputs = KILN_TRY(amdllpc::collectInputs(inputOptions, trees, notes));
  if (inputs.size() != 1 || inputs.front().files.size() != 1 ||
      inputs.front().files.front().format == amdllpc::InputFormat::Pipe)
    return lgc::unsupported("debugging what is not one shader");
  const auto loaded = KILN_TRY(amdllpc::loadInput(inputs.front().files.front(), inputOptions));
  llpc::ShaderModuleOptions moduleOptions;
  moduleOptions.trimDebugInfo = false;
  auto module = KILN_TRY(compiler.buildShaderModule(loaded.spirv, moduleOptions));
  const auto entries =
      KILN_TRY(amdllpc::chooseEntries(module.entries(), inputs.front().files.front().entry.empty()
                                                            ? options.entry
                                                            : inputs.front().files.front().entry));
  if (entries.front().stage != llpc::ShaderStage::Compute)
    return lgc::unsupported("debugging " + llpc::shaderStageName(entries.front().stage) +
                            " shaders");
  shader.entryStage = entries.front().stage;
  shader.entryTarget = entries.front().name;
  return module;
}

} // namespace

llvm::Expected<std::unique_ptr<ShaderRun>> ShaderRun::prepare(const LaunchOptions &options) {
  llpc::CompilerOptions compilerOptions;
  compilerOptions.target = options.target;
  const auto compiler = KILN_TRY(llpc::Compiler::create(compilerOptions));
  std::unique_ptr<ShaderRun> run(new ShaderRun);
  run->options = options;
  run->options.target = compiler->target().str();
  llpc::ComputePipelineBuildInfo &build = run->build;
  build.cs.module = KILN_TRY(loadModule(*compiler, options, build.cs));
  build.options.debugInfo = true;
  build.options.optLevel = lgc::OptLevel::None;
  build.resourceMapping = KILN_TRY(llpc::Compiler::buildAutoLayout(build.cs.module, build.cs));
  const auto pipeline = KILN_TRY(compiler->buildComputePipeline(build));
  run->elf.assign(pipeline.elf.bytes().begin(), pipeline.elf.bytes().end());
  run->workgroupSize = pipeline.statistics.workgroupSize;
  run->sourceInfo = KILN_TRY(SourceInfo::read(run->elf));
  return run;
}

std::string ShaderRun::pathOf(llvm::StringRef file) const {
  const bool isProgram = llvm::sys::path::filename(file) == llvm::sys::path::filename(options.file);
  llvm::SmallString<256> path(isProgram ? llvm::StringRef(options.file) : file);
  if (llvm::sys::fs::make_absolute(path)) // there is no folder to begin with
    return file.str();
  return path.str().str();
}

Error ShaderRun::execute(pal::device::Debugger &debugger) const {
  report::ExecutionRequest request;
  request.elf = elf;
  request.target = options.target;
  request.mapping = &build.resourceMapping;
  const llvm::ArrayRef<uint32_t> words = build.cs.module.spirvModule().words();
  request.spirv = llvm::ArrayRef(reinterpret_cast<const uint8_t *>(words.data()), words.size() * 4);
  request.entry = build.cs.entryTarget;
  request.debugger = &debugger;
  const report::Execution execution = KILN_TRY(report::executeCompute(request));
  return execution.fault.empty()
             ? Error::success()
             : llvm::createStringError(llvm::inconvertibleErrorCode(), execution.fault);
}

} // namespace debug
