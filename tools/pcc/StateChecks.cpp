//===- StateChecks.cpp - what drivers take for granted --------------------===//
// SPDX-License-Identifier: MIT
#include "StateChecks.h"
#include "Scalars.h"
#include "icd_glue/state/Specialization.h"
#include "llpc/reflect/EntryCode.h"
#include "pal_shim/abi/Try.h"
#include "tools/replay/RayGroups.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <array>
#include <map>
#include <vector>

using llvm::ArrayRef;
using llvm::Error;
using llvm::Twine;

namespace pcc {

bool isDynamic(const VkGraphicsPipelineCreateInfo &info, VkDynamicState state) {
  const VkPipelineDynamicStateCreateInfo *dynamic = info.pDynamicState;
  return dynamic &&
         llvm::is_contained(ArrayRef(dynamic->pDynamicStates,
                                     dynamic->pDynamicStates ? dynamic->dynamicStateCount : 0),
                            state);
}

namespace {

constexpr uint32_t maxVertexInputs = 32, maxColorTargets = 8, maxViewports = 16,
                   maxControlPoints = 32, maxSamples = 8;

/// Dynamic state that code depends on, of which nothing is compiled later.
struct CompiledIn {
  VkDynamicState state;
  VkShaderStageFlagBits stage; ///< whose code
  llvm::StringLiteral what;
};
constexpr CompiledIn compiledIn[] = {
    {VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT, VK_SHADER_STAGE_GEOMETRY_BIT,
     "rasterization stream"},
    {VK_DYNAMIC_STATE_PROVOKING_VERTEX_MODE_EXT, VK_SHADER_STAGE_GEOMETRY_BIT, "provoking vertex"},
    {VK_DYNAMIC_STATE_TESSELLATION_DOMAIN_ORIGIN_EXT, VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT,
     "domain origin"},
    {VK_DYNAMIC_STATE_VERTEX_INPUT_EXT, VK_SHADER_STAGE_VERTEX_BIT, "vertex input"},
};

std::string messageOf(const CompiledIn &row) {
  return nameOfValue("VkDynamicState", row.state) +
         ": a pipeline that is compiled offline has code for one " + row.what.str();
}

template <typename T> ArrayRef<T> listOf(const T *elements, uint32_t count) {
  return {elements, elements ? count : 0};
}

const VkPipelineRenderingCreateInfo *findRendering(const VkGraphicsPipelineCreateInfo &info) {
  for (auto *next = static_cast<const VkBaseInStructure *>(info.pNext); next; next = next->pNext)
    if (next->sType == VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO)
      return reinterpret_cast<const VkPipelineRenderingCreateInfo *>(next);
  return nullptr;
}

bool rasterizes(const VkGraphicsPipelineCreateInfo &info) {
  return info.pRasterizationState && (!info.pRasterizationState->rasterizerDiscardEnable ||
                                      isDynamic(info, VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE));
}

using Base = llpc::InterfaceSlot::Base;

/// That shaders get of a format.
Base numbersOf(llvm::StringRef format) {
  return format.contains("_UINT")   ? Base::Uint
         : format.contains("_SINT") ? Base::Sint
                                    : Base::Float;
}

const char *nameOf(Base base) {
  return base == Base::Uint   ? "unsigned integers"
         : base == Base::Sint ? "signed integers"
                              : "floats";
}

/// Is a component of 64 bits? Those are not converted from and to others.
bool isWide(llvm::StringRef format) { return format.contains("R64"); }

/// What a pipeline draws to.
struct Attachments {
  bool isKnown = false; ///< not when the render pass has errors
  uint32_t colorCount = 0;
  bool hasColor = false, hasDepthStencil = false;
  std::vector<uint32_t> used; ///< indices in the render pass
};

Attachments attachmentsOf(const VkGraphicsPipelineCreateInfo &info,
                          const VkRenderPassCreateInfo2 *pass) {
  Attachments result;
  result.isKnown = pass || findRendering(info);
  if (pass) { // findRenderPassFault() has checked the subpass
    const VkSubpassDescription2 &subpass = pass->pSubpasses[info.subpass];
    auto add = [&](const VkAttachmentReference2 &reference) {
      const bool isUsed = reference.attachment != VK_ATTACHMENT_UNUSED;
      if (isUsed)
        result.used.push_back(reference.attachment);
      return isUsed;
    };
    result.colorCount = subpass.colorAttachmentCount;
    for (const VkAttachmentReference2 &reference :
         listOf(subpass.pColorAttachments, subpass.colorAttachmentCount))
      result.hasColor |= add(reference);
    result.hasDepthStencil =
        subpass.pDepthStencilAttachment && add(*subpass.pDepthStencilAttachment);
  } else if (const VkPipelineRenderingCreateInfo *rendering = findRendering(info)) {
    result.colorCount = rendering->colorAttachmentCount;
    for (VkFormat format :
         listOf(rendering->pColorAttachmentFormats, rendering->colorAttachmentCount))
      result.hasColor |= format != VK_FORMAT_UNDEFINED;
    result.hasDepthStencil = rendering->depthAttachmentFormat != VK_FORMAT_UNDEFINED ||
                             rendering->stencilAttachmentFormat != VK_FORMAT_UNDEFINED;
  }
  return result;
}

class Checker {
public:
  Checker(ScDecoder &decoder, const Place &place) : decoder(decoder), place(place) {}

