//===- PipelineFile.cpp - a pipeline of Vulkan SC, out of its JSON --------===//
// SPDX-License-Identifier: MIT
#include "PipelineFile.h"
#include "Features.h"
#include "LayoutReader.h"
#include "LenientJson.h"
#include "Misspelled.h"
#include "Scalars.h"
#include "StateChecks.h"
#include "lgc/CompileError.h"
#include "llpc/StageNames.h"
#include "llpc/spirv/Module.h"
#include "pal_shim/abi/Try.h"
#include "tools/replay/RayGroups.h"
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

constexpr const char *rootMembers[] = {"EnabledExtensions", "PipelineUUID", "GraphicsPipelineState",
                                       "ComputePipelineState"};
const std::vector<StringRef> stateMembers[] = {
    {"YcbcrSamplers", "ImmutableSamplers", "DescriptorSetLayouts", "PipelineLayout",
     "ShaderFileNames", "PhysicalDeviceFeatures", "GraphicsPipeline", "Renderpass", "Renderpass2"},
    {"YcbcrSamplers", "ImmutableSamplers", "DescriptorSetLayouts", "PipelineLayout",
     "ShaderFileNames", "PhysicalDeviceFeatures", "ComputePipeline"}};

TextPlace placeAt(const std::string &name, StringRef json, size_t place) {
  const StringRef before = json.take_front(place);
  return {name, before.count('\n') + 1, place - (before.rfind('\n') + 1) + 1, ""};
}

Error errorAt(const std::string &name, StringRef json, size_t place, const Twine &message) {
  return llvm::make_error<replay::PlacedError>(placeAt(name, json, place), message.str());
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
         LoadModule load, Identity &identity, Faults &faults)
      : text(text), capture(capture), file(file), decoder(text, capture.arena, faults), load(load),
        identity(identity) {}

  /// Errors: those that nothing else can be found behind.
  Error read() {
    const Json &root = text.root();
    if (!root.is_object())
      return text.error(top, "no object");
    KILN_TRY(checkRoot(root));
    Error noState = findState(root);
    if (Error error = decoder.goOn(readIdentifier(root)))
      return llvm::joinErrors(std::move(noState), std::move(error));
    if (Error error = decoder.goOn(checkExtensions(root)))
      return llvm::joinErrors(std::move(noState), std::move(error));
    if (noState)
      return noState;
    const Place state(top, isCompute ? "ComputePipelineState" : "GraphicsPipelineState");
    KILN_TRY(readState(*stateJson, state));
    if (decoder.faults.size())
      return Error::success();
    if (!identity.uuid)
      identity.uuid = hashOfAll();
    file.identifier = *identity.uuid;
    return Error::success();
  }

