// SPDX-License-Identifier: MIT
// The examples of the proposal documents of VK_KHR_pipeline_binary,
// VK_EXT_graphics_pipeline_library and VK_EXT_shader_module_identifier, step by step; and what
// outlives processes and devices.
#include "Binaries.h"
#include "LibraryScene.h"
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <unistd.h>

namespace api {
namespace {

constexpr VkPipelineCreateFlags noCompile =
    VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;

class ProposalApi : public ApiTest {};
API_TESTS_ON_ALL_DEVICES(ProposalApi);

VkPipelineCache makeCache(Gpu &gpu, const Data &data = {}) {
  auto info = vkStruct<VkPipelineCacheCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO);
  info.initialDataSize = data.size();
  info.pInitialData = data.data();
  VkPipelineCache cache = VK_NULL_HANDLE;
  VK_OK(gpu.vk.CreatePipelineCache(gpu.device, &info, nullptr, &cache));
  return cache;
}

Data takeData(Gpu &gpu, VkPipelineCache cache) {
  size_t size = 0;
  VK_OK(gpu.vk.GetPipelineCacheData(gpu.device, cache, &size, nullptr));
  Data data(size);
  VK_OK(gpu.vk.GetPipelineCacheData(gpu.device, cache, &size, data.data()));
  gpu.vk.DestroyPipelineCache(gpu.device, cache, nullptr);
  return data;
}

//===--- VK_KHR_pipeline_binary -------------------------------------------===//

/// The two caches of the document's application.
struct ApplicationCaches {
  std::map<Key, Data> binaries;
  std::map<Key, std::vector<VkPipelineBinaryKeyKHR>> pipelines;

  /// 4.5: what was kept of a pipeline.
  Kept get(const Key &pipeline) const {
    Kept kept;
    const auto found = pipelines.find(pipeline);
    EXPECT_NE(found, pipelines.end());
    if (found == pipelines.end())
      return kept;
    kept.keys = found->second;
    for (const VkPipelineBinaryKeyKHR &key : kept.keys)
      kept.data.push_back(binaries.at(bytesOf(key)));
    return kept;
  }
};

TEST_P(ProposalApi, PipelineBinaries) {
  if (!gpu.hasExtension(VK_KHR_PIPELINE_BINARY_EXTENSION_NAME))
    GTEST_SKIP();
  ApplicationCaches caches;
  DrawCase draw(gpu);
  // 4.1 and 4.2: the global key, the key of a create info.
  const Key globalKey = pipelineKey(gpu, nullptr);
  const Key key = pipelineKey(gpu, &draw.info(7));
  // 4.3: a pipeline that allows binaries to be made of it later.
  const VkPipelineCreateFlags2CreateInfoKHR flags = captureData();
  VkPipeline pipeline = create(gpu, draw.info(7, Source::Module, &flags));
  // 4.4: binaries go to the application's cache.
  {
    Binaries binaries(gpu);
    VK_OK(binaries.fromPipeline(pipeline));
    const Kept kept = binaries.keep();
    for (size_t i = 0; i < kept.keys.size(); ++i)
      caches.binaries[bytesOf(kept.keys[i])] = kept.data[i];
    caches.pipelines[key] = kept.keys;
  }
  releaseCapturedData(gpu, pipeline);
  gpu.vk.DestroyPipeline(gpu.device, pipeline, nullptr);
  // 4.5 to 4.7: back from the cache, and a pipeline of them.
  EXPECT_EQ(pipelineKey(gpu, nullptr), globalKey);
  Binaries binaries(gpu);
  VK_OK(binaries.fromKept(caches.get(pipelineKey(gpu, &draw.info(7)))));
  const VkPipelineBinaryInfoKHR info = binaries.info();
  pipeline = create(gpu, draw.info(7, Source::None, &info));
  EXPECT_TRUE(draw.works(pipeline, 7));
  gpu.vk.DestroyPipeline(gpu.device, pipeline, nullptr);
}

//===--- VK_EXT_graphics_pipeline_library ---------------------------------===//

/// The document's createVertexShader(): dynamic viewports, SPIR-V in the stage's chain.
VkPipeline createVertexShader(Gpu &gpu, const std::vector<uint32_t> &shader, VkPipelineCache cache,
                              VkPipelineLayout layout) {
  auto module = vkStruct<VkShaderModuleCreateInfo>(VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
  module.codeSize = shader.size() * sizeof(uint32_t);
  module.pCode = shader.data();
  auto library = vkStruct<VkGraphicsPipelineLibraryCreateInfoEXT>(
      VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT);
  library.flags = VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT;
  auto stage = vkStruct<VkPipelineShaderStageCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, &module);
  stage.stage = VK_SHADER_STAGE_VERTEX_BIT;
  stage.pName = "main";
  const VkDynamicState states[] = {VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT,
                                   VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT};
  auto dynamic = vkStruct<VkPipelineDynamicStateCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO);
  dynamic.dynamicStateCount = 2;
  dynamic.pDynamicStates = states;
  // The document leaves the rasteriser's state out, which is not dynamic.
  auto raster = vkStruct<VkPipelineRasterizationStateCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO);
  raster.lineWidth = 1;
  auto viewports = vkStruct<VkPipelineViewportStateCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO);
  auto info = vkStruct<VkGraphicsPipelineCreateInfo>(
      VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, &library);
  info.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR |
               VK_PIPELINE_CREATE_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT;
  info.stageCount = 1;
  info.pStages = &stage;
  info.layout = layout;
  info.pDynamicState = &dynamic;
  info.pRasterizationState = &raster;
  info.pViewportState = &viewports;
  const VkPipeline made = create(gpu, info, cache);
  gpu.destroyLater(made);
  return made;
}

