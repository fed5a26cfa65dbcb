//===- StateKey.cpp - state of pipelines in keys --------------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// A field that is added to one of these structures must be added here, too: the static_asserts
/// fail until someone has looked.
#include "icd_glue/key/StateKey.h"
#include "lgc/FieldCount.h"

namespace icd {

using lgc::fieldCount;

static void encodeNodes(KeyWriter &key, llvm::ArrayRef<lgc::ResourceNode> nodes) {
  static_assert(fieldCount<lgc::ResourceNode>() == 7, "a field was added: is it in the key?");
  key.u32(static_cast<uint32_t>(nodes.size()));
  for (const lgc::ResourceNode &node : nodes) {
    key.u8(static_cast<uint8_t>(node.type));
    key.u32(node.sizeInDwords);
    key.u32(node.offsetInDwords);
    key.u32(node.set);
    key.u32(node.binding);
    key.u32(node.strideInDwords);
    encodeNodes(key, node.table); // layouts have two levels
  }
}

void encode(KeyWriter &key, const lgc::ResourceMapping &mapping) {
  static_assert(fieldCount<lgc::ResourceMapping>() == 2 && fieldCount<lgc::StaticDescriptor>() == 5,
                "a field was added: is it in the key?");
  encodeNodes(key, mapping.roots);
  key.u32(static_cast<uint32_t>(mapping.staticDescriptors.size()));
  for (const lgc::StaticDescriptor &fixed : mapping.staticDescriptors) {
    key.u8(static_cast<uint8_t>(fixed.type));
    key.u32(fixed.set);
    key.u32(fixed.binding);
    key.u32(fixed.arraySize);
    key.u32(static_cast<uint32_t>(fixed.dwords.size()));
    for (uint32_t dword : fixed.dwords)
      key.u32(dword);
  }
}

void encode(KeyWriter &key, const llpc::PipelineOptions &options) {
  static_assert(fieldCount<llpc::PipelineOptions>() == 12, "a field was added: is it in the key?");
  key.boolean(options.robustBufferAccess);
  key.boolean(options.robustBufferAccess2);
  key.boolean(options.robustImageAccess2);
  key.boolean(options.nullDescriptor);
  key.boolean(options.scalarBlockLayout);
  key.boolean(options.primitivesGeneratedQuery);
  key.boolean(options.meshShaderQueries);
  key.boolean(options.includeIr);
  key.boolean(options.includeDisassembly);
  key.boolean(options.debugInfo);
  key.u8(static_cast<uint8_t>(options.optLevel));
}

static void encodeVertexInput(KeyWriter &key, const llpc::GraphicsPipelineBuildInfo &info) {
  static_assert(fieldCount<llpc::VertexInputInfo>() == 2 && fieldCount<lgc::VertexBinding>() == 4 &&
                    fieldCount<llpc::VertexAttributeInfo>() == 4,
                "a field was added: is it in the key?");
  key.boolean(info.dynamicVertexStride);
  key.boolean(info.enableRobustUnboundVertex);
  key.u32(static_cast<uint32_t>(info.vertexInput.bindings.size()));
  for (const lgc::VertexBinding &binding : info.vertexInput.bindings) {
    key.u32(binding.binding);
    key.u32(info.dynamicVertexStride ? 0 : binding.stride);
    key.boolean(binding.perInstance);
    key.u32(binding.divisor);
  }
  key.u32(static_cast<uint32_t>(info.vertexInput.attributes.size()));
  for (const llpc::VertexAttributeInfo &attribute : info.vertexInput.attributes) {
    key.u32(attribute.location);
    key.u32(attribute.binding);
    key.u32(attribute.format);
    key.u32(attribute.offset);
  }
}

static void encodeRaster(KeyWriter &key, const llpc::GraphicsPipelineBuildInfo &info) {
  static_assert(fieldCount<llpc::InputAssemblyState>() == 5 &&
                    fieldCount<llpc::ViewportState>() == 1 &&
                    fieldCount<llpc::RasterizerState>() == 9,
                "a field was added: is it in the key?");
  key.u8(static_cast<uint8_t>(info.iaState.topology));
  key.boolean(info.dynamicTopology);
  key.u32(info.iaState.patchControlPoints);
  key.boolean(info.iaState.disableVertexReuse);
  key.boolean(info.iaState.switchWinding);
  key.boolean(info.iaState.enableMultiView);
  key.boolean(info.vpState.depthClipEnable);
  const llpc::RasterizerState &raster = info.rsState;
  key.boolean(raster.rasterizerDiscardEnable);
  key.boolean(raster.innerCoverage);
  key.boolean(raster.perSampleShading);
  key.u32(raster.numSamples);
  key.u32(raster.pixelShaderSamples);
  key.u32(raster.samplePatternIdx);
  key.boolean(raster.dynamicSampleInfo);
  key.u32(raster.rasterStream);
  key.u8(static_cast<uint8_t>(raster.provokingVertexMode));
}

static void encodeTargets(KeyWriter &key, const llpc::ColorBlendState &blend) {
  static_assert(fieldCount<llpc::ColorBlendState>() == 4 &&
                    fieldCount<llpc::ColorTargetState>() == 4,
                "a field was added: is it in the key?");
  key.boolean(blend.alphaToCoverageEnable);
  key.boolean(blend.dualSourceBlendEnable);
  key.boolean(blend.dualSourceBlendDynamic);
  uint32_t count = llpc::maxColorTargets;
  while (count && blend.target[count - 1] == llpc::ColorTargetState())
    --count;
  key.u32(count);
  for (const llpc::ColorTargetState &target : llvm::ArrayRef(blend.target).take_front(count)) {
    key.u32(target.format);
    key.u32(target.channelWriteMask);
    key.boolean(target.blendEnable);
    key.boolean(target.blendSrcAlphaToColor);
  }
}

void encodeState(KeyWriter &key, const llpc::GraphicsPipelineBuildInfo &info) {
  static_assert(fieldCount<llpc::NggState>() == 9, "a field was added: is it in the key?");
  KILN_CHECK(info.nggState == llpc::NggState(), "the driver leaves NGG to the compiler");
  encodeVertexInput(key, info);
  encodeRaster(key, info);
  encodeTargets(key, info.cbState);
}

} // namespace icd
