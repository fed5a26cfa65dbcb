// SPDX-License-Identifier: MIT
// Pipeline caches and module identifiers: pipelines that come from them need no compile and compute
// the same. Drivers that do not promise that are only asked not to be wrong.
#include "Pipelines.h"
#include <cstring>
#include <memory>
#include <thread>

namespace api {
namespace {

using CacheApi = ApiTest;
API_TESTS_ON_ALL_DEVICES(CacheApi);

constexpr VkPipelineCreateFlags noCompile =
    VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
constexpr uint32_t count = 3; ///< pipelines of a kind

VkPipelineCache makeCache(Gpu &gpu, const std::vector<uint8_t> &data = {},
                          VkPipelineCacheCreateFlags flags = 0) {
  auto info = vkStruct<VkPipelineCacheCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO);
  info.flags = flags;
  info.initialDataSize = data.size();
  info.pInitialData = data.data();
  VkPipelineCache cache = VK_NULL_HANDLE;
  VK_OK(gpu.vk.CreatePipelineCache(gpu.device, &info, nullptr, &cache));
  return cache;
}

std::vector<uint8_t> dataOf(Gpu &gpu, VkPipelineCache cache) {
  size_t size = 0;
  VK_OK(gpu.vk.GetPipelineCacheData(gpu.device, cache, &size, nullptr));
  std::vector<uint8_t> data(size);
  VK_OK(gpu.vk.GetPipelineCacheData(gpu.device, cache, &size, data.data()));
  data.resize(size);
  return data;
}

/// Creates pipelines with feedback, executes them, and destroys them.
class Runner {
public:
  explicit Runner(Gpu &gpu, Constant constant = Constant::Size)
      : gpu(gpu), compute(gpu, constant), draw(gpu, constant) {}

  /// Whether the application's cache was hit; -1: a compile would be needed.
  int run(VkPipelineCache cache, uint32_t number, bool isDraw, VkPipelineCreateFlags flags = 0,
          Source source = Source::Module) {
    VkPipelineCreationFeedback whole = {}, stages[2] = {{~0u, ~0ull}, {~0u, ~0ull}};
    auto feedback = vkStruct<VkPipelineCreationFeedbackCreateInfo>(
        VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO);
    feedback.pPipelineCreationFeedback = &whole;
    feedback.pipelineStageCreationFeedbackCount = isDraw ? 2 : 1;
    feedback.pPipelineStageCreationFeedbacks = stages;
    VkPipeline pipeline = VK_NULL_HANDLE;
    VkResult result = VK_SUCCESS;
    if (isDraw) {
      VkGraphicsPipelineCreateInfo &info = draw.info(number, source, &feedback);
      info.flags = flags;
      result = gpu.vk.CreateGraphicsPipelines(gpu.device, cache, 1, &info, nullptr, &pipeline);
    } else {
      VkComputePipelineCreateInfo &info = compute.info(number, source, &feedback);
      info.flags = flags;
      result = gpu.vk.CreateComputePipelines(gpu.device, cache, 1, &info, nullptr, &pipeline);
    }
    if (result == VK_PIPELINE_COMPILE_REQUIRED && (flags & noCompile)) {
      EXPECT_EQ(pipeline, VkPipeline(VK_NULL_HANDLE));
      return -1;
    }
    EXPECT_EQ(result, VK_SUCCESS);
    expectOwnFeedback(whole, {stages, stages + (isDraw ? 2 : 1)});
    EXPECT_TRUE(isDraw ? draw.works(pipeline, number) : compute.works(pipeline, number)) << number;
    gpu.vk.DestroyPipeline(gpu.device, pipeline, nullptr);
    return whole.flags & VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT ? 1 : 0;
  }

  /// The only stage took as long as the pipeline. What says nothing has no other bits, and several
  /// stages together do not take longer than the pipeline.
  static void expectOwnFeedback(const VkPipelineCreationFeedback &whole,
                                const std::vector<VkPipelineCreationFeedback> &stages) {
    uint64_t sum = 0;
    for (const VkPipelineCreationFeedback &stage : stages) {
      const bool isValid = stage.flags & VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT;
      EXPECT_TRUE(isValid || !stage.flags);
      sum += isValid ? stage.duration : 0;
    }
    EXPECT_LE(sum, whole.duration);
  }

