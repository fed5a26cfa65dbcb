//===- PipelineCode.cpp - how a pipeline comes by its code ----------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/pipeline/PipelineCode.h"
#include "icd_glue/ProcessEnd.h"
#include "icd_glue/partial/PartCounters.h"
#include "icd_glue/pipeline/PipelineCache.h"
#include "icd_glue/pipeline/PipelineDump.h"
#include "icd_glue/pipeline/SecondLookup.h"

namespace icd {
namespace {

template <typename Info>
llvm::Expected<std::shared_ptr<const CodeObject>>
compileWhole(Device &device, const Info &build, std::string name, VkShaderStageFlags stages,
             bool isStandIn = false) {
  const StaticsInUse inUse;
  if (!inUse)
    return processEnds();
  auto built = buildWhole(device.compiler(), build);
  if (!built)
    return built.takeError();
  CodeObject::Description description{std::move(name),
                                      stages,
                                      built->hashes.pipelineHash,
                                      /*isLinked=*/false,
                                      std::move(built->warnings),
                                      /*executables=*/{},
                                      build.options.includeDisassembly || build.options.includeIr,
                                      isStandIn};
  return std::make_shared<const CodeObject>(device.target(), std::move(built->elf),
                                            std::move(description));
}

std::shared_ptr<const CodeObject> asCode(ShaderCache::Object object) {
  return std::static_pointer_cast<const CodeObject>(std::move(object));
}

/// What outlives the handle, if threads of the background may use it.
std::shared_ptr<CacheContent> contentForLater(PipelineCache *cache) {
  return cache && !cache->content->needsOwnThread() ? cache->content : nullptr;
}

CacheKey nameOf(const llpc::Hash128 &pipelineKey) {
  return {CacheKey::Domain::Pipeline, pipelineKey};
}

/// What is there already stays, if it is fit.
void keepInApplication(const CodePlaces &places, const std::shared_ptr<const CodeObject> &code) {
  CacheContent &content = *places.application->content;
  const CacheKey name = nameOf(*places.key);
  const auto there = asCode(content.find(name));
  if (there && !places.isFit(*there))
    content.replace(name, code);
  else
    content.insert(name, code);
}

/// Makes findCode() find \p code, which the driver's cache has under \p key.
void nameCode(const CodeRequest &request, const CacheKey &key,
              const std::shared_ptr<const CodeObject> &code) {
  const CodePlaces &places = request.places;
  if (!places.key)
    return;
  request.device.shaderCache().alias(nameOf(*places.key), key, code);
  if (!places.application)
    return;
  keepInApplication(places, code);
}

/// Compiles in the background what took a short cut now; later creations use the result. It may
/// fail or never come: the short cut is right, too.
template <typename Info>
void improveLater(const CodeRequest &request, const CacheKey &key, const Info &build) {
  request.device.partial()->later([&device = request.device, key, build, program = request.name,
                                   stages = request.places.stages, name = request.places.key,
                                   application = contentForLater(request.places.application)] {
    auto code = compileWhole(device, build, program, stages);
    if (!code)
      return llvm::consumeError(code.takeError());
    device.shaderCache().insert(key, *code);
    if (!name)
      return;
    device.shaderCache().alias(nameOf(*name), key, *code);
    if (application)
      application->replace(nameOf(*name), *code);
  });
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
    auto code = compileWhole(device, fastFirst ? quick : build, request.name, request.places.stages,
                             /*isStandIn=*/fastFirst);
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
  nameCode(request, key, result.code);
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
  auto find = [&](const CacheKey &name) {
    auto code = asCode(device.shaderCache().findOrLoad(name));
    return code && request.places.isFit(*code) ? code : nullptr;
  };
  if (auto code = find(key)) {
    ++device.counters().codeHits;
    nameCode(request, key, code);
    return PipelineCode{std::move(code), nullptr};
  }
  const CacheKey linkedKey{CacheKey::Domain::Linked, hashes.cacheHash};
  if (auto code = find(linkedKey)) {
    ++device.counters().codeHits;
    nameCode(request, linkedKey, code);
    return PipelineCode{std::move(code), nullptr};
  }
  if (PartialPipeline *partial = request.places.mustBeWhole ? nullptr : device.partial())
    if (auto code = SecondLookup<Info>(request, *partial, build, hashes).run()) {
      device.shaderCache().insert(linkedKey, code);
      nameCode(request, linkedKey, code);
      if (partial->settings().wholeLater)
        improveLater(request, key, build);
      return PipelineCode{std::move(code), nullptr};
    }
  if (request.mayCompile)
    return compile(request, key, build);
  ++device.counters().refused;
  return PipelineCode();
}

void warn(Device &device, const CodeObject &code) {
  for (const std::string &warning : code.warnings())
    device.reportWarning("KILN-compile", warning);
}

template <typename Info>
llvm::Expected<PipelineCode> findAndWarn(const CodeRequest &request, const Info &build) {
  llvm::Expected<PipelineCode> found = find(request, build);
  if (found && found->code)
    warn(request.device, *found->code);
  return found;
}

} // namespace

FoundCode findCode(Device &device, const CodePlaces &places) {
  // Dumps are written of what the compiler is told.
  if (!places.key || !device.environment().dumpFolder.empty())
    return {};
  const CacheKey name = nameOf(*places.key);
  auto isFit = [&](const std::shared_ptr<const CodeObject> &code) {
    return code && places.isFit(*code);
  };
  FoundCode found;
  if (places.application)
    found.code = asCode(places.application->content->find(name));
  found.isFromApplication = isFit(found.code);
  if (!found.isFromApplication) {
    found.code = asCode(device.shaderCache().findAlias(name));
    if (!isFit(found.code))
      return {};
    if (places.application)
      keepInApplication(places, found.code);
  }
  ++device.counters().codeHits;
  warn(device, *found.code);
  return found;
}

llvm::Expected<std::shared_ptr<const CodeObject>>
compileAlone(Device &device, const ComputeInfo &build, std::string name) {
  return compileWhole(device, build, std::move(name), VK_SHADER_STAGE_COMPUTE_BIT);
}

llvm::Expected<PipelineCode> codeOf(const CodeRequest &request, const ComputeInfo &build) {
  return findAndWarn(request, build);
}

llvm::Expected<PipelineCode> codeOf(const CodeRequest &request, const GraphicsInfo &build) {
  const lgc::NggState &ngg = request.device.environment().ngg;
  if (build.nggState == ngg)
    return findAndWarn(request, build);
  GraphicsInfo changed = build;
  changed.nggState = ngg;
  return findAndWarn(request, changed);
}

} // namespace icd
