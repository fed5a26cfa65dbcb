//===- Capture.cpp - a captured pipeline ----------------------------------===//
// SPDX-License-Identifier: MIT
#include "Capture.h"
#include "Decoder.h"
#include "RayGroups.h"
#include "RenderPasses.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <cstring>

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace replay {
namespace {

/// Enumerations that Vulkan ignores in pipelines with a dynamic state.
struct IgnoredValue {
  const char *structure, *member;
  VkDynamicState dynamic;
};
constexpr IgnoredValue ignoredValues[] = {
    {"VkPipelineMultisampleStateCreateInfo", "rasterizationSamples",
     VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT},
    {"VkPipelineRasterizationStateCreateInfo", "polygonMode", VK_DYNAMIC_STATE_POLYGON_MODE_EXT},
    {"VkPipelineRasterizationStateCreateInfo", "frontFace", VK_DYNAMIC_STATE_FRONT_FACE},
    {"VkPipelineDepthStencilStateCreateInfo", "depthCompareOp", VK_DYNAMIC_STATE_DEPTH_COMPARE_OP},
    {"VkStencilOpState", "failOp", VK_DYNAMIC_STATE_STENCIL_OP},
    {"VkStencilOpState", "passOp", VK_DYNAMIC_STATE_STENCIL_OP},
    {"VkStencilOpState", "depthFailOp", VK_DYNAMIC_STATE_STENCIL_OP},
    {"VkStencilOpState", "compareOp", VK_DYNAMIC_STATE_STENCIL_OP},
    {"VkPipelineColorBlendStateCreateInfo", "logicOp", VK_DYNAMIC_STATE_LOGIC_OP_EXT},
    {"VkPipelineColorBlendAttachmentState", "srcColorBlendFactor",
     VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT},
    {"VkPipelineColorBlendAttachmentState", "dstColorBlendFactor",
     VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT},
    {"VkPipelineColorBlendAttachmentState", "colorBlendOp",
     VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT},
    {"VkPipelineColorBlendAttachmentState", "srcAlphaBlendFactor",
     VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT},
    {"VkPipelineColorBlendAttachmentState", "dstAlphaBlendFactor",
     VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT},
    {"VkPipelineColorBlendAttachmentState", "alphaBlendOp",
     VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT},
    {"VkPipelineTessellationDomainOriginStateCreateInfo", "domainOrigin",
     VK_DYNAMIC_STATE_TESSELLATION_DOMAIN_ORIGIN_EXT},
    {"VkPipelineRasterizationProvokingVertexStateCreateInfoEXT", "provokingVertexMode",
     VK_DYNAMIC_STATE_PROVOKING_VERTEX_MODE_EXT},
    {"VkPipelineRasterizationConservativeStateCreateInfoEXT", "conservativeRasterizationMode",
     VK_DYNAMIC_STATE_CONSERVATIVE_RASTERIZATION_MODE_EXT},
    {"VkPipelineRasterizationLineStateCreateInfo", "lineRasterizationMode",
     VK_DYNAMIC_STATE_LINE_RASTERIZATION_MODE_EXT},
};

bool isMemberOf(const Member &member, const IgnoredValue &row) {
  const Structure *structure = findStructure(row.structure);
  return structure && StringRef(member.name) == row.member &&
         llvm::any_of(structure->members(), [&](const Member &m) { return &m == &member; });
}

/// What a sampler that compares nothing, or has no border, says of that.
bool isIgnored(const Member &member, const VkSamplerCreateInfo &sampler) {
  const StringRef name(member.name);
  return (name == "compareOp" && !sampler.compareEnable) ||
         (name == "borderColor" &&
          llvm::none_of(
              llvm::ArrayRef({sampler.addressModeU, sampler.addressModeV, sampler.addressModeW}),
              [](VkSamplerAddressMode mode) {
                return mode == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
              }));
}

bool isIgnored(const Member &member, const VkGraphicsPipelineCreateInfo &graphics) {
  llvm::ArrayRef<VkDynamicState> dynamic;
  if (const VkPipelineDynamicStateCreateInfo *state = graphics.pDynamicState)
    dynamic = {state->pDynamicStates, state->dynamicStateCount};
  // Without rasterisation no state behind it counts, without logic operation not which one.
  const auto *blend = graphics.pColorBlendState;
  const auto *raster = graphics.pRasterizationState;
  if (isMemberOf(member, {"VkPipelineColorBlendStateCreateInfo", "logicOp", {}}) && blend &&
      !blend->logicOpEnable && !llvm::is_contained(dynamic, VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT))
    return true;
  if (isMemberOf(member, {"VkPipelineMultisampleStateCreateInfo", "rasterizationSamples", {}}) &&
      raster && raster->rasterizerDiscardEnable &&
      !llvm::is_contained(dynamic, VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE))
    return true;
  return llvm::any_of(ignoredValues, [&](const IgnoredValue &row) {
    return isMemberOf(member, row) && llvm::is_contained(dynamic, row.dynamic);
  });
}

} // namespace

class CaptureReader {
public:
  CaptureReader(const JsonText &text, Capture &capture)
      : capture(capture), text(text),
        decoder(text, capture.arena,
                capture.source && !capture.source->writesNames() ? Spelling::Numbers
                                                                 : Spelling::Names) {}

  Error read() {
    const Json &root = text.root();
    Expected<std::string> kind = requiredText(root, top, "kind");
    if (!kind)
      return kind.takeError();
    KILN_TRY(readText(root, top, "hash", capture.hash));
    const PipelineKindRow *row =
        llvm::find_if(pipelineKinds, [&](const PipelineKindRow &r) { return *kind == r.name; });
    if (row == std::end(pipelineKinds))
      return text.error(Place(top, "kind"), "neither graphics, compute nor raytracing");
    capture.kind = row->kind;
    KILN_TRY(readKind(root));
    KILN_TRY(readLayout(root));
    for (const Decoder::Unnamed &value : decoder.unnamed)
      if (!capture.isGraphics() || !isIgnored(*value.member, capture.graphics))
        return lgc::invalidInput(value.error);
    return Error::success();
  }

private:
  Expected<std::string> requiredText(const Json &json, const Place &place, StringRef name) {
    Expected<const std::string *> value = decoder.string(json, place, name);
    if (!value)
      return value.takeError();
    if (!*value)
      return text.error(place, "no " + name);
    return **value;
  }
  Error readText(const Json &json, const Place &place, StringRef name, std::string &into) {
    Expected<const std::string *> value = decoder.string(json, place, name);
    if (value && *value)
      into = **value;
    return value.takeError();
  }

  Error readKind(const Json &root) {
    switch (capture.kind) {
    case PipelineKind::Compute:
      return readCompute(root);
    case PipelineKind::Graphics:
      return readGraphics(root);
    case PipelineKind::RayTracing:
      return readRays(root);
    }
    KILN_ICE("a kind of pipelines");
  }

  Error readCompute(const Json &root) {
    auto info = KILN_TRY(
        decoder.read<VkComputePipelineCreateInfo>("VkComputePipelineCreateInfo", root, top));
    capture.compute = *info;
    Expected<const Json *> stages = decoder.list(root, top, "stages");
    if (!stages)
      return stages.takeError();
    if (!*stages || (*stages)->size() != 1)
      return text.error(top, "a compute pipeline has one stage");
    Place place(top, "stages");
    auto stage = KILN_TRY(decoder.read<VkPipelineShaderStageCreateInfo>(
        "VkPipelineShaderStageCreateInfo", (**stages)[0], Place(place, size_t(0))));
    capture.compute.stage = *stage;
    KILN_TRY(readFlags(root, capture.compute.flags));
    return readStage((**stages)[0], Place(place, size_t(0)), capture.compute.stage);
  }

  Error readGraphics(const Json &root) {
    auto info =
        decoder.read<VkGraphicsPipelineCreateInfo>("VkGraphicsPipelineCreateInfo", root, top);
    if (!info)
      return info.takeError();
    capture.graphics = **info;
    VkGraphicsPipelineCreateInfo &graphics = capture.graphics;
    graphics.basePipelineIndex = -1;
    KILN_TRY(readFlags(root, graphics.flags));
    KILN_TRY(readStages(root, {graphics.pStages, graphics.stageCount}));
    KILN_TRY(readParts(root));
    KILN_TRY(readLibraries(root));
    return readTargets(root);
  }

  Error readRays(const Json &root) {
    capture.rays = *KILN_TRY(decoder.read<VkRayTracingPipelineCreateInfoKHR>(
        "VkRayTracingPipelineCreateInfoKHR", root, top));
    VkRayTracingPipelineCreateInfoKHR &rays = capture.rays;
    rays.basePipelineIndex = -1;
    KILN_TRY(readFlags(root, rays.flags));
    KILN_TRY(readStages(root, capture.stages()));
    KILN_TRY(readLibraries(root));
    std::vector<VkShaderStageFlagBits> stages;
    const Place list(top, "stages");
    for (const VkPipelineShaderStageCreateInfo &stage : capture.stages()) {
      if (!(stage.stage & rayTracingStages))
        return text.error(Place(list, stages.size()), "no stage of ray tracing pipelines");
      stages.push_back(stage.stage);
    }
    const Place groups(top, "groups");
    for (uint32_t i = 0; i < rays.groupCount; ++i)
      if (auto fault = findGroupFault(rays.pGroups[i], stages, !capture.libraries.empty())) {
        const Place group(groups, i);
        return text.error(Place(group, fault->member), fault->message);
      }
    return Error::success();
  }

  Error readStages(const Json &root, llvm::ArrayRef<VkPipelineShaderStageCreateInfo> stages) {
    const Place place(top, "stages");
    for (size_t i = 0; i < stages.size(); ++i) // ours, in the arena
      KILN_TRY(readStage((*member(root, "stages"))[i], Place(place, i),
                         const_cast<VkPipelineShaderStageCreateInfo &>(stages[i])));
    return Error::success();
  }

  template <typename Flags> Error readFlags(const Json &root, Flags &flags) {
    const Json *value = member(root, "flagsValue");
    if (!value) // bits without a name are in the number only
      return Error::success();
    uint32_t number = KILN_TRY(decoder.number(*value, Place(top, "flagsValue")));
    flags |= number;
    return Error::success();
  }

  Error readStage(const Json &json, const Place &place, VkPipelineShaderStageCreateInfo &stage) {
    Expected<std::string> module = requiredText(json, place, "module");
    if (!module)
      return module.takeError();
    // It becomes a file's name.
    if (module->size() > 64 || !llvm::all_of(*module, llvm::isHexDigit))
      return text.error(Place(place, "module"), "no hash");
    capture.modules.push_back(std::move(*module));
    if (!stage.pName)
      return text.error(place, "no name");
    const Json *size = member(json, "requiredSubgroupSize");
    if (!size)
      return Error::success();
    uint32_t lanes = KILN_TRY(decoder.number(*size, Place(place, "requiredSubgroupSize")));
    auto &info = decoder.array<VkPipelineShaderStageRequiredSubgroupSizeCreateInfo>(1)[0];
    info.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO;
    info.requiredSubgroupSize = lanes;
    prepend(stage, info);
    return Error::success();
  }

  template <typename Info, typename Next> static void prepend(Info &info, Next &next) {
    next.pNext = const_cast<void *>(info.pNext);
    info.pNext = &next;
  }

  Error readParts(const Json &root) {
    if (const Json *parts = member(root, "libraryParts")) {
      Expected<uint64_t> bits =
          decoder.flags("VkGraphicsPipelineLibraryFlagBitsEXT", *parts, Place(top, "libraryParts"));
      if (!bits)
        return bits.takeError();
      auto &info = decoder.array<VkGraphicsPipelineLibraryCreateInfoEXT>(1)[0];
      info.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT;
      info.flags = static_cast<VkGraphicsPipelineLibraryFlagsEXT>(*bits);
      prepend(capture.graphics, info);
    }
    return Error::success();
  }

  Error readLibraries(const Json &root) {
    Expected<const Json *> list = decoder.list(root, top, "libraries");
    if (!list || !*list)
      return list.takeError();
    Place place(top, "libraries");
    for (size_t i = 0; i < (*list)->size(); ++i) {
      Expected<std::string> hash = requiredText((**list)[i], Place(place, i), "hash");
      if (!hash)
        return hash.takeError();
      if (hash->size() > 64 || !llvm::all_of(*hash, llvm::isHexDigit))
        return text.error(Place(place, i), "no hash");
      capture.libraries.push_back(std::move(*hash));
    }
    return Error::success();
  }

  /// Render pass or dynamic rendering.
  Error readTargets(const Json &root) {
    const Json *rendering = member(root, "rendering");
    if (rendering) {
      auto info = KILN_TRY(decoder.read<VkPipelineRenderingCreateInfo>(
          "VkPipelineRenderingCreateInfo", *rendering, Place(top, "rendering")));
      prepend(capture.graphics, *info);
    }
    const Json *json = member(root, "renderPass");
    if (!json || json->is_null())
      return Error::success();
    Place place(top, "renderPass");
    VkRenderPassCreateInfo2 *pass = KILN_TRY(readPass(*json, place));
    KILN_TRY(readText(*json, place, "hash", capture.renderPassHash));
    if (const Json *index = member(*json, "subpassIndex")) {
      uint32_t number = KILN_TRY(decoder.number(*index, Place(place, "subpassIndex")));
      capture.graphics.subpass = number;
    }
    if (!pass->subpassCount) {
      const Json *only = member(*json, "subpass");
      if (!only)
        return text.error(place, "neither subpass nor subpasses");
      auto subpass = KILN_TRY(decoder.read<VkSubpassDescription2>("VkSubpassDescription2", *only,
                                                                  Place(place, "subpass")));
      pass->subpassCount = 1;
      pass->pSubpasses = subpass;
    }
    capture.renderPass = pass;
    if (capture.graphics.subpass >= pass->subpassCount)
      return text.error(Place(place, "subpassIndex"), "no such subpass");
    if (const char *fault = findRenderPassFault(*pass, capture.graphics.subpass))
      return text.error(place, fault);
    setInputAspects(*pass);
    return Error::success();
  }

  /// Of vkCreateRenderPass too, in databases.
  Expected<VkRenderPassCreateInfo2 *> readPass(const Json &json, const Place &place) {
    const Json *isOld = capture.source ? member(json, "isOld") : nullptr;
    if (!isOld || *isOld != Json(true))
      return decoder.read<VkRenderPassCreateInfo2>("VkRenderPassCreateInfo2", json, place);
    auto old =
        KILN_TRY(decoder.read<VkRenderPassCreateInfo>("VkRenderPassCreateInfo", json, place));
    if (VkRenderPassCreateInfo2 *pass = toRenderPass2(*old, capture.arena))
      return pass;
    return text.error(place, "its chain speaks of subpasses or attachments that there are not");
  }

  Error readLayout(const Json &root) {
    const Json *json = member(root, "layout");
    if (!json || json->is_null())
      return Error::success();
    Place place(top, "layout");
    auto info =
        decoder.read<VkPipelineLayoutCreateInfo>("VkPipelineLayoutCreateInfo", *json, place);
    if (!info)
      return info.takeError();
    capture.layout = std::make_unique<PipelineLayoutDesc>();
    PipelineLayoutDesc &layout = *capture.layout;
    layout.flags = (*info)->flags;
    layout.pushConstants.assign((*info)->pPushConstantRanges,
                                (*info)->pPushConstantRanges + (*info)->pushConstantRangeCount);
    KILN_TRY(readText(*json, place, "hash", layout.hash));
    Expected<const Json *> sets = decoder.list(*json, place, "setLayouts");
    if (!sets || !*sets)
      return sets.takeError();
    Place list(place, "setLayouts");
    layout.sets.resize((*sets)->size());
    for (size_t i = 0; i < layout.sets.size(); ++i)
      if (!(**sets)[i].is_null()) // a set that is not used
        KILN_TRY(readSetLayout((**sets)[i], Place(list, i), layout.sets[i]));
    return Error::success();
  }

  Error readSetLayout(const Json &json, const Place &place, SetLayoutDesc &set) {
    auto info = KILN_TRY(decoder.read<VkDescriptorSetLayoutCreateInfo>(
        "VkDescriptorSetLayoutCreateInfo", json, place));
    KILN_TRY(readText(json, place, "hash", set.hash));
    set.flags = info->flags;
    set.next = info->pNext;
    set.bindings.assign(info->pBindings, info->pBindings + info->bindingCount);
    set.samplers.resize(set.bindings.size());
    Place list(place, "bindings");
    for (size_t i = 0; i < set.bindings.size(); ++i)
      KILN_TRY(readBinding((*member(json, "bindings"))[i], Place(list, i), set, i));
    return Error::success();
  }

  Error readBinding(const Json &json, const Place &place, SetLayoutDesc &set, size_t index) {
    if (const Json *names = member(json, "bindingFlags")) {
      Expected<uint64_t> bits =
          decoder.flags("VkDescriptorBindingFlagBits", *names, Place(place, "bindingFlags"));
      if (!bits)
        return bits.takeError();
      set.bindingFlags.resize(set.bindings.size());
      set.bindingFlags[index] = static_cast<VkDescriptorBindingFlags>(*bits);
    }
    Expected<const Json *> samplers = decoder.list(json, place, "immutableSamplers");
    if (!samplers || !*samplers)
      return samplers.takeError();
    Place list(place, "immutableSamplers");
    if ((*samplers)->size() != set.bindings[index].descriptorCount)
      return text.error(list,
                        "there are " + Twine(set.bindings[index].descriptorCount) + " descriptors");
    for (size_t i = 0; i < (*samplers)->size(); ++i)
      if (Error error =
              readSampler((**samplers)[i], Place(list, i), set.samplers[index].emplace_back()))
        return error;
    return Error::success();
  }

  Error readSampler(const Json &json, const Place &place, SamplerDesc &sampler) {
    const size_t before = decoder.unnamed.size();
    auto info = KILN_TRY(decoder.read<VkSamplerCreateInfo>("VkSamplerCreateInfo", json, place));
    sampler.info = *info;
    decoder.unnamed.erase(std::remove_if(decoder.unnamed.begin() + before, decoder.unnamed.end(),
                                         [&](const Decoder::Unnamed &value) {
                                           return isIgnored(*value.member, sampler.info);
                                         }),
                          decoder.unnamed.end());
    auto *next = static_cast<const VkBaseInStructure *>(sampler.info.pNext);
    for (size_t i = 0; next; next = next->pNext, ++i) {
      if (next->sType != VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO)
        continue;
      Place chain(place, "pNext"), element(chain, i);
      const Json *conversion = member((*member(json, "pNext"))[i], "conversion");
      if (!conversion)
        return text.error(element, "no conversion");
      auto created = KILN_TRY(decoder.read<VkSamplerYcbcrConversionCreateInfo>(
          "VkSamplerYcbcrConversionCreateInfo", *conversion, Place(element, "conversion")));
      sampler.conversion = created;
      sampler.conversionPlace =
          reinterpret_cast<VkSamplerYcbcrConversionInfo *>(const_cast<VkBaseInStructure *>(next));
    }
    return Error::success();
  }

  Capture &capture;
  const JsonText &text;
  Decoder decoder;
  const Place top;
};

Expected<std::shared_ptr<const Capture>> Capture::load(const std::string &path) {
  JsonText text = KILN_TRY(JsonText::load(path));
  auto capture = std::make_shared<Capture>();
  capture->name = path;
  KILN_TRY(CaptureReader(text, *capture).read());
  return capture;
}

Expected<std::shared_ptr<const Capture>>
Capture::parse(std::string name, std::string json, std::shared_ptr<const CaptureSource> source) {
  JsonText text = KILN_TRY(JsonText::parse(name, std::move(json)));
  auto capture = std::make_shared<Capture>();
  capture->name = std::move(name);
  capture->source = std::move(source);
  KILN_TRY(CaptureReader(text, *capture).read());
  return capture;
}

llvm::ArrayRef<VkPipelineShaderStageCreateInfo> Capture::stages() const {
  switch (kind) {
  case PipelineKind::Compute:
    return compute.stage;
  case PipelineKind::Graphics:
    return {graphics.pStages, graphics.stageCount};
  case PipelineKind::RayTracing:
    return {rays.pStages, rays.stageCount};
  }
  KILN_ICE("a kind of pipelines");
}

const void *Capture::chain() const {
  switch (kind) {
  case PipelineKind::Compute:
    return compute.pNext;
  case PipelineKind::Graphics:
    return graphics.pNext;
  case PipelineKind::RayTracing:
    return rays.pNext;
  }
  KILN_ICE("a kind of pipelines");
}

} // namespace replay
