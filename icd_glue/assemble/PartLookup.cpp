//===- PartLookup.cpp - pipelines of parts --------------------------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/assemble/PartLookup.h"
#include "icd_glue/assemble/PartSet.h"
#include "icd_glue/context/Device.h"
#include "icd_glue/partial/PartCounters.h"
#include "icd_glue/partial/PartialPipeline.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include <chrono>

namespace icd {
namespace {

/// A reason for a miss.
llvm::Error missReason(const llvm::Twine &text) { return lgc::unsupported(text); }

/// A part of the pipeline, by what it is made of.
struct Wanted {
  lgc::PartKind kind;
  llpc::Hash128 key;
  std::vector<const llpc::PipelineShaderInfo *> shaders;
  std::optional<TaskSubject> subject; ///< none: small, and nobody's
  llpc::SpecializedAt at = llpc::SpecializedAt::Compile;
  std::vector<lgc::LinkConstant> constants; ///< SpecializedAt::Link

  bool isSpecialized() const {
    return llvm::any_of(shaders,
                        [](const auto *shader) { return !shader->specialization.empty(); });
  }
};

class PartLookup {
public:
  PartLookup(const CodeRequest &request, PartialPipeline &partial, const BuildInfo &build,
             const llpc::PipelineHashes &hashes)
      : request(request), device(request.device), partial(partial), build(build), hashes(hashes) {}

  /// Null: it is not worth while, which is counted.
  llvm::Expected<std::shared_ptr<const CodeObject>> run();

private:
  llvm::Expected<Wanted> want(lgc::PartKind kind) const;
  bool isAtHand(const llpc::Hash128 &key) const;
  void preferLinkedConstants(Wanted &wanted) const;
  std::string whyMissing(const Wanted &wanted) const;
  bool isWorthWhile(llvm::ArrayRef<Wanted> all) const;
  llvm::Error take(const Wanted &wanted);
  llvm::Error takeGlue(const PartObject &part);
  using Obtain = llvm::function_ref<llvm::Expected<PartPointer>(ShaderCache::Source &source)>;
  llvm::Error keep(lgc::PartKind kind, const llpc::Hash128 &key, Obtain obtain);
  llvm::Expected<bool> collect();
  void count() const;

