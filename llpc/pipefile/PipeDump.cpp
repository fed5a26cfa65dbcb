//===- PipeDump.cpp - pipelines that are built as .pipe files -------------===//
// SPDX-License-Identifier: MIT
/// \file
/// The shaders of a dump are SPIR-V files beside the .pipe file, named after their hashes, so that
/// a program's thousand pipelines share its modules.
#include "llpc/PipeFile.h"
#include "llpc/spirv/Module.h"
#include "pal_shim/abi/Try.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace llpc {

using llvm::StringRef;

namespace {

/// The pipeline as a file whose shaders are files.
llvm::Expected<PipeDump> dump(PipeFile file, llvm::ArrayRef<const PipelineShaderInfo *> shaders,
                              const PipelineHashes &hashes, StringRef kind) {
  PipeDump result;
  result.fileName = (kind + "_" + toString(hashes.pipelineHash) + ".pipe").str();
  file.hasMapping = true;
  for (const PipelineShaderInfo *shader : shaders) {
    const std::string name = toString(shader->module.hash()) + ".spv";
    file.shaders.push_back({shader->entryStage, PipeSource::SpvFile, name, 0});
    result.modules.push_back({name, shader->module.spirvModule().words()});
  }
  result.text = KILN_TRY(writePipeFile(file));
  return result;
}

llvm::Error writeFile(StringRef folder, StringRef name, StringRef bytes, bool mayExist) {
  llvm::SmallString<256> path(folder);
  llvm::sys::path::append(path, name);
  if (mayExist && llvm::sys::fs::exists(path))
    return llvm::Error::success();
  // Through a temporary file: other threads and processes may write the same one.
  llvm::Error error = llvm::writeToOutput(path, [&](llvm::raw_ostream &os) {
    os << bytes;
    return llvm::Error::success();
  });
  if (!error)
    return error;
  return lgc::invalidInput("cannot write " + path + ": " + llvm::toString(std::move(error)));
}

} // namespace

llvm::Expected<PipeDump> dumpPipeline(const ComputePipelineBuildInfo &info,
                                      const PipelineHashes &hashes) {
  if (!info.cs.module)
    return lgc::invalidInput("no shader module");
  PipeFile file;
  file.compute = info;
  return dump(std::move(file), {&info.cs}, hashes, "compute");
}

llvm::Expected<PipeDump> dumpPipeline(const GraphicsPipelineBuildInfo &info,
                                      const PipelineHashes &hashes) {
  PipeFile file;
  file.graphics = info;
  llvm::SmallVector<const PipelineShaderInfo *, graphicsStageCount> shaders;
  for (unsigned i = 0; i < graphicsStageCount; ++i)
    if (const PipelineShaderInfo &shader = info.shader(static_cast<ShaderStage>(i)); shader.module)
      shaders.push_back(&shader);
  if (shaders.empty())
    return lgc::invalidInput("a graphics pipeline needs a shader");
  return dump(std::move(file), shaders, hashes, "graphics");
}

llvm::Expected<PipeDump> dumpPipeline(const RayTracingPipelineBuildInfo &info,
                                      const PipelineHashes &hashes) {
  PipeFile file;
  file.rays = info;
  llvm::SmallVector<const PipelineShaderInfo *, 8> shaders;
  for (const RayTracingShaderInfo &shader : info.shaders) {
    if (!shader.module)
      return lgc::invalidInput("no shader module");
    shaders.push_back(&shader);
  }
  if (shaders.empty())
    return lgc::invalidInput("a ray tracing pipeline needs a shader");
  return dump(std::move(file), shaders, hashes, "rays");
}

llvm::Error writeDump(const PipeDump &dump, StringRef folder) {
  if (std::error_code error = llvm::sys::fs::create_directories(folder))
    return lgc::invalidInput("cannot make " + folder + ": " + error.message());
  for (const PipeDump::Module &module : dump.modules) {
    StringRef bytes(reinterpret_cast<const char *>(module.words.data()), module.words.size() * 4);
    KILN_TRY(writeFile(folder, module.fileName, bytes, /*mayExist=*/true));
  }
  return writeFile(folder, dump.fileName, dump.text, /*mayExist=*/false);
}

} // namespace llpc
