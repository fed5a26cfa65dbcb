// SPDX-License-Identifier: MIT
// How long pipelines take that are not compiled. Not part of the tests, since it judges nothing:
//     kiln-api-tests --gtest_also_run_disabled_tests --gtest_filter='*Times*'
// runs on any driver that VK_DRIVER_FILES names, Mesa's RADV without a GPU (RADV_FORCE_FAMILY)
// included. Microseconds of CPU time of the calling thread a call, medians.
#include "Pipelines.h"
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <memory>
#include <thread>

namespace api {
namespace {

using CacheTimes = ApiTest;
API_TESTS_ON_ALL_DEVICES(CacheTimes);

constexpr unsigned rounds = 31, perRound = 64;

double cpuMicroseconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) * 1e6 + double(now.tv_nsec) / 1e3;
}

/// Median of a call of \p call(i), i below perRound; \p before and \p after are not timed.
template <typename Before, typename Call, typename After>
void time(const char *name, Before before, Call call, After after) {
  std::vector<double> times;
  for (unsigned round = 0; round < rounds; ++round) {
    before();
    const double begin = cpuMicroseconds();
    for (unsigned i = 0; i < perRound; ++i)
      call(i);
    times.push_back((cpuMicroseconds() - begin) / perRound);
    after();
  }
  std::sort(times.begin(), times.end());
  std::printf("%-44s %8.2f us\n", name, times[rounds / 2]);
}

const auto nothing = [] {};

VkPipelineCache makeCache(Gpu &gpu, const std::vector<uint8_t> &data = {}) {
  auto info = vkStruct<VkPipelineCacheCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO);
  info.initialDataSize = data.size();
  info.pInitialData = data.data();
  VkPipelineCache cache = VK_NULL_HANDLE;
  VK_OK(gpu.vk.CreatePipelineCache(gpu.device, &info, nullptr, &cache));
  return cache;
}

template <typename Case> class Times {
public:
  Times(Gpu &gpu, unsigned device, const char *kind)
      : gpu(gpu), device(device), kind(kind), of(gpu) {}

  void run() {
    cache = makeCache(gpu);
    // Warm, and the code of all numbers.
    for (unsigned i = 0; i < perRound; ++i)
      make(i, cache);
    destroy();
    size_t size = 0;
    VK_OK(gpu.vk.GetPipelineCacheData(gpu.device, cache, &size, nullptr));
    data.resize(size);
    VK_OK(gpu.vk.GetPipelineCacheData(gpu.device, cache, &size, data.data()));
    std::printf("%-44s %8.0f bytes\n", label("data a pipeline").c_str(), double(size) / perRound);
    hits();
    firstHits();
    misses();
    keysAndBinaries();
    gpu.vk.DestroyPipelineCache(gpu.device, cache, nullptr);
  }

private:
  std::string label(const char *what) const { return std::string(kind) + ", " + what; }
  auto &info(uint32_t number, Source source = Source::Module, const void *next = nullptr) {
    return of.info(number, source, next);
  }
  template <typename Info>
  VkResult call(Gpu &on, const Info &info, VkPipelineCache from, VkPipeline &pipeline) {
    if constexpr (std::is_same_v<Case, ComputeCase>)
      return on.vk.CreateComputePipelines(on.device, from, 1, &info, nullptr, &pipeline);
    else
      return on.vk.CreateGraphicsPipelines(on.device, from, 1, &info, nullptr, &pipeline);
  }
  void make(uint32_t number, VkPipelineCache from) {
    VkPipeline pipeline = VK_NULL_HANDLE;
    EXPECT_EQ(call(gpu, info(number), from, pipeline), VK_SUCCESS);
    made.push_back(pipeline);
  }
  void destroy() {
    for (VkPipeline pipeline : made)
      gpu.vk.DestroyPipeline(gpu.device, pipeline, nullptr);
    made.clear();
  }

  void hits() {
    time(
        label("hit in the same cache").c_str(), nothing, [&](unsigned) { make(1, cache); },
        [&] { destroy(); });
    time(
        label("hit in the driver's cache").c_str(), nothing,
        [&](unsigned) { make(1, VK_NULL_HANDLE); }, [&] { destroy(); });
  }

  /// On a device whose own cache has nothing, each pipeline for the first time.
  void firstHits() {
    std::unique_ptr<Gpu> later;
    std::unique_ptr<Case> other;
    VkPipelineCache loaded = VK_NULL_HANDLE;
    std::vector<VkPipeline> pipelines;
    time(
        label("first hit from loaded data").c_str(),
        [&] {
          if (!later) {
            later = std::make_unique<Gpu>(device);
            other = std::make_unique<Case>(*later);
          }
          loaded = makeCache(*later, data);
        },
        [&](unsigned i) {
          VkPipeline pipeline = VK_NULL_HANDLE;
          EXPECT_EQ(call(*later, other->info(i), loaded, pipeline), VK_SUCCESS);
          pipelines.push_back(pipeline);
        },
        [&] {
          for (VkPipeline pipeline : pipelines)
            later->vk.DestroyPipeline(later->device, pipeline, nullptr);
          pipelines.clear();
          later->vk.DestroyPipelineCache(later->device, loaded, nullptr);
        });
  }

  void misses() {
    time(
        label("a compile is required").c_str(), nothing,
        [&](unsigned i) {
          auto &wanted = info(5000 + i);
          wanted.flags = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
          VkPipeline pipeline = VK_NULL_HANDLE;
          EXPECT_EQ(call(gpu, wanted, cache, pipeline), VK_PIPELINE_COMPILE_REQUIRED);
        },
        nothing);
  }

  void keysAndBinaries() {
    if (gpu.hasExtension(VK_EXT_SHADER_MODULE_IDENTIFIER_EXTENSION_NAME)) {
      Shader shader(gpu, "#version 450\nvoid main() {}", "comp");
      time(
          "identifier of a module", nothing,
          [&](unsigned) {
            gpu.vk.GetShaderModuleIdentifierEXT(gpu.device, shader.module, &shader.identifier);
          },
          nothing);
      time(
          "identifier of a create info", nothing,
          [&](unsigned) {
            gpu.vk.GetShaderModuleCreateInfoIdentifierEXT(gpu.device, &shader.inlined,
                                                          &shader.identifier);
          },
          nothing);
    }
    if (!gpu.hasExtension(VK_KHR_PIPELINE_BINARY_EXTENSION_NAME))
      return;
    auto &described = info(1);
    auto pipelineInfo =
        vkStruct<VkPipelineCreateInfoKHR>(VK_STRUCTURE_TYPE_PIPELINE_CREATE_INFO_KHR, &described);
    auto key = vkStruct<VkPipelineBinaryKeyKHR>(VK_STRUCTURE_TYPE_PIPELINE_BINARY_KEY_KHR);
    time(
        label("pipeline key").c_str(), nothing,
        [&](unsigned) { VK_OK(gpu.vk.GetPipelineKeyKHR(gpu.device, &pipelineInfo, &key)); },
        nothing);
    auto flags = vkStruct<VkPipelineCreateFlags2CreateInfoKHR>(
        VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR);
    flags.flags = VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR;
    VkPipeline pipeline = VK_NULL_HANDLE;
    VK_OK(call(gpu, info(1, Source::Module, &flags), VK_NULL_HANDLE, pipeline));
    auto from =
        vkStruct<VkPipelineBinaryCreateInfoKHR>(VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR);
    from.pipeline = pipeline;
    VkPipelineBinaryKHR binaries[8] = {};
    auto handles = vkStruct<VkPipelineBinaryHandlesInfoKHR>(
        VK_STRUCTURE_TYPE_PIPELINE_BINARY_HANDLES_INFO_KHR);
    handles.pipelineBinaryCount = 8;
    handles.pPipelineBinaries = binaries;
    VK_OK(gpu.vk.CreatePipelineBinariesKHR(gpu.device, &from, nullptr, &handles));
    gpu.vk.DestroyPipeline(gpu.device, pipeline, nullptr);
    auto binaryInfo = vkStruct<VkPipelineBinaryInfoKHR>(VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR);
    binaryInfo.binaryCount = handles.pipelineBinaryCount;
    binaryInfo.pPipelineBinaries = binaries;
    time(
        label("pipeline from binaries").c_str(), nothing,
        [&](unsigned) {
          VkPipeline one = VK_NULL_HANDLE;
          VK_OK(call(gpu, info(1, Source::None, &binaryInfo), VK_NULL_HANDLE, one));
          made.push_back(one);
        },
        [&] { destroy(); });
    for (uint32_t i = 0; i < handles.pipelineBinaryCount; ++i)
      gpu.vk.DestroyPipelineBinaryKHR(gpu.device, binaries[i], nullptr);
  }

  Gpu &gpu;
  const unsigned device;
  const char *const kind;
  Case of;
  VkPipelineCache cache = VK_NULL_HANDLE;
  std::vector<uint8_t> data;
  std::vector<VkPipeline> made;
};

