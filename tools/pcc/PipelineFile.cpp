//===- PipelineFile.cpp - a pipeline of Vulkan SC, out of its JSON --------===//
// SPDX-License-Identifier: MIT
#include "PipelineFile.h"
#include "Features.h"
#include "LayoutReader.h"
#include "LenientJson.h"
#include "Scalars.h"
#include "StateChecks.h"
#include "lgc/CompileError.h"
#include "tools/replay/RenderPasses.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
// Why inline: no library to link and no exported symbols.
#define XXH_INLINE_ALL
#include <xxhash.h>

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace pcc {
namespace {

constexpr unsigned maxChain = 64;
constexpr size_t maxNesting = 256;

Error errorAt(const std::string &name, StringRef json, size_t place, const Twine &message) {
  const StringRef before = json.take_front(place);
  return lgc::invalidInput(name + ":" + Twine(before.count('\n') + 1) + ":" +
                           Twine(place - (before.rfind('\n') + 1) + 1) + ": " + message);
}

/// What the parser does not say of a text.
Error checkText(const std::string &name, const std::string &json) {
  if (size_t place = json.find('\0'); place != std::string::npos) // the end, to the parser
    return errorAt(name, json, place, "a byte 0");
  if (size_t place = findTooDeep(json, maxNesting); place != std::string::npos)
    return errorAt(name, json, place,
                   "more than " + Twine(maxNesting) + " objects and arrays in one another");
  return Error::success();
}

class Reader {
public:
  Reader(const replay::JsonText &text, replay::Capture &capture, PipelineFile &file,
         LoadModule load, Identity &identity)
      : text(text), capture(capture), file(file), decoder(text, capture.arena), load(load),
        identity(identity) {}

  Error read() {
    const Json &root = text.root();
    if (!root.is_object())
      return text.error(top, "no object");
    if (Error error = findState(root))
      return error;
    if (Error error = readIdentifier(root))
      return error;
    if (Error error = checkExtensions(root))
      return error;
    const Place state(top, isCompute ? "ComputePipelineState" : "GraphicsPipelineState");
    if (Error error = readState(*stateJson, state))
      return error;
    if (!identity.uuid)
      identity.uuid = hashOfAll();
    file.identifier = *identity.uuid;
    return Error::success();
  }

private:
  Error findState(const Json &root) {
    const Json *graphics = replay::member(root, "GraphicsPipelineState");
    const Json *compute = replay::member(root, "ComputePipelineState");
    if (!graphics == !compute)
      return text.error(top, graphics ? "GraphicsPipelineState and ComputePipelineState"
                                      : "neither GraphicsPipelineState nor ComputePipelineState");
    isCompute = compute != nullptr;
    pipelineJson = replay::member(isCompute ? *compute : *graphics, pipelineName());
    stateJson = isCompute ? compute : graphics;
    const Place place(top, isCompute ? "ComputePipelineState" : "GraphicsPipelineState");
    return stateJson->is_object() ? Error::success() : text.error(place, "no object");
  }
  const char *pipelineName() const { return isCompute ? "ComputePipeline" : "GraphicsPipeline"; }

  Error checkExtensions(const Json &root) const {
    const Json *list = replay::member(root, "EnabledExtensions");
    if (!list || isNull(*list))
      return Error::success();
    const Place place(top, "EnabledExtensions");
    if (!list->is_array() || !llvm::all_of(*list, [](const Json &e) { return e.is_string(); }))
      return text.error(place, "no array of names");
    return Error::success();
  }

  Error readState(const Json &state, const Place &place) {
    auto layout = readPipelineLayout(decoder, state, place);
    if (!layout)
      return layout.takeError();
    capture.layout = std::move(*layout);
    Expected<std::vector<std::string>> features = readFeatures(decoder, state, place);
    if (!features)
      return features.takeError();
    file.features = std::move(*features);
    if (!pipelineJson)
      return text.error(place, "no " + Twine(pipelineName()));
    const Place pipeline(place, pipelineName());
    file.statePlace = text.place(pipeline);
    if (Error error = isCompute ? readCompute(pipeline) : readGraphics(state, place, pipeline))
      return error;
    if (Error error = checkState(decoder, capture, pipeline))
      return error;
    return readShaders(state, place);
  }

  /// Bits of both kinds of flags, of which the 64-bit ones replace the others.
  Error takeFlags(VkPipelineCreateFlags &flags, const void *chain, const Place &place) const {
    // Without meaning where there is no pipeline before, and nothing but compiling.
    constexpr VkPipelineCreateFlags dropped =
        VK_PIPELINE_CREATE_DERIVATIVE_BIT |
        VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT |
        VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT;
    flags &= ~dropped;
    VkPipelineCreateFlags2 all = flags;
    for (auto *next = static_cast<const VkBaseInStructure *>(chain); next; next = next->pNext)
      if (next->sType == VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO) {
        auto &wide = *reinterpret_cast<VkPipelineCreateFlags2CreateInfo *>(
            const_cast<VkBaseInStructure *>(next)); // ours, in the arena
        wide.flags &= ~VkPipelineCreateFlags2(dropped);
        all |= wide.flags;
      }
    return all & VK_PIPELINE_CREATE_LIBRARY_BIT_KHR
               ? text.error(Place(place, "flags"), "Vulkan SC has no pipeline libraries")
               : Error::success();
  }

  Error readCompute(const Place &place) {
    auto info = decoder.read<VkComputePipelineCreateInfo>("VkComputePipelineCreateInfo",
                                                          *pipelineJson, place);
    if (!info)
      return info.takeError();
    capture.compute = **info;
    return takeFlags(capture.compute.flags, capture.compute.pNext, place);
  }

  Error readGraphics(const Json &state, const Place &statePlace, const Place &place) {
    auto info = decoder.read<VkGraphicsPipelineCreateInfo>("VkGraphicsPipelineCreateInfo",
                                                           *pipelineJson, place);
    if (!info)
      return info.takeError();
    capture.graphics = **info;
    if (Error error = takeFlags(capture.graphics.flags, capture.graphics.pNext, place))
      return error;
    capture.graphics.basePipelineIndex = -1;
    const Json *old = replay::member(state, "Renderpass");
    const Json *second = replay::member(state, "Renderpass2");
    if (!old == !second)
      return text.error(statePlace,
                        old ? "Renderpass and Renderpass2" : "neither Renderpass nor Renderpass2");
    for (auto *next = static_cast<const VkBaseInStructure *>(capture.graphics.pNext); next;
         next = next->pNext)
      if (next->sType == VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO)
        return Error::success(); // the render pass is there for form's sake
    const Place passPlace(statePlace, old ? "Renderpass" : "Renderpass2");
    return old ? readOldPass(*old, passPlace) : readPass(*second, passPlace);
  }

  Error readOldPass(const Json &json, const Place &place) {
    auto old = decoder.read<VkRenderPassCreateInfo>("VkRenderPassCreateInfo", json, place);
    if (!old)
      return old.takeError();
    VkRenderPassCreateInfo2 *pass = replay::toRenderPass2(**old, capture.arena);
    if (!pass)
      return text.error(place, "its chain speaks of subpasses or attachments that there are not");
    return takePass(*pass, place);
  }

  Error readPass(const Json &json, const Place &place) {
    auto pass = decoder.read<VkRenderPassCreateInfo2>("VkRenderPassCreateInfo2", json, place);
    if (!pass)
      return pass.takeError();
    return takePass(**pass, place);
  }

  Error takePass(VkRenderPassCreateInfo2 &pass, const Place &place) {
    if (const char *fault = replay::findRenderPassFault(pass, capture.graphics.subpass))
      return text.error(place, fault);
    replay::setInputAspects(pass);
    capture.renderPass = &pass;
    return Error::success();
  }

  Error readShaders(const Json &state, const Place &statePlace) {
    const Json *list = replay::member(state, "ShaderFileNames");
    const Place place(statePlace, "ShaderFileNames");
    if (!list || !list->is_array())
      return text.error(statePlace, "no array ShaderFileNames");
    std::vector<uint64_t> stages;
    for (size_t i = 0; i < list->size(); ++i) {
      const Json *stage = replay::member((*list)[i], "stage");
      if (!stage)
        return text.error(Place(place, i), "no stage");
      Expected<uint64_t> bit =
          decoder.value("VkShaderStageFlagBits", *stage, Place(Place(place, i), "stage"));
      if (!bit)
        return bit.takeError();
      stages.push_back(*bit);
    }
    for (const VkPipelineShaderStageCreateInfo &stage : capture.stages()) {
      const auto at = llvm::find(stages, static_cast<uint64_t>(stage.stage));
      if (at == stages.end())
        return text.error(place, "no file for " + stageName(stage.stage));
      const auto index = static_cast<size_t>(at - stages.begin());
      if (Error error = readModule((*list)[index], Place(place, index)))
        return error;
    }
    return Error::success();
  }

  static std::string stageName(VkShaderStageFlagBits stage) {
    if (const replay::Enumeration *names = replay::findEnumeration("VkShaderStageFlagBits"))
      for (const replay::EnumValue &each : names->values)
        if (each.value == stage)
          return each.name;
    return "stage " + std::to_string(stage);
  }

  Error readModule(const Json &json, const Place &place) {
    const Json *member = replay::member(json, "filename");
    const auto *name = member ? member->get_ptr<const std::string *>() : nullptr;
    const Place here(place, "filename");
    if (!name || name->empty() || StringRef(*name).contains('\0'))
      return text.error(here, "no name of a file");
    Expected<Words> words = load(*name);
    if (!words)
      return text.error(here, lgc::consumeToText(words.takeError()).message);
    capture.modules.push_back(*name);
    capture.code.push_back(std::move(*words));
    return Error::success();
  }

  /// Sixteen bytes. Errors: something else is there.
  Expected<icd::sc::Uuid> readUuid(const Json &json, const Place &place) const {
    icd::sc::Uuid uuid = {};
    const std::optional<std::vector<uint8_t>> bytes =
        json.is_array() ? toBytes(json) : std::nullopt;
    if (!bytes || bytes->size() != uuid.size())
      return text.error(place, "no array of 16 bytes");
    std::copy(bytes->begin(), bytes->end(), uuid.begin());
    return uuid;
  }

  /// PipelineUUID; what is in the create info's chain where there is none; else nothing.
  Error readIdentifier(const Json &root) {
    const Json *json = replay::member(root, "PipelineUUID");
    if (json && !isNull(*json))
      return takeIdentifier(*json, Place(top, "PipelineUUID"));
    identity.place = text.place(top);
    const Place state(top, isCompute ? "ComputePipelineState" : "GraphicsPipelineState");
    return pipelineJson ? readOfflineIdentifier(*pipelineJson, Place(state, pipelineName()))
                        : Error::success();
  }

  Error readOfflineIdentifier(const Json &info, const Place &place) {
    const Json *type = replay::member(info, "sType");
    const Json *json = replay::member(info, "pipelineIdentifier");
    if (json && type && *type == "VK_STRUCTURE_TYPE_PIPELINE_OFFLINE_CREATE_INFO")
      return takeIdentifier(*json, Place(place, "pipelineIdentifier"));
    const Json *next = replay::member(info, "pNext");
    return next && place.depth() < maxChain ? readOfflineIdentifier(*next, Place(place, "pNext"))
                                            : Error::success();
  }

  Error takeIdentifier(const Json &json, const Place &place) {
    identity.place = text.place(place);
    Expected<icd::sc::Uuid> uuid = readUuid(json, place);
    if (uuid)
      identity.uuid = *uuid;
    return uuid.takeError();
  }

  /// The identifier where none is given.
  icd::sc::Uuid hashOfAll() const {
    XXH3_state_t *state = XXH3_createState();
    XXH3_128bits_reset(state);
    XXH3_128bits_update(state, file.json.data(), file.json.size());
    for (const Words &words : capture.code)
      XXH3_128bits_update(state, words->data(), words->size() * 4);
    XXH128_canonical_t hash;
    XXH128_canonicalFromHash(&hash, XXH3_128bits_digest(state));
    XXH3_freeState(state);
    icd::sc::Uuid uuid;
    std::copy(std::begin(hash.digest), std::end(hash.digest), uuid.begin());
    return uuid;
  }

  const replay::JsonText &text;
  replay::Capture &capture;
  PipelineFile &file;
  ScDecoder decoder;
  LoadModule load;
  Identity &identity;
  bool isCompute = false;
  const Json *stateJson = nullptr, *pipelineJson = nullptr;
  const Place top;
};

} // namespace

Expected<PipelineFile> PipelineFile::read(std::string name, std::string json, LoadModule load,
                                          Identity &identity) {
  PipelineFile file;
  file.name = name;
  file.json = json;
  if (Error error = checkText(name, json))
    return error;
  if (unsigned repairs = repairJson(json))
    file.warnings.push_back(name + ": " + std::to_string(repairs) +
                            " places that are no JSON were read as writers mean them");
  Expected<replay::JsonText> text = replay::JsonText::parse(name, std::move(json));
  if (!text)
    return text.takeError();
  auto capture = std::make_shared<replay::Capture>();
  capture->name = std::move(name);
  if (Error error = Reader(*text, *capture, file, load, identity).read())
    return error;
  file.capture = std::move(capture);
  return file;
}

} // namespace pcc
