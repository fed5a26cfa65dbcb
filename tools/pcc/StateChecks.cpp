//===- StateChecks.cpp - what drivers take for granted --------------------===//
// SPDX-License-Identifier: MIT
#include "StateChecks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <array>

using llvm::ArrayRef;
using llvm::Error;
using llvm::Twine;

namespace pcc {
namespace {

constexpr uint32_t maxVertexInputs = 32, maxColorTargets = 8, maxViewports = 16,
                   maxControlPoints = 32, maxSamples = 8;

template <typename T> ArrayRef<T> listOf(const T *elements, uint32_t count) {
  return {elements, elements ? count : 0};
}

class Checker {
public:
  Checker(const ScDecoder &decoder, const Place &place) : decoder(decoder), place(place) {}

  /// Of the stage in the checker's place.
  Error stage(const VkPipelineShaderStageCreateInfo &stage) const {
    if (!stage.pName)
      return fault("pName", "no name of an entry point");
    if (!llvm::isPowerOf2_32(stage.stage))
      return fault("stage", "not one stage");
    for (auto *next = static_cast<const VkBaseInStructure *>(stage.pNext); next; next = next->pNext)
      if (next->sType ==
          VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO) {
        const auto &required =
            *reinterpret_cast<const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo *>(next);
        // HW(gfx10+): waves have 32 or 64 lanes.
        if (required.requiredSubgroupSize != 32 && required.requiredSubgroupSize != 64)
          return fault("pNext", "requiredSubgroupSize is " + Twine(required.requiredSubgroupSize) +
                                    ", neither 32 nor 64");
      }
    const VkSpecializationInfo *info = stage.pSpecializationInfo;
    if (!info)
      return Error::success();
    for (const VkSpecializationMapEntry &entry : listOf(info->pMapEntries, info->mapEntryCount))
      if (entry.size > info->dataSize || entry.offset > info->dataSize - entry.size)
        return fault("pSpecializationInfo", "constant " + Twine(entry.constantID) +
                                                " lies beyond the data's " + Twine(info->dataSize) +
                                                " bytes");
    return Error::success();
  }

  Error vertexInput(const VkPipelineVertexInputStateCreateInfo &info) const {
    std::array<bool, maxVertexInputs> hasBinding = {}, hasLocation = {};
    for (const VkVertexInputBindingDescription &binding :
         listOf(info.pVertexBindingDescriptions, info.vertexBindingDescriptionCount)) {
      if (binding.binding >= maxVertexInputs || hasBinding[binding.binding])
        return fault("pVertexInputState",
                     "binding " + Twine(binding.binding) + " is there already, or is above 31");
      hasBinding[binding.binding] = true;
    }
    for (const VkVertexInputAttributeDescription &attribute :
         listOf(info.pVertexAttributeDescriptions, info.vertexAttributeDescriptionCount)) {
      if (attribute.location >= maxVertexInputs || hasLocation[attribute.location])
        return fault("pVertexInputState",
                     "location " + Twine(attribute.location) + " is there already, or is above 31");
      hasLocation[attribute.location] = true;
      if (attribute.binding >= maxVertexInputs || !hasBinding[attribute.binding])
        return fault("pVertexInputState", "attribute " + Twine(attribute.location) +
                                              " is in binding " + Twine(attribute.binding) +
                                              ", which there is not");
    }
    return Error::success();
  }

  Error graphics(const VkGraphicsPipelineCreateInfo &info) const {
    if (Error error = stages(info))
      return error;
    if (!info.pRasterizationState)
      return fault("pRasterizationState", "missing");
    if (info.pVertexInputState)
      if (Error error = vertexInput(*info.pVertexInputState))
        return error;
    if (Error error = samples(info))
      return error;
    if (info.pViewportState && (info.pViewportState->viewportCount > maxViewports ||
                                info.pViewportState->scissorCount > maxViewports))
      return fault("pViewportState", "more than 16 viewports");
    if (info.pColorBlendState && info.pColorBlendState->attachmentCount > maxColorTargets)
      return fault("pColorBlendState", "more than 8 attachments");
    if (info.pColorBlendState)
      if (Error error = blending(*info.pColorBlendState))
        return error;
    for (auto *next = static_cast<const VkBaseInStructure *>(info.pNext); next; next = next->pNext)
      if (next->sType == VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO &&
          reinterpret_cast<const VkPipelineRenderingCreateInfo *>(next)->colorAttachmentCount >
              maxColorTargets)
        return fault("pNext", "more than 8 colour attachments");
    return Error::success();
  }