  /// Of the stage in the checker's place.
  void stage(const VkPipelineShaderStageCreateInfo &stage) const {
    if (!stage.pName)
      fault("pName", "no name of an entry point");
    if (stage.stage & replay::rayTracingStages)
      fault("stage", noRayTracing);
    else if (!llvm::isPowerOf2_32(stage.stage))
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

  void graphics(const VkGraphicsPipelineCreateInfo &info,
                const VkRenderPassCreateInfo2 *pass) const {
    stages(info);
    const Attachments attachments = attachmentsOf(info, pass);
    missing(info, attachments);
    const bool hasSamples = info.pMultisampleState && rasterizes(info) &&
                            !isDynamic(info, VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT);
    if (pass && hasSamples)
      samples(*pass, attachments.used, info.pMultisampleState->rasterizationSamples);
    // In a subpass without colours the state is ignored.
    if (info.pColorBlendState && rasterizes(info) && attachments.isKnown &&
        (attachments.hasColor || !pass) &&
        info.pColorBlendState->attachmentCount != attachments.colorCount &&
        info.pColorBlendState->pAttachments)
      fault("pColorBlendState", Twine(info.pColorBlendState->attachmentCount) +
                                    " attachments, the subpass has " +
                                    Twine(attachments.colorCount) + " for colours");
    if (info.pVertexInputState && !isDynamic(info, VK_DYNAMIC_STATE_VERTEX_INPUT_EXT))
      vertexInput(*info.pVertexInputState);
    if (hasSamples && !isSampleCount(info.pMultisampleState->rasterizationSamples))
      Checker(decoder, Place(place, "pMultisampleState"))
          .fault("rasterizationSamples", "no number of the device's");
    if (info.pViewportState && (info.pViewportState->viewportCount > maxViewports ||
                                info.pViewportState->scissorCount > maxViewports))
      fault("pViewportState", "more than 16 viewports");
    if (info.pColorBlendState)
      blending(*info.pColorBlendState);
    if (const VkPipelineRenderingCreateInfo *rendering = findRendering(info);
        rendering && rendering->colorAttachmentCount > maxColorTargets)
      fault("pNext", "more than 8 colour attachments");
  }

  /// Of the render pass in the checker's place.
  void renderPass(const VkRenderPassCreateInfo2 &pass) const {
    const Place subpasses(place, "pSubpasses"), attachments(place, "pAttachments");
    for (uint32_t i = 0; i < pass.subpassCount; ++i)
      if (pass.pSubpasses[i].colorAttachmentCount > maxColorTargets)
        Checker(decoder, Place(subpasses, i)).fault("pColorAttachments", "more than 8");
    for (uint32_t i = 0; pass.pAttachments && i < pass.attachmentCount; ++i)
      if (!isSampleCount(pass.pAttachments[i].samples))
        Checker(decoder, Place(attachments, i)).fault("samples", "no number of the device's");
  }

private:
  /// Numbers that are wrong in themselves are said elsewhere.
  void samples(const VkRenderPassCreateInfo2 &pass, ArrayRef<uint32_t> attachments,
               VkSampleCountFlagBits wanted) const {
    for (uint32_t index : attachments)
      if (const VkSampleCountFlagBits found = pass.pAttachments[index].samples;
          found != wanted && isSampleCount(found) && isSampleCount(wanted))
        fault("pMultisampleState", "rasterizationSamples are " + Twine(wanted) +
                                       ", those of attachment " + Twine(index) + " are " +
                                       Twine(found));
  }

  /// States that are null where Vulkan demands them.
  void missing(const VkGraphicsPipelineCreateInfo &info, const Attachments &attachments) const {
    auto dynamic = [&](std::initializer_list<VkDynamicState> states) {
      return llvm::all_of(states, [&](VkDynamicState state) { return isDynamic(info, state); });
    };
    const bool isDrawn = rasterizes(info);
    struct Row {
      const char *member;
      bool isThere, isNeeded;
    };
    const Row rows[] = {
        {"pVertexInputState", info.pVertexInputState != nullptr,
         !dynamic({VK_DYNAMIC_STATE_VERTEX_INPUT_EXT})},
        // It has the class of a dynamic topology (dynamicPrimitiveTopologyUnrestricted is false).
        {"pInputAssemblyState", info.pInputAssemblyState != nullptr, true},
        {"pRasterizationState", info.pRasterizationState != nullptr, true},
        {"pViewportState", info.pViewportState != nullptr,
         isDrawn &&
             !dynamic({VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT, VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT})},
        {"pMultisampleState", info.pMultisampleState != nullptr,
         isDrawn && !dynamic({VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT})},
        {"pDepthStencilState", info.pDepthStencilState != nullptr,
         isDrawn && attachments.hasDepthStencil &&
             !dynamic({VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE, VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE})},
        {"pColorBlendState", info.pColorBlendState != nullptr,
         isDrawn && attachments.hasColor && !dynamic({VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT})},
    };
    for (const Row &row : rows)
      if (row.isNeeded && !row.isThere)
        fault(row.member, "missing");
  }
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
      if (!(each.stage & (VK_SHADER_STAGE_ALL_GRAPHICS | replay::rayTracingStages)))
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
    for (const CompiledIn &row : compiledIn)
      if ((seen & row.stage) && isDynamic(info, row.state))
        fault("pDynamicState", messageOf(row));
    if (hasControl && !isDynamic(info, VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT) &&
        (!tessellation || !tessellation->patchControlPoints ||
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

/// Behind a fragment shader that reads PrimitiveId without a geometry shader code depends on the
/// vertex that provokes.
void checkPrimitiveId(ScDecoder &decoder, const VkGraphicsPipelineCreateInfo &info,
                      llpc::EntryTraits traits, const Place &place) {
  constexpr CompiledIn vertex = {VK_DYNAMIC_STATE_PROVOKING_VERTEX_MODE_EXT,
                                 VK_SHADER_STAGE_FRAGMENT_BIT, "provoking vertex"};
  for (uint32_t i = 0; i < info.stageCount; ++i)
    if (info.pStages[i].stage == VK_SHADER_STAGE_GEOMETRY_BIT)
      return; // which writes it
  if (traits.has(llpc::EntryTrait::ReadsPrimitiveId) && isDynamic(info, vertex.state))
    decoder.faults.note(decoder.text.error(Place(place, "pDynamicState"), messageOf(vertex)));
}

/// Every location that the vertex shader reads has an attribute whose format is of the same kind of
/// numbers, of 64 bits where the shader's are. \p place: of the create info.
void checkVertexInput(ScDecoder &decoder, const VkGraphicsPipelineCreateInfo &info,
                      ArrayRef<llpc::InterfaceSlot> inputs, const Place &place) {
  const VkPipelineVertexInputStateCreateInfo *state = info.pVertexInputState;
  if (!state || isDynamic(info, VK_DYNAMIC_STATE_VERTEX_INPUT_EXT))
    return;
  const auto attributes =
      listOf(state->pVertexAttributeDescriptions, state->vertexAttributeDescriptionCount);
  const Place statePlace(place, "pVertexInputState"),
      list(statePlace, "pVertexAttributeDescriptions");
  std::map<uint32_t, size_t> places;
  for (size_t i = 0; i < attributes.size(); ++i)
    places.emplace(attributes[i].location, i);
  for (const llpc::InterfaceSlot &input : inputs) {
    if (decoder.faults.isFull())
      return;
    const auto at = places.find(input.location);
    if (at == places.end()) {
      decoder.faults.note(decoder.text.error(statePlace, "no attribute for location " +
                                                             Twine(input.location) +
                                                             ", which the vertex shader reads"));
      continue;
    }
    const std::string format = nameOfValue("VkFormat", attributes[at->second].format);
    const bool hasOtherBits = isWide(format) != (input.bits == 64);
    if (numbersOf(format) != input.base || hasOtherBits)
      decoder.faults.note(decoder.text.error(
          Place(Place(list, at->second), "format"),
          format + " for location " + Twine(input.location) + ", where the vertex shader reads " +
              nameOf(input.base) +
              (hasOtherBits ? " of " + Twine(unsigned(input.bits)) + " bits" : "")));
  }
}

/// What a shader uses of a layout is there for its stage: push constants, and descriptors as far as
/// they are in the layout at all. \p place: of PipelineLayout.
void checkLayout(ScDecoder &decoder, const replay::PipelineLayoutDesc &layout,
                 VkShaderStageFlagBits stage, const llpc::ResourceUsage &usage,
                 uint32_t pushConstBegin, const Place &place) {
  const std::string name = nameOfValue("VkShaderStageFlagBits", stage);
  const Place sets(place, "pSetLayouts");
  std::map<std::pair<size_t, uint32_t>, VkShaderStageFlags> stages;
  for (size_t set = 0; set < layout.sets.size(); ++set)
    for (const VkDescriptorSetLayoutBinding &binding : layout.sets[set].bindings)
      stages.emplace(std::pair(set, binding.binding), binding.stageFlags);
  for (const llpc::ResourceNodeData &node : usage.nodes) {
    if (decoder.faults.isFull())
      return;
    if (auto at = stages.find({node.set, node.binding});
        at != stages.end() && !(at->second & stage))
      decoder.faults.note(decoder.text.error(Place(sets, node.set),
                                             "binding " + Twine(node.binding) + " is not for " +
                                                 name + ", which uses it: see its stageFlags"));
  }
  uint32_t begin = 0, end = 0; // a stage has one range
  for (const VkPushConstantRange &range : layout.pushConstants)
    if (range.stageFlags & stage) {
      begin = range.offset;
      end = range.offset + range.size;
    }
  if (usage.pushConstSize > end)
    decoder.faults.note(decoder.text.error(Place(place, "pPushConstantRanges"),
                                           name + " uses " + Twine(usage.pushConstSize) +
                                               " bytes of push constants, it has " + Twine(end)));
  if (usage.pushConstSize && pushConstBegin < begin)
    decoder.faults.note(decoder.text.error(Place(place, "pPushConstantRanges"),
                                           name + " uses push constants from byte " +
                                               Twine(pushConstBegin) +
                                               " on, its range begins at byte " + Twine(begin)));
}

} // namespace

Error checkShader(ScDecoder &decoder, const replay::Capture &capture,
                  const llpc::spirv::Module &module, const llpc::spirv::EntryPoint &entry,
                  const VkPipelineShaderStageCreateInfo &stage, const Place &place) {
  const auto constants = icd::specializationOf(stage.pSpecializationInfo);
  const llpc::EntryCode code = llpc::walkEntry(module, entry);
  auto usage = KILN_TRY(llpc::usageOf(module, code, constants));
  if (capture.layout) // or else it has errors
    checkLayout(decoder, *capture.layout, stage.stage, usage, llpc::pushConstantBegin(module, code),
                Place(place, "PipelineLayout"));
  const Place graphics(place, "GraphicsPipeline");
  if (stage.stage == VK_SHADER_STAGE_FRAGMENT_BIT)
    checkPrimitiveId(decoder, capture.graphics, llpc::traitsOf(module, entry, code), graphics);
  if (stage.stage != VK_SHADER_STAGE_VERTEX_BIT)
    return Error::success();
  auto inputs = KILN_TRY(llpc::inputsOf(module, entry, constants));
  checkVertexInput(decoder, capture.graphics, inputs, graphics);
  return Error::success();
}

void checkState(ScDecoder &decoder, const replay::Capture &capture, const Place &place,
                const Place &passPlace) {
  const Checker checker(decoder, place);
  const Place stage(place, "stage");
  if (!capture.isCompute())
    checker.graphics(capture.graphics, capture.renderPass);
  else if (!(capture.compute.stage.stage &
             (VK_SHADER_STAGE_COMPUTE_BIT | replay::rayTracingStages)))
    decoder.faults.note(decoder.text.error(stage, "not the compute stage"));
  else
    Checker(decoder, stage).stage(capture.compute.stage);
  if (capture.renderPass)
    Checker(decoder, passPlace).renderPass(*capture.renderPass);
}

} // namespace pcc
