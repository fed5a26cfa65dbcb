// SPDX-License-Identifier: MIT
// Caches of Vulkan SC from the outside: JSON and SPIR-V -> kiln-pcc -> the driver, which finds
// pipelines by identifier and executes them. kiln-pcc lies beside this program.
#include "OfflineCompiler.h"
#include "PipelineJson.h"
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <thread>

namespace api {
namespace {

using namespace icd::sc;

/// First byte of a pipeline's identifier.
uint8_t nameOf(bool isDraw, uint32_t number) {
  return static_cast<uint8_t>((isDraw ? 0x80 : 0) + number);
}

Identifier identifierOf(bool isDraw, uint32_t number) {
  return {nameOf(isDraw, number), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 255};
}

std::string pipelineJson(bool isDraw, uint32_t number) {
  const int constant = static_cast<int>(number);
  if (!isDraw)
    return computeJson(identifierOf(isDraw, number),
                       layoutJson({{"buffers", {bindingJson(0, "STORAGE_BUFFER")}}}, ""),
                       "shader.comp.spv", stageJson("COMPUTE", constant));
  GraphicsJson json;
  json.fragment = stageJson("FRAGMENT", constant);
  json.next = R"({"sType": "VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO", "pNext": "NULL",
    "viewMask": 0, "colorAttachmentCount": 1,
    "pColorAttachmentFormats": ["VK_FORMAT_R32G32B32A32_UINT"],
    "depthAttachmentFormat": "VK_FORMAT_UNDEFINED",
    "stencilAttachmentFormat": "VK_FORMAT_UNDEFINED"})";
  return json.text(identifierOf(isDraw, number));
}

OfflineInfo offlineInfo(bool isDraw, uint32_t number) {
  OfflineInfo info;
  std::ranges::copy(identifierOf(isDraw, number), info.pipelineIdentifier);
  info.poolEntrySize = 1 << 20;
  return info;
}

constexpr uint32_t count = 4; ///< pipelines of a kind

class OfflineCacheApi : public ApiTest {
protected:
  void SetUp() override {
    if (const char *reason = OfflineCompiler::reasonToSkip(gpu))
      GTEST_SKIP() << reason;
    addShader(compute.shader, "shader.comp.spv");
    addShader(draw.vertex, "shader.vert.spv");
    addShader(draw.fragment, "shader.frag.spv");
    for (bool isDraw : {false, true})
      for (uint32_t number = 0; number < count; ++number)
        compiler.addPipeline("p" + std::to_string(nameOf(isDraw, number)) + ".json",
                             pipelineJson(isDraw, number));
  }
  void addShader(const Shader &shader, const char *name) {
    compiler.addModule(name, shader.inlined.pCode, shader.inlined.codeSize);
  }

  VkPipeline pipeline(VkPipelineCache cache, bool isDraw, uint32_t number) {
    const OfflineInfo info = offlineInfo(isDraw, number);
    // What specializes it at run time is not looked at.
    return isDraw ? create(gpu, draw.info(99, Source::None, &info), cache)
                  : create(gpu, compute.info(99, Source::None, &info), cache);
  }
  bool works(VkPipeline pipeline, bool isDraw, uint32_t number) {
    return isDraw ? draw.works(pipeline, number) : compute.works(pipeline, number);
  }

  OfflineCompiler compiler{gpu};
  ComputeCase compute{gpu};
  DrawCase draw{gpu};
};
API_TESTS_ON_ALL_DEVICES(OfflineCacheApi);

TEST_P(OfflineCacheApi, PipelinesOfKilnPccExecute) {
  for (const char *options : {"", "--debug"}) {
    std::vector<uint8_t> data = compiler.compileForDevice(options);
    const std::vector<uint8_t> before = data;
    VkPipelineCache cache = compiler.open(data);
    std::vector<VkPipeline> pipelines;
    for (bool isDraw : {false, true})
      for (uint32_t number = 0; number < count; ++number) {
        pipelines.push_back(pipeline(cache, isDraw, number));
        ASSERT_NE(pipelines.back(), VkPipeline(VK_NULL_HANDLE));
        EXPECT_TRUE(works(pipelines.back(), isDraw, number)) << isDraw << number;
      }
    EXPECT_EQ(data, before);
    // Pipelines outlive the cache and its data.
    gpu.vk.DestroyPipelineCache(gpu.device, cache, nullptr);
    std::fill(data.begin(), data.end(), 0xFF);
    for (size_t i = 0; i < pipelines.size(); ++i) {
      EXPECT_TRUE(works(pipelines[i], i >= count, i % count)) << i;
      gpu.vk.DestroyPipeline(gpu.device, pipelines[i], nullptr);
    }
  }
}

