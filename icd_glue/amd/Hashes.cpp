//===- Hashes.cpp - names of pipelines that a driver asks for -------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/amd/Hashes.h"
#include "icd_glue/amd/BuildInfos.h"
#include "icd_glue/amd/Mapping.h"
#include "icd_glue/amd/Options.h"
#include "icd_glue/context/BuildId.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace icd::amd {
namespace {

uint64_t fold(const llpc::Hash128 &hash) {
  return (uint64_t(hash[0] ^ hash[2]) << 32) | (hash[1] ^ hash[3]);
}

void hashNode(llpc::Hasher &hasher, const Vkgc::ResourceMappingNode &node, bool isRoot) {
  using NodeType = Vkgc::ResourceMappingNodeType;
  hasher.u32(static_cast<uint32_t>(node.type));
  hasher.u32(node.sizeInDwords);
  hasher.u32(node.offsetInDwords);
  if (node.type == NodeType::DescriptorTableVaPtr) {
    const uint32_t count = isRoot && node.tablePtr.pNext ? node.tablePtr.nodeCount : 0;
    hasher.u32(count);
    for (const auto &inner : llvm::ArrayRef(node.tablePtr.pNext, count))
      hashNode(hasher, inner, /*isRoot=*/false);
  } else if (node.type == NodeType::IndirectUserDataVaPtr ||
             node.type == NodeType::StreamOutTableVaPtr) {
    hasher.u32(node.userDataPtr.sizeInDwords);
  } else {
    hasher.u32(node.srdRange.set);
    hasher.u32(node.srdRange.binding);
    hasher.u32(node.srdRange.strideInDwords);
  }
}

void hashMapping(llpc::Hasher &hasher, const Vkgc::ResourceMappingData &mapping) {
  const uint32_t nodes = mapping.pUserDataNodes ? mapping.userDataNodeCount : 0;
  hasher.u32(nodes);
  for (const auto &root : llvm::ArrayRef(mapping.pUserDataNodes, nodes)) {
    hashNode(hasher, root.node, /*isRoot=*/true);
    hasher.u32(root.visibility);
  }
  const uint32_t values = mapping.pStaticDescriptorValues ? mapping.staticDescriptorValueCount : 0;
  hasher.u32(values);
  for (const auto &value : llvm::ArrayRef(mapping.pStaticDescriptorValues, values)) {
    hasher.u32(static_cast<uint32_t>(value.type));
    hasher.u32(value.set);
    hasher.u32(value.binding);
    // As the compiler has it: words of YCbCr conversion have bits that drivers leave undefined.
    hasher.words(value.pValue ? staticDescriptorOf(value).dwords : std::vector<uint32_t>());
  }
}

void hashShader(llpc::Hasher &hasher, const Vkgc::PipelineShaderInfo &shader) {
  hasher.boolean(shader.pModuleData);
  if (!shader.pModuleData)
    return;
  hasher.words(static_cast<const Vkgc::ShaderModuleData *>(shader.pModuleData)->hash);
  hasher.string(shader.pEntryTarget ? shader.pEntryTarget : "main");
  hasher.u32(shader.entryStage);
  hashOptions(hasher, shader.options);
  auto constants = specializationOf(shader.pSpecializationInfo);
  if (!constants) { // the build says so
    llvm::consumeError(constants.takeError());
    return;
  }
  hasher.u32(static_cast<uint32_t>(constants->size()));
  for (const llpc::SpecConstant &constant : *constants) {
    hasher.u32(constant.constantId);
    hasher.u32(constant.size);
    hasher.u64(constant.value);
  }
}

void hashPreRasterState(llpc::Hasher &hasher, const Vkgc::GraphicsPipelineBuildInfo &info) {
  const auto &ia = info.iaState;
  for (uint32_t value :
       {uint32_t(ia.topology), uint32_t(ia.patchControlPoints), uint32_t(ia.disableVertexReuse),
        uint32_t(ia.switchWinding), uint32_t(info.dynamicVertexStride),
        uint32_t(info.dynamicTopology), uint32_t(info.enableUberFetchShader),
        uint32_t(info.useSoftwareVertexBufferDescriptors), uint32_t(info.vpState.depthClipEnable),
        info.rsState.rasterStream})
    hasher.u32(value);
  hashOptions(hasher, info.nggState);
  auto given = vertexInputOf(info.pVertexInput);
  if (!given) // the build says so
    llvm::consumeError(given.takeError());
  const llpc::VertexInputInfo input = given ? std::move(*given) : llpc::VertexInputInfo();
  hasher.u32(static_cast<uint32_t>(input.bindings.size()));
  for (const lgc::VertexBinding &binding : input.bindings) {
    hasher.u32(binding.binding);
    hasher.u32(binding.stride);
    hasher.enumeration(binding.inputRate);
    hasher.u32(binding.divisor);
  }
  for (const llpc::VertexAttributeInfo &attribute : input.attributes)
    for (uint32_t value :
         {attribute.location, attribute.binding, attribute.format, attribute.offset})
      hasher.u32(value);
}

void hashFragmentState(llpc::Hasher &hasher, const Vkgc::GraphicsPipelineBuildInfo &info) {
  const auto &raster = info.rsState;
  for (uint32_t value : {uint32_t(raster.innerCoverage), uint32_t(raster.perSampleShading),
                         raster.numSamples, raster.pixelShaderSamples, raster.samplePatternIdx,
                         raster.dynamicSampleInfo, uint32_t(info.enableColorExportShader)})
    hasher.u32(value);
}

void hashTargets(llpc::Hasher &hasher, const Vkgc::GraphicsPipelineBuildInfo &info) {
  const auto &blend = info.cbState;
  hasher.boolean(blend.alphaToCoverageEnable);
  hasher.boolean(blend.dualSourceBlendEnable);
  hasher.boolean(blend.dualSourceBlendDynamic);
  for (const Vkgc::ColorTarget &target : blend.target) {
    hasher.boolean(target.blendEnable);
    hasher.boolean(target.blendSrcAlphaToColor);
    hasher.u8(target.channelWriteMask);
    hasher.u32(target.format);
  }
}

/// What both halves of a graphics pipeline depend on.
void hashShared(llpc::Hasher &hasher, const Vkgc::GraphicsPipelineBuildInfo &info) {
  hashMapping(hasher, info.resourceMapping);
  hashOptions(hasher, info.options);
  hasher.u32(info.iaState.deviceIndex);
  hasher.boolean(info.iaState.enableMultiView);
  hasher.boolean(info.rsState.rasterizerDiscardEnable);
  hasher.u32(info.rsState.provokingVertexMode);
  hasher.boolean(info.unlinked);
}

bool isThere(const Vkgc::PipelineShaderInfo &shader) {
  return shader.pModuleData || shader.options.clientHash.lower || shader.options.clientHash.upper;
}

std::string named(llvm::StringRef prefix, uint64_t hash) {
  std::string name;
  llvm::raw_string_ostream(name) << prefix << "_0x" << llvm::format("%016" PRIX64, hash);
  return name;
}

} // namespace

