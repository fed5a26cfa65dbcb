//===- StandInsTest.cpp - code of the direct tier, until LLVM's is there --===//
// SPDX-License-Identifier: MIT
#include "icd_glue/partial/PartCounters.h"
#include "icd_glue/partial/PartsForTest.h"
#include "icd_glue/pipeline/PipelineCache.h"
#include <chrono>
#include <thread>

namespace icd {
namespace {

class StandIns : public Parts {
protected:
  /// Data of an application's cache with a pipeline of \p shader. \p isUsed: after its code has
  /// been replaced.
  std::vector<uint8_t> makePipelines(VkShaderModule shader, bool isUsed) {
    auto info = vkStruct<VkPipelineCacheCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO);
    EXPECT_EQ(CreatePipelineCache(device, &info, nullptr, &pipelineCache), VK_SUCCESS);
    const ConstantZero constant(
        5); // the module alone does not say it, and so the whole is compiled
    auto specialized = [&]() -> const PipelineData & {
      VkPipeline made = VK_NULL_HANDLE;
      EXPECT_EQ(create(shader, layouts[0], made, 0, &constant.info), VK_SUCCESS);
      return keep(made);
    };
    const CodeObject *quick = specialized().code(object());
    EXPECT_TRUE(quick->isStandIn());
    EXPECT_EQ(counters().compiled, 1u);
    // Nobody has used it.
    EXPECT_EQ(specialized().code(object()), quick);
    if (isUsed) {
      EXPECT_NE(specialized().program(object()), nullptr);
      const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
      while (specialized().code(object()) == quick && std::chrono::steady_clock::now() < end)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      EXPECT_FALSE(specialized().code(object())->isStandIn());
    }
    EXPECT_EQ(counters().compiled, 1u); // nobody waited for it
    size_t size = 0;
    EXPECT_EQ(GetPipelineCacheData(device, pipelineCache, &size, nullptr), VK_SUCCESS);
    std::vector<uint8_t> data(size);
    EXPECT_EQ(GetPipelineCacheData(device, pipelineCache, &size, data.data()), VK_SUCCESS);
    DestroyPipelineCache(device, pipelineCache, nullptr);
    pipelineCache = VK_NULL_HANDLE;
    return data;
  }

  /// What another device finds in \p data: is it a stand-in? It is replaced after it was used.
  void findIn(const std::vector<uint8_t> &data, bool isStandIn) {
    VkShaderModule shader = module(computeShader());
    layout({1});
    auto info = vkStruct<VkPipelineCacheCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO);
    info.initialDataSize = data.size();
    info.pInitialData = data.data();
    EXPECT_EQ(CreatePipelineCache(device, &info, nullptr, &pipelineCache), VK_SUCCESS);
    const ConstantZero constant(5);
    VkPipeline made = VK_NULL_HANDLE;
    EXPECT_EQ(create(shader, layouts[0], made,
                     VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT, &constant.info),
              VK_SUCCESS);
    const PipelineData &found = keep(made);
    EXPECT_EQ(found.code(object())->isStandIn(), isStandIn);
    EXPECT_FALSE(found.code(object())->lacksImprovement());
    EXPECT_EQ(counters().compiled, 0u);
    DestroyPipelineCache(device, pipelineCache, nullptr);
    pipelineCache = VK_NULL_HANDLE;
    destroy(shader);
  }

  void check(const Settings &settings, bool isUsed) {
    begin(settings);
    VkShaderModule shader = module(computeShader());
    layout({1});
    const std::vector<uint8_t> data = makePipelines(shader, isUsed);
    destroy(shader);
    end();
    begin(settings);
    findIn(data, !isUsed);
  }
};

TEST_F(StandIns, AreReplacedWhenTheyAreUsed) { check({{"KILN_PARTS", "on"}}, true); }
TEST_F(StandIns, AreReplacedWithoutParts) { check({{"KILN_PARTS", "off"}}, true); }
TEST_F(StandIns, AreKeptUntilThen) { check({{"KILN_PARTS", "on"}}, false); }

