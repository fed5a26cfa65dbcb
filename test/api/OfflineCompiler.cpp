//===- OfflineCompiler.cpp - kiln-pcc for tests ---------------------------===//
// SPDX-License-Identifier: MIT
#include "OfflineCompiler.h"
#include <cstdlib>
#include <fstream>
#include <unistd.h>

namespace api {

namespace fs = std::filesystem;

OfflineCompiler::OfflineCompiler(Gpu &gpu) : gpu(gpu) {
  std::string name = (fs::temp_directory_path() / "kiln offline XXXXXX").string();
  if (mkdtemp(name.data()))
    folder = name;
  else
    ADD_FAILURE() << name << " cannot be made";
}

OfflineCompiler::~OfflineCompiler() {
  if (!folder.empty())
    fs::remove_all(folder);
}

const char *OfflineCompiler::reasonToSkip(Gpu &gpu) {
  if (!gpu.isKiln())
    return "another driver";
  if (std::getenv("VK_INSTANCE_LAYERS"))
    return "layers for Vulkan drop structures of Vulkan SC";
  return nullptr;
}

void OfflineCompiler::writeFile(const std::string &name, const void *data, size_t size) {
  std::ofstream file(folder / name, std::ios::binary);
  file.write(static_cast<const char *>(data), static_cast<std::streamsize>(size));
  EXPECT_TRUE(file.good()) << name;
}

void OfflineCompiler::addModule(const std::string &name, const uint32_t *words, size_t bytes) {
  writeFile(name, words, bytes);
}

void OfflineCompiler::addModule(const std::string &name, const std::string &glsl,
                                const std::string &stage) {
  const std::vector<uint32_t> words = gpu.spirv(glsl, stage);
  addModule(name, words.data(), words.size() * sizeof(uint32_t));
}

void OfflineCompiler::addPipeline(const std::string &name, const std::string &json) {
  writeFile(name, json.data(), json.size());
}

std::vector<uint8_t> OfflineCompiler::compile(const std::string &options) {
  const fs::path tool = fs::read_symlink("/proc/self/exe").parent_path() / "kiln-pcc";
  const fs::path out = folder / "cache.bin";
  const std::string command = "'" + tool.string() + "' --quiet --path '" + folder.string() +
                              "' --out '" + out.string() + "' " + options;
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  std::ifstream file(out, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<uint8_t> OfflineCompiler::compileForDevice(const std::string &options) {
  return compile("--device " + std::to_string(gpu.properties.deviceID) + " " + options);
}

VkResult OfflineCompiler::tryOpen(const std::vector<uint8_t> &data, VkPipelineCache &cache) {
  auto info = vkStruct<VkPipelineCacheCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO);
  info.flags = icd::sc::cacheReadOnly | icd::sc::cacheUsesApplicationStorage;
  info.initialDataSize = data.size();
  info.pInitialData = data.data();
  return gpu.vk.CreatePipelineCache(gpu.device, &info, nullptr, &cache);
}

VkPipelineCache OfflineCompiler::open(const std::vector<uint8_t> &data) {
  VkPipelineCache cache = VK_NULL_HANDLE;
  VK_OK(tryOpen(data, cache));
  return cache;
}

} // namespace api
