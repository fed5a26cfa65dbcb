//===- PipelineCode.cpp - how a pipeline comes by its code ----------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/pipeline/PipelineCode.h"
#include "icd_glue/pipeline/PipelineDump.h"
#include "icd_glue/pipeline/SecondLookup.h"

namespace icd {
namespace {

template <typename Info>
llvm::Expected<std::shared_ptr<const CodeObject>>
compileWhole(Device &device, const Info &build, std::string name, VkShaderStageFlags stages) {
  auto built = buildWhole(device.compiler(), build);
  if (!built)
    return built.takeError();
  CodeObject::Description description{std::move(name), stages, built->hashes.pipelineHash,
                                      std::move(built->warnings),
                                      describe(*built, build.options.includeDisassembly)};
  return std::make_shared<const CodeObject>(device.target(), std::move(built->elf),
                                            std::move(description));
}

/// Compiles in the background what took a short cut now; later creations use the result. It may
/// fail or never come: the short cut is right, too.
template <typename Info>
void improveLater(const CodeRequest &request, const CacheKey &key, const Info &build) {
  request.device.partial()->later(
      [&device = request.device, key, build, name = request.name, stages = request.stages] {
        auto code = compileWhole(device, build, name, stages);
        if (code)
          device.shaderCache().insert(key, std::move(*code));
        else
          llvm::consumeError(code.takeError());
      });
}

std::shared_ptr<const CodeObject> asCode(ShaderCache::Object object) {
  return std::static_pointer_cast<const CodeObject>(std::move(object));
}

/// A whole compile, shared with others who want the same now.
template <typename Info>
llvm::Expected<PipelineCode> compile(const CodeRequest &request, const CacheKey &key,
                                     const Info &build) {
  Device &device = request.device;
  PartialPipeline *partial = device.partial();
  const bool fastFirst =
      partial && partial->settings().fastFirst && build.options.optLevel > lgc::OptLevel::Quick;
  PipelineCode result;
  auto make = [&]() -> llvm::Expected<ShaderCache::Object> {
    Info quick;
    if (fastFirst) {
      quick = build;
      quick.options.optLevel = lgc::OptLevel::Quick;
    }
    auto code = compileWhole(device, fastFirst ? quick : build, request.name, request.stages);
    if (!code)
      return code.takeError();
    auto program = (*code)->load(device.gpu());
    if (!program)
      return program.takeError();
    result.program = std::move(*program);
    ++device.counters().compiled;
    return *code;
  };
  auto object = device.shaderCache().obtain(key, make);
  if (!object)
    return object.takeError();
  result.code = asCode(std::move(*object));
  if (fastFirst && result.program)
    improveLater(request, key, build);
  return result;
}

template <typename Info>
llvm::Expected<PipelineCode> find(const CodeRequest &request, const Info &build) {
  Device &device = request.device;
  const llpc::PipelineHashes hashes = hashesOf(device.compiler(), build);
  dumpPipeline(device, build, hashes);
  const CacheKey key{CacheKey::Domain::Code, hashes.cacheHash};
  if (ShaderCache::Object object = device.shaderCache().find(key)) {
    ++device.counters().codeHits;
    return PipelineCode{asCode(std::move(object)), nullptr};
  }
  if (PartialPipeline *partial = device.partial())
    if (auto code = SecondLookup<Info>(request, *partial, build, hashes).run()) {
      device.shaderCache().insert(key, code);
      if (partial->settings().wholeLater)
        improveLater(request, key, build);
      return PipelineCode{std::move(code), nullptr};
    }
  if (request.mayCompile)
    return compile(request, key, build);
  ++device.counters().refused;
  return PipelineCode();
}

template <typename Info>
llvm::Expected<PipelineCode> findAndWarn(const CodeRequest &request, const Info &build) {
  llvm::Expected<PipelineCode> found = find(request, build);
  if (found && found->code)
    for (const std::string &warning : found->code->warnings())
      request.device.reportWarning("KILN-compile", warning);
  return found;
}

} // namespace

llvm::Expected<PipelineCode> codeOf(const CodeRequest &request, const ComputeInfo &build) {
  return findAndWarn(request, build);
}

llvm::Expected<PipelineCode> codeOf(const CodeRequest &request, const GraphicsInfo &build) {
  return findAndWarn(request, build);
}

} // namespace icd
