//===- PipelineKey.cpp - which inputs a pipeline's code depends on --------===//
// SPDX-License-Identifier: MIT
/// \file
/// Two keys:
///  - pipelineHash names a pipeline for people, dumps and profilers: over the module as given. It
///    stays the same when tuning options change.
///  - cacheHash decides whether code may be shared: over the module without debug instructions (or
///    with them, when they get into the code), and over everything else that changes code.
/// Not in any key: allocation callbacks, dump and verify switches, the API hash of the layout as
/// long as the layout itself is here, and PipelineOptions::pipelineHash, which is the result.
/// The keys of parts have the same form: over what is left of the build info when everything that
/// the part cannot depend on is gone (PartInput.h).
/// State is encoded by StateKey.cpp. A field that is added to an input structure must be added here
/// or there; the static_asserts, and KeyTableTest.cpp for the build info, fail until someone has
/// looked.
#include "llpc/context/PipelineKey.h"
#include "lgc/FieldCount.h"
#include "llpc/StateKey.h"

namespace llpc {

using lgc::fieldCount;

static constexpr uint32_t keyVersion = 2;

namespace {

/// Which of the module's hashes a key takes.
enum class KeyKind : uint8_t { Pipeline, Cache };

void encodeShader(Hasher &h, const PipelineShaderInfo &shader, const PipelineOptions &options,
                  KeyKind kind) {
  static_assert(fieldCount<PipelineShaderInfo>() == 5, "a field was added: is it in the key?");
  // With debug information the code object carries what trimming leaves out.
  const bool asGiven = kind == KeyKind::Pipeline || options.debugInfo;
  h.hash(asGiven ? shader.module.hash() : shader.module.cacheHash());
  h.enumeration(shader.entryStage);
  h.string(shader.entryTarget);
  encode(h, shader.specialization);
}

/// What all pipelines have besides shaders.
void encodeCommon(Hasher &h, const PipelineBuildInfo &info) {
  static_assert(fieldCount<PipelineBuildInfo>() == 10 &&
                    fieldCount<ComputePipelineBuildInfo>() == 2,
                "a field was added: is it in the key?");
  encode(h, info.resourceMapping);
  encode(h, info.options);
  h.enumeration(info.output);
}

void encodeGraphicsShaders(Hasher &h, const GraphicsPipelineBuildInfo &info, KeyKind kind) {
  for (unsigned i = 0; i < graphicsStageCount; ++i) {
    const PipelineShaderInfo &shader = info.shader(static_cast<ShaderStage>(i));
    if (!shader.module)
      continue;
    encodeShader(h, shader, info.options, kind);
    if (kind == KeyKind::Cache)
      encode(h, shader.options);
  }
}

Hasher beginGraphics(llvm::StringRef tag, const GraphicsPipelineBuildInfo &info,
                     llvm::StringRef target, KeyKind kind) {
  Hasher h(tag, keyVersion);
  h.string(target);
  h.u32(info.deviceIndex);
  h.u32(info.allStages());
  encodeGraphicsShaders(h, info, kind);
  encodeCommon(h, info);
  return h;
}

Hasher beginCompute(llvm::StringRef tag, const ComputePipelineBuildInfo &info,
                    llvm::StringRef target, KeyKind kind) {
  Hasher h(tag, keyVersion);
  h.string(target);
  h.u32(info.deviceIndex);
  encodeShader(h, info.cs, info.options, kind);
  encodeCommon(h, info);
  return h;
}

} // namespace

PipelineHashes computePipelineHashes(const ComputePipelineBuildInfo &info, llvm::StringRef target) {
  PipelineHashes hashes;
  if (!info.cs.module)
    return hashes;
  hashes.pipelineHash = beginCompute("compute-pipeline", info, target, KeyKind::Pipeline).finish();
  Hasher cache = beginCompute("compute-cache", info, target, KeyKind::Cache);
  encode(cache, info.cs.options);
  hashes.cacheHash = cache.finish();
  return hashes;
}

PipelineHashes graphicsPipelineHashes(const GraphicsPipelineBuildInfo &info,
                                      llvm::StringRef target) {
  auto hashOf = [&](llvm::StringRef tag, KeyKind kind) {
    Hasher h = beginGraphics(tag, info, target, kind);
    encodeGraphicsState(h, info);
    return h.finish();
  };
  return {hashOf("graphics-pipeline", KeyKind::Pipeline), hashOf("graphics-cache", KeyKind::Cache)};
}

Hash128 partHash(const ComputePipelineBuildInfo &input, llvm::StringRef target) {
  Hasher h = beginCompute("compute-part", input, target, KeyKind::Cache);
  encode(h, input.cs.options);
  return h.finish();
}

Hash128 partHash(const GraphicsPipelineBuildInfo &input, lgc::PartKind kind,
                 llvm::StringRef target) {
  Hasher h = beginGraphics("graphics-part", input, target, KeyKind::Cache);
  h.enumeration(kind);
  encodeGraphicsState(h, input);
  return h.finish();
}

} // namespace llpc