/// The document's linkExecutable().
VkPipeline linkExecutable(Gpu &gpu, const std::vector<VkPipeline> &libraries, VkPipelineCache cache,
                          VkPipelineLayout layout, bool optimised) {
  auto linking =
      vkStruct<VkPipelineLibraryCreateInfoKHR>(VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR);
  linking.libraryCount = uint32_t(libraries.size());
  linking.pLibraries = libraries.data();
  auto info = vkStruct<VkGraphicsPipelineCreateInfo>(
      VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, &linking);
  info.flags = optimised ? VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT : 0;
  info.layout = layout;
  const VkPipeline made = create(gpu, info, cache);
  gpu.destroyLater(made);
  return made;
}

TEST_P(ProposalApi, GraphicsPipelineLibraries) {
  if (!gpu.hasExtension(VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME))
    GTEST_SKIP();
  LibraryScene scene(gpu);
  const LibraryState state;
  // One cache for each kind of library, one for what is linked.
  VkPipelineCache vertexShaders = makeCache(gpu), executables = makeCache(gpu);
  LibraryOptions options;
  options.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR |
                  VK_PIPELINE_CREATE_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT;
  const std::vector<VkPipeline> libraries = {
      scene.create(state, vertexInput, options),
      createVertexShader(gpu, gpu.spirv(state.vertexGlsl, "vert"), vertexShaders, scene.vertexOnly),
      scene.create(state, fragmentShader, options), scene.create(state, fragmentOutput, options)};
  auto setDynamic = [&](VkCommandBuffer c) {
    const VkViewport viewport = {0, 0, LibraryScene::side, LibraryScene::side, 0, 1};
    const VkRect2D scissor = {{0, 0}, {LibraryScene::side, LibraryScene::side}};
    gpu.vk.CmdSetViewportWithCount(c, 1, &viewport);
    gpu.vk.CmdSetScissorWithCount(c, 1, &scissor);
  };
  const VkPipeline fast = linkExecutable(gpu, libraries, executables, scene.whole, false);
  const VkPipeline optimised = linkExecutable(gpu, libraries, executables, scene.whole, true);
  EXPECT_EQ(scene.draw(fast, setDynamic), scene.expected(state));
  EXPECT_EQ(scene.draw(optimised, setDynamic), scene.expected(state));
  for (VkPipelineCache cache : {vertexShaders, executables})
    gpu.vk.DestroyPipelineCache(gpu.device, cache, nullptr);
}

//===--- VK_EXT_shader_module_identifier ----------------------------------===//