  Gpu &gpu;
  ComputeCase compute;
  DrawCase draw;
};

/// Data of a cache with pipelines 1 to `count` of each kind.
std::vector<uint8_t> filledData(Gpu &gpu) {
  Runner runner(gpu);
  VkPipelineCache cache = makeCache(gpu);
  for (uint32_t number = 1; number <= count; ++number)
    for (bool isDraw : {false, true})
      runner.run(cache, number, isDraw);
  std::vector<uint8_t> data = dataOf(gpu, cache);
  gpu.vk.DestroyPipelineCache(gpu.device, cache, nullptr);
  return data;
}

TEST_P(CacheApi, HitsAreToldApart) {
  if (!gpu.isKiln())
    GTEST_SKIP(); // others need not say so
  Runner runner(gpu);
  VkPipelineCache cache = makeCache(gpu);
  for (bool isDraw : {false, true}) {
    EXPECT_EQ(runner.run(cache, 1, isDraw), 0);
    EXPECT_EQ(runner.run(cache, 1, isDraw), 1);
    EXPECT_EQ(runner.run(VK_NULL_HANDLE, 1, isDraw, noCompile), 0); // the driver's own cache
    if (gpu.hasExtension(VK_KHR_MAINTENANCE_5_EXTENSION_NAME))
      EXPECT_EQ(runner.run(cache, 1, isDraw, noCompile, Source::Inline), 1);
    EXPECT_EQ(runner.run(cache, 2, isDraw, noCompile), -1);
    // What the driver's own cache had goes to the application's.
    EXPECT_EQ(runner.run(VK_NULL_HANDLE, 2, isDraw), 0);
    EXPECT_EQ(runner.run(cache, 2, isDraw, noCompile), 0);
    EXPECT_EQ(runner.run(cache, 2, isDraw, noCompile), 1);
  }
  gpu.vk.DestroyPipelineCache(gpu.device, cache, nullptr);
}

/// Code may be linked first, and something better be compiled in the background: the application's
/// data has one of the two.
TEST_P(CacheApi, DataHasCodeWhoseConstantsWereLinked) {
  std::vector<uint8_t> data;
  {
    Runner runner(gpu, Constant::Value);
    VkPipelineCache cache = makeCache(gpu);
    for (uint32_t number = 1; number <= count; ++number)
      for (bool isDraw : {false, true})
        EXPECT_EQ(runner.run(cache, number, isDraw), 0);
    data = dataOf(gpu, cache);
    for (uint32_t number = 1; number <= count; ++number)
      for (bool isDraw : {false, true})
        EXPECT_TRUE(runner.run(cache, number, isDraw) || !gpu.isKiln());
    gpu.vk.DestroyPipelineCache(gpu.device, cache, nullptr);
  }
  Gpu later(GetParam());
  Runner runner(later, Constant::Value);
  VkPipelineCache cache = makeCache(later, data);
  for (uint32_t number = 1; number <= count; ++number)
    for (bool isDraw : {false, true}) {
      const int hit = runner.run(cache, number, isDraw, noCompile);
      EXPECT_TRUE(hit == 1 || !gpu.isKiln()) << number;
    }
  later.vk.DestroyPipelineCache(later.device, cache, nullptr);
}

TEST_P(CacheApi, DataMakesTheSamePipelinesOnANewDevice) {
  const std::vector<uint8_t> data = filledData(gpu);
  Gpu later(GetParam());
  Runner runner(later);
  VkPipelineCache cache =
      makeCache(later, data, VK_PIPELINE_CACHE_CREATE_EXTERNALLY_SYNCHRONIZED_BIT);
  for (uint32_t number = 1; number <= count; ++number)
    for (bool isDraw : {false, true}) {
      const int hit = runner.run(cache, number, isDraw, noCompile);
      EXPECT_TRUE(hit == 1 || !gpu.isKiln()) << number;
    }
  if (gpu.isKiln()) {
    EXPECT_EQ(runner.run(cache, 9, false, noCompile), -1);
    EXPECT_EQ(dataOf(later, cache), data);
  }
  later.vk.DestroyPipelineCache(later.device, cache, nullptr);
  EXPECT_EQ(later.validationMessages, 0u);
}

TEST_P(CacheApi, MergedCachesHaveEverything) {
  Runner runner(gpu);
  VkPipelineCache first = makeCache(gpu), second = makeCache(gpu), third = makeCache(gpu);
  runner.run(first, 1, false);
  runner.run(second, 2, false);
  runner.run(second, 1, true);
  VkPipelineCache packed = makeCache(gpu, dataOf(gpu, second));
  const VkPipelineCache from[] = {first, packed};
  VK_OK(gpu.vk.MergePipelineCaches(gpu.device, third, 2, from));
  for (VkPipelineCache cache : {first, second, packed})
    gpu.vk.DestroyPipelineCache(gpu.device, cache, nullptr);
  for (auto [number, isDraw] : {std::pair{1u, false}, std::pair{2u, false}, std::pair{1u, true}}) {
    const int hit = runner.run(third, number, isDraw, noCompile);
    EXPECT_TRUE(hit == 1 || !gpu.isKiln()) << number;
  }
  gpu.vk.DestroyPipelineCache(gpu.device, third, nullptr);
}

TEST_P(CacheApi, IncompleteDataIsUsable) {
  const std::vector<uint8_t> data = filledData(gpu);
  VkPipelineCache cache = makeCache(gpu, data);
  const size_t whole = dataOf(gpu, cache).size();
  Gpu later(GetParam());
  Runner runner(later);
  uint32_t last = 0;
  for (size_t limit : {size_t(0), size_t(31), size_t(32), whole / 3, whole / 2, whole - 1, whole}) {
    std::vector<uint8_t> part(whole + 64, 0xEE);
    size_t size = limit;
    EXPECT_EQ(gpu.vk.GetPipelineCacheData(gpu.device, cache, &size, part.data()),
              limit < whole ? VK_INCOMPLETE : VK_SUCCESS);
    EXPECT_LE(size, limit);
    for (size_t i = limit; i < part.size(); ++i)
      EXPECT_EQ(part[i], 0xEE);
    part.resize(size);
    VkPipelineCache read = makeCache(later, part);
    uint32_t hits = 0;
    for (uint32_t number = 1; number <= count; ++number)
      hits += runner.run(read, number, false, noCompile) == 1;
    last = hits;
    later.vk.DestroyPipelineCache(later.device, read, nullptr);
  }
  EXPECT_TRUE(last == count || !gpu.isKiln());
  gpu.vk.DestroyPipelineCache(gpu.device, cache, nullptr);
  EXPECT_EQ(later.validationMessages, 0u);
}

TEST_P(CacheApi, DamagedAndForeignDataIsNeverUsed) {
  if (!gpu.isKiln())
    GTEST_SKIP(); // others crash
  const std::vector<uint8_t> data = filledData(gpu);
  Gpu later(GetParam());
  Runner runner(later);
  for (size_t at = 0; at < data.size(); at += at < 64 ? 1 : data.size() / 37 + 1) {
    std::vector<uint8_t> damaged = data;
    damaged[at] ^= 0x10;
    VkPipelineCache cache = makeCache(later, damaged);
    // Whatever it says, what comes out is right.
    for (bool isDraw : {false, true})
      runner.run(cache, 1 + uint32_t(at % count), isDraw, noCompile);
    later.vk.DestroyPipelineCache(later.device, cache, nullptr);
  }
  // Of another GPU: its code must not be taken.
  for (size_t other = 0; other < Gpu::deviceNames().size(); ++other)
    if (other != GetParam()) {
      Gpu stranger{unsigned(other)};
      VkPipelineCache cache = makeCache(stranger, data);
      Runner strangers(stranger);
      // With KILN_PARTS=sync it is linked of a part that its module has brought.
      EXPECT_LE(strangers.run(cache, 1, false, noCompile), 0);
      stranger.vk.DestroyPipelineCache(stranger.device, cache, nullptr);
      break;
    }
}

TEST_P(CacheApi, ThreadsShareACache) {
  VkPipelineCache cache = makeCache(gpu);
  // Objects of a Gpu are made by one thread.
  std::vector<std::unique_ptr<ComputeCase>> cases;
  std::vector<std::thread> threads;
  for (uint32_t seed = 0; seed < 3; ++seed)
    cases.push_back(std::make_unique<ComputeCase>(gpu));
  for (uint32_t seed = 0; seed < 3; ++seed)
    threads.emplace_back([&, seed] {
      for (uint32_t i = 0; i < 12; ++i) {
        VkPipeline pipeline = create(gpu, cases[seed]->info(1 + (i + seed) % 5), cache);
        gpu.vk.DestroyPipeline(gpu.device, pipeline, nullptr);
        if (i % 4 == seed) {
          std::vector<uint8_t> data(1 << 20);
          size_t size = data.size();
          const VkResult result =
              gpu.vk.GetPipelineCacheData(gpu.device, cache, &size, data.data());
          EXPECT_TRUE(result == VK_SUCCESS || result == VK_INCOMPLETE);
          EXPECT_GE(size, 32u);
        }
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  Runner runner(gpu);
  for (uint32_t number = 1; number <= 5; ++number)
    runner.run(cache, number, false);
  gpu.vk.DestroyPipelineCache(gpu.device, cache, nullptr);
}

//===--- VK_EXT_shader_module_identifier ----------------------------------===//

TEST_P(CacheApi, IdentifiersStandForModules) {
  if (!gpu.hasExtension(VK_EXT_SHADER_MODULE_IDENTIFIER_EXTENSION_NAME))
    GTEST_SKIP();
  VkPipelineCache cache = makeCache(gpu);
  Runner runner(gpu);
  // The object and the create info have the same one; other modules have others.
  Shader &shader = runner.compute.shader;
  auto fromInfo =
      vkStruct<VkShaderModuleIdentifierEXT>(VK_STRUCTURE_TYPE_SHADER_MODULE_IDENTIFIER_EXT);
  gpu.vk.GetShaderModuleCreateInfoIdentifierEXT(gpu.device, &shader.inlined, &fromInfo);
  auto bytes = [](const VkShaderModuleIdentifierEXT &id) {
    return std::vector<uint8_t>(id.identifier, id.identifier + id.identifierSize);
  };
  EXPECT_GT(fromInfo.identifierSize, 0u);
  EXPECT_LE(fromInfo.identifierSize, uint32_t(VK_MAX_SHADER_MODULE_IDENTIFIER_SIZE_EXT));
  EXPECT_EQ(bytes(fromInfo), bytes(shader.identifier));
  EXPECT_NE(bytes(fromInfo), bytes(runner.draw.vertex.identifier));
  EXPECT_NE(bytes(runner.draw.fragment.identifier), bytes(runner.draw.vertex.identifier));
  // Nothing is known of them yet.
  for (bool isDraw : {false, true}) {
    const int before = runner.run(cache, 70, isDraw, noCompile, Source::Identifier);
    EXPECT_TRUE(before == -1 || !gpu.isKiln());
    runner.run(cache, 70, isDraw);
    const int after = runner.run(cache, 70, isDraw, noCompile, Source::Identifier);
    EXPECT_TRUE(after == 1 || !gpu.isKiln());
    const int own = runner.run(VK_NULL_HANDLE, 70, isDraw, noCompile, Source::Identifier);
    EXPECT_TRUE(own == 0 || !gpu.isKiln());
    // Another pipeline with the same modules is another one.
    const int other = runner.run(cache, 71, isDraw, noCompile, Source::Identifier);
    EXPECT_TRUE(other == -1 || !gpu.isKiln());
  }
  // A new device, as in a new process, has the cache's data and identifiers only.
  const std::vector<uint8_t> data = dataOf(gpu, cache);
  gpu.vk.DestroyPipelineCache(gpu.device, cache, nullptr);
  Gpu later(GetParam());
  Runner runs(later);
  cache = makeCache(later, data);
  EXPECT_EQ(bytes(runs.compute.shader.identifier), bytes(fromInfo));
  for (bool isDraw : {false, true}) {
    const int hit = runs.run(cache, 70, isDraw, noCompile, Source::Identifier);
    EXPECT_TRUE(hit == 1 || !gpu.isKiln());
  }
  later.vk.DestroyPipelineCache(later.device, cache, nullptr);
  EXPECT_EQ(later.validationMessages, 0u);
}

TEST_P(CacheApi, IdentifiersOfNobodyAreMissed) {
  if (!gpu.hasExtension(VK_EXT_SHADER_MODULE_IDENTIFIER_EXTENSION_NAME))
    GTEST_SKIP();
  Runner runner(gpu);
  runner.run(VK_NULL_HANDLE, 70, false);
  VkShaderModuleIdentifierEXT &identifier = runner.compute.shader.identifier;
  for (uint32_t size : {1u, identifier.identifierSize, 32u}) {
    identifier.identifierSize = size;
    identifier.identifier[0] += 3;
    EXPECT_EQ(runner.run(VK_NULL_HANDLE, 70, false, noCompile, Source::Identifier), -1);
  }
  VkPhysicalDeviceShaderModuleIdentifierPropertiesEXT identifiers = {};
  identifiers.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_MODULE_IDENTIFIER_PROPERTIES_EXT;
  auto properties = vkStruct<VkPhysicalDeviceProperties2>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &identifiers);
  gpu.vk.GetPhysicalDeviceProperties2(gpu.physicalDevice, &properties);
  const uint8_t zeros[VK_UUID_SIZE] = {};
  EXPECT_NE(std::memcmp(identifiers.shaderModuleIdentifierAlgorithmUUID, zeros, VK_UUID_SIZE), 0);
}

} // namespace
} // namespace api
