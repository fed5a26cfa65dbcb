//===- Item.cpp - something to compile ------------------------------------===//
// SPDX-License-Identifier: MIT
#include "Item.h"
#include "lgc/CompileError.h"
#include "pal_shim/abi/Try.h"
#include <cstring>

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using replay::Json;

namespace farm {
namespace {

struct KindRow {
  ItemKind kind;
  const char *name;
};
constexpr KindRow kinds[] = {
    {ItemKind::Capture, "capture"}, {ItemKind::Sc, "sc"}, {ItemKind::Pipe, "pipe"}};

const char *nameOfKind(ItemKind kind) {
  for (const KindRow &row : kinds)
    if (row.kind == kind)
      return row.name;
  KILN_ICE("a kind without a name");
}

class ItemReader {
public:
  explicit ItemReader(const replay::JsonText &text) : text(text) {}

  Expected<Item> read() const {
    Item item;
    const Json *kind = replay::member(text.root(), "kind");
    const auto *name = kind ? kind->get_ptr<const std::string *>() : nullptr;
    const KindRow *found = nullptr;
    for (const KindRow &row : kinds)
      if (name && *name == row.name)
        found = &row;
    if (!found)
      return text.error(top, "no kind of item");
    item.kind = found->kind;
    KILN_TRY(item.kind == ItemKind::Capture ? readCapture(item) : readFiles(item));
    return item;
  }

private:
  Error fault(StringRef member) const {
    return text.error(replay::Place(top, member), "not what an item has");
  }
  Error readCapture(Item &item) const {
    const Json *features = replay::member(text.root(), "features");
    if (!features || !features->is_array())
      return fault("features");
    for (const Json &feature : *features) {
      const auto *name = feature.get_ptr<const std::string *>();
      if (!name)
        return fault("features");
      item.features.push_back(*name);
    }
    const Json *names = replay::member(text.root(), "names");
    if (!names || !names->is_boolean())
      return fault("names");
    item.writesNames = *names->get_ptr<const bool *>();
    const Json *pipeline = replay::member(text.root(), "pipeline");
    if (!pipeline || !pipeline->is_object())
      return fault("pipeline");
    item.pipeline = pipeline->dump();
    return Error::success();
  }
  Expected<Name> hash(const Json *value, StringRef member) const {
    const auto *digits = value ? value->get_ptr<const std::string *>() : nullptr;
    const std::optional<Name> name = digits ? nameFromText(*digits) : std::nullopt;
    if (!name)
      return fault(member);
    return *name;
  }
  Error readFiles(Item &item) const {
    item.text = KILN_TRY(hash(replay::member(text.root(), "text"), "text"));
    const Json *files = replay::member(text.root(), "files");
    if (!files || !files->is_object())
      return fault("files");
    for (auto file = files->begin(); file != files->end(); ++file)
      item.files[file.key()] = KILN_TRY(hash(&*file, "files"));
    return Error::success();
  }

  const replay::JsonText &text;
  const replay::Place top;
};

/// Modules of a pack, as what a capture refers to.
class PackSource final : public replay::CaptureSource {
public:
  PackSource(const Item &item, const Pack &pack)
      : pack(pack), enabled(item.features), names(item.writesNames) {}

  Expected<std::vector<uint32_t>> module(StringRef hash) const override {
    const std::optional<Name> name = nameFromText(hash);
    if (!name)
      return lgc::invalidInput("no name of a module: " + hash);
    return wordsOf(pack, *name);
  }
  Expected<std::shared_ptr<const replay::Capture>> library(replay::PipelineKind,
                                                           StringRef hash) const override {
    return lgc::unsupported("library " + hash + ": items have none");
  }
  Expected<std::vector<std::string>> features() const override { return enabled; }
  bool writesNames() const override { return names; }

private:
  const Pack &pack;
  const std::vector<std::string> enabled;
  const bool names;
};

void eraseHash(Json &json, const char *name) {
  if (json.is_object() && json.contains(name) && json[name].is_object())
    json[name].erase("hash");
}

} // namespace

Expected<Item> Item::parse(const std::string &name, StringRef body) {
  replay::JsonText text = KILN_TRY(replay::JsonText::parse(name, body.str()));
  return ItemReader(text).read();
}

std::string Item::body() const {
  const std::string head = std::string("{\"kind\":\"") + nameOfKind(kind) + "\",";
  if (kind == ItemKind::Capture)
    return head + "\"features\":" + Json(features).dump() +
           ",\"names\":" + (writesNames ? "true" : "false") + ",\"pipeline\":" + pipeline + "}";
  Json list = Json::object();
  for (const auto &[file, content] : files)
    list[file] = toText(content);
  return head + "\"text\":\"" + toText(text) +
         "\",\"files\":" + list.dump(-1, ' ', false, Json::error_handler_t::replace) + "}";
}

Expected<std::string> canonicalPipeline(const replay::Capture &capture, const std::string &json,
                                        llvm::ArrayRef<Name> modules) {
  replay::JsonText text = KILN_TRY(replay::JsonText::parse(capture.name, json));
  Json pipeline = text.root();
  pipeline.erase("hash");
  for (size_t i = 0; i < modules.size(); ++i) // the reader has seen them
    pipeline["stages"][i]["module"] = toText(modules[i]);
  eraseHash(pipeline, "layout");
  eraseHash(pipeline, "renderPass");
  if (replay::member(pipeline, "layout") && replay::member(pipeline["layout"], "setLayouts"))
    for (Json &set : pipeline["layout"]["setLayouts"])
      if (set.is_object()) {
        set.erase("hash");
        if (replay::member(set, "bindings"))
          for (Json &binding : set["bindings"])
            if (replay::member(binding, "immutableSamplers"))
              for (Json &sampler : binding["immutableSamplers"])
                if (sampler.is_object())
                  sampler.erase("hash");
      }
  return pipeline.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Expected<std::vector<uint32_t>> wordsOf(const Pack &pack, const Name &module) {
  llvm::ArrayRef<uint8_t> bytes = KILN_TRY(pack.module(module));
  std::vector<uint32_t> words(bytes.size() / 4);
  if (!words.empty())
    std::memcpy(words.data(), bytes.data(), words.size() * 4);
  if (bytes.size() % 4 || words.size() < 5 || words[0] != 0x07230203)
    return lgc::invalidInput(toText(module) + ": no SPIR-V module");
  return words;
}

Expected<std::shared_ptr<const replay::Capture>>
captureOf(const Item &item, const std::string &name, const Pack &pack) {
  return replay::Capture::parse(name, item.pipeline,
                                std::make_shared<const PackSource>(item, pack));
}

} // namespace farm