TEST_P(ProposalApi, ShaderModuleIdentifiers) {
  if (!gpu.hasExtension(VK_EXT_SHADER_MODULE_IDENTIFIER_EXTENSION_NAME))
    GTEST_SKIP();
  DrawCase draw(gpu);
  VkPipelineCache cache = makeCache(gpu);
  // Speculate that the pipeline is known.
  VkGraphicsPipelineCreateInfo &info = draw.info(21, Source::Identifier);
  info.flags = noCompile;
  VkPipeline pipeline = VK_NULL_HANDLE;
  const VkResult first =
      gpu.vk.CreateGraphicsPipelines(gpu.device, cache, 1, &info, nullptr, &pipeline);
  EXPECT_TRUE(first == VK_PIPELINE_COMPILE_REQUIRED || !gpu.isKiln());
  EXPECT_EQ(pipeline != VK_NULL_HANDLE, first == VK_SUCCESS);
  gpu.vk.DestroyPipeline(gpu.device, pipeline, nullptr);
  // It is not: fall back to SPIR-V. The next time it is.
  pipeline = create(gpu, draw.info(21), cache);
  EXPECT_TRUE(draw.works(pipeline, 21));
  gpu.vk.DestroyPipeline(gpu.device, pipeline, nullptr);
  pipeline = VK_NULL_HANDLE;
  draw.info(21, Source::Identifier).flags = noCompile;
  const VkResult second =
      gpu.vk.CreateGraphicsPipelines(gpu.device, cache, 1, &info, nullptr, &pipeline);
  EXPECT_TRUE(second == VK_SUCCESS || !gpu.isKiln());
  if (second == VK_SUCCESS) {
    EXPECT_TRUE(draw.works(pipeline, 21));
    gpu.vk.DestroyPipeline(gpu.device, pipeline, nullptr);
  }
  gpu.vk.DestroyPipelineCache(gpu.device, cache, nullptr);
}

//===--- Devices and processes --------------------------------------------===//

// What changes code is in the keys: devices with other options take nothing from each other.
TEST_P(ProposalApi, DevicesWithOtherOptions) {
  Gpu plain(GetParam(), nullptr, /*isRobust=*/false);
  ComputeCase robust(gpu), other(plain);
  VkPipelineCache cache = makeCache(gpu);
  VkPipeline pipeline = create(gpu, robust.info(31), cache);
  EXPECT_TRUE(robust.works(pipeline, 31));
  gpu.vk.DestroyPipeline(gpu.device, pipeline, nullptr);
  VkPipelineCache foreign = makeCache(plain, takeData(gpu, cache));
  VkPipelineCreationFeedback feedback = {}, stage = {};
  auto feedbackInfo = vkStruct<VkPipelineCreationFeedbackCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO);
  feedbackInfo.pPipelineCreationFeedback = &feedback;
  feedbackInfo.pipelineStageCreationFeedbackCount = 1;
  feedbackInfo.pPipelineStageCreationFeedbacks = &stage;
  pipeline = create(plain, other.info(31, Source::Module, &feedbackInfo), foreign);
  EXPECT_TRUE(other.works(pipeline, 31));
  if (gpu.isKiln())
    EXPECT_FALSE(feedback.flags & VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT);
  plain.vk.DestroyPipeline(plain.device, pipeline, nullptr);
  plain.vk.DestroyPipelineCache(plain.device, foreign, nullptr);
  if (!gpu.hasExtension(VK_KHR_PIPELINE_BINARY_EXTENSION_NAME))
    return;
  EXPECT_TRUE(pipelineKey(gpu, nullptr) != pipelineKey(plain, nullptr) || !gpu.isKiln());
  EXPECT_NE(pipelineKey(gpu, &robust.info(31)), pipelineKey(plain, &other.info(31)));
}

const char *const fileVariable = "API_TEST_FILE";

void writeBytes(std::ofstream &file, const void *bytes, size_t size) {
  const auto count = uint32_t(size);
  file.write(reinterpret_cast<const char *>(&count), sizeof(count));
  file.write(static_cast<const char *>(bytes), std::streamsize(size));
}

Data readBytes(std::ifstream &file) {
  uint32_t count = 0;
  file.read(reinterpret_cast<char *>(&count), sizeof(count));
  Data bytes(file ? count : 0);
  file.read(reinterpret_cast<char *>(bytes.data()), std::streamsize(bytes.size()));
  return bytes;
}

