//===- FozCaptures.cpp - captures out of Fossilize databases --------------===//
// SPDX-License-Identifier: MIT
#include "FozCaptures.h"
#include "JsonText.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/Try.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace replay {
namespace {

constexpr size_t maxDepth = 64; ///< of an entry's JSON

/// Copying JSON recurses, so that its depth is looked at first.
bool isTooDeep(StringRef text) {
  size_t depth = 0;
  bool isInString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (isInString && c == '\\')
      ++i;
    else if (c == '"')
      isInString = !isInString;
    else if (!isInString && (c == '{' || c == '['))
      ++depth;
    else if (!isInString && (c == '}' || c == ']') && depth)
      --depth;
    if (depth > maxDepth)
      return true;
  }
  return false;
}

std::string hashText(uint64_t hash) { return llvm::utohexstr(hash, /*LowerCase=*/true, 16); }

bool isType(const Json &structure, VkStructureType type) {
  const Json *value = member(structure, "sType");
  return value && value->is_number_unsigned() &&
         *value->get_ptr<const Json::number_unsigned_t *>() == static_cast<uint64_t>(type);
}

/// Structures that the format writes as arrays.
void nameElements(Json &structure, const char *name, llvm::ArrayRef<const char *> names) {
  const Json *array = member(structure, name);
  if (!array || !array->is_array() || array->size() != names.size())
    return; // whoever reads it says so
  Json object = Json::object();
  for (size_t i = 0; i < names.size(); ++i)
    object[names[i]] = (*array)[i];
  structure[name] = std::move(object);
}

constexpr const char *swizzled[] = {"r", "g", "b", "a"};

void fixConversion(Json &link) {
  nameElements(link, "components", swizzled);
  Json info = Json::object();
  info["sType"] = static_cast<uint32_t>(VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO);
  info["conversion"] = std::move(link);
  link = std::move(info);
}

void fixBorderColor(Json &link) {
  if (!member(link, "customBorderColor"))
    return;
  Json color = Json::object();
  color["uint32"] = link["customBorderColor"];
  link["customBorderColor"] = std::move(color);
}

void fixMutableTypes(Json &link) {
  const Json *lists = member(link, "mutableDescriptorTypeLists");
  if (!lists || !lists->is_array())
    return;
  Json all = Json::array();
  for (const Json &list : *lists) {
    Json one = Json::object();
    one["descriptorTypes"] = list;
    all.push_back(std::move(one));
  }
  link["mutableDescriptorTypeLists"] = std::move(all);
}

struct LinkRow {
  VkStructureType type;
  void (*fix)(Json &link);
};
constexpr LinkRow linkRows[] = {
    {VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_CREATE_INFO, fixConversion},
    {VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT, fixBorderColor},
    {VK_STRUCTURE_TYPE_SAMPLER_BORDER_COLOR_COMPONENT_MAPPING_CREATE_INFO_EXT,
     [](Json &link) { nameElements(link, "components", swizzled); }},
    {VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT, fixMutableTypes},
};

/// Chains of the structure and of those in it, which are as deep as resource() allows.
void fixChains(Json &json) {
  for (Json &inner : json)
    if (inner.is_structured())
      fixChains(inner);
  if (!member(json, "pNext") || !json["pNext"].is_array())
    return;
  for (Json &link : json["pNext"])
    for (const LinkRow &row : linkRows)
      if (isType(link, row.type)) {
        row.fix(link);
        break;
      }
}

/// Takes the structures of a type out of the chain of \p json.
std::vector<Json> takeLinks(Json &json, VkStructureType type) {
  std::vector<Json> taken;
  if (!member(json, "pNext") || !json["pNext"].is_array())
    return taken;
  Json rest = Json::array();
  for (Json &link : json["pNext"])
    if (isType(link, type))
      taken.push_back(std::move(link));
    else
      rest.push_back(std::move(link));
  json["pNext"] = std::move(rest);
  return taken;
}

class FozSource final : public CaptureSource, public std::enable_shared_from_this<FozSource> {
public:
  explicit FozSource(std::unique_ptr<FozArchive> archive) : archive(std::move(archive)) {}

  Expected<std::vector<uint32_t>> module(StringRef hash) const override {
    uint64_t number = 0;
    if (hash.getAsInteger(16, number))
      return lgc::invalidInput(archive->name() + ": no hash: " + hash);
    std::string content = KILN_TRY(archive->read(FozKind::Module, number));
    return fozModule(content, nameOf("modules", number), hashText(number));
  }

  Expected<std::shared_ptr<const Capture>> library(PipelineKind kind,
                                                   StringRef hash) const override {
    uint64_t number = 0;
    if (hash.getAsInteger(16, number))
      return lgc::invalidInput(archive->name() + ": no hash: " + hash);
    return captureOf(KILN_TRY(pipeline(kind, number)));
  }

  Expected<std::vector<std::string>> features() const override {
    std::vector<std::string> names;
    for (uint64_t hash : archive->hashes(FozKind::ApplicationInfo)) {
      Json info = KILN_TRY(document(FozKind::ApplicationInfo, "application", hash));
      if (const Json *features = member(info, "physicalDeviceFeatures"))
        collectTrue(*features, names);
    }
    llvm::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
  }