TEST_F(StandIns, AreNotForThoseWhoKeepOrReadCode) {
  begin({{"KILN_PARTS", "off"}});
  VkShaderModule shader = module(computeShader());
  EXPECT_TRUE(pipeline(shader, layout({1})).code(object())->isStandIn());
  for (VkPipelineCreateFlags flags : {VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR,
                                      VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR})
    EXPECT_FALSE(pipeline(shader, layouts[0], flags).code(object())->isStandIn());
  // Whoever comes later has it, too.
  EXPECT_FALSE(pipeline(shader, layouts[0]).code(object())->isStandIn());
  destroy(shader);
}

TEST_F(StandIns, AreNotMadeWhereOneTierIsAskedFor) {
  for (const char *tier : {"llvm", "direct"}) {
    begin({{"KILN_PARTS", "off"}, {"KILN_TIER", tier}});
    VkShaderModule shader = module(computeShader());
    EXPECT_FALSE(pipeline(shader, layout({1})).code(object())->isStandIn());
    EXPECT_EQ(counters().direct, tier == std::string("direct") ? 1u : 0u);
    destroy(shader);
    end();
  }
}

/// An application's cache that comes again has its stand-in; the driver's own has better code by
/// now, which takes its place.
TEST_F(StandIns, TheDriversCodeReplacesThemInCachesOfApplications) {
  begin({{"KILN_PARTS", "off"}});
  VkShaderModule shader = module(computeShader());
  layout({1});
  const std::vector<uint8_t> data = makePipelines(shader, /*isUsed=*/false);
  makePipelines(shader, /*isUsed=*/true); // with another cache
  auto info = vkStruct<VkPipelineCacheCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO);
  info.initialDataSize = data.size();
  info.pInitialData = data.data();
  EXPECT_EQ(CreatePipelineCache(device, &info, nullptr, &pipelineCache), VK_SUCCESS);
  const ConstantZero constant(5);
  for (unsigned i = 0; i < 2; ++i) {
    VkPipeline made = VK_NULL_HANDLE;
    EXPECT_EQ(create(shader, layouts[0], made, 0, &constant.info), VK_SUCCESS);
    EXPECT_FALSE(keep(made).code(object())->isStandIn());
  }
  EXPECT_EQ(counters().compiled, 1u);
  DestroyPipelineCache(device, pipelineCache, nullptr);
  pipelineCache = VK_NULL_HANDLE;
  destroy(shader);
}

/// Caches keep code, and not what it was made of: the next pipeline asks again.
TEST_F(StandIns, WhatNobodyCanUseIsNotImproved) {
  begin({{"KILN_PARTS", "off"}});
  VkShaderModule shader = module(computeShader());
  auto info = vkStruct<VkPipelineCacheCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO);
  EXPECT_EQ(CreatePipelineCache(device, &info, nullptr, &pipelineCache), VK_SUCCESS);
  layout({1});
  const CodeObject *code = nullptr;
  std::weak_ptr<Improvement> improvement;
  for (unsigned i = 0; i < 2; ++i) {
    VkPipeline unused = VK_NULL_HANDLE;
    EXPECT_EQ(create(shader, layouts[0], unused), VK_SUCCESS);
    const PipelineData &data = *fromHandle<Pipeline>(unused)->data;
    EXPECT_TRUE(!code || code == data.code(object()));
    code = data.code(object()); // which the cache has as well
    improvement = code->improvement();
    EXPECT_FALSE(improvement.expired());
    EXPECT_FALSE(code->lacksImprovement());
    DestroyPipeline(device, unused, nullptr);
    EXPECT_TRUE(improvement.expired());
    EXPECT_TRUE(code->lacksImprovement());
  }
  EXPECT_EQ(counters().compiled, 1u);
  DestroyPipelineCache(device, pipelineCache, nullptr);
  pipelineCache = VK_NULL_HANDLE;
  destroy(shader);
}

} // namespace
} // namespace icd