uint64_t pipelineHashOf(const Vkgc::ComputePipelineBuildInfo &info) {
  if (info.pipelineApiHash)
    return info.pipelineApiHash;
  llpc::Hasher hasher("amd-compute", 1);
  hashMapping(hasher, info.resourceMapping);
  hashOptions(hasher, info.options);
  hasher.u32(info.deviceIndex);
  hashShader(hasher, info.cs);
  return fold(hasher.finish());
}

uint64_t pipelineHashOf(const Vkgc::GraphicsPipelineBuildInfo &info) {
  if (info.pipelineApiHash)
    return info.pipelineApiHash;
  llpc::Hasher hasher("amd-graphics", 1);
  hashShared(hasher, info);
  hashPreRasterState(hasher, info);
  hashFragmentState(hasher, info);
  hashTargets(hasher, info);
  for (const Vkgc::PipelineShaderInfo *shader : shadersOf(info))
    hashShader(hasher, *shader);
  return fold(hasher.finish());
}

uint64_t halfHashOf(const Vkgc::GraphicsPipelineBuildInfo &info, Vkgc::ShaderStage stage) {
  llpc::Hasher hasher("amd-half", 1);
  hasher.string(icd::buildId()); // drivers keep halves on disk by this hash
  hashShared(hasher, info);
  const bool isFragment = stage == Vkgc::ShaderStageFragment;
  hasher.boolean(isFragment);
  if (isFragment)
    hashFragmentState(hasher, info);
  else
    hashPreRasterState(hasher, info);
  // A colour export of its own makes the fragment shader's code independent of the targets.
  if (isFragment && !info.enableColorExportShader)
    hashTargets(hasher, info);
  for (const Vkgc::PipelineShaderInfo *shader : shadersOf(info))
    if ((shader == &info.fs) == isFragment)
      hashShader(hasher, *shader);
  return fold(hasher.finish());
}

uint64_t moduleHashOf(const Vkgc::ShaderModuleData &data) {
  llpc::Hash128 hash;
  llvm::copy(data.hash, hash.begin());
  return fold(hash);
}

std::string pipelineNameOf(const Vkgc::ComputePipelineBuildInfo &, uint64_t hash) {
  return named("PipelineCs", hash);
}

std::string pipelineNameOf(const Vkgc::GraphicsPipelineBuildInfo &info, uint64_t hash) {
  if (info.unlinked) {
    constexpr llvm::StringLiteral names[] = {"PipelineLibTask", "PipelineLibVs", "PipelineLibTcs",
                                             "PipelineLibTes",  "PipelineLibGs", "PipelineLibMesh",
                                             "PipelineLibFs"};
    const auto shaders = shadersOf(info);
    for (unsigned i = 0; i < shaders.size(); ++i)
      if (isThere(*shaders[i]))
        return named(names[i], hash);
    return named("PipelineLibCes", hash);
  }
  const bool tess = isThere(info.tes), gs = isThere(info.gs), mesh = isThere(info.mesh);
  if (mesh)
    return named(isThere(info.task) ? "PipelineTaskMesh" : "PipelineMesh", hash);
  if (gs || tess)
    return named(gs && tess ? "PipelineGsTess" : gs ? "PipelineGs" : "PipelineTess", hash);
  return named("PipelineVsFs", hash);
}

} // namespace icd::amd