  Error renderPass(const VkRenderPassCreateInfo2 &pass) const {
    for (const VkSubpassDescription2 &subpass : listOf(pass.pSubpasses, pass.subpassCount))
      if (subpass.colorAttachmentCount > maxColorTargets)
        return fault("renderPass", "a subpass has more than 8 colour attachments");
    for (const VkAttachmentDescription2 &attachment :
         listOf(pass.pAttachments, pass.attachmentCount))
      if (!isSampleCount(attachment.samples))
        return fault("renderPass", "an attachment has no number of samples");
    return Error::success();
  }

private:
  Error blending(const VkPipelineColorBlendStateCreateInfo &info) const {
    for (const VkPipelineColorBlendAttachmentState &each :
         listOf(info.pAttachments, info.attachmentCount))
      if (each.blendEnable &&
          (each.colorBlendOp > VK_BLEND_OP_MAX || each.alphaBlendOp > VK_BLEND_OP_MAX))
        return fault("pColorBlendState", "advanced blend operations are not supported");
    return Error::success();
  }
  Error fault(llvm::StringRef member, const Twine &message) const {
    return decoder.text.error(Place(place, member), message);
  }
  static bool isSampleCount(uint32_t count) {
    return llvm::isPowerOf2_32(count) && count <= maxSamples;
  }
  Error stages(const VkGraphicsPipelineCreateInfo &info) const {
    VkShaderStageFlags seen = 0;
    const Place list(place, "pStages");
    for (uint32_t i = 0; info.pStages && i < info.stageCount; ++i) {
      const VkPipelineShaderStageCreateInfo &each = info.pStages[i];
      const Place here(list, i);
      if (Error error = Checker(decoder, here).stage(each))
        return error;
      if (!(each.stage & VK_SHADER_STAGE_ALL_GRAPHICS))
        return fault("pStages", "a stage that is no graphics stage");
      if (seen & each.stage)
        return fault("pStages", "two shaders of one stage");
      seen |= each.stage;
    }
    if (!(seen & VK_SHADER_STAGE_VERTEX_BIT))
      return fault("pStages", "no vertex shader");
    const bool hasControl = seen & VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT;
    if (hasControl != bool(seen & VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT))
      return fault("pStages", "one of the two tessellation stages is missing");
    const VkPipelineTessellationStateCreateInfo *tessellation = info.pTessellationState;
    if (hasControl && (!tessellation || !tessellation->patchControlPoints ||
                       tessellation->patchControlPoints > maxControlPoints))
      return fault("pTessellationState", "no patchControlPoints between 1 and 32");
    return Error::success();
  }
  Error samples(const VkGraphicsPipelineCreateInfo &info) const {
    if (info.pMultisampleState && !info.pRasterizationState->rasterizerDiscardEnable &&
        !isSampleCount(info.pMultisampleState->rasterizationSamples))
      return fault("pMultisampleState", "no number of samples");
    return Error::success();
  }

  const ScDecoder &decoder;
  const Place &place;
};

} // namespace

Error checkState(const ScDecoder &decoder, const replay::Capture &capture, const Place &place) {
  const Checker checker(decoder, place);
  if (capture.isCompute()) {
    if (capture.compute.stage.stage != VK_SHADER_STAGE_COMPUTE_BIT)
      return decoder.text.error(Place(place, "stage"), "not the compute stage");
    const Place stage(place, "stage");
    return Checker(decoder, stage).stage(capture.compute.stage);
  }
  if (Error error = checker.graphics(capture.graphics))
    return error;
  return capture.renderPass ? checker.renderPass(*capture.renderPass) : Error::success();
}

} // namespace pcc
