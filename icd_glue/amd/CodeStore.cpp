//===- CodeStore.cpp - how a pipeline of a driver comes by its code -------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/amd/CodeStore.h"
#include "icd_glue/ProcessEnd.h"
#include "icd_glue/amd/Guesses.h"
#include "icd_glue/amd/PartPieces.h"
#include "llpc/Hasher.h"
#include "llpc/ShaderModuleData.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"

namespace icd::amd {
namespace {

using lgc::PartKind;

CacheKey partKey(const llpc::Hash128 &hash) { return {CacheKey::Domain::Part, hash}; }

} // namespace

/// A part of a pipeline, by what it is made of.
struct CodeStore::Wanted {
  PartKind kind;
  llpc::Hash128 key;
  /// Of the task that may be about it, which is about shaders as their modules have them.
  std::optional<TaskSubject> subject;
  llpc::SpecializedAt at = llpc::SpecializedAt::Compile;
  std::vector<lgc::LinkConstant> constants = {}; ///< SpecializedAt::Link
};

CodeStore::CodeStore(const llpc::Compiler &compiler, const Settings &settings, Log &log)
    : compiler(compiler), settings(settings), log(log),
      cache(uint64_t(settings.cacheMegabytes) << 20),
      guesses(std::make_unique<Guesses>(compiler.target())),
      pool({.workers = settings.partWorkers}) {}

CodeStore::~CodeStore() { pool.stop(); }

llvm::Expected<CodeStore::Wanted> CodeStore::want(const Pieces &pieces, PartKind kind) {
  Wanted wanted{kind, KILN_TRY(pieces.partKey(kind, llpc::SpecializedAt::Compile)), {}};
  const auto shaders = pieces.shaders(kind);
  const bool isSpecialized =
      llvm::any_of(shaders, [](const auto *shader) { return !shader->specialization.empty(); });
  if (!shaders.empty() && !isSpecialized)
    wanted.subject = subjectOf(shaders);
  if (isSpecialized && settings.linkConstants && !cache.isKnown(partKey(wanted.key)))
    leaveConstants(pieces, wanted);
  return wanted;
}

/// Takes the part without values of the constants, if it is there. Errors say that there is none,
/// and the compile that follows has them, too.
void CodeStore::leaveConstants(const Pieces &pieces, Wanted &wanted) {
  std::vector<lgc::LinkConstant> constants;
  for (const llpc::PipelineShaderInfo *shader : pieces.shaders(wanted.kind)) {
    auto values = llpc::Compiler::linkedConstants(*shader);
    if (!values)
      return llvm::consumeError(values.takeError());
    llvm::append_range(constants, *values);
  }
  auto key = pieces.partKey(wanted.kind, llpc::SpecializedAt::Link);
  if (!key)
    return llvm::consumeError(key.takeError());
  if (constants.empty() || !cache.isKnown(partKey(*key)))
    return;
  wanted.key = *key;
  wanted.at = llpc::SpecializedAt::Link;
  wanted.constants = std::move(constants);
}

llvm::Expected<std::shared_ptr<const Code>>
CodeStore::collectAndLink(const Pieces &pieces, const llpc::PipelineHashes &hashes) {
  llvm::SmallVector<Wanted, 2> all;
  bool isAnyThere = false;
  for (PartKind kind : pieces.kinds()) {
    all.push_back(KILN_TRY(want(pieces, kind)));
    const Wanted &wanted = all.back();
    // A part without shaders is small, and nobody's.
    isAnyThere |=
        !pieces.shaders(kind).empty() &&
        (cache.isKnown(partKey(wanted.key)) || (wanted.subject && pool.isPending(*wanted.subject)));
  }
  if (!isAnyThere)
    return nullptr;
  PieceSet set;
  for (const Wanted &wanted : all) {
    llvm::append_range(set.constants, wanted.constants);
    if (wanted.subject && !cache.isKnown(partKey(wanted.key)))
      pool.awaitAnnouncement(*wanted.subject);
    auto part = KILN_TRY(obtainPiece(cache, wanted.key, [&] {
      ++late;
      return pieces.buildPart(wanted.kind, wanted.at);
    }));
    const lgc::Part &made = *part->part;
    set.add(wanted.kind, std::move(part));
    if (!needsGlue(made))
      continue;
    const PartKind glue = lgc::glueKindOf(made.info().kind);
    set.add(glue, KILN_TRY(obtainPiece(cache, pieces.glueKey(made, glue),
                                       [&] { return pieces.buildGlue(made, glue); })));
  }
  lgc::LinkOptions options = {
      .pipelineHash = {uint64_t(hashes.pipelineHash[0]) << 32 | hashes.pipelineHash[1],
                       uint64_t(hashes.cacheHash[0]) << 32 | hashes.cacheHash[1]},
      .outputPrimitive = pieces.outputPrimitive()};
  auto elf = KILN_TRY(lgc::linkParts(set.linkParts(), lgc::LinkLayout(pieces.mapping()), options));
  return std::make_shared<const Code>(std::move(elf));
}

/// Null: a whole compile is the way.
std::shared_ptr<const Code> CodeStore::link(const Pieces &pieces,
                                            const llpc::PipelineHashes &hashes) {
  if (!settings.parts)
    return nullptr;
  auto code = collectAndLink(pieces, hashes);
  if (code)
    return std::move(*code);
  const std::string why = lgc::consumeToText(code.takeError()).message;
  if (settings.stats)
    log.once("miss: " + why, "parts cannot be linked: " + why);
  return nullptr;
}

llvm::Expected<CodeStore::Found> CodeStore::find(const Pieces &pieces) {
  const StaticsInUse inUse;
  if (!inUse)
    return processEnds();
  const llpc::PipelineHashes hashes = pieces.hashes();
  const CacheKey compiledKey{CacheKey::Domain::Code, hashes.cacheHash};
  const CacheKey linkedKey{CacheKey::Domain::Linked, hashes.cacheHash};
  for (const CacheKey &key : {compiledKey, linkedKey})
    if (auto object = cache.find(key)) {
      ++kept;
      return Found{std::static_pointer_cast<const Code>(std::move(object)), Source::Kept};
    }
  if (auto code = link(pieces, hashes)) {
    ++linked;
    cache.insert(linkedKey, code);
    return Found{std::move(code), Source::Linked};
  }
  auto object = KILN_TRY(cache.obtain(compiledKey, [&]() -> llvm::Expected<ShaderCache::Object> {
    llpc::PipelineResult result = KILN_TRY(pieces.compile());
    ++compiled;
    for (const std::string &warning : result.warnings)
      log.once(warning, warning);
    return std::make_shared<const Code>(result.elf.bytes().vec());
  }));
  return Found{std::static_pointer_cast<const Code>(std::move(object)), Source::Compiled};
}

llvm::Expected<CodeStore::Found> CodeStore::codeOf(const llpc::ComputePipelineBuildInfo &info) {
  guesses->learn(info);
  return find(ComputePieces(compiler, info));
}
llvm::Expected<CodeStore::Found> CodeStore::codeOf(const llpc::GraphicsPipelineBuildInfo &info) {
  guesses->learn(info);
  return find(GraphicsPieces(compiler, info));
}

void CodeStore::libraryBuilt(const llpc::GraphicsPipelineBuildInfo &info, PartKind kind) {
  if (!settings.parts || info.options.includeIr || info.options.includeDisassembly)
    return;
  const StaticsInUse inUse;
  if (!inUse)
    return;
  buildGuess(GraphicsPieces(compiler, info), kind, llpc::SpecializedAt::Compile, [] {});
  const Guesses::VertexInput input = guesses->vertexInput();
  if (kind != PartKind::PreRasterization || !info.vs.module || !input.isDescribed)
    return;
  llpc::GraphicsPipelineBuildInfo described = info;
  described.vertexInput = {};
  described.enableUberFetchShader = true;
  described.useSoftwareVertexBufferDescriptors = input.hasSoftwareBuffers;
  buildGuess(GraphicsPieces(compiler, described), kind, llpc::SpecializedAt::Compile, [] {});
}

std::string CodeStore::statistics() const {
  const TaskPool::Counters tasks = pool.counters();
  std::string text;
  auto add = [&](llvm::StringRef name, uint64_t value) {
    text += (text.empty() ? "" : ", ") + name.str() + " " + std::to_string(value);
  };
  add("pipelines compiled", compiled);
  add("linked of parts", linked);
  add("kept", kept);
  add("parts in advance", ahead);
  add("late", late);
  add("tasks dropped", tasks.dropped);
  return text;
}

} // namespace icd::amd
