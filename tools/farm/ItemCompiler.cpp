//===- ItemCompiler.cpp - items on the driver of this program -------------===//
// SPDX-License-Identifier: MIT
#include "ItemCompiler.h"
#include "Item.h"
#include "icd_glue/sc/ScCache.h"
#include "lgc/CompileError.h"
#include "llpc/PipeFile.h"
#include "pal_shim/abi/Try.h"
#include "tools/cli/Clocks.h"
#include "tools/pcc/InputHash.h"
#include "tools/pcc/PipelineCompiler.h"
#include "tools/pcc/PipelineFile.h"
#include "tools/replay/BuiltIn.h"
#include "tools/replay/Replayer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include <cstdlib>

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace farm {
namespace {

std::string payload(PayloadKind kind, llvm::ArrayRef<uint8_t> bytes) {
  std::string text(1, static_cast<char>(kind));
  return text.append(textOf(bytes));
}

/// Messages of the pipeline that is created.
struct Said {
  std::string errors;
  void operator()(const vulkan::Message &message) {
    if (message.isError)
      errors += (errors.empty() ? "" : "\n") + message.text.str();
  }
};

class ItemCompiler {
public:
  ItemCompiler(const Plan &plan, const Pack &pack) : plan(plan), pack(pack) {}

  Error start(const std::string &dumpFolder) {
    if (plan.optLevel)
      setenv(pcc::levelVariable, std::to_string(*plan.optLevel).c_str(), 1);
    else
      unsetenv(pcc::levelVariable);
    dumps = dumpFolder;
    pcc::setDriverEnvironment(llvm::join(plan.targets, ","), dumps);
    driver = KILN_TRY(replay::Driver::open(
        replay::builtInDriver(), [this](const vulkan::Message &message) { said(message); }));
    devices.resize(plan.targets.size());
    scCompilers.resize(plan.targets.size());
    return Error::success();
  }

  Outcome compile(const Unit &unit) {
    const double before = cli::processCpuMs();
    Outcome outcome;
    if (unit.item >= pack.items().size() || unit.target >= plan.targets.size()) {
      outcome = {Status::Failed, "no such item"};
    } else if (auto made = compileItem(unit)) {
      outcome = std::move(*made);
    } else {
      outcome = {Status::Failed, lgc::consumeToText(made.takeError()).message};
    }
    outcome.cpuMs = cli::processCpuMs() - before;
    return outcome;
  }

private:
  Expected<Outcome> compileItem(const Unit &unit) {
    const std::string name = toText(pack.items()[unit.item].name);
    StringRef body = KILN_TRY(pack.item(unit.item));
    Item item = KILN_TRY(Item::parse(name, body));
    switch (item.kind) {
    case ItemKind::Capture:
      return compileCapture(item, name, unit.target);
    case ItemKind::Sc:
      return compileSc(item, name, unit.target);
    case ItemKind::Pipe:
      return compilePipe(item, name, unit.target);
    }
    KILN_ICE("a kind of item");
  }

  //===--- Captures -------------------------------------------------------===//

  Expected<const replay::Device *> deviceFor(uint32_t target,
                                             const std::vector<std::string> &features) {
    std::unique_ptr<replay::Device> &device = devices[target][features];
    if (!device)
      device = KILN_TRY(replay::Device::create(*driver, target, features));
    return device.get();
  }

  Expected<Outcome> compileCapture(const Item &item, const std::string &name, uint32_t target) {
    auto capture = KILN_TRY(captureOf(item, name, pack));
    const replay::Device *device = KILN_TRY(deviceFor(target, item.features));
    replay::Replayer replayer(*device);
    if (std::string why = replayer.missing(*capture); !why.empty())
      return Outcome{Status::Skipped, why};
    said.errors.clear();
    VkPipelineCacheCreateInfo info = {};
    info.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO;
    VkPipelineCache cache = VK_NULL_HANDLE;
    KILN_TRY(replay::check(device->CreatePipelineCache(device->handle, &info, nullptr, &cache),
                           "vkCreatePipelineCache"));
    auto created = replayer.create(*capture, {.cache = cache});
    Expected<std::string> data =
        !created ? Expected<std::string>(created.takeError()) : dataOf(*device, cache, *created);
    if (created)
      replayer.destroy(created->pipeline);
    device->DestroyPipelineCache(device->handle, cache, nullptr);
    if (data)
      return Outcome{Status::Good, std::move(*data)};
    std::string text = lgc::consumeToText(data.takeError()).message;
    return Outcome{Status::Failed, said.errors.empty() ? text : said.errors};
  }

  /// What the cache holds, without the head, which is of a device.
  static Expected<std::string> dataOf(const replay::Device &device, VkPipelineCache cache,
                                      const replay::CreatedPipeline &created) {
    KILN_TRY(replay::check(created.result, "vkCreatePipelines"));
    size_t size = 0;
    KILN_TRY(replay::check(device.GetPipelineCacheData(device.handle, cache, &size, nullptr),
                           "vkGetPipelineCacheData"));
    std::vector<uint8_t> data(size);
    KILN_TRY(replay::check(device.GetPipelineCacheData(device.handle, cache, &size, data.data()),
                           "vkGetPipelineCacheData"));
    if (size <= sizeof(VkPipelineCacheHeaderVersionOne))
      return lgc::internalError("the cache of a pipeline is empty");
    return payload(PayloadKind::Cache,
                   llvm::ArrayRef(data).drop_front(sizeof(VkPipelineCacheHeaderVersionOne)));
  }

  //===--- Vulkan SC ------------------------------------------------------===//

  Expected<Outcome> compileSc(const Item &item, const std::string &name, uint32_t target) {
    std::unique_ptr<pcc::PipelineCompiler> &compiler = scCompilers[target];
    if (!compiler)
      compiler = KILN_TRY(pcc::PipelineCompiler::create(plan.targets[target], dumps));
    llvm::ArrayRef<uint8_t> text = KILN_TRY(pack.module(item.text));
    pcc::Identity identity;
    pcc::Faults faults;
    const auto load = [&](StringRef file) -> Expected<pcc::Words> {
      auto found = item.files.find(file.str());
      if (found == item.files.end())
        return lgc::invalidInput(name + ": no file " + file);
      std::vector<uint32_t> words = KILN_TRY(wordsOf(pack, found->second));
      return std::make_shared<const std::vector<uint32_t>>(std::move(words));
    };
    auto file = pcc::PipelineFile::read(name, textOf(text).str(), load, identity, faults);
    std::vector<pcc::Message> messages = faults.take();
    std::optional<std::vector<uint8_t>> elf;
    if (file)
      elf = compiler->compile(*file, messages);
    if (!elf) {
      std::string all;
      for (const pcc::Message &message : messages)
        if (message.isError)
          all += (all.empty() ? "" : "\n") + message.place.text() + ": " + message.text;
      return Outcome{Status::Failed, all};
    }
    uint32_t stages = 0;
    for (const VkPipelineShaderStageCreateInfo &stage : file->capture->stages())
      stages |= stage.stage;
    std::string bytes(1, static_cast<char>(PayloadKind::Sc));
    bytes.append(textOf(llvm::ArrayRef<uint8_t>(file->identifier)));
    char little[4];
    llvm::support::endian::write32le(little, stages);
    bytes.append(little, sizeof little);
    bytes.append(textOf(llvm::ArrayRef<uint8_t>(pcc::inputsOf(*file, plan.targets[target]))));
    bytes.append(textOf(llvm::ArrayRef<uint8_t>(*elf)));
    return Outcome{Status::Good, std::move(bytes)};
  }

  //===--- .pipe files ----------------------------------------------------===//

  Expected<Outcome> compilePipe(const Item &item, const std::string &name, uint32_t target) {
    llvm::ArrayRef<uint8_t> text = KILN_TRY(pack.module(item.text));
    std::vector<std::string> warnings;
    llpc::PipeFile pipe = KILN_TRY(llpc::readPipeFile(textOf(text), name, warnings));
    for (size_t i = 0; i < pipe.shaders.size(); ++i) {
      auto found = item.files.find(StringRef(pipe.shaders[i].text).trim().str());
      if (found == item.files.end())
        return lgc::invalidInput(name + ": no file " + pipe.shaders[i].text);
      llvm::ArrayRef<uint8_t> spirv = KILN_TRY(pack.module(found->second));
      pipe.infoOf(i).module = KILN_TRY(llpc::Compiler::buildShaderModule(spirv));
    }
    auto compiler = KILN_TRY(llpc::Compiler::create({.target = plan.targets[target]}));
    if (pipe.isRays())
      return buildPipe(compiler->hashRayTracingPipeline(pipe.rays), pipe.rays,
                       [&](const auto &info) { return compiler->buildRayTracingPipeline(info); });
    return pipe.isCompute()
               ? buildPipe(compiler->hashComputePipeline(pipe.compute), pipe.compute,
                           [&](const auto &info) { return compiler->buildComputePipeline(info); })
               : buildPipe(compiler->hashGraphicsPipeline(pipe.graphics), pipe.graphics,
                           [&](const auto &info) { return compiler->buildGraphicsPipeline(info); });
  }

  template <typename Info, typename Build>
  Expected<Outcome> buildPipe(const llpc::PipelineHashes &hashes, const Info &info,
                              Build &&build) const {
    if (!dumps.empty()) {
      auto dump = KILN_TRY(llpc::dumpPipeline(info, hashes));
      KILN_TRY(llpc::writeDump(dump, dumps));
    }
    auto built = build(info);
    if (!built)
      return built.takeError();
    return Outcome{Status::Good, payload(PayloadKind::Elf, built->elf.bytes())};
  }

  const Plan &plan;
  const Pack &pack;
  std::string dumps;
  Said said;
  std::unique_ptr<replay::Driver> driver;
  std::vector<std::map<std::vector<std::string>, std::unique_ptr<replay::Device>>> devices;
  std::vector<std::unique_ptr<pcc::PipelineCompiler>> scCompilers;
};

} // namespace

StartCompiler compilerOf(const Plan &plan, const Pack &pack) {
  return [&](const std::string &dumpFolder) -> Expected<Compile> {
    auto compiler = std::make_shared<ItemCompiler>(plan, pack);
    KILN_TRY(compiler->start(dumpFolder));
    return [compiler](const Unit &unit) { return compiler->compile(unit); };
  };
}

Error readScPipeline(const std::string &name, const std::string &json, LoadFile load) {
  pcc::Identity identity;
  pcc::Faults faults;
  if (pcc::PipelineFile::read(name, json, load, identity, faults))
    return Error::success();
  std::string text;
  for (const pcc::Message &message : faults.take())
    if (message.isError && text.empty())
      text = message.place.text() + ": " + message.text;
  return lgc::invalidInput(text);
}

} // namespace farm