private:
  /// Of a state, and of elements of ShaderFileNames: they have no other members than these.
  Error checkMembers(const Json &json, const Place &place, llvm::ArrayRef<StringRef> known) {
    for (auto item = json.begin(); json.is_object() && item != json.end(); ++item)
      if (!llvm::is_contained(known, StringRef(item.key())))
        KILN_TRY(
            decoder.goOn(text.error(Place(place, item.key()), "there is no member of this name")));
    return Error::success();
  }

  /// Writers may add what they like to the root; but nothing that is meant to be one of ours.
  Error checkRoot(const Json &root) {
    for (auto item = root.begin(); item != root.end(); ++item)
      if (const char *meant = findMisspelled(item.key(), rootMembers))
        if (Error error =
                decoder.goOn(text.error(Place(top, item.key()), Twine("is it ") + meant + "?")))
          return error;
    return Error::success();
  }

  Error findState(const Json &root) {
    const Json *graphics = replay::member(root, "GraphicsPipelineState");
    const Json *compute = replay::member(root, "ComputePipelineState");
    for (auto item = root.begin(); !graphics && !compute && item != root.end(); ++item)
      if (StringRef(item.key()).contains_insensitive("RayTracing"))
        return text.error(Place(top, item.key()), noRayTracing);
    if (!graphics == !compute)
      return text.error(top, graphics ? "GraphicsPipelineState and ComputePipelineState"
                                      : "neither GraphicsPipelineState nor ComputePipelineState");
    isCompute = compute != nullptr;
    capture.kind = isCompute ? replay::PipelineKind::Compute : replay::PipelineKind::Graphics;
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
    KILN_TRY(checkMembers(state, place, stateMembers[isCompute]));
    KILN_TRY(decoder.goOn(readLayout(state, place)));
    Expected<std::vector<std::string>> features = readFeatures(decoder, state, place);
    if (features)
      file.features = std::move(*features);
    else if (Error error = decoder.goOn(features.takeError()))
      return error;
    const size_t before = decoder.faults.size();
    KILN_TRY(decoder.goOn(readPipeline(state, place)));
    const bool hasPipeline = decoder.faults.size() == before;
    return readShaders(state, place, hasPipeline);
  }

  Error readLayout(const Json &state, const Place &place) {
    LayoutWithFormats layout = KILN_TRY(readPipelineLayout(decoder, state, place));
    capture.layout = std::move(layout.layout);
    file.conversions = std::move(layout.conversions);
    return Error::success();
  }

  Error readPipeline(const Json &state, const Place &place) {
    const Place pipeline(place, pipelineName());
    const size_t before = decoder.faults.size();
    if (!pipelineJson) {
      KILN_TRY(decoder.goOn(text.error(place, "no " + Twine(pipelineName()))));
    } else {
      file.statePlace = text.place(pipeline);
      KILN_TRY(decoder.goOn(isCompute ? readCompute(pipeline) : readGraphics(pipeline)));
    }
    const bool hasPipeline = decoder.faults.size() == before;
    if (!isCompute)
      KILN_TRY(decoder.goOn(readAnyPass(state, place, hasPipeline)));
    if (hasPipeline)
      checkState(decoder, capture, pipeline,
                 Place(place, nonNull(state, "Renderpass2") ? "Renderpass2" : "Renderpass"));
    return Error::success();
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
    auto info = KILN_TRY(decoder.read<VkComputePipelineCreateInfo>("VkComputePipelineCreateInfo",
                                                                   *pipelineJson, place));
    capture.compute = *info;
    return takeFlags(capture.compute.flags, capture.compute.pNext, place);
  }

  Error readGraphics(const Place &place) {
    auto info = KILN_TRY(decoder.read<VkGraphicsPipelineCreateInfo>("VkGraphicsPipelineCreateInfo",
                                                                    *pipelineJson, place));
    capture.graphics = *info;
    capture.graphics.basePipelineIndex = -1;
    if (isDynamic(capture.graphics, VK_DYNAMIC_STATE_VERTEX_INPUT_EXT))
      capture.graphics.pVertexInputState = nullptr; // whatever it is, it has no meaning
    return takeFlags(capture.graphics.flags, capture.graphics.pNext, place);
  }

  Error readAnyPass(const Json &state, const Place &place, bool hasPipeline) {
    const Json *old = nonNull(state, "Renderpass"), *second = nonNull(state, "Renderpass2");
    if (!old == !second)
      return text.error(place,
                        old ? "Renderpass and Renderpass2" : "neither Renderpass nor Renderpass2");
    for (auto *next = static_cast<const VkBaseInStructure *>(capture.graphics.pNext); next;
         next = next->pNext)
      if (next->sType == VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO)
        return Error::success(); // the render pass is there for form's sake
    const Place passPlace(place, old ? "Renderpass" : "Renderpass2");
    Expected<VkRenderPassCreateInfo2 *> pass =
        old ? readOldPass(*old, passPlace)
            : decoder.read<VkRenderPassCreateInfo2>("VkRenderPassCreateInfo2", *second, passPlace);
    if (!pass)
      return pass.takeError();
    // Without the pipeline nobody knows the subpass.
    return hasPipeline ? takePass(**pass, passPlace) : Error::success();
  }

  static const Json *nonNull(const Json &json, StringRef name) {
    const Json *value = replay::member(json, name);
    return value && !isNull(*value) ? value : nullptr;
  }

  Expected<VkRenderPassCreateInfo2 *> readOldPass(const Json &json, const Place &place) {
    auto old =
        KILN_TRY(decoder.read<VkRenderPassCreateInfo>("VkRenderPassCreateInfo", json, place));
    if (VkRenderPassCreateInfo2 *pass = replay::toRenderPass2(*old, capture.arena))
      return pass;
    return text.error(place, "its chain speaks of subpasses or attachments that there are not");
  }

  Error takePass(VkRenderPassCreateInfo2 &pass, const Place &place) {
    if (const char *fault = replay::findRenderPassFault(pass, capture.graphics.subpass))
      return text.error(place, fault);
    replay::setInputAspects(pass);
    capture.renderPass = &pass;
    return Error::success();
  }

  /// Where the pipeline has errors, every file that is named, as its stages are not known.
  Error readShaders(const Json &state, const Place &statePlace, bool hasPipeline) {
    const Json *list = replay::member(state, "ShaderFileNames");
    const Place place(statePlace, "ShaderFileNames");
    if (!list || !list->is_array())
      return text.error(statePlace, "no array ShaderFileNames");
    const size_t before = decoder.faults.size();
    std::vector<uint64_t> stages(list->size());
    for (size_t i = 0; i < list->size(); ++i)
      KILN_TRY(decoder.goOn(readStage((*list)[i], Place(place, i), stages[i])));
    for (size_t i = 0; i < stages.size(); ++i)
      if (stages[i] && llvm::is_contained(llvm::ArrayRef(stages).take_front(i), stages[i]))
        KILN_TRY(decoder.goOn(
            text.error(Place(Place(place, i), "stage"), "there is a file for this stage already")));
    const bool hasStages = decoder.faults.size() == before;
    if (!hasPipeline || !hasStages) {
      for (size_t i = 0; i < list->size(); ++i)
        KILN_TRY(decoder.goOn(readModule((*list)[i], Place(place, i))));
      return Error::success();
    }
    for (const VkPipelineShaderStageCreateInfo &stage : capture.stages()) {
      const auto at = llvm::find(stages, static_cast<uint64_t>(stage.stage));
      const auto index = static_cast<size_t>(at - stages.begin());
      Error error = at == stages.end()
                        ? text.error(place, "no file for " +
                                                nameOfValue("VkShaderStageFlagBits", stage.stage))
                        : readModule((*list)[index], Place(place, index), &stage);
      KILN_TRY(decoder.goOn(std::move(error)));
    }
    return Error::success();
  }

  Error readStage(const Json &json, const Place &place, uint64_t &stage) {
    KILN_TRY(checkMembers(json, place, {"stage", "filename"}));
    const Json *value = replay::member(json, "stage");
    if (!value)
      return text.error(place, "no stage");
    uint64_t bit = KILN_TRY(decoder.value("VkShaderStageFlagBits", *value, Place(place, "stage")));
    stage = bit;
    if (bit & replay::rayTracingStages)
      return text.error(Place(place, "stage"), noRayTracing);
    return Error::success();
  }

  /// \p stage: null if it is not known.
  Error readModule(const Json &json, const Place &place,
                   const VkPipelineShaderStageCreateInfo *stage = nullptr) {
    const Json *member = replay::member(json, "filename");
    const auto *name = member ? member->get_ptr<const std::string *>() : nullptr;
    const Place here(place, "filename");
    if (!member)
      return text.error(place, "no filename");
    if (!name || name->empty() || StringRef(*name).contains('\0'))
      return text.error(here, "no name of a file");
    Expected<Words> words = load(*name);
    if (!words)
      return text.error(here, lgc::consumeToText(words.takeError()).message);
    if (stage)
      KILN_TRY(checkEntryPoint(**words, *stage, *name, here));
    capture.modules.push_back(*name);
    capture.code.push_back(std::move(*words));
    return Error::success();
  }

  /// The driver would stop at the first module, and name none.
  Error checkEntryPoint(const std::vector<uint32_t> &words,
                        const VkPipelineShaderStageCreateInfo &stage, const std::string &file,
                        const Place &place) {
    const std::string where =
        file + ", " + nameOfValue("VkShaderStageFlagBits", stage.stage) + ": ";
    auto module = llpc::spirv::Module::parse(
        {reinterpret_cast<const uint8_t *>(words.data()), words.size() * sizeof(uint32_t)});
    if (!module)
      return text.error(place, where + lgc::consumeToText(module.takeError()).message);
    for (spv::Capability capability : (*module)->capabilities())
      if (capability == spv::Capability::RayQueryKHR ||
          capability == spv::Capability::RayTracingKHR)
        return text.error(place, where + "capability " + llpc::spirv::capabilityName(capability) +
                                     ": " + noRayTracing);
    const llpc::ShaderStage known = llpc::stageOfVulkan(stage.stage);
    if (known > llpc::ShaderStage::Compute)
      return Error::success();
    const llpc::spirv::EntryPoint *entry = (*module)->findEntryPoint(
        static_cast<spv::ExecutionModel>(llpc::namesOf(known).modelNumber), stage.pName);
    if (!entry)
      return text.error(place, where + "no entry point '" + stage.pName + "' of this stage");
    const Place state(top, isCompute ? "ComputePipelineState" : "GraphicsPipelineState");
    if (Error error = checkShader(decoder, capture, **module, *entry, stage, state))
      return text.error(place, where + lgc::consumeToText(std::move(error)).message);
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
    if (json && !isNull(*json)) {
      KILN_TRY(takeIdentifier(*json, Place(top, "PipelineUUID")));
    } else {
      identity.place = text.place(top);
    }
    const Place state(top, isCompute ? "ComputePipelineState" : "GraphicsPipelineState");
    return pipelineJson ? readOfflineIdentifier(*pipelineJson, Place(state, pipelineName()))
                        : Error::success();
  }

  Error readOfflineIdentifier(const Json &info, const Place &place) {
    const Json *type = replay::member(info, "sType");
    const Json *json = replay::member(info, "pipelineIdentifier");
    if (json && type && *type == "VK_STRUCTURE_TYPE_PIPELINE_OFFLINE_CREATE_INFO")
      return identity.uuid ? checkIdentifier(*json, Place(place, "pipelineIdentifier"))
                           : takeIdentifier(*json, Place(place, "pipelineIdentifier"));
    const Json *next = replay::member(info, "pNext");
    return next && place.depth() < maxChain ? readOfflineIdentifier(*next, Place(place, "pNext"))
                                            : Error::success();
  }

  /// Beside a PipelineUUID, which counts. Zeros are what nobody has set, there and without one.
  Error checkIdentifier(const Json &json, const Place &place) {
    icd::sc::Uuid uuid = KILN_TRY(readUuid(json, place));
    if (uuid != *identity.uuid && uuid != icd::sc::Uuid())
      decoder.faults.warn(text.place(place), "it is not PipelineUUID, which counts");
    return Error::success();
  }

  Error takeIdentifier(const Json &json, const Place &place) {
    identity.place = text.place(place);
    Expected<icd::sc::Uuid> uuid = readUuid(json, place);
    if (uuid && *uuid != icd::sc::Uuid())
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

std::optional<PipelineFile> PipelineFile::read(std::string name, std::string json, LoadModule load,
                                               Identity &identity, Faults &faults) {
  PipelineFile file;
  file.name = name;
  file.json = json;
  if (Error error = checkText(name, json)) {
    faults.note(std::move(error));
    return std::nullopt;
  }
  if (const Repairs repairs = repairJson(json); repairs.count)
    faults.warn(placeAt(name, json, repairs.first),
                "from here on " + std::to_string(repairs.count) +
                    " places that are no JSON were read as writers mean them");
  Expected<replay::JsonText> text = replay::JsonText::parse(name, json);
  if (!text) {
    faults.note(text.takeError());
    return std::nullopt;
  }
  if (size_t place = findRepeatedMember(json); place != std::string::npos)
    faults.note(errorAt(name, json, place, "the object has a member of this name already"));
  auto capture = std::make_shared<replay::Capture>();
  capture->name = std::move(name);
  faults.note(Reader(*text, *capture, file, load, identity, faults).read());
  if (faults.size())
    return std::nullopt;
  if (!file.conversions.empty())
    file.text = std::make_shared<const replay::JsonText>(std::move(*text));
  file.capture = std::move(capture);
  return file;
}

TextPlace PipelineFile::placeOf(const ConvertedFormat &conversion) const {
  const Place top,
      state(top, capture->isCompute() ? "ComputePipelineState" : "GraphicsPipelineState");
  const Place list(state, "YcbcrSamplers"), element(list, conversion.index);
  const Place here(element, conversion.name);
  return text->place(Place(here, "format"));
}

} // namespace pcc