  Expected<FozPipeline> pipeline(PipelineKind kind, uint64_t hash) const {
    const KindRow &row = *llvm::find_if(kindRows, [&](const KindRow &r) { return r.kind == kind; });
    const std::string name = nameOf(replay::nameOf(kind), hash);
    Json json = KILN_TRY(resource(row.entries, hash, row.list));
    json["kind"] = replay::nameOf(kind);
    json.erase("basePipelineHandle");
    json.erase("basePipelineIndex");
    KILN_TRY(addLayout(json, name));
    KILN_TRY((this->*row.complete)(json, name));
    // What is no text of UTF-8 is replaced, and then named in a message.
    return FozPipeline{name, json.dump(1, ' ', false, Json::error_handler_t::replace),
                       shared_from_this()};
  }

  void each(llvm::function_ref<void(std::string)> fault,
            llvm::function_ref<void(FozPipeline)> use) const {
    for (const KindRow &row : kindRows)
      for (uint64_t hash : archive->hashes(row.entries)) {
        auto pipeline = this->pipeline(row.kind, hash);
        if (pipeline)
          use(std::move(*pipeline));
        else
          fault(llvm::toString(pipeline.takeError()));
      }
  }

private:
  std::string nameOf(StringRef kind, uint64_t hash) const {
    return (archive->name() + "/" + kind + "/" + hashText(hash)).str();
  }

  static void collectTrue(const Json &json, std::vector<std::string> &names) {
    for (auto item = json.begin(); item != json.end(); ++item) {
      if (item->is_structured())
        collectTrue(*item, names);
      else if (json.is_object() && item->is_number_unsigned() &&
               *item->get_ptr<const Json::number_unsigned_t *>() == 1)
        names.push_back(item.key());
    }
  }

  Expected<Json> document(FozKind kind, StringRef what, uint64_t hash) const {
    Expected<std::string> content = archive->read(kind, hash);
    if (!content)
      return content.takeError();
    const std::string name = nameOf(what, hash);
    if (isTooDeep(*content))
      return lgc::invalidInput(name + ": JSON deeper than " + Twine(maxDepth) + " levels");
    JsonText text = KILN_TRY(JsonText::parse(name, std::move(*content)));
    return text.root();
  }

  /// The object \p hash of the first of \p lists that is there.
  Expected<Json> resource(FozKind kind, uint64_t hash, llvm::ArrayRef<const char *> lists,
                          size_t *which = nullptr) const {
    Json all = KILN_TRY(document(kind, lists[0], hash));
    for (size_t i = 0; i < lists.size(); ++i) {
      const Json *list = member(all, lists[i]);
      const Json *object = list ? member(*list, hashText(hash)) : nullptr;
      if (!object || !object->is_object())
        continue;
      if (which)
        *which = i;
      Json result = *object;
      fixChains(result);
      result["hash"] = hashText(hash);
      return result;
    }
    return lgc::invalidInput(nameOf(lists[0], hash) + ": no object of this hash");
  }

  /// A handle: the hash of another entry, 0 for null. Errors: something else.
  Expected<uint64_t> handle(const Json &json, StringRef name, const std::string &place) const {
    const Json *value = member(json, name);
    uint64_t hash = 0;
    if (!value || value->is_null())
      return hash;
    const auto *text = value->get_ptr<const std::string *>();
    if (!text || StringRef(*text).getAsInteger(16, hash))
      return lgc::invalidInput(place + ": " + name + " is no hash");
    return hash;
  }

  /// Replaces the hashes in the array \p name of \p json by what \p load gives; null stays.
  template <typename Load>
  Error inlineAll(Json &json, const char *name, const std::string &place, Load &&load) const {
    const Json *list = member(json, name);
    if (!list || !list->is_array())
      return Error::success();
    Json all = Json::array();
    for (const Json &element : *list) {
      Json wrapped = Json::object();
      wrapped[name] = element;
      uint64_t hash = KILN_TRY(handle(wrapped, name, place));
      Json object = KILN_TRY(hash ? load(hash) : Expected<Json>(Json()));
      all.push_back(std::move(object));
    }
    json[name] = std::move(all);
    return Error::success();
  }

  Expected<Json> setLayout(uint64_t hash) const {
    Expected<Json> set = resource(FozKind::SetLayout, hash, "setLayouts");
    if (!set)
      return set;
    const std::string place = nameOf("setLayouts", hash);
    if (!member(*set, "bindings") || !(*set)["bindings"].is_array())
      return lgc::invalidInput(place + ": no bindings");
    Json &bindings = (*set)["bindings"];
    for (Json &binding : bindings)
      KILN_TRY(inlineAll(binding, "immutableSamplers", place, [&](uint64_t sampler) {
        return resource(FozKind::Sampler, sampler, "samplers");
      }));
    // Captures have the flags of a binding beside it.
    for (const Json &link :
         takeLinks(*set, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO)) {
      const Json *flags = member(link, "bindingFlags");
      for (size_t i = 0; flags && flags->is_array() && i < flags->size() && i < bindings.size();
           ++i)
        if (bindings[i].is_object())
          bindings[i]["bindingFlags"] = (*flags)[i];
    }
    return set;
  }