TEST_P(CacheTimes, DISABLED_Pipelines) {
  Times<ComputeCase>(gpu, GetParam(), "compute").run();
  Times<DrawCase>(gpu, GetParam(), "graphics").run();
}

/// Hits in one cache by one thread and by two.
TEST_P(CacheTimes, DISABLED_Threads) {
  VkPipelineCache cache = makeCache(gpu);
  std::vector<std::unique_ptr<ComputeCase>> cases;
  for (unsigned i = 0; i < 2; ++i)
    cases.push_back(std::make_unique<ComputeCase>(gpu));
  for (uint32_t number = 0; number < 64; ++number) {
    VkPipeline pipeline = create(gpu, cases[0]->info(number), cache);
    gpu.vk.DestroyPipeline(gpu.device, pipeline, nullptr);
  }
  constexpr unsigned each = 200'000;
  auto run = [&](unsigned threads) {
    const auto begin = std::chrono::steady_clock::now();
    std::vector<std::thread> running;
    for (unsigned thread = 0; thread < threads; ++thread)
      running.emplace_back([&, thread] {
        for (unsigned i = 0; i < each; ++i) {
          VkPipeline pipeline = VK_NULL_HANDLE;
          const VkComputePipelineCreateInfo &info = cases[thread]->info((i * 7 + thread) % 64);
          gpu.vk.CreateComputePipelines(gpu.device, cache, 1, &info, nullptr, &pipeline);
          gpu.vk.DestroyPipeline(gpu.device, pipeline, nullptr);
        }
      });
    for (std::thread &thread : running)
      thread.join();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    return threads * each / took.count() / 1e6;
  };
  std::vector<double> ratios;
  for (unsigned round = 0; round < 5; ++round) {
    const double one = run(1), two = run(2);
    std::printf("hits a microsecond: one thread %.2f, two threads %.2f\n", one, two);
    ratios.push_back(two / one);
  }
  std::sort(ratios.begin(), ratios.end());
  std::printf("two threads: %.2f times one\n", ratios[2]);
  gpu.vk.DestroyPipelineCache(gpu.device, cache, nullptr);
}

} // namespace
} // namespace api
