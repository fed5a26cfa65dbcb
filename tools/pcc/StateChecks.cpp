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
  Checker(ScDecoder &decoder, const Place &place) : decoder(decoder), place(place) {}

  /// Of the stage in the checker's place.
  void stage(const VkPipelineShaderStageCreateInfo &stage) const {
    if (!stage.pName)
      fault("pName", "no name of an entry point");
    if (!llvm::isPowerOf2_32(stage.stage))
      fault("stage", "not one stage");
    for (auto *next = static_cast<const VkBaseInStructure *>(stage.pNext); next; next = next->pNext)
      if (next->sType ==
          VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO) {
        const auto &required =
            *reinterpret_cast<const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo *>(next);
        // HW(gfx10+): waves have 32 or 64 lanes.
        if (required.requiredSubgroupSize != 32 && required.requiredSubgroupSize != 64)
          fault("pNext", "requiredSubgroupSize is " + Twine(required.requiredSubgroupSize) +
                             ", neither 32 nor 64");
      }
    const VkSpecializationInfo *info = stage.pSpecializationInfo;
    if (!info)
      return;
    for (const VkSpecializationMapEntry &entry : listOf(info->pMapEntries, info->mapEntryCount))
      if (entry.size > info->dataSize || entry.offset > info->dataSize - entry.size)
        fault("pSpecializationInfo", "constant " + Twine(entry.constantID) +
                                         " lies beyond the data's " + Twine(info->dataSize) +
                                         " bytes");
  }

  void graphics(const VkGraphicsPipelineCreateInfo &info) const {
    stages(info);
    if (!info.pRasterizationState)
      fault("pRasterizationState", "missing");
    if (info.pVertexInputState)
      vertexInput(*info.pVertexInputState);
    if (info.pRasterizationState && info.pMultisampleState &&
        !info.pRasterizationState->rasterizerDiscardEnable &&
        !isSampleCount(info.pMultisampleState->rasterizationSamples))
      fault("pMultisampleState", "no number of samples");
    if (info.pViewportState && (info.pViewportState->viewportCount > maxViewports ||
                                info.pViewportState->scissorCount > maxViewports))
      fault("pViewportState", "more than 16 viewports");
    if (info.pColorBlendState)
      blending(*info.pColorBlendState);
    for (auto *next = static_cast<const VkBaseInStructure *>(info.pNext); next; next = next->pNext)
      if (next->sType == VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO &&
          reinterpret_cast<const VkPipelineRenderingCreateInfo *>(next)->colorAttachmentCount >
              maxColorTargets)
        fault("pNext", "more than 8 colour attachments");
  }

  void renderPass(const VkRenderPassCreateInfo2 &pass) const {
    for (const VkSubpassDescription2 &subpass : listOf(pass.pSubpasses, pass.subpassCount))
      if (subpass.colorAttachmentCount > maxColorTargets)
        fault("renderPass", "a subpass has more than 8 colour attachments");
    for (const VkAttachmentDescription2 &attachment :
         listOf(pass.pAttachments, pass.attachmentCount))
      if (!isSampleCount(attachment.samples))
        fault("renderPass", "an attachment has no number of samples");
  }

private:
  void vertexInput(const VkPipelineVertexInputStateCreateInfo &info) const {
    std::array<bool, maxVertexInputs> hasBinding = {}, hasLocation = {};
    for (const VkVertexInputBindingDescription &binding :
         listOf(info.pVertexBindingDescriptions, info.vertexBindingDescriptionCount)) {
      if (binding.binding >= maxVertexInputs || hasBinding[binding.binding])
        fault("pVertexInputState",
              "binding " + Twine(binding.binding) + " is there already, or is above 31");
      else
        hasBinding[binding.binding] = true;
    }
    for (const VkVertexInputAttributeDescription &attribute :
         listOf(info.pVertexAttributeDescriptions, info.vertexAttributeDescriptionCount)) {
      if (attribute.location >= maxVertexInputs || hasLocation[attribute.location])
        fault("pVertexInputState",
              "location " + Twine(attribute.location) + " is there already, or is above 31");
      else
        hasLocation[attribute.location] = true;
      if (attribute.binding >= maxVertexInputs || !hasBinding[attribute.binding])
        fault("pVertexInputState", "attribute " + Twine(attribute.location) + " is in binding " +
                                       Twine(attribute.binding) + ", which there is not");
    }
  }
  void blending(const VkPipelineColorBlendStateCreateInfo &info) const {
    if (info.attachmentCount > maxColorTargets)
      fault("pColorBlendState", "more than 8 attachments");
    for (const VkPipelineColorBlendAttachmentState &each :
         listOf(info.pAttachments, info.attachmentCount))
      if (each.blendEnable &&
          (each.colorBlendOp > VK_BLEND_OP_MAX || each.alphaBlendOp > VK_BLEND_OP_MAX))
        fault("pColorBlendState", "advanced blend operations are not supported");
  }
  void stages(const VkGraphicsPipelineCreateInfo &info) const {
    VkShaderStageFlags seen = 0;
    const Place list(place, "pStages");
    for (uint32_t i = 0; info.pStages && i < info.stageCount; ++i) {
      const VkPipelineShaderStageCreateInfo &each = info.pStages[i];
      const Place here(list, i);
      Checker(decoder, here).stage(each);
      if (!(each.stage & VK_SHADER_STAGE_ALL_GRAPHICS))
        fault("pStages", "a stage that is no graphics stage");
      if (seen & each.stage)
        fault("pStages", "two shaders of one stage");
      seen |= each.stage;
    }
    if (!(seen & VK_SHADER_STAGE_VERTEX_BIT))
      fault("pStages", "no vertex shader");
    const bool hasControl = seen & VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT;
    if (hasControl != bool(seen & VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT))
      fault("pStages", "one of the two tessellation stages is missing");
    const VkPipelineTessellationStateCreateInfo *tessellation = info.pTessellationState;
    if (hasControl && (!tessellation || !tessellation->patchControlPoints ||
                       tessellation->patchControlPoints > maxControlPoints))
      fault("pTessellationState", "no patchControlPoints between 1 and 32");
  }

  void fault(llvm::StringRef member, const Twine &message) const {
    if (!decoder.faults.isFull()) // or else finding the place is for nothing
      decoder.faults.note(decoder.text.error(Place(place, member), message));
  }
  static bool isSampleCount(uint32_t count) {
    return llvm::isPowerOf2_32(count) && count <= maxSamples;
  }

  ScDecoder &decoder;
  const Place &place;
};

} // namespace

void checkState(ScDecoder &decoder, const replay::Capture &capture, const Place &place) {
  const Checker checker(decoder, place);
  const Place stage(place, "stage");
  if (!capture.isCompute())
    checker.graphics(capture.graphics);
  else if (capture.compute.stage.stage != VK_SHADER_STAGE_COMPUTE_BIT)
    decoder.faults.note(decoder.text.error(stage, "not the compute stage"));
  else
    Checker(decoder, stage).stage(capture.compute.stage);
  if (capture.renderPass)
    checker.renderPass(*capture.renderPass);
}

} // namespace pcc