// The second half of the next test, in a process of its own, with what is in the file.
TEST_P(ProposalApi, DISABLED_SecondProcess) {
  const char *const path = std::getenv(fileVariable);
  if (!path)
    GTEST_SKIP();
  std::ifstream file(path, std::ios::binary);
  const Data identifier = readBytes(file), cacheData = readBytes(file);
  ComputeCase compute(gpu);
  VkShaderModuleIdentifierEXT &known = compute.shader.identifier;
  EXPECT_EQ(Data(known.identifier, known.identifier + known.identifierSize), identifier);
  VkPipelineCache cache = makeCache(gpu, cacheData);
  const bool byIdentifier = gpu.hasExtension(VK_EXT_SHADER_MODULE_IDENTIFIER_EXTENSION_NAME);
  VkComputePipelineCreateInfo &info =
      compute.info(41, byIdentifier ? Source::Identifier : Source::Module);
  info.flags = noCompile;
  VkPipeline pipeline = VK_NULL_HANDLE;
  const VkResult result =
      gpu.vk.CreateComputePipelines(gpu.device, cache, 1, &info, nullptr, &pipeline);
  EXPECT_TRUE(result == VK_SUCCESS || !gpu.isKiln());
  EXPECT_TRUE(result != VK_SUCCESS || compute.works(pipeline, 41));
  gpu.vk.DestroyPipeline(gpu.device, pipeline, nullptr);
  gpu.vk.DestroyPipelineCache(gpu.device, cache, nullptr);
  if (!gpu.hasExtension(VK_KHR_PIPELINE_BINARY_EXTENSION_NAME))
    return;
  EXPECT_EQ(pipelineKey(gpu, nullptr), readBytes(file));
  EXPECT_EQ(pipelineKey(gpu, &compute.info(41)), readBytes(file));
  Kept kept;
  for (Data key = readBytes(file); !key.empty(); key = readBytes(file)) {
    kept.keys.push_back(emptyKey());
    kept.keys.back().keySize = uint32_t(key.size());
    std::copy(key.begin(), key.end(), kept.keys.back().key);
    kept.data.push_back(readBytes(file));
  }
  Binaries binaries(gpu);
  VK_OK(binaries.fromKept(kept));
  const VkPipelineBinaryInfoKHR ofBinaries = binaries.info();
  pipeline = create(gpu, compute.info(41, Source::None, &ofBinaries));
  EXPECT_TRUE(compute.works(pipeline, 41));
  gpu.vk.DestroyPipeline(gpu.device, pipeline, nullptr);
}

/// Runs the second half on the same device.
int runSecondProcess(const std::string &path) {
  char self[4096] = {};
  if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
    return -1;
  const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
  const std::string command = std::string(fileVariable) + "='" + path + "' '" + self +
                              "' --gtest_also_run_disabled_tests --gtest_brief=1 "
                              "--gtest_filter='*ProposalApi.DISABLED_SecondProcess" +
                              name.substr(name.find('/')) + "'";
  return std::system(command.c_str());
}

TEST_P(ProposalApi, EverythingSurvivesAProcess) {
  const std::string path = testing::TempDir() + "api-" + std::to_string(getpid()) + ".bin";
  {
    std::ofstream file(path, std::ios::binary);
    ComputeCase compute(gpu);
    VkPipelineCache cache = makeCache(gpu);
    VkPipeline pipeline = create(gpu, compute.info(41), cache);
    gpu.vk.DestroyPipeline(gpu.device, pipeline, nullptr);
    const Data cacheData = takeData(gpu, cache);
    const VkShaderModuleIdentifierEXT &identifier = compute.shader.identifier;
    writeBytes(file, identifier.identifier, identifier.identifierSize);
    writeBytes(file, cacheData.data(), cacheData.size());
    if (gpu.hasExtension(VK_KHR_PIPELINE_BINARY_EXTENSION_NAME)) {
      const VkPipelineCreateFlags2CreateInfoKHR flags = captureData();
      pipeline = create(gpu, compute.info(41, Source::Module, &flags));
      Binaries binaries(gpu);
      VK_OK(binaries.fromPipeline(pipeline));
      gpu.vk.DestroyPipeline(gpu.device, pipeline, nullptr);
      const Kept kept = binaries.keep();
      const Key global = pipelineKey(gpu, nullptr), key = pipelineKey(gpu, &compute.info(41));
      writeBytes(file, global.data(), global.size());
      writeBytes(file, key.data(), key.size());
      for (size_t i = 0; i < kept.keys.size(); ++i) {
        writeBytes(file, kept.keys[i].key, kept.keys[i].keySize);
        writeBytes(file, kept.data[i].data(), kept.data[i].size());
      }
    }
  }
  EXPECT_EQ(runSecondProcess(path), 0);
  std::remove(path.c_str());
}

} // namespace
} // namespace api
