//===- PipelineCode.cpp - how a pipeline comes by its code ----------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/assemble/PipelineCode.h"
#include "icd_glue/ProcessEnd.h"
#include "icd_glue/assemble/PartLookup.h"
#include "icd_glue/assemble/PipelineDump.h"
#include "icd_glue/assemble/PipelineReplacement.h"
#include "icd_glue/assemble/RecipeBook.h"
#include "icd_glue/cache/CacheContent.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/partial/PartCounters.h"
#include "icd_glue/partial/PartialPipeline.h"
#include "pal_shim/abi/Try.h"

namespace icd {
namespace {

/// \p isDirect: by the direct tier, which makes a stand-in, or LLVM if that refuses.
llvm::Expected<std::shared_ptr<const CodeObject>>
compileMonolithic(Device &device, const BuildInfo &build, std::string name,
                  VkShaderStageFlags stages, bool isDirect = false) {
  const StaticsInUse inUse;
  if (!inUse)
    return processEnds();
  const llpc::PipelineOptions &options = build.common().options;
  auto built = build.compile(device.compiler(), isDirect);
  if (!built)
    return built.takeError();
  device.counters().direct += built->isDirect;
  if (!built->directRefusal.empty())
    device.counters().directRefusals.add(built->directRefusal);
  CodeObject::Description description{std::move(name),
                                      stages,
                                      built->hashes.pipelineHash,
                                      /*isLinked=*/false,
                                      std::move(built->warnings),
                                      /*executables=*/{},
                                      options.includeDisassembly || options.includeIr,
                                      isDirect && built->isDirect};
  return std::make_shared<const CodeObject>(device.target(), std::move(built->elf),
                                            std::move(description));
}

std::shared_ptr<const CodeObject> asCode(ShaderCache::Object object) {
  return std::static_pointer_cast<const CodeObject>(std::move(object));
}

/// What threads of the background may use, when the application's handle may be gone.
std::shared_ptr<CacheContent> contentForLater(const CodePlaces &places) {
  const bool may = places.application && !(*places.application)->needsOwnThread();
  return may ? *places.application : nullptr;
}

CacheKey nameOf(const llpc::Hash128 &pipelineKey) {
  return {CacheKey::Domain::Pipeline, pipelineKey};
}

/// What is there already stays, unless it is not fit, or a stand-in for \p code.
void keepInApplication(const CodePlaces &places, const std::shared_ptr<const CodeObject> &code) {
  CacheContent &content = **places.application;
  const CacheKey name = nameOf(*places.key);
  const auto there = asCode(content.find(name));
  if (there && (!places.isFit(*there) || (there->isStandIn() && !code->isStandIn())))
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

/// Of code objects: LLVM takes a minute and more for what the direct tier made so large, and a
/// program that ends waits for it.
constexpr size_t maxImprovedBytes = size_t(160) << 10;

/// Compiles in the background what took a short cut, \p code; later creations use the result. It
/// may fail or never come: the short cut is right, too. Keeps neither \p code nor the cache that
/// has it. Most are never begun, so that what takes long, hashes too, is left to the background.
std::shared_ptr<Improvement> improvement(const CodeRequest &request, const BuildInfo &build,
                                         const std::shared_ptr<const CodeObject> &code) {
  auto work = [&device = request.device, build = OwnBuildInfo(build), program = request.name,
               stages = request.places.stages, name = request.places.key,
               weakApplication = std::weak_ptr(contentForLater(request.places)),
               old = std::weak_ptr(code)] {
    if (auto replaced = old.lock(); replaced && replaced->elf().size() > maxImprovedBytes)
      return;
    auto code = compileMonolithic(device, build.get(), program, stages);
    if (!code)
      return llvm::consumeError(code.takeError());
    const CacheKey key{CacheKey::Domain::Code, build.get().hashes(device.compiler()).cacheHash};
    device.shaderCache().insert(key, *code);
    if (auto replaced = old.lock())
      replaced->setBetter(*code);
    if (!name)
      return;
    device.shaderCache().alias(nameOf(*name), key, *code);
    if (auto application = weakApplication.lock())
      application->improve(nameOf(*name), *code);
  };
  return std::make_shared<Improvement>(
      [&device = request.device, work = std::move(work)] { return device.later(work); });
}

//===--- Sources ----------------------------------------------------------===//

/// What code is looked for by.
struct Search {
  const CodeRequest &request;
  const BuildInfo &build;
  const llpc::PipelineHashes hashes;

  CacheKey key(CacheKey::Domain domain) const { return {domain, hashes.cacheHash}; }
};

llvm::Expected<PipelineCode> ofCache(const Search &search, CacheKey::Domain domain) {
  const CacheKey key = search.key(domain);
  auto code = asCode(search.request.device.shaderCache().findOrLoad(key));
  if (!code || !search.request.places.isFit(*code))
    return nullptr;
  ++search.request.device.counters().codeHits;
  nameCode(search.request, key, code);
  return code;
}

llvm::Expected<PipelineCode> compiledBefore(const Search &search) {
  return ofCache(search, CacheKey::Domain::Code);
}

llvm::Expected<PipelineCode> linkedBefore(const Search &search) {
  return ofCache(search, CacheKey::Domain::Linked);
}

llvm::Expected<PipelineCode> ofParts(const Search &search) {
  const CodeRequest &request = search.request;
  if (request.places.mustBeMonolithic || search.build.isRays())
    return nullptr;
  auto code = linkedCode(request, search.build, search.hashes);
  if (!code)
    return nullptr;
  const CacheKey key = search.key(CacheKey::Domain::Linked);
  request.device.shaderCache().insert(key, code);
  nameCode(request, key, code);
  if (request.device.partial()->settings().monolithicLater || code->isStandIn()) {
    const auto better = improvement(request, search.build, code);
    code->improveWhenUsed(better);
    better->begin();
  }
  return code;
}

/// A monolithic compile, shared with others who want the same now.
llvm::Expected<PipelineCode> compiledNow(const Search &search) {
  const CodeRequest &request = search.request;
  Device &device = request.device;
  if (!request.mayCompile) {
    ++device.counters().refused;
    return nullptr;
  }
  const bool isDirect = device.environment().directFirst && request.places.takesDirect() &&
                        search.build.common().options.optLevel > lgc::OptLevel::Quick;
  auto make = [&]() -> llvm::Expected<ShaderCache::Object> {
    auto code = KILN_TRY(
        compileMonolithic(device, search.build, request.name, request.places.stages, isDirect));
    ++device.counters().compiled;
    return code;
  };
  const CacheKey key = search.key(CacheKey::Domain::Code);
  auto code = asCode(KILN_TRY(device.shaderCache().obtain(key, make)));
  if (code->isStandIn() && !request.places.takesDirect()) {
    const auto better = asCode(KILN_TRY(make()));
    code->setBetter(better);
    device.shaderCache().insert(key, better);
    code = better;
  }
  nameCode(request, key, code);
  return code;
}

/// Where code comes from, cheapest first. One that has none gives none, and the next is asked.
constexpr llvm::Expected<PipelineCode> (*sources[])(const Search &) = {
    compiledBefore,
    linkedBefore,
    ofParts,
    compiledNow,
};

void warn(Device &device, const CodeObject &code) {
  for (const std::string &warning : code.warnings())
    device.reportWarning("KILN-compile", warning);
}

llvm::Expected<PipelineCode> find(const CodeRequest &request, const BuildInfo &build) {
  const Search search{request, build, build.hashes(request.device.compiler())};
  dumpPipeline(request.device, build, search.hashes);
  if (!request.device.environment().replaceFolder.empty())
    return replacementOf(request.device, build, search.hashes);
  for (auto *source : sources) {
    llvm::Expected<PipelineCode> found = source(search);
    if (found && !*found)
      continue;
    if (found) {
      warn(request.device, **found);
      if (RecipeBook *recipes = request.device.recipes(); recipes)
        recipes->note(request.places.key.value_or(search.hashes.cacheHash),
                      [&] { return OwnBuildInfo(build); });
      return improvedWhenUsed(request, build, std::move(*found));
    }
    return found;
  }
  return nullptr;
}

} // namespace

FoundCode findCode(Device &device, const CodePlaces &places) {
  // Dumps are written of what the compiler is told, and replacements found by it.
  if (!places.key || device.environment().needsBuildInfos())
    return {};
  const CacheKey name = nameOf(*places.key);
  auto isFit = [&](const std::shared_ptr<const CodeObject> &code) {
    return code && places.isFit(*code);
  };
  FoundCode found;
  if (places.application)
    found.code = bestOf(asCode((*places.application)->find(name)));
  found.isFromApplication = isFit(found.code);
  // Of a stand-in that comes from another process the driver's cache may have the better code.
  const bool mayBeBetter = found.isFromApplication && found.code->lacksImprovement();
  if (!found.isFromApplication || mayBeBetter) {
    auto own = bestOf(asCode(device.shaderCache().findAlias(name)));
    const bool isTaken = isFit(own) && (!mayBeBetter || !own->isStandIn());
    if (isTaken && mayBeBetter)
      found.code->setBetter(own);
    if (isTaken)
      found.code = std::move(own);
    else if (!mayBeBetter)
      return {};
    if (isTaken && places.application)
      keepInApplication(places, found.code);
  }
  ++device.counters().codeHits;
  warn(device, *found.code);
  if (RecipeBook *recipes = device.recipes())
    recipes->touch(*places.key);
  found.code = withImprovement(std::move(found.code));
  return found;
}

PipelineCode improvedWhenUsed(const CodeRequest &request, const BuildInfo &build,
                              PipelineCode code) {
  if (!code->lacksImprovement())
    return withImprovement(std::move(code));
  const std::shared_ptr<Improvement> better = improvement(request, build, code);
  code->improveWhenUsed(better);
  return withImprovement(std::move(code), better);
}

void compileAhead(Device &device, const BuildInfo &build) {
  if (!build.isRays()) {
    llvm::Error error = obtainAllParts(device, build);
    if (!error)
      return;
    llvm::consumeError(std::move(error));
  }
  const CacheKey key{CacheKey::Domain::Code, build.hashes(device.compiler()).cacheHash};
  auto make = [&]() -> llvm::Expected<ShaderCache::Object> {
    return compileMonolithic(device, build, build.programName(), build.stages());
  };
  auto code = device.shaderCache().obtain(key, make);
  if (!code)
    llvm::consumeError(code.takeError());
}

llvm::Expected<std::shared_ptr<const CodeObject>>
compileAlone(Device &device, const ComputeInfo &build, std::string name) {
  return compileMonolithic(device, build, std::move(name), VK_SHADER_STAGE_COMPUTE_BIT);
}

llvm::Expected<PipelineCode> codeOf(const CodeRequest &request, const BuildInfo &build) {
  const lgc::NggState &ngg = request.device.environment().ngg;
  if (!build.isGraphics() || build.graphics().nggState == ngg)
    return find(request, build);
  GraphicsInfo changed = build.graphics();
  changed.nggState = ngg;
  return find(request, changed);
}

} // namespace icd
