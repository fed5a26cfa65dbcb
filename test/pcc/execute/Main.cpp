//===- Main.cpp - kiln-pcc-execute ----------------------------------------===//
// SPDX-License-Identifier: MIT
/// \file
///     kiln-pcc-execute PATH SCENES OUT [--cache FILE] [--driver LIBRARY]
///
/// Executes pipelines of the folder PATH that SCENES (Scene.h) names; what comes out goes to OUT.
/// With a cache they are what kiln-pcc has compiled, without it what the driver compiles. The
/// driver is Kiln's, which is part of this program, or another one's library; its first device is
/// used.
#include "Execution.h"
#include "icd_glue/sc/ScApi.h"
#include "tools/replay/BuiltIn.h"
#include "llvm/Support/raw_ostream.h"
#include <fstream>

namespace execute {
namespace {

struct Arguments {
  std::string folder, scenes, out, cache, driver;
};

Arguments parse(int count, char **arguments) {
  if (count < 4)
    stop("PATH SCENES OUT are needed");
  Arguments result = {arguments[1], arguments[2], arguments[3], "", ""};
  for (int i = 4; i + 1 < count; i += 2)
    (llvm::StringRef(arguments[i]) == "--cache" ? result.cache : result.driver) = arguments[i + 1];
  return result;
}

std::string contentsOf(const std::string &path, uint64_t most) {
  return require(pcc::readFile(path, most))->getBuffer().str();
}

pcc::PipelineFile read(const std::string &folder, const std::string &name) {
  auto load = [&](llvm::StringRef module) {
    return pcc::wordsOf(contentsOf(folder + "/" + module.str(), pcc::maxModuleBytes));
  };
  pcc::Identity identity;
  pcc::Faults faults;
  auto file = pcc::PipelineFile::read(name, contentsOf(folder + "/" + name, pcc::maxJsonBytes),
                                      load, identity, faults);
  if (!file)
    stop(name + " is no pipeline");
  return std::move(*file);
}

/// A device for pipelines with these features.
struct Place {
  Place(const replay::Driver &driver, const std::vector<std::string> &features,
        const std::string &data)
      : gpu(driver, features), replayer(*gpu.device) {
    if (data.empty())
      return;
    auto info = vkStruct<VkPipelineCacheCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO);
    info.flags = icd::sc::cacheReadOnly | icd::sc::cacheUsesApplicationStorage;
    info.initialDataSize = data.size();
    info.pInitialData = data.data();
    require(gpu.device->CreatePipelineCache(gpu.device->handle, &info, nullptr, &cache),
            "vkCreatePipelineCache");
  }
  ~Place() { gpu.device->DestroyPipelineCache(gpu.device->handle, cache, nullptr); }

  Gpu gpu;
  replay::Replayer replayer;
  VkPipelineCache cache = VK_NULL_HANDLE;
};

void run(const Arguments &arguments) {
  auto tell = [](const vulkan::Message &message) { llvm::errs() << message.text << '\n'; };
  auto driver =
      require(arguments.driver.empty() ? replay::Driver::open(replay::builtInDriver(), tell)
                                       : replay::Driver::open(arguments.driver));
  const std::string data =
      arguments.cache.empty() ? "" : contentsOf(arguments.cache, pcc::maxCacheBytes);
  std::map<std::vector<std::string>, std::unique_ptr<Place>> places;
  nlohmann::json results;
  const auto json = nlohmann::json::parse(contentsOf(arguments.scenes, pcc::maxModuleBytes));
  for (const Scene &scene : readScenes(json)) {
    const pcc::PipelineFile file = read(arguments.folder, scene.file);
    std::unique_ptr<Place> &place = places[file.features];
    if (!place)
      place = std::make_unique<Place>(*driver, file.features, data);
    results[scene.file] =
        jsonOf(Execution(place->gpu, place->replayer, file, scene).run(place->cache));
  }
  std::ofstream out(arguments.out);
  out << results;
  if (!out.flush())
    stop(arguments.out + " cannot be written");
}

} // namespace
} // namespace execute

int main(int count, char **arguments) { execute::run(execute::parse(count, arguments)); }
