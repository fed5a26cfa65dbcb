//===- StateKey.cpp - state of pipelines in keys --------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A field that is added to one of these structures must be added here, too: the static_asserts
/// fail until someone has looked.
#include "llpc/StateKey.h"
#include "lgc/FieldCount.h"
#include <algorithm>
#include <tuple>

namespace llpc {

using lgc::fieldCount;

static void encodeNodes(Hasher &h, llvm::ArrayRef<lgc::ResourceNode> nodes) {
  static_assert(fieldCount<lgc::ResourceNode>() == 7, "a field was added: is it in the key?");
  h.u32(static_cast<uint32_t>(nodes.size()));
  for (const lgc::ResourceNode &node : nodes) {
    h.enumeration(node.type);
    h.u32(node.sizeInDwords);
    h.u32(node.offsetInDwords);
    h.u32(node.set);
    h.u32(node.binding);
    h.u32(node.strideInDwords);
    encodeNodes(h, node.table); // the API builds two levels; nothing in a file can make it deep
  }
}

void encode(Hasher &h, const ResourceMappingData &mapping) {
  static_assert(fieldCount<ResourceMappingData>() == 2 && fieldCount<lgc::StaticDescriptor>() == 5,
                "a field was added: is it in the key?");
  encodeNodes(h, mapping.roots);
  h.u32(static_cast<uint32_t>(mapping.staticDescriptors.size()));
  for (const lgc::StaticDescriptor &value : mapping.staticDescriptors) {
    h.enumeration(value.type);
    h.u32(value.set);
    h.u32(value.binding);
    h.u32(value.arraySize);
    h.words(value.dwords);
  }
}

void encode(Hasher &h, const PipelineOptions &options) {
  static_assert(fieldCount<PipelineOptions>() == 12, "a field was added: is it in the key?");
  h.boolean(options.robustBufferAccess);
  h.boolean(options.robustBufferAccess2);
  h.boolean(options.robustImageAccess2);
  h.boolean(options.nullDescriptor);
  h.boolean(options.scalarBlockLayout);
  h.boolean(options.primitivesGeneratedQuery);
  h.boolean(options.meshShaderQueries);
  h.boolean(options.includeIr);
  h.boolean(options.includeDisassembly);
  h.boolean(options.debugInfo);
  h.enumeration(options.optLevel);
}

void encode(Hasher &h, const PipelineShaderOptions &options) {
  static_assert(fieldCount<PipelineShaderOptions>() == 9, "a field was added: is it in the key?");
  for (uint64_t half : options.clientHash)
    h.u64(half);
  h.u32(options.vgprLimit);
  h.u32(options.sgprLimit);
  h.u32(options.wavesPerEu);
  h.u32(options.waveSize);
  h.u32(options.subgroupSize);
  h.boolean(options.requireFullSubgroups);
  h.boolean(options.disableLoopUnroll);
  h.boolean(options.viewIndexFromDeviceIndex);
}

void encode(Hasher &h, llvm::ArrayRef<SpecConstant> specialization) {
  static_assert(fieldCount<SpecConstant>() == 3, "a field was added: is it in the key?");
  // The order in which an application lists its constants means nothing.
  llvm::SmallVector<SpecConstant, 8> sorted(specialization);
  std::sort(sorted.begin(), sorted.end(), [](const SpecConstant &a, const SpecConstant &b) {
    return std::tie(a.constantId, a.size, a.value) < std::tie(b.constantId, b.size, b.value);
  });
  h.u32(static_cast<uint32_t>(sorted.size()));
  for (const SpecConstant &constant : sorted) {
    h.u32(constant.constantId);
    h.u32(constant.size);
    h.u64(constant.value);
  }
}

static void encode(Hasher &h, const VertexInputInfo &input, bool dynamicStride) {
  static_assert(fieldCount<VertexInputInfo>() == 2 && fieldCount<lgc::VertexBinding>() == 4 &&
                    fieldCount<VertexAttributeInfo>() == 4,
                "a field was added: is it in the key?");
  h.u32(static_cast<uint32_t>(input.bindings.size()));
  for (const lgc::VertexBinding &binding : input.bindings) {
    h.u32(binding.binding);
    h.u32(dynamicStride ? 0 : binding.stride);
    h.boolean(binding.perInstance);
    h.u32(binding.divisor);
  }
  h.u32(static_cast<uint32_t>(input.attributes.size()));
  for (const VertexAttributeInfo &attribute : input.attributes) {
    h.u32(attribute.location);
    h.u32(attribute.binding);
    h.u32(attribute.format);
    h.u32(attribute.offset);
  }
}

static void encode(Hasher &h, const NggState &ngg) {
  static_assert(fieldCount<NggState>() == 9, "a field was added: is it in the key?");
  h.boolean(ngg.enable);
  h.boolean(ngg.force);
  h.boolean(ngg.enableGsUse);
  h.boolean(ngg.backfaceCulling);
  h.boolean(ngg.frustumCulling);
  h.boolean(ngg.smallPrimitiveFilter);
  h.boolean(ngg.cullDistanceCulling);
  h.u32(ngg.primsPerSubgroup);
  h.u32(ngg.vertsPerSubgroup);
}

static_assert(fieldCount<InputAssemblyState>() == 5 && fieldCount<ViewportState>() == 1 &&
                  fieldCount<RasterizerState>() == 9 && fieldCount<ColorTargetState>() == 4 &&
                  fieldCount<ColorBlendState>() == 4,
              "a field was added: is it in the key?");

void encodePreRasterizationState(Hasher &h, const GraphicsPipelineBuildInfo &info) {
  encode(h, info.vertexInput, info.dynamicVertexStride);
  h.boolean(info.dynamicVertexStride);
  h.boolean(info.enableRobustUnboundVertex);
  h.enumeration(info.iaState.topology);
  h.boolean(info.dynamicTopology);
  h.u32(info.iaState.patchControlPoints);
  h.boolean(info.iaState.disableVertexReuse);
  h.boolean(info.iaState.switchWinding);
  h.boolean(info.iaState.enableMultiView);
  h.boolean(info.vpState.depthClipEnable);
  h.boolean(info.rsState.rasterizerDiscardEnable);
  h.u32(info.rsState.rasterStream);
  h.enumeration(info.rsState.provokingVertexMode);
  // Culling of primitives that hit no sample depends on where the samples are.
  h.u32(info.nggState.smallPrimitiveFilter ? info.rsState.numSamples : 0);
  encode(h, info.nggState);
}

void encodeFragmentState(Hasher &h, const GraphicsPipelineBuildInfo &info) {
  // Barycentric coordinates and flat inputs depend on how primitives are put together.
  h.enumeration(info.iaState.topology);
  h.boolean(info.dynamicTopology);
  h.enumeration(info.rsState.provokingVertexMode);
  h.boolean(info.iaState.enableMultiView);
  h.boolean(info.rsState.innerCoverage);
  h.boolean(info.rsState.perSampleShading);
  h.u32(info.rsState.numSamples);
  h.u32(info.rsState.pixelShaderSamples);
  h.u32(info.rsState.samplePatternIdx);
  h.boolean(info.rsState.dynamicSampleInfo);
  h.boolean(info.cbState.alphaToCoverageEnable);
  h.boolean(info.cbState.dualSourceBlendEnable);
  h.boolean(info.cbState.dualSourceBlendDynamic);
  for (const ColorTargetState &target : info.cbState.target) {
    h.u32(target.format);
    h.u32(target.channelWriteMask);
    h.boolean(target.blendEnable);
    h.boolean(target.blendSrcAlphaToColor);
  }
}

void encodeGraphicsState(Hasher &h, const GraphicsPipelineBuildInfo &info) {
  encodePreRasterizationState(h, info);
  encodeFragmentState(h, info);
}

} // namespace llpc
