//===- PipelineKey.cpp - which inputs a pipeline's code depends on --------===//
// SPDX-License-Identifier: MIT
/// \file
/// Two keys:
///  - pipelineHash names a pipeline for people, dumps and profilers: over the module as given. It
///    stays the same when tuning options change.
///  - cacheHash decides whether code may be shared: over the module without debug instructions (or
///    with them, when they get into the code), and over everything else that changes code.
/// Both are of the build info that is compiled (WholeInput.h): code that pipelines share has the
/// name of either.
/// Not in any key: allocation callbacks, dump and verify switches, the API hash of the layout as
/// long as the layout itself is here, and PipelineOptions::pipelineHash, which is the result.
/// The keys of parts have the same form: over what is left of the build info when everything that
/// the part cannot depend on is gone (PartInput.h).
/// State is encoded field by field as llpc/StateFields.h lists it: a new field is in all keys
/// unless its list says otherwise. What is not in a list has a static_assert that fails until
/// someone has looked.
#include "llpc/context/PipelineKey.h"
#include "llpc/RayTracing.h"
#include "llpc/StateKey.h"
#include "llpc/context/FieldEncoder.h"
#include "llpc/context/ShaderModule.h"
#include "llpc/context/WholeInput.h"
#include <algorithm>
#include <tuple>

namespace llpc {

using lgc::fieldCount;
using lgc::FieldHalf;

static constexpr uint32_t keyVersion = 3;

//===--- State ------------------------------------------------------------===//

static void encodeNodes(Hasher &h, llvm::ArrayRef<lgc::ResourceNode> nodes) {
  h.u32(static_cast<uint32_t>(nodes.size()));
  for (const lgc::ResourceNode &node : nodes) {
    encodeFields(h, node);
    encodeNodes(h, node.table); // the API builds two levels; nothing in a file can make it deep
  }
}

void encode(Hasher &h, const ResourceMappingData &mapping) {
  static_assert(fieldCount<ResourceMappingData>() == 2, "a field was added: is it in the key?");
  encodeNodes(h, mapping.roots);
  h.u32(static_cast<uint32_t>(mapping.staticDescriptors.size()));
  for (const lgc::StaticDescriptor &descriptor : mapping.staticDescriptors) {
    encodeFields(h, descriptor);
    h.words(descriptor.dwords);
  }
}

void encode(Hasher &h, const PipelineOptions &options) { encodeFields(h, options); }

void encode(Hasher &h, const PipelineShaderOptions &options) { encodeFields(h, options); }

void encode(Hasher &h, llvm::ArrayRef<SpecConstant> specialization) {
  // The order in which an application lists its constants means nothing.
  llvm::SmallVector<SpecConstant, 8> sorted(specialization);
  std::sort(sorted.begin(), sorted.end(), [](const SpecConstant &a, const SpecConstant &b) {
    return std::tie(a.constantId, a.size, a.value) < std::tie(b.constantId, b.size, b.value);
  });
  encodeList(h, sorted);
}

void encodePreRasterizationState(Hasher &h, const GraphicsPipelineBuildInfo &info) {
  static_assert(fieldCount<VertexInputInfo>() == 2, "a field was added: is it in the key?");
  if (info.dynamicVertexStride) {
    std::vector<lgc::VertexBinding> bindings = info.vertexInput.bindings;
    for (lgc::VertexBinding &binding : bindings)
      binding.stride = 0;
    encodeList(h, bindings);
  } else {
    encodeList(h, info.vertexInput.bindings);
  }
  encodeList(h, info.vertexInput.attributes);
  encodeFields<GraphicsPipelineState>(h, info, FieldHalf::PreRasterization);
  // Culling of primitives that hit no sample depends on where the samples are.
  h.u32(info.nggState.smallPrimitiveFilter ? info.rsState.numSamples : 0);
}

void encodeFragmentState(Hasher &h, const GraphicsPipelineBuildInfo &info) {
  encodeFields<GraphicsPipelineState>(h, info, FieldHalf::Fragment);
  encodeList(h, info.cbState.target);
}

void encodeGraphicsState(Hasher &h, const GraphicsPipelineBuildInfo &info) {
  encodePreRasterizationState(h, info);
  encodeFragmentState(h, info);
}

//===--- Keys -------------------------------------------------------------===//

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
  static_assert(fieldCount<ComputePipelineBuildInfo>() == 2,
                "a field was added: is it in the key?");
  encode(h, info.resourceMapping);
  encodeFields<PipelineBuildInfo>(h, info);
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
  h.u32(info.allStages());
  encodeGraphicsShaders(h, info, kind);
  return h;
}