  Error addLayout(Json &pipeline, const std::string &place) const {
    uint64_t hash = KILN_TRY(handle(pipeline, "layout", place));
    pipeline["layout"] = Json();
    if (!hash)
      return Error::success();
    Expected<Json> layout = resource(FozKind::PipelineLayout, hash, "pipelineLayouts");
    if (!layout)
      return layout.takeError();
    KILN_TRY(inlineAll(*layout, "setLayouts", nameOf("pipelineLayouts", hash),
                       [&](uint64_t set) { return setLayout(set); }));
    pipeline["layout"] = std::move(*layout);
    return Error::success();
  }

  Error addRenderPass(Json &pipeline, const std::string &place) const {
    uint64_t hash = KILN_TRY(handle(pipeline, "renderPass", place));
    const Json subpass = member(pipeline, "subpass") ? pipeline["subpass"] : Json(0u);
    pipeline.erase("subpass");
    pipeline.erase("renderPass");
    if (!hash)
      return Error::success();
    size_t version = 0;
    Expected<Json> pass =
        resource(FozKind::RenderPass, hash, {"renderPasses2", "renderPasses"}, &version);
    if (!pass)
      return pass.takeError();
    (*pass)["subpassIndex"] = subpass;
    (*pass)["isOld"] = version == 1;
    pipeline["renderPass"] = std::move(*pass);
    return Error::success();
  }

  /// Names of libraries in their own place.
  static void addLibraries(Json &pipeline, const Json &info) {
    const Json *list = member(info, "libraries");
    for (size_t i = 0; list && list->is_array() && i < list->size(); ++i) {
      Json library = Json::object();
      library["hash"] = (*list)[i];
      pipeline["libraries"].push_back(std::move(library));
    }
  }

  Error completeGraphics(Json &pipeline, const std::string &place) const {
    KILN_TRY(addRenderPass(pipeline, place));
    for (const Json &link : takeLinks(pipeline, VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR))
      addLibraries(pipeline, link);
    return Error::success();
  }

  Error completeCompute(Json &pipeline, const std::string &) const {
    Json stages = Json::array();
    if (member(pipeline, "stage"))
      stages.push_back(pipeline["stage"]);
    pipeline.erase("stage");
    pipeline["stages"] = std::move(stages);
    return Error::success();
  }

  Error completeRays(Json &pipeline, const std::string &) const {
    if (const Json *info = member(pipeline, "libraryInfo")) {
      const Json libraries = *info;
      addLibraries(pipeline, libraries);
      pipeline.erase("libraryInfo");
    }
    return Error::success();
  }

  struct KindRow {
    PipelineKind kind;
    FozKind entries;
    const char *list;
    Error (FozSource::*complete)(Json &pipeline, const std::string &place) const;
  };
  static constexpr KindRow kindRows[] = {{PipelineKind::Graphics, FozKind::GraphicsPipeline,
                                          "graphicsPipelines", &FozSource::completeGraphics},
                                         {PipelineKind::Compute, FozKind::ComputePipeline,
                                          "computePipelines", &FozSource::completeCompute},
                                         {PipelineKind::RayTracing, FozKind::RayTracingPipeline,
                                          "raytracingPipelines", &FozSource::completeRays}};

  const std::unique_ptr<FozArchive> archive;
};

} // namespace

Expected<std::shared_ptr<const Capture>> captureOf(FozPipeline pipeline) {
  return Capture::parse(std::move(pipeline.name), std::move(pipeline.json),
                        std::move(pipeline.source));
}

void eachInFoz(std::unique_ptr<FozArchive> archive, llvm::function_ref<void(std::string)> fault,
               llvm::function_ref<void(FozPipeline)> use) {
  if (!archive->cutOff().empty())
    fault(archive->cutOff());
  std::make_shared<const FozSource>(std::move(archive))->each(fault, use);
}

std::vector<std::shared_ptr<const Capture>> loadFoz(std::unique_ptr<FozArchive> archive,
                                                    std::vector<std::string> &faults) {
  std::vector<std::shared_ptr<const Capture>> captures;
  const auto note = [&](std::string fault) { faults.push_back(std::move(fault)); };
  eachInFoz(std::move(archive), note, [&](FozPipeline pipeline) {
    auto capture = captureOf(std::move(pipeline));
    if (capture)
      captures.push_back(std::move(*capture));
    else
      note(llvm::toString(capture.takeError()));
  });
  return captures;
}

std::vector<std::shared_ptr<const Capture>> loadFoz(const std::string &path,
                                                    std::vector<std::string> &faults) {
  auto archive = FozArchive::open(path);
  if (archive)
    return loadFoz(std::move(*archive), faults);
  faults.push_back(llvm::toString(archive.takeError()));
  return {};
}

} // namespace replay