TEST_P(OfflineCacheApi, OnePipelineThatIsMissingLeavesTheOthers) {
  const std::vector<uint8_t> data = compiler.compileForDevice();
  VkPipelineCache cache = compiler.open(data);
  const OfflineInfo infos[] = {offlineInfo(false, 0), offlineInfo(false, count),
                               offlineInfo(false, 2)};
  std::vector<VkComputePipelineCreateInfo> creates;
  for (const OfflineInfo &info : infos)
    creates.push_back(compute.info(0, Source::None, &info));
  VkPipeline pipelines[3] = {};
  EXPECT_EQ(gpu.vk.CreateComputePipelines(gpu.device, cache, 3, creates.data(), nullptr, pipelines),
            errorNoPipelineMatch);
  EXPECT_TRUE(compute.works(pipelines[0], 0));
  EXPECT_EQ(pipelines[1], VkPipeline(VK_NULL_HANDLE));
  EXPECT_TRUE(compute.works(pipelines[2], 2));
  for (VkPipeline made : pipelines)
    gpu.vk.DestroyPipeline(gpu.device, made, nullptr);
  gpu.vk.DestroyPipelineCache(gpu.device, cache, nullptr);
}

TEST_P(OfflineCacheApi, ThreadsShareACache) {
  const std::vector<uint8_t> data = compiler.compileForDevice();
  VkPipelineCache cache = compiler.open(data);
  constexpr unsigned threads = 4;
  std::vector<VkPipeline> pipelines(threads * count);
  const VkComputePipelineCreateInfo common = compute.info(0, Source::None);
  std::vector<std::thread> running;
  for (unsigned thread = 0; thread < threads; ++thread)
    running.emplace_back([&, thread] {
      for (uint32_t number = 0; number < count; ++number) {
        const OfflineInfo info = offlineInfo(false, number);
        VkComputePipelineCreateInfo create = common;
        create.pNext = &info;
        VK_OK(gpu.vk.CreateComputePipelines(gpu.device, cache, 1, &create, nullptr,
                                            &pipelines[thread * count + number]));
      }
    });
  for (std::thread &thread : running)
    thread.join();
  for (uint32_t i = 0; i < pipelines.size(); ++i) {
    EXPECT_TRUE(compute.works(pipelines[i], i % count)) << i;
    gpu.vk.DestroyPipeline(gpu.device, pipelines[i], nullptr);
  }
  gpu.vk.DestroyPipelineCache(gpu.device, cache, nullptr);
}

TEST_P(OfflineCacheApi, CachesForOtherTargetsAreRefused) {
  const bool isNavi10 = std::strstr(gpu.properties.deviceName, "gfx1010");
  VkPipelineCache cache = VK_NULL_HANDLE;
  const std::vector<uint8_t> data =
      compiler.compile(isNavi10 ? "--chip gfx1030" : "--chip gfx1010");
  EXPECT_EQ(compiler.tryOpen(data, cache), errorInvalidCacheData);
  EXPECT_EQ(cache, VkPipelineCache(VK_NULL_HANDLE));
}

/// As CacheTimesTest: microseconds of CPU time of the calling thread a call, medians.
TEST_P(OfflineCacheApi, DISABLED_Times) {
  const std::vector<uint8_t> data = compiler.compileForDevice();
  constexpr unsigned rounds = 101;
  std::array<std::vector<double>, 3> times;
  auto add = [&](unsigned kind, unsigned calls, auto call) {
    timespec begin, end;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
    call();
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
    times[kind].push_back(
        (double(end.tv_sec - begin.tv_sec) * 1e6 + double(end.tv_nsec - begin.tv_nsec) / 1e3) /
        calls);
  };
  for (unsigned round = 0; round < rounds; ++round) {
    VkPipelineCache cache = VK_NULL_HANDLE;
    add(0, 1, [&] { cache = compiler.open(data); });
    std::vector<VkPipeline> pipelines;
    for (unsigned kind : {1, 2}) // the first time, and again
      add(kind, count, [&] {
        for (uint32_t number = 0; number < count; ++number)
          pipelines.push_back(pipeline(cache, false, number));
      });
    for (VkPipeline made : pipelines)
      gpu.vk.DestroyPipeline(gpu.device, made, nullptr);
    gpu.vk.DestroyPipelineCache(gpu.device, cache, nullptr);
  }
  const char *const names[] = {"vkCreatePipelineCache, offline", "compute, first hit offline",
                               "compute, hit offline"};
  for (unsigned kind = 0; kind < times.size(); ++kind) {
    std::sort(times[kind].begin(), times[kind].end());
    std::printf("%-44s %8.2f us\n", names[kind], times[kind][rounds / 2]);
  }
}

} // namespace
} // namespace api
