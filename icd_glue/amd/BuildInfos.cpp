//===- BuildInfos.cpp - AMD's build infos as the compiler's ---------------===//
// SPDX-License-Identifier: MIT
#include "icd_glue/amd/BuildInfos.h"
#include "icd_glue/amd/Mapping.h"
#include "icd_glue/amd/Options.h"
#include "pal_shim/abi/Try.h"
#include <algorithm>
#include <cstring>

namespace icd::amd {
namespace {

/// Shaders without a module stay absent.
llvm::Expected<llpc::PipelineShaderInfo> shaderOf(const Vkgc::PipelineShaderInfo &from,
                                                  llpc::ShaderStage stage,
                                                  const Conversion &conversion) {
  llpc::PipelineShaderInfo shader;
  shader.entryStage = stage;
  if (!from.pModuleData)
    return shader;
  shader.module = KILN_TRY(
      conversion.modules.moduleOf(*static_cast<const Vkgc::ShaderModuleData *>(from.pModuleData)));
  shader.entryTarget = from.pEntryTarget ? from.pEntryTarget : "main";
  shader.specialization = KILN_TRY(specializationOf(from.pSpecializationInfo));
  shader.options = shaderOptionsOf(from.options, conversion.subgroupSize, shader.module.usage());
  return shader;
}

template <typename From> llvm::Error setCommon(llpc::PipelineBuildInfo &info, const From &from) {
  info.resourceMapping = KILN_TRY(mappingOf(from.resourceMapping));
  info.pipelineLayoutApiHash = from.pipelineLayoutApiHash;
  info.options = pipelineOptionsOf(from.options);
  return llvm::Error::success();
}

void setRaster(llpc::RasterizerState &to, const Vkgc::GraphicsPipelineBuildInfo &from) {
  const auto &raster = from.rsState;
  to.rasterizerDiscardEnable = raster.rasterizerDiscardEnable;
  to.innerCoverage = raster.innerCoverage;
  to.perSampleShading = raster.perSampleShading;
  to.numSamples = std::max(raster.numSamples, 1u);
  to.pixelShaderSamples = std::max(raster.pixelShaderSamples, 1u);
  to.samplePatternIdx = raster.samplePatternIdx;
  to.dynamicSampleInfo = raster.dynamicSampleInfo;
  to.rasterStream = raster.rasterStream;
  to.provokingVertexMode = raster.provokingVertexMode == VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT
                               ? llpc::ProvokingVertexMode::Last
                               : llpc::ProvokingVertexMode::First;
}

llvm::Error setInputAssembly(llpc::GraphicsPipelineBuildInfo &to,
                             const Vkgc::GraphicsPipelineBuildInfo &from) {
  const auto &ia = from.iaState;
  if (static_cast<unsigned>(ia.topology) > static_cast<unsigned>(lgc::Topology::PatchList))
    return lgc::invalidInput("primitive topology " + llvm::Twine(static_cast<int>(ia.topology)));
  to.iaState.topology = static_cast<lgc::Topology>(ia.topology);
  to.iaState.patchControlPoints = ia.patchControlPoints;
  // AMD's drivers leave the number open where it is dynamic.
  to.iaState.dynamicPatchControlPoints = to.tcs.module && ia.patchControlPoints == 0;
  to.iaState.disableVertexReuse = ia.disableVertexReuse;
  to.iaState.switchWinding = ia.switchWinding;
  to.iaState.enableMultiView = ia.enableMultiView;
  to.iaState.dynamicTopology = from.dynamicTopology && to.gs.module;
  to.deviceIndex = ia.deviceIndex;
  return llvm::Error::success();
}

void setTargets(llpc::ColorBlendState &to, const Vkgc::GraphicsPipelineBuildInfo &from) {
  const auto &blend = from.cbState;
  to.alphaToCoverageEnable = blend.alphaToCoverageEnable;
  to.dualSourceBlendEnable = blend.dualSourceBlendEnable;
  to.dualSourceBlendDynamic = blend.dualSourceBlendDynamic;
  for (unsigned i = 0; i < llpc::maxColorTargets; ++i) {
    const Vkgc::ColorTarget &target = blend.target[i];
    if (target.format == VK_FORMAT_UNDEFINED)
      continue;
    to.target[i] = {.blendEnable = target.blendEnable,
                    .blendSrcAlphaToColor = target.blendEnable && target.blendSrcAlphaToColor,
                    .channelWriteMask = target.channelWriteMask,
                    .format = static_cast<uint32_t>(target.format)};
  }
}

} // namespace

llvm::Expected<std::vector<llpc::SpecConstant>> specializationOf(const VkSpecializationInfo *from) {
  std::vector<llpc::SpecConstant> constants;
  if (from && ((from->mapEntryCount && !from->pMapEntries) || (from->dataSize && !from->pData)))
    return lgc::invalidInput("specialization: a null array with elements");
  for (uint32_t i = 0; from && i < from->mapEntryCount; ++i) {
    const VkSpecializationMapEntry &entry = from->pMapEntries[i];
    if (entry.offset > from->dataSize || entry.size > from->dataSize - entry.offset)
      return lgc::invalidInput("specialization constant " + llvm::Twine(entry.constantID) +
                               " lies beyond the data");
    // No constant is so large, so the shader has none of this number, which is valid.
    if (entry.size > sizeof(llpc::SpecConstant::value))
      continue;
    llpc::SpecConstant constant{entry.constantID, static_cast<uint32_t>(entry.size), 0};
    std::memcpy(&constant.value, static_cast<const char *>(from->pData) + entry.offset, entry.size);
    constants.push_back(constant);
  }
  return constants;
}

llvm::Expected<llpc::VertexInputInfo>
vertexInputOf(const VkPipelineVertexInputStateCreateInfo *from) {
  llpc::VertexInputInfo input;
  if (!from)
    return input;
  constexpr const char *nullArray = "vertex input: a null array with elements";
  if ((from->vertexBindingDescriptionCount && !from->pVertexBindingDescriptions) ||
      (from->vertexAttributeDescriptionCount && !from->pVertexAttributeDescriptions))
    return lgc::invalidInput(nullArray);
  for (uint32_t i = 0; i < from->vertexBindingDescriptionCount; ++i) {
    const VkVertexInputBindingDescription &binding = from->pVertexBindingDescriptions[i];
    input.bindings.push_back({binding.binding, binding.stride,
                              binding.inputRate == VK_VERTEX_INPUT_RATE_INSTANCE
                                  ? lgc::VertexInputRate::Instance
                                  : lgc::VertexInputRate::Vertex,
                              1});
  }
  for (uint32_t i = 0; i < from->vertexAttributeDescriptionCount; ++i) {
    const VkVertexInputAttributeDescription &attribute = from->pVertexAttributeDescriptions[i];
    input.attributes.push_back({attribute.location, attribute.binding,
                                static_cast<uint32_t>(attribute.format), attribute.offset});
  }
  for (auto *next = static_cast<const VkBaseInStructure *>(from->pNext); next; next = next->pNext) {
    if (next->sType != VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT)
      continue;
    auto *divisors = reinterpret_cast<const VkPipelineVertexInputDivisorStateCreateInfoEXT *>(next);
    if (divisors->vertexBindingDivisorCount && !divisors->pVertexBindingDivisors)
      return lgc::invalidInput(nullArray);
    for (uint32_t i = 0; i < divisors->vertexBindingDivisorCount; ++i)
      for (lgc::VertexBinding &binding : input.bindings)
        if (binding.binding == divisors->pVertexBindingDivisors[i].binding)
          binding.divisor = divisors->pVertexBindingDivisors[i].divisor;
  }
  return input;
}

llvm::Expected<llpc::ComputePipelineBuildInfo>
computeInfoOf(const Vkgc::ComputePipelineBuildInfo &from, const Conversion &conversion) {
  if (from.unlinked)
    return lgc::unsupported("unlinked compute shaders");
  if (from.transformGraphicsPipeline)
    return lgc::unsupported("vertex shaders in compute pipelines");
  llpc::ComputePipelineBuildInfo info;
  KILN_TRY(setCommon(info, from));
  info.deviceIndex = from.deviceIndex;
  info.cs = KILN_TRY(shaderOf(from.cs, llpc::ShaderStage::Compute, conversion));
  return info;
}

llvm::Expected<llpc::GraphicsPipelineBuildInfo>
graphicsInfoOf(const Vkgc::GraphicsPipelineBuildInfo &from, const Conversion &conversion) {
  if (from.unlinked && !conversion.isHalf)
    return lgc::unsupported("unlinked shaders");
  llpc::GraphicsPipelineBuildInfo info;
  KILN_TRY(setCommon(info, from));
  const auto shaders = shadersOf(from);
  for (unsigned i = 0; i < llpc::graphicsStageCount; ++i) {
    const auto stage = static_cast<llpc::ShaderStage>(i);
    info.shader(stage) = KILN_TRY(shaderOf(*shaders[i], stage, conversion));
  }
  KILN_TRY(setInputAssembly(info, from));
  // A library's link that is compiled whole has both: what is known is better.
  info.enableUberFetchShader =
      from.enableUberFetchShader && !from.pVertexInput && !conversion.isHalf;
  info.vertexInput = KILN_TRY(vertexInputOf(from.pVertexInput));
  info.useSoftwareVertexBufferDescriptors = from.useSoftwareVertexBufferDescriptors;
  info.dynamicVertexStride = from.dynamicVertexStride;
  info.enableRobustUnboundVertex = from.options.enableRobustUnboundVertex;
  info.vpState.depthClipEnable = from.vpState.depthClipEnable;
  setRaster(info.rsState, from);
  setTargets(info.cbState, from);
  info.nggState = nggStateOf(from.nggState);
  return info;
}

} // namespace icd::amd
