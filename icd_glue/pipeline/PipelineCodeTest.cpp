// SPDX-License-Identifier: MIT
// What is found under a pipeline's name is used if it can be the pipeline's code.
#include "icd_glue/pipeline/PipelineCode.h"
#include "icd_glue/cache/RecordsForTest.h"
#include "icd_glue/cache/Revive.h"
#include "icd_glue/key/KeysForTest.h"
#include "icd_glue/pipeline/Pipeline.h"
#include "icd_glue/pipeline/PipelineCache.h"
#include "icd_glue/pipeline/PipelineCreation.h"

namespace icd {
namespace {

class PipelineCodeTest : public Keys {
protected:
  void SetUp() override {
    setenv("KILN_DEVICES", "gfx1100", 1);
    setenv("KILN_PARTS", "off", 1);
    Keys::SetUp();
    unsetenv("KILN_PARTS");
    unsetenv("KILN_DEVICES");
    auto info = vkStruct<VkPipelineCacheCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO);
    ASSERT_EQ(CreatePipelineCache(device, &info, nullptr, &cache), VK_SUCCESS);
  }
  void TearDown() override {
    DestroyPipelineCache(device, cache, nullptr);
    Keys::TearDown();
    EXPECT_TRUE(messages.empty()) << messages.front();
  }
  VkPipelineCache cache = VK_NULL_HANDLE;
};

TEST_F(PipelineCodeTest, CodeOfOtherStagesIsNotFound) {
  const llpc::Hash128 hash = {1, 2, 3, 4};
  const CacheKey name{CacheKey::Domain::Pipeline, hash};
  CacheContent &content = *fromHandle<PipelineCache>(cache)->content;
  const auto compute = codeObject(), draw = drawObject(1);
  const CodePlaces asCompute{hash, fromHandle<PipelineCache>(cache), VK_SHADER_STAGE_COMPUTE_BIT};
  const CodePlaces asDraw{hash, fromHandle<PipelineCache>(cache), draw->stages()};
  content.insert(name, draw);
  EXPECT_EQ(findCode(object(), asDraw).code, draw);
  EXPECT_EQ(findCode(object(), asCompute).code, nullptr);
  object().shaderCache().insert(name, draw);
  EXPECT_EQ(findCode(object(), asCompute).code, nullptr);
  // What is right takes the place of what is wrong.
  object().shaderCache().insert(name, compute);
  const FoundCode found = findCode(object(), asCompute);
  EXPECT_EQ(found.code, compute);
  EXPECT_FALSE(found.isFromApplication);
  EXPECT_EQ(content.find(name), compute);
  EXPECT_TRUE(findCode(object(), asCompute).isFromApplication);
}

// The record has no texts: what is made of it would have none.
TEST_F(PipelineCodeTest, DataHasNoPipelinesThatCaptureTexts) {
  auto info = vkStruct<VkComputePipelineCreateInfo>(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO);
  info.stage = vkStruct<VkPipelineShaderStageCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO);
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module(shader("comp"));
  info.stage.pName = "main";
  auto textsOf = [&](VkPipelineCache from, VkPipelineCreateFlags flags) {
    info.flags = flags;
    VkPipeline pipeline = VK_NULL_HANDLE;
    EXPECT_EQ(CreateComputePipelines(device, from, 1, &info, nullptr, &pipeline), VK_SUCCESS);
    const auto &executables = fromHandle<Pipeline>(pipeline)->data->executables(object());
    const size_t size = executables.size() == 1 ? executables[0].disassembly.size() : 0;
    DestroyPipeline(device, pipeline, nullptr);
    return size;
  };
  constexpr VkPipelineCreateFlags captures =
      VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR;
  EXPECT_EQ(textsOf(cache, 0), 0u);
  EXPECT_GT(textsOf(cache, captures), 0u);
  EXPECT_GT(textsOf(cache, captures), 0u); // the object itself is in the cache
  CacheContent &content = *fromHandle<PipelineCache>(cache)->content;
  EXPECT_EQ(content.size(), 2u);
  bool isComplete = false;
  const std::vector<uint8_t> data = content.write(SIZE_MAX, isComplete);
  EXPECT_TRUE(isComplete);
  EXPECT_EQ(data.size(), content.dataBytes());
  CacheContent read(reviverFor(object().target()), false);
  read.read(data);
  EXPECT_EQ(read.size(), 1u);
}

} // namespace
} // namespace icd