Hasher beginCompute(llvm::StringRef tag, const ComputePipelineBuildInfo &info,
                    llvm::StringRef target, KeyKind kind) {
  Hasher h(tag, keyVersion);
  h.string(target);
  encodeShader(h, info.cs, info.options, kind);
  return h;
}

/// What both keys of a pipeline have, encoded once.
Hasher stateOf(const GraphicsPipelineBuildInfo &info) {
  Hasher state;
  encodeCommon(state, info);
  encodeGraphicsState(state, info);
  return state;
}

} // namespace

PipelineHashes computePipelineHashes(const ComputePipelineBuildInfo &info, llvm::StringRef target) {
  if (!info.cs.module)
    return {};
  const ComputePipelineBuildInfo input = wholeInput(info);
  Hasher pipeline = beginCompute("compute-pipeline", input, target, KeyKind::Pipeline);
  encodeCommon(pipeline, input);
  Hasher cache = beginCompute("compute-cache", input, target, KeyKind::Cache);
  encodeCommon(cache, input);
  encode(cache, input.cs.options);
  return {pipeline.finish(), cache.finish()};
}

PipelineHashes graphicsPipelineHashes(const GraphicsPipelineBuildInfo &info,
                                      llvm::StringRef target) {
  const GraphicsPipelineBuildInfo input = wholeInput(info, target);
  const Hasher state = stateOf(input);
  auto hashOf = [&](llvm::StringRef tag, KeyKind kind) {
    Hasher h = beginGraphics(tag, input, target, kind);
    h.raw(state.encoding());
    return h.finish();
  };
  return {hashOf("graphics-pipeline", KeyKind::Pipeline), hashOf("graphics-cache", KeyKind::Cache)};
}

PipelineHashes rayTracingPipelineHashes(const RayTracingPipelineBuildInfo &info,
                                        llvm::StringRef target) {
  static_assert(fieldCount<RayTracingPipelineBuildInfo>() == 3,
                "a field was added: is it in the key?");
  static_assert(fieldCount<RayTracingShaderInfo>() == 2, "a field was added: is it in the key?");
  auto hashOf = [&](llvm::StringRef tag, KeyKind kind) {
    Hasher h(tag, keyVersion);
    h.string(target);
    h.u32(static_cast<uint32_t>(info.shaders.size()));
    for (const RayTracingShaderInfo &shader : info.shaders) {
      encodeShader(h, shader, info.options, kind);
      if (kind == KeyKind::Cache)
        encode(h, shader.options);
      h.u32(shader.id);
    }
    encodeCommon(h, info);
    encodeFields<lgc::RayTracingState>(h, info);
    return h.finish();
  };
  if (llvm::any_of(info.shaders, [](const auto &shader) { return !shader.module; }))
    return {};
  return {hashOf("ray-tracing-pipeline", KeyKind::Pipeline),
          hashOf("ray-tracing-cache", KeyKind::Cache)};
}

/// Which constants of a part's shader are left to linking: all follows from the module, but not
/// from what is in its hash alone.
static void encodeLinkedConstants(Hasher &h, const PipelineShaderInfo &shader,
                                  const lgc::PartState &state) {
  h.boolean(state.linksConstants);
  if (!state.linksConstants || !shader.module)
    return;
  for (const SpecDefault &constant :
       ShaderModuleAccess::data(shader.module).linkedConstants().constants)
    h.u32(constant.constantId);
}

Hash128 partHash(const ComputePipelineBuildInfo &input, const lgc::PartState &state,
                 llvm::StringRef target) {
  Hasher h = beginCompute("compute-part", input, target, KeyKind::Cache);
  encodeCommon(h, input);
  encode(h, input.cs.options);
  encodeLinkedConstants(h, input.cs, state);
  return h.finish();
}

Hash128 partHash(const GraphicsPipelineBuildInfo &input, lgc::PartKind kind,
                 const lgc::PartState &state, llvm::StringRef target) {
  Hasher h = beginGraphics("graphics-part", input, target, KeyKind::Cache);
  encodeCommon(h, input);
  h.enumeration(kind);
  for (unsigned i = 0; i < graphicsStageCount; ++i)
    encodeLinkedConstants(h, input.shader(static_cast<ShaderStage>(i)), state);
  encodeGraphicsState(h, input);
  return h.finish();
}

} // namespace llpc