  const CodeRequest &request;
  Device &device;
  PartialPipeline &partial;
  const BuildInfo &build;
  const llpc::PipelineHashes &hashes;
  PartSet set;
  llvm::SmallVector<PartPointer, lgc::partKindCount> owned;
  double buildMs = 0; ///< of all parts, whenever that was
  bool everythingWasReady = true;
  const std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
};

llvm::Expected<Wanted> PartLookup::want(lgc::PartKind kind) const {
  Wanted wanted;
  wanted.kind = kind;
  wanted.shaders = build.shaders(kind);
  wanted.key = KILN_TRY(build.partKey(device.compiler(), kind, wanted.at));
  wanted.subject = PartialPipeline::subjectOf(wanted.shaders);
  if (wanted.isSpecialized() && !request.places.mustBeFinal && !isAtHand(wanted.key))
    preferLinkedConstants(wanted);
  return wanted;
}

/// Is the part there, or about to be? Where a compile is not allowed nothing is waited for, but
/// disk is asked.
bool PartLookup::isAtHand(const llpc::Hash128 &key) const {
  return request.mayCompile ? device.shaderCache().isKnown({CacheKey::Domain::Part, key})
                            : findOrLoadPart(device, key) != nullptr;
}

/// Takes the part that has no values of the constants, if it is there. Errors say that there is
/// none, and the compile that follows has them, too.
void PartLookup::preferLinkedConstants(Wanted &wanted) const {
  std::vector<lgc::LinkConstant> constants;
  for (const llpc::PipelineShaderInfo *shader : wanted.shaders) {
    auto values = llpc::Compiler::linkedConstants(*shader);
    if (!values)
      return llvm::consumeError(values.takeError());
    llvm::append_range(constants, *values);
  }
  if (constants.empty())
    return;
  constexpr auto at = llpc::SpecializedAt::Link;
  auto key = build.partKey(device.compiler(), wanted.kind, at);
  if (!key)
    return llvm::consumeError(key.takeError());
  if (!isAtHand(*key))
    return;
  wanted.key = *key;
  wanted.at = at;
  wanted.constants = std::move(constants);
}

/// Why the part is neither there nor about to be; empty if it is. Waits for nothing, so that a
/// pipeline that lacks another part does not wait for this one.
std::string PartLookup::whyMissing(const Wanted &wanted) const {
  const CacheKey key{CacheKey::Domain::Part, wanted.key};
  if (!request.mayCompile)
    return findOrLoadPart(device, wanted.key) ? "" : "a compile is not allowed";
  if (device.shaderCache().isKnown(key))
    return "";
  const bool isSpecialized = wanted.isSpecialized();
  // Tasks are about shaders as their modules have them.
  if (!isSpecialized && partial.isPending(*wanted.subject))
    return "";
  // It may have landed between the two questions, or be on disk.
  if (device.shaderCache().isKnown(key) || findOrLoadPart(device, wanted.key))
    return "";
  if (isSpecialized)
    return "built without specialization";
  return partial.wasExecuted(*wanted.subject) ? "built for another layout or state"
                                              : "not built in advance";
}

llvm::Error PartLookup::keep(lgc::PartKind kind, const llpc::Hash128 &key, Obtain obtain) {
  PartPointer part = request.mayCompile ? findPart(device, key) : findOrLoadPart(device, key);
  if (!part) {
    ShaderCache::Source source = ShaderCache::Source::Memory;
    part = KILN_TRY(obtain(source));
    if (!part)
      return missReason(llvm::Twine(lgc::partKindName(kind)) + ": a compile is not allowed");
    everythingWasReady = false;
    if (source == ShaderCache::Source::Made || source == ShaderCache::Source::MadeToo)
      ++(isGlue(kind) ? device.counters().glueBuiltLate : device.counters().partsBuiltLate);
  }
  // The direct tier makes the whole as well, which is better than what is linked of its parts.
  if (part->isStandIn())
    return missReason(llvm::Twine(lgc::partKindName(kind)) + ": a stand-in");
  buildMs += part->buildMs;
  set[kind] = part.get();
  owned.push_back(std::move(part));
  return llvm::Error::success();
}

llvm::Error PartLookup::take(const Wanted &wanted) {
  llvm::append_range(set.constants, wanted.constants);
  return keep(wanted.kind, wanted.key, [&](ShaderCache::Source &source) {
    auto builder = [&] { return build.buildPart(device.compiler(), wanted.kind, wanted.at); };
    return obtainNeeded(device, wanted.key, wanted.shaders, request.mayCompile, builder, &source);
  });
}

llvm::Error PartLookup::takeGlue(const PartObject &part) {
  if (!part.needsGlue() || !build.isGraphics()) // a cache may say what it likes
    return llvm::Error::success();
  const lgc::PartKind kind = lgc::glueKindOf(part.part->info().kind);
  const GraphicsInfo &graphics = build.graphics();
  const llpc::Hash128 key = device.compiler().glueKey(*part.part, graphics, kind);
  return keep(kind, key, [&](ShaderCache::Source &source) {
    return obtainGlue(device, key, *part.part, graphics, kind, request.mayCompile, &source);
  });
}

/// Counts which parts are there. Are they to be linked, building those that are not? Else the
/// reasons have been counted.
bool PartLookup::isWorthWhile(llvm::ArrayRef<Wanted> all) const {
  PartCounters &counters = device.counters();
  bool isAnyThere = false, isAnyMissing = false;
  for (const Wanted &wanted : all) {
    if (!wanted.subject)
      continue;
    ++counters.wanted[static_cast<unsigned>(wanted.kind)];
    const std::string why = whyMissing(wanted);
    if (why.empty()) {
      ++counters.there[static_cast<unsigned>(wanted.kind)];
      isAnyThere = true;
    } else {
      counters.miss(std::string(lgc::partKindName(wanted.kind)) + ": " + why);
      isAnyMissing = true;
    }
  }
  if (partial.settings().mode == PartMode::Sync || !isAnyMissing)
    return true;
  // The direct tier makes the whole sooner than LLVM a part.
  return isAnyThere && request.mayCompile && !device.environment().directFirst;
}

/// Parts and glue into `set`. False: it is not worth while, which is counted.
llvm::Expected<bool> PartLookup::collect() {
  const llpc::PipelineOptions &options = build.common().options;
  if (options.includeDisassembly || options.includeIr)
    return missReason("texts of the compile are wanted");
  std::vector<Wanted> all;
  for (lgc::PartKind kind : build.partKinds()) {
    auto wanted = KILN_TRY(want(kind));
    all.push_back(std::move(wanted));
  }
  if (!isWorthWhile(all))
    return false;
  for (const Wanted &wanted : all) {
    KILN_TRY(take(wanted));
    KILN_TRY(takeGlue(*set[wanted.kind]));
  }
  return true;
}

void PartLookup::count() const {
  PartCounters &counters = device.counters();
  ++counters.linked;
  const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
  if (everythingWasReady)
    ++counters.linkedReady;
  counters.savedMicroseconds += std::max<int64_t>(0, std::llround(buildMs * 1000 - took.count()));
}

llvm::Expected<std::shared_ptr<const CodeObject>> PartLookup::run() {
  auto collected = KILN_TRY(collect());
  if (!collected)
    return nullptr;
  // As a monolithic compile names itself.
  lgc::LinkOptions options = {
      .pipelineHash = {uint64_t(hashes.pipelineHash[0]) << 32 | hashes.pipelineHash[1],
                       uint64_t(hashes.cacheHash[0]) << 32 | hashes.cacheHash[1]}};
  if (build.isGraphics())
    options.outputPrimitive = llpc::outputPrimitiveOf(build.graphics());
  auto code = linkCode(device, set, request.layout->linkLayout, options,
                       {.name = request.name,
                        .stages = request.places.stages,
                        .pipelineHash = hashes.pipelineHash,
                        .warnings = set.warnings()});
  if (!code)
    return missReason("link: " + lgc::consumeToText(code.takeError()).message);
  count();
  return code;
}

} // namespace

llvm::Expected<PartPointer> obtainNeeded(Device &device, const llpc::Hash128 &key,
                                         llvm::ArrayRef<const llpc::PipelineShaderInfo *> shaders,
                                         bool mayCompile, BuildPart build,
                                         ShaderCache::Source *source) {
  if (PartPointer part = findPart(device, key))
    return part;
  if (!mayCompile) // what is on disk needs no compile
    return findOrLoadPart(device, key);
  const CacheKey cacheKey{CacheKey::Domain::Part, key};
  if (PartialPipeline *partial = device.partial();
      partial && !device.shaderCache().isKnown(cacheKey))
    if (std::optional<TaskSubject> subject = PartialPipeline::subjectOf(shaders))
      partial->awaitAnnouncement(*subject);
  return obtainPart(device, key, build, source);
}

llvm::Expected<PartPointer> obtainGlue(Device &device, const llpc::Hash128 &key,
                                       const lgc::Part &part,
                                       const llpc::GraphicsPipelineBuildInfo &build,
                                       lgc::PartKind kind, bool mayCompile,
                                       ShaderCache::Source *source) {
  const llpc::Compiler &compiler = device.compiler();
  if (mayCompile)
    return obtainNeeded(
        device, key, {}, mayCompile, [&] { return compiler.buildGlue(part, build, kind); }, source);
  if (PartPointer found = findOrLoadPart(device, key))
    return found;
  auto made = KILN_TRY(compiler.generateGlue(part, build, kind));
  if (!made)
    return nullptr;
  return obtainPart(
      device, key, [&]() -> llvm::Expected<llpc::PartResult> { return std::move(*made); }, source);
}

llvm::Error obtainAllParts(Device &device, const BuildInfo &build) {
  const llpc::Compiler &compiler = device.compiler();
  PartSet set;
  llvm::SmallVector<PartPointer, lgc::partKindCount> owned;
  auto obtain = [&](lgc::PartKind kind, const llpc::Hash128 &key,
                    BuildPart builder) -> llvm::Error {
    auto part = obtainPart(device, key, builder);
    if (!part)
      return part.takeError();
    set[kind] = part->get();
    owned.push_back(std::move(*part));
    return llvm::Error::success();
  };
  for (lgc::PartKind kind : build.partKinds()) {
    constexpr auto at = llpc::SpecializedAt::Compile;
    auto key = KILN_TRY(build.partKey(compiler, kind, at));
    KILN_TRY(obtain(kind, key, [&] { return build.buildPart(compiler, kind, at); }));
    const PartObject &part = *set[kind];
    if (!part.needsGlue() || !build.isGraphics())
      continue;
    const lgc::PartKind glue = lgc::glueKindOf(part.part->info().kind);
    KILN_TRY(obtain(glue, compiler.glueKey(*part.part, build.graphics(), glue),
                    [&] { return compiler.buildGlue(*part.part, build.graphics(), glue); }));
  }
  const lgc::LinkLayout layout(build.common().resourceMapping);
  auto linked = lgc::linkParts(set.linkParts(), layout, {});
  return linked ? llvm::Error::success() : linked.takeError();
}

std::shared_ptr<const CodeObject> linkedCode(const CodeRequest &request, const BuildInfo &build,
                                             const llpc::PipelineHashes &hashes) {
  PartialPipeline *partial = request.device.partial();
  if (!partial)
    return nullptr;
  auto code = PartLookup(request, *partial, build, hashes).run();
  if (code)
    return std::move(*code);
  request.device.counters().missFor(lgc::consumeToText(code.takeError()).message);
  return nullptr;
}

} // namespace icd
