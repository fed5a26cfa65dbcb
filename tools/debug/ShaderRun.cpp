//===- ShaderRun.cpp - a pipeline that is to be debugged --------------------===//
// SPDX-License-Identifier: MIT
#include "tools/debug/ShaderRun.h"
#include "pal_shim/abi/Try.h"
#include "tools/report/run/Execution.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using llvm::Error;

namespace debug {

llvm::Expected<std::unique_ptr<ShaderRun>> ShaderRun::prepare(const LaunchOptions &options) {
  llpc::CompilerOptions compilerOptions;
  compilerOptions.target = options.target;
  compilerOptions.threadsPerPipeline = 1; // the stages in one module, with all their lines
  const auto compiler = KILN_TRY(llpc::Compiler::create(compilerOptions));
  amdllpc::Options build;
  build.inputs = options.files;
  build.entryTarget = options.entry;
  build.glsl.debugInfo = true;
  build.trimDebugInfo = false;
  build.pipeline.debugInfo = true;
  build.pipeline.optLevel = lgc::OptLevel::None;
  amdllpc::GitTrees trees;
  const auto inputs = KILN_TRY(amdllpc::collectInputs(build, trees));
  if (inputs.size() != 1)
    return lgc::unsupported("debugging what is not one pipeline");
  std::unique_ptr<ShaderRun> run(new ShaderRun);
  run->options = options;
  run->options.target = compiler->target().str();
  run->built = KILN_TRY(amdllpc::buildPipeline(inputs.front(), build, *compiler));
  const auto *graphics = std::get_if<llpc::GraphicsPipelineBuildInfo>(&run->built.info);
  if (graphics && graphics->stageMask)
    return lgc::unsupported("debugging a part of a pipeline: its other stages are needed, too");
  run->sourceInfo = KILN_TRY(SourceInfo::read(run->built.elf));
  return run;
}

std::string ShaderRun::pathOf(llvm::StringRef file) const {
  llvm::SmallString<256> path(file);
  for (const std::string &given : options.files)
    if (llvm::sys::path::filename(file) == llvm::sys::path::filename(given))
      path = given;
  if (llvm::sys::fs::make_absolute(path)) // there is no folder to begin with
    return file.str();
  return path.str().str();
}

Error ShaderRun::execute(pal::device::Debugger &debugger) const {
  const report::ExecutionRequest request = {built.elf, options.target, &debugger};
  auto run =
      std::visit([&](const auto &info) { return report::execute(request, info); }, built.info);
  if (!run && run.errorIsA<llvm::StringError>()) // what no inputs can be made for
    return lgc::unsupported("debugging with generated inputs: " + llvm::toString(run.takeError()));
  if (!run)
    return run.takeError();
  return run->fault.empty() ? Error::success()
                            : lgc::invalidInput("with generated inputs: " + run->fault);
}

} // namespace debug
