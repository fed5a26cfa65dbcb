//===- SecondLookup.h - a pipeline of parts -------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// Looks for the parts of a pipeline whose whole code is not in the cache, and links them.
///
/// A part that is not there is built on the spot in these cases: its module still waits in the
/// queue (the pipeline has overtaken it; when its turn comes the part is there); another part of
/// the pipeline is there; it is glue or the fragment part of a pipeline without fragment shader
/// (small, and shared by many); or KILN_PARTS=sync. Else the whole pipeline is compiled: that takes
/// no longer and gives better code.
#pragma once

#include "icd_glue/context/Device.h"
#include "icd_glue/partial/PartCounters.h"
#include "icd_glue/partial/PartObject.h"
#include "icd_glue/partial/PartialPipeline.h"
#include "icd_glue/pipeline/CompilerCalls.h"
#include "icd_glue/pipeline/PipelineCode.h"
#include <array>
#include <chrono>

namespace icd {

/// Parts and glue by PartKind, as far as they are there.
using PartSet = std::array<std::shared_ptr<const PartObject>, lgc::partKindCount>;

inline lgc::LinkParts linkPartsOf(const PartSet &set) {
  auto at = [&](lgc::PartKind kind) -> const lgc::Part * {
    const auto &part = set[static_cast<unsigned>(kind)];
    return part ? part->part.get() : nullptr;
  };
  return {.compute = at(lgc::PartKind::Compute),
          .vertexFetch = at(lgc::PartKind::VertexFetch),
          .preRasterization = at(lgc::PartKind::PreRasterization),
          .fragment = at(lgc::PartKind::Fragment),
          .colorExport = at(lgc::PartKind::ColorExport)};
}

template <typename Info> class SecondLookup {
public:
  SecondLookup(const CodeRequest &request, PartialPipeline &partial, const Info &build,
               const llpc::PipelineHashes &hashes)
      : request(request), device(request.device), partial(partial), build(build), hashes(hashes) {}

  /// Null: a miss, which is counted with its reason.
  std::shared_ptr<const CodeObject> run();

private:
  struct Wanted {
    lgc::PartKind kind;
    llpc::Hash128 key;
    std::vector<TaskSubject> subjects;
  };
  llvm::Expected<Wanted> want(lgc::PartKind kind);
  std::string whyMissing(const Wanted &wanted) const;
  bool isWorthWhile(const std::vector<Wanted> &all);
  llvm::Error take(const Wanted &wanted);
  llvm::Error takeGlue(const lgc::Part &part);
  llvm::Expected<bool> collect();
  llvm::Expected<std::shared_ptr<const CodeObject>> link();
  llvm::Error keep(lgc::PartKind kind, const llpc::Hash128 &key, BuildPart builder);
  void count();
  void countMiss(const char *prefix, llvm::Error error);

  const CodeRequest &request;
  Device &device;
  PartialPipeline &partial;
  const Info &build;
  const llpc::PipelineHashes &hashes;
  PartSet set;
  double buildMs = 0; ///< of all parts, whenever that was
  bool everythingWasReady = true;
  const std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
};

/// A reason for a miss.
inline llvm::Error missReason(const llvm::Twine &text) { return lgc::unsupported(text); }

template <typename Info>
llvm::Expected<typename SecondLookup<Info>::Wanted> SecondLookup<Info>::want(lgc::PartKind kind) {
  Wanted wanted{kind, {}, {}};
  auto key = partKeyOf(device.compiler(), build, kind);
  if (!key)
    return key.takeError();
  wanted.key = *key;
  for (const llpc::PipelineShaderInfo *shader : shadersOf(build, kind))
    if (std::optional<TaskSubject> subject = PartialPipeline::subjectOf(*shader))
      wanted.subjects.push_back(*subject);
  return wanted;
}

/// Why the part is neither there nor about to be; empty if it is. Waits for nothing, so that a
/// pipeline that lacks another part does not wait for this one.
template <typename Info> std::string SecondLookup<Info>::whyMissing(const Wanted &wanted) const {
  const CacheKey key{CacheKey::Domain::Part, wanted.key};
  if (!request.mayCompile)
    return findPart(device, wanted.key) ? "" : "a compile is not allowed";
  auto isPending = [&](const TaskSubject &subject) { return partial.isPending(subject); };
  if (device.shaderCache().isKnown(key))
    return "";
  const bool isSpecialized =
      llvm::any_of(shadersOf(build, wanted.kind), [](const llpc::PipelineShaderInfo *shader) {
        return !shader->specialization.empty();
      });
  // A task is about one stage, as its module has it.
  if (wanted.subjects.size() == 1 && !isSpecialized && isPending(wanted.subjects.front()))
    return "";
  // It may have landed between the two questions.
  if (device.shaderCache().isKnown(key))
    return "";
  if (wanted.subjects.size() > 1)
    return "several stages are not built in advance";
  if (isSpecialized)
    return "built without specialization";
  return llvm::any_of(wanted.subjects,
                      [&](const TaskSubject &subject) { return partial.wasExecuted(subject); })
             ? "built for another layout or state"
             : "not built in advance";
}

template <typename Info>
llvm::Error SecondLookup<Info>::keep(lgc::PartKind kind, const llpc::Hash128 &key,
                                     BuildPart builder) {
  std::shared_ptr<const PartObject> part = findPart(device, key);
  if (!part) {
    if (!request.mayCompile)
      return missReason(llvm::Twine(lgc::partKindName(kind)) + ": a compile is not allowed");
    everythingWasReady = false;
    ShaderCache::Source source = ShaderCache::Source::Memory;
    auto obtained = obtainPart(device, key, builder, &source);
    if (!obtained)
      return obtained.takeError();
    part = std::move(*obtained);
    if (source == ShaderCache::Source::Made || source == ShaderCache::Source::MadeToo) {
      const bool isGlue = kind == lgc::PartKind::VertexFetch || kind == lgc::PartKind::ColorExport;
      ++(isGlue ? device.counters().glueBuiltLate : device.counters().partsBuiltLate);
    }
  }
  buildMs += part->buildMs;
  set[static_cast<unsigned>(kind)] = std::move(part);
  return llvm::Error::success();
}

template <typename Info> llvm::Error SecondLookup<Info>::take(const Wanted &wanted) {
  if (request.mayCompile && !device.shaderCache().isKnown({CacheKey::Domain::Part, wanted.key}))
    for (const TaskSubject &subject : wanted.subjects)
      partial.awaitAnnouncement(subject);
  return keep(wanted.kind, wanted.key,
              [&] { return buildPartOf(device.compiler(), build, wanted.kind); });
}

template <> inline llvm::Error SecondLookup<ComputeInfo>::takeGlue(const lgc::Part &) {
  return llvm::Error::success();
}

template <> inline llvm::Error SecondLookup<GraphicsInfo>::takeGlue(const lgc::Part &part) {
  const GlueNeed glue = glueOf(part.info());
  if (!glue.isNeeded)
    return llvm::Error::success();
  const llpc::Compiler &compiler = device.compiler();
  return keep(glue.kind, compiler.glueKey(part, build, glue.kind),
              [&] { return compiler.buildGlue(part, build, glue.kind); });
}

/// Counts which parts are there. Are they to be linked, building those that are not? Else the
/// reasons have been counted.
template <typename Info> bool SecondLookup<Info>::isWorthWhile(const std::vector<Wanted> &all) {
  PartCounters &counters = device.counters();
  bool isAnyThere = false, isAnyMissing = false;
  for (const Wanted &wanted : all) {
    if (wanted.subjects.empty()) // small, and nobody's
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
  return isAnyThere && request.mayCompile;
}

/// Parts and glue into `set`. False: it is not worth while, which is counted.
template <typename Info> llvm::Expected<bool> SecondLookup<Info>::collect() {
  if (build.options.includeDisassembly || build.options.includeIr)
    return missReason("texts of the compile are wanted");
  std::vector<Wanted> all;
  for (lgc::PartKind kind : partKindsOf(build)) {
    llvm::Expected<Wanted> wanted = want(kind);
    if (!wanted)
      return wanted.takeError();
    all.push_back(std::move(*wanted));
  }
  if (!isWorthWhile(all))
    return false;
  for (const Wanted &wanted : all) {
    if (llvm::Error error = take(wanted))
      return error;
    if (llvm::Error error = takeGlue(*set[static_cast<unsigned>(wanted.kind)]->part))
      return error;
  }
  return true;
}

template <typename Info>
llvm::Expected<std::shared_ptr<const CodeObject>> SecondLookup<Info>::link() {
  lgc::LinkOptions options;
  // As a whole compile names itself.
  options.pipelineHash[0] = uint64_t(hashes.pipelineHash[0]) << 32 | hashes.pipelineHash[1];
  options.pipelineHash[1] = uint64_t(hashes.cacheHash[0]) << 32 | hashes.cacheHash[1];
  auto linked = lgc::linkParts(linkPartsOf(set), request.layout->linkLayout, options);
  if (!linked)
    return linked.takeError();
  CodeObject::Description description{request.name,
                                      request.places.stages,
                                      hashes.pipelineHash,
                                      /*isLinked=*/true,
                                      {},
                                      {}};
  for (const std::shared_ptr<const PartObject> &part : set)
    if (part)
      description.warnings.insert(description.warnings.end(), part->warnings.begin(),
                                  part->warnings.end());
  return std::make_shared<const CodeObject>(
      device.target(), llpc::PipelineBinary::own(std::move(*linked)), std::move(description));
}

template <typename Info> void SecondLookup<Info>::count() {
  PartCounters &counters = device.counters();
  ++counters.linked;
  const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
  if (everythingWasReady)
    ++counters.linkedReady;
  counters.savedMicroseconds += static_cast<int64_t>(buildMs * 1000 - took.count());
}

template <typename Info> void SecondLookup<Info>::countMiss(const char *prefix, llvm::Error error) {
  const std::string message = lgc::consumeToText(std::move(error)).message;
  // Without the place, which messages have in parentheses.
  device.counters().miss(prefix + llvm::StringRef(message).split(" (").first.str());
}

template <typename Info> std::shared_ptr<const CodeObject> SecondLookup<Info>::run() {
  llvm::Expected<bool> collected = collect();
  if (!collected) {
    countMiss("", collected.takeError());
    return nullptr;
  }
  if (!*collected)
    return nullptr;
  auto code = link();
  if (!code) {
    countMiss("link: ", code.takeError());
    return nullptr;
  }
  count();
  return std::move(*code);
}

} // namespace icd
